/* SPDX-License-Identifier: GPL-2.0 */
/* Places of probes behind the beginnings of functions, from made-up code. */
#define _GNU_SOURCE
#include "lib/tracefs/sites.h"
#include "lib/base/str.h"
#include "tests/unit/unit.h"

#include <elf.h>
#include <stdio.h>
#include <unistd.h>

#define NOP "\x0f\x1f\x44\x00\x00"
#define ENDBR "\xf3\x0f\x1e\xfa"
#define SEALED "\x66\x0f\x1f\x00"
#define PUSH "\x55"
#define RET "\xc3"
#define CODE(text) text, sizeof(text) - 1

/* Where the code lies, and the wanted places; and what is wanted for each. */
#define BASE 0xffffffff81000000ULL

static const struct {
	const char *name;
	const char *code;
	size_t size;
	int wanted; /* -2: not asked for */
} codes[] = {
	{ "f_plain", CODE(NOP PUSH RET), 5 },
	{ "f_endbr", CODE(ENDBR NOP PUSH RET), 9 },
	{ "f_sealed", CODE(SEALED NOP PUSH RET), 9 },
	{ "f_traced", CODE("\xe8\x01\x02\x03\x04" PUSH RET), 5 },
	{ "f_traced_endbr", CODE(ENDBR "\xe8\x01\x02\x03\x04" PUSH RET), 9 },
	{ "f_other", CODE(PUSH NOP RET), 0 },
	{ "f_nothing", CODE(NOP), 0 },
	{ "f_loop_jmp8", CODE(NOP PUSH "\xeb\xfd" RET), 0 },		      /* from 6, behind it is 8: -3 */
	{ "f_loop_jne8", CODE(NOP PUSH "\x90\x75\xfc" RET), 0 },	      /* from 7, behind it is 9: -4 */
	{ "f_loop_jne32", CODE(NOP PUSH "\x0f\x85\xf9\xff\xff\xff" RET), 0 }, /* from 6, behind it is 12: -7 */
	{ "f_loop_jmp32", CODE(ENDBR NOP PUSH "\xe9\xfa\xff\xff\xff"), 0 },   /* from 10, behind it is 15: -6 */
	{ "f_loop_loop", CODE(NOP PUSH "\xe2\xfd" RET), 0 },
	{ "f_loops_to_more", CODE(NOP PUSH "\xeb\xfe" RET), 5 },
	{ "f_loops_to_nop", CODE(NOP PUSH "\xeb\xf8" RET), 5 },
	{ "f_hot", CODE(NOP PUSH RET), 0 },
	{ "f_warm", CODE(NOP PUSH RET), 5 },
	{ "f_twice", CODE(NOP PUSH RET), -1 },
	{ "f_twice", CODE(NOP PUSH PUSH RET), -2 },
	{ "f_twice2", CODE(NOP PUSH RET), 5 },
	{ "g_between", CODE(RET), -2 },
	{ "f_hot.cold", CODE("\x0f\x0b\xe9\x00\x00\x00\x00"), -2 }, /* its jump is put in by code_at() */
	{ "f_warm.cold", CODE("\x0f\x0b\xe9\x00\x00\x00\x00"), -2 },
	{ "z_end", CODE(RET), -2 },
};

struct files {
	char kallsyms[40], kcore[40];
	strv_t names;
	int *behind;
};

static void put(char *path, const void *bytes, size_t n)
{
	FILE *out;
	int fd;

	strcpy(path, "/tmp/ringside-unit-XXXXXX");
	fd = mkstemp(path);
	ck_assert_int_ge(fd, 0);
	out = fdopen(fd, "w");
	ck_assert(out && fwrite(bytes, 1, n, out) == n);
	fclose(out);
}

/* Jumps from the cold part at @at to @to. */
static void aim(char *code, uint64_t at, uint64_t to)
{
	int32_t by = (int32_t)(to - (at + 7));

	memcpy(code + 3, &by, sizeof(by));
}

static void files_init(struct files *f, unsigned int machine)
{
	Elf64_Ehdr head = { .e_ident = ELFMAG, .e_machine = (Elf64_Half)machine, .e_phoff = sizeof(head), .e_phnum = 2 };
	Elf64_Phdr segments[2] = {
		{ .p_type = PT_LOAD, .p_vaddr = 0x1000, .p_filesz = 64 },
		{ .p_type = PT_LOAD, .p_vaddr = BASE, .p_offset = sizeof(head) + sizeof(segments) },
	};
	struct str symbols = { 0 }, text = { 0 }, core = { 0 };
	uint64_t hot = 0, warm = 0;

	head.e_ident[EI_CLASS] = ELFCLASS64;
	f->names = (strv_t){ 0 };
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		uint64_t at = BASE + text.len;
		const char *name = codes[i].name;

		hot = strcmp(name, "f_hot") ? hot : at;
		warm = strcmp(name, "f_warm") ? warm : at;
		str_addf(&symbols, "%llx %c %s%s\n", (unsigned long long)at, i % 2 ? 'T' : 't', name, i % 3 ? "" : "\t[mod]");
		str_addn(&text, codes[i].code, codes[i].size);
		if (strcmp(name, "f_hot.cold") == 0)
			aim(text.at + text.len - codes[i].size, at, hot + 5);
		if (strcmp(name, "f_warm.cold") == 0)
			aim(text.at + text.len - codes[i].size, at, warm + 6);
		if (codes[i].wanted > -2)
			ck_assert_int_eq(strv_own(&f->names, str_printf("%s%s", name, i % 3 ? "" : " [mod]")), 0);
	}
	ck_assert_int_eq(strv_add(&f->names, "f_unknown"), 0);
	segments[1].p_filesz = text.len;
	str_addn(&core, &head, sizeof(head));
	str_addn(&core, segments, sizeof(segments));
	str_addn(&core, text.at, text.len);
	put(f->kcore, core.at, core.len);
	put(f->kallsyms, symbols.at, symbols.len);
	f->behind = calloc(f->names.n, sizeof(*f->behind));
	str_fini(&symbols);
	str_fini(&text);
	str_fini(&core);
}

static void files_fini(struct files *f)
{
	unlink(f->kallsyms);
	unlink(f->kcore);
	strv_fini(&f->names);
	free(f->behind);
}

START_TEST(places)
{
	struct files f;
	size_t n = 0;

	files_init(&f, EM_X86_64);
	ck_assert_int_eq(sites_behind(&f.names, f.behind, f.kallsyms, f.kcore), 0);
	for (size_t i = 0; i < ARRAY_LEN(codes); i++) {
		if (codes[i].wanted == -2)
			continue;
		ck_assert_msg(f.behind[n] == codes[i].wanted, "%s: %d, wanted %d", f.names.at[n], f.behind[n], codes[i].wanted);
		n++;
	}
	ck_assert_int_eq(f.behind[n], 0);
	files_fini(&f);
}
END_TEST

static void all_zero(const struct files *f, const char *kallsyms, const char *kcore)
{
	memset(f->behind, 0xff, f->names.n * sizeof(*f->behind));
	ck_assert_int_eq(sites_behind(&f->names, f->behind, kallsyms, kcore), 0);
	for (size_t i = 0; i < f->names.n; i++)
		ck_assert_int_le(f->behind[i], 0);
}

/* Files that cannot be had, of other machines, cut off, hidden addresses. */
START_TEST(nothing_known)
{
	char hidden[40], cut[40];
	struct files f;

	files_init(&f, EM_AARCH64);
	all_zero(&f, f.kallsyms, f.kcore);
	files_fini(&f);
	files_init(&f, EM_X86_64);
	all_zero(&f, "/nonexistent", f.kcore);
	all_zero(&f, f.kallsyms, "/nonexistent");
	put(hidden, CODE("0000000000000000 T f_plain\n0000000000000000 T f_endbr\n0000000000000000 t x"));
	all_zero(&f, hidden, f.kcore);
	put(cut, CODE(ELFMAG));
	all_zero(&f, f.kallsyms, cut);
	unlink(hidden);
	unlink(cut);
	files_fini(&f);
}
END_TEST

Suite *sites_suite(void)
{
	Suite *suite = suite_create("sites");
	TCase *tc = tcase_create("sites");

	tcase_add_test(tc, places);
	tcase_add_test(tc, nothing_known);
	suite_add_tcase(suite, tc);
	return suite;
}

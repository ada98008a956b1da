/* SPDX-License-Identifier: GPL-2.0 */
/* lib/event/symbols: what libtraceevent finds is the expected answer. */
#include "lib/base/io.h"
#include "lib/event/symbols.h"
#include "tests/unit/unit.h"
#include <pthread.h>
#include <stdio.h>
#include <traceevent/event-parse.h>

struct both {
	struct text text;
	struct symbols *syms;
	struct tep_handle *tep;
};

static void both_init(struct both *b, const char *text, size_t size)
{
	b->text = (struct text){ (char *)text, size };
	b->tep = tep_alloc();
	ck_assert_int_eq(symbols_new(&b->syms, &b->text), 0);
	ck_assert_int_eq(tep_parse_kallsyms(b->tep, text), 0);
}

static void both_fini(struct both *b)
{
	symbols_free(b->syms);
	tep_free(b->tep);
}

static void both_find(struct both *b, uint64_t addr)
{
	const struct symbol *got = symbols_find(b->syms, addr);
	unsigned long long start = 0;
	const char *want = NULL;

	if (!tep_find_function_info(b->tep, addr, &want, &start, NULL))
		want = NULL;
	ck_assert_msg(!got == !want, "%llx: %s, not %s", (long long)addr, got ? got->name : "none", want ? want : "none");
	if (!got)
		return;
	ck_assert_msg(!strcmp(got->name, want) && got->addr == start, "%llx: %s, not %s", (long long)addr, got->name, want);
	ck_assert_uint_eq(got->name_len, strlen(want));
}

static void both_find_around(struct both *b)
{
	struct text rest = b->text, line;

	while (text_line(&rest, &line)) {
		uint64_t addr = strtoull(line.at, NULL, 16);

		both_find(b, addr - 1);
		both_find(b, addr);
		both_find(b, addr + 1);
		both_find(b, addr + 7);
	}
	both_find(b, 0);
	both_find(b, 1);
	both_find(b, UINT64_MAX);
}

static uint32_t name_id(const struct both *b, uint64_t addr)
{
	return symbols_name_id(b->syms, symbols_find(b->syms, addr));
}

START_TEST(equals_and_skipped)
{
	static const char text[] = "ffff1000 t low\nffff2000 T one\nffff2000 T two\nffff2000 T three\n"
				   "ffff2000 t four\nffff2100 A absolute\nffff2200 a absolute\n"
				   "ffff2300 t $x\nffff2400 t x$y\n\nffff2500 t mine\t[ext4]\n"
				   "ffff1800 T late\nffff2600 t low\t[bpf]\nffff2700 W\tend";
	struct both b;

	both_init(&b, text, sizeof(text) - 1);
	both_find_around(&b);
	ck_assert_str_eq(symbols_find(b.syms, 0xffff2500)->module, "ext4");
	ck_assert_ptr_null(symbols_find(b.syms, 0xffff2400)->module);
	ck_assert_str_eq(symbols_find(b.syms, 0xffff2380)->name, "one");
	ck_assert_uint_eq(name_id(&b, 0xffff1000), name_id(&b, 0xffff2600));
	ck_assert_uint_ne(name_id(&b, 0xffff1000), name_id(&b, 0xffff1800));
	ck_assert_uint_eq(name_id(&b, 0xffff1000), name_id(&b, 0xffff1000));
	both_fini(&b);
}
END_TEST

START_TEST(empty_and_odd)
{
	struct text none = { 0 }, odd = { (char *)"zz t a\n12\n12 t\n13 t b\t[\n14 t c\t[]\n15 t d\t[m]\0 16 t e\n", 45 };
	struct symbols *syms;

	ck_assert_int_eq(symbols_new(&syms, &none), 0);
	ck_assert_ptr_null(symbols_find(syms, 0));
	ck_assert_uint_eq(symbols_address(syms, "a"), 0);
	symbols_free(syms);
	ck_assert_ptr_null(symbols_find(NULL, 1));
	symbols_free(NULL);

	ck_assert_int_eq(symbols_new(&syms, &odd), 0);
	ck_assert_ptr_null(symbols_find(syms, 0x12));
	ck_assert_str_eq(symbols_find(syms, 0x13)->name, "b");
	ck_assert_str_eq(symbols_find(syms, 0x14)->module, "");
	ck_assert_str_eq(symbols_find(syms, 0x15)->module, "m");
	ck_assert_ptr_null(symbols_find(syms, 0x16));
	symbols_free(syms);
}
END_TEST

/* 16 digits, or nearly: what is no digit ends the number, is the type, and the name follows it. */
START_TEST(sixteen_digits)
{
	static const char characters[] = "0189/:@AFGZ[`afgz{\x7f\x80\xb0\xc1\xff";

	for (size_t i = 0; i < sizeof(characters) - 1; i++) {
		for (int at = 0; at < 16; at++) {
			char line[] = "0fedcba9abcdef0f t one\nffffffffffff0000 t end\n", name[16], type;
			struct text text = { line, sizeof(line) - 1 };
			const struct symbol *got;
			struct symbols *syms;
			uint64_t addr;
			char *end;

			line[at] = characters[i];
			addr = strtoull(line, &end, 16);
			ck_assert_int_eq(symbols_new(&syms, &text), 0);
			got = symbols_find(syms, addr);
			if (end > line && sscanf(end, " %c %15s", &type, name) == 2 && type != 'A') {
				ck_assert_ptr_nonnull(got);
				ck_assert_uint_eq(got->addr, addr);
				ck_assert_str_eq(got->name, name);
			} else {
				ck_assert_ptr_null(got);
			}
			symbols_free(syms);
		}
	}
}
END_TEST

START_TEST(variables)
{
	const struct text text = { (char *)"ffffffffc0000000 t code\t[m]\nffffffffc0001000 b variable\t[m]\n 1000  D  odd\nffffffffc0002000 W weak\n", 98 };
	struct symbols *syms;

	ck_assert_uint_eq(text.size, strlen(text.at));
	ck_assert_int_eq(symbols_new(&syms, &text), 0);
	ck_assert(!symbols_find(syms, 0xffffffffc0000010)->data);
	ck_assert(symbols_find(syms, 0xffffffffc0001010)->data);
	ck_assert(symbols_find(syms, 0x1000)->data);
	ck_assert(!symbols_find(syms, 0xffffffffc0002000)->data);
	symbols_free(syms);
}
END_TEST

START_TEST(lowest_address)
{
	struct text text = { (char *)"30 t twice\n20 t other\n10 t twice\n", 32 };
	struct symbols *syms;

	ck_assert_int_eq(symbols_new(&syms, &text), 0);
	ck_assert_uint_eq(symbols_address(syms, "twice"), 0x10);
	ck_assert_uint_eq(symbols_address(syms, "other"), 0x20);
	ck_assert_uint_eq(symbols_address(syms, "twic"), 0);
	symbols_free(syms);
}
END_TEST

/* Every name of the running kernel; where its addresses are hidden they are all 0, which is a test as well. */
START_TEST(running_kernel)
{
	struct text text;
	struct both b;

	if (io_slurp("/proc/kallsyms", &text))
		return;
	both_init(&b, text.at, text.size);
	both_find_around(&b);
	both_fini(&b);
	free(text.at);
}
END_TEST

/* Thousands of addresses in random order, so that the radix passes and the cache have something to do. */
START_TEST(shuffled)
{
	struct str text = { 0 };
	uint64_t state = 1;
	struct both b;

	for (int i = 0; i < 20000; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		str_addf(&text, "%016llx t f%d\n", (long long)((state >> 40) % 9000 * 64 | (state >> 20 & 3) << 60), i);
	}
	both_init(&b, text.at, text.len);
	both_find_around(&b);
	both_find_around(&b);
	both_fini(&b);
	str_fini(&text);
}
END_TEST

struct finder {
	const struct symbols *syms;
	unsigned int found;
};

static void *find_all(void *arg)
{
	struct finder *f = arg;

	for (int round = 0; round < 20; round++)
		for (uint64_t i = 0; i < 9999; i++) {
			const struct symbol *sym = symbols_find(f->syms, 0x1000 + i * 16 + round);

			f->found += sym && sym->addr == 0x1000 + i * 16;
		}
	return NULL;
}

START_TEST(many_threads)
{
	struct finder finders[4] = { 0 };
	pthread_t threads[4];
	struct symbols *syms;
	struct str s = { 0 };
	struct text text;

	for (int i = 0; i < 10000; i++)
		str_addf(&s, "%x t f%d\n", 0x1000 + i * 16, i);
	text = (struct text){ s.at, s.len };
	ck_assert_int_eq(symbols_new(&syms, &text), 0);
	for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
		finders[i].syms = syms;
		ck_assert_int_eq(pthread_create(&threads[i], NULL, find_all, &finders[i]), 0);
	}
	for (size_t i = 0; i < ARRAY_LEN(threads); i++) {
		pthread_join(threads[i], NULL);
		ck_assert_uint_eq(finders[i].found, 9999 * 16);
	}
	symbols_free(syms);
	str_fini(&s);
}
END_TEST

/* A text of several parts, and a NUL in one of them: nothing behind it is there, however long it is. */
START_TEST(ends_within)
{
	struct str s = { 0 };
	struct both b;
	char *nul;

	for (int i = 0; i < 20000; i++)
		str_addf(&s, "%016x t a_function_%d\n", 0x1000 + i / 3 * 16, i);
	nul = strstr(s.at, "a_function_12345\n") + strlen("a_function_12345");
	*nul = '\0';
	both_init(&b, s.at, s.len);
	b.text.size = (size_t)(nul - s.at);
	both_find_around(&b);
	ck_assert_ptr_null(symbols_find(b.syms, 0x1000 + 12348 / 3 * 16));
	both_fini(&b);
	str_fini(&s);
}
END_TEST

static const struct text before = { (char *)"1000 t one\n2000 t two\n3000 t end\n", 33 };
static const struct text behind = { (char *)"0800 t zero\t[new]\n1000 t one\n2000 t two\n2800 t three\t[new]\n3000 t end\n", 70 };

/* A module has come: its symbols are found, and those handed out before hold. */
START_TEST(renewed)
{
	const struct symbol *two, *now;
	struct symbols *syms;

	ck_assert_int_eq(symbols_new(&syms, &before), 0);
	two = symbols_find(syms, 0x2900);
	ck_assert_str_eq(two->name, "two");
	symbols_renew(syms, &behind);
	now = symbols_find(syms, 0x2900);
	ck_assert_str_eq(now->name, "three");
	ck_assert_str_eq(now->module, "new");
	ck_assert_str_eq(symbols_find(syms, 0x2000)->name, "two");
	ck_assert_str_eq(two->name, "two");
	symbols_free(syms);
	/* Before the first look-up. */
	ck_assert_int_eq(symbols_new(&syms, &before), 0);
	symbols_renew(syms, &behind);
	ck_assert_str_eq(symbols_find(syms, 0x2900)->name, "three");
	symbols_free(syms);
}
END_TEST

/* Numbers of names are compared across it: the depths of functions are guessed by them. */
START_TEST(name_ids_of_before)
{
	const struct symbol *one, *two;
	struct symbols *syms;
	uint32_t id, next;

	ck_assert_int_eq(symbols_new(&syms, &before), 0);
	one = symbols_find(syms, 0x1000);
	two = symbols_find(syms, 0x2000);
	id = symbols_name_id(syms, one);
	symbols_renew(syms, &behind);
	/* Of a new name first, which must not get the number of an old one. */
	next = symbols_name_id(syms, symbols_find(syms, 0x2800));
	ck_assert_uint_ne(next, id);
	ck_assert_uint_eq(symbols_name_id(syms, symbols_find(syms, 0x1000)), id);
	ck_assert_uint_eq(symbols_name_id(syms, one), id);
	/* Handed out before, and asked for its number only now. */
	ck_assert_uint_ne(symbols_name_id(syms, two), id);
	ck_assert_uint_ne(symbols_name_id(syms, two), next);
	ck_assert_uint_eq(symbols_name_id(syms, two), symbols_name_id(syms, symbols_find(syms, 0x2000)));
	ck_assert_uint_eq(symbols_name_id(syms, symbols_find(syms, 0x2800)), next);
	symbols_free(syms);
}
END_TEST

Suite *symbols_suite(void)
{
	Suite *suite = suite_create("symbols");
	TCase *tc = tcase_create("find");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, equals_and_skipped);
	tcase_add_test(tc, sixteen_digits);
	tcase_add_test(tc, empty_and_odd);
	tcase_add_test(tc, lowest_address);
	tcase_add_test(tc, variables);
	tcase_add_test(tc, running_kernel);
	tcase_add_test(tc, shuffled);
	tcase_add_test(tc, ends_within);
	tcase_add_test(tc, many_threads);
	tcase_add_test(tc, renewed);
	tcase_add_test(tc, name_ids_of_before);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
/* lib/probe: probes as typed, and their arguments against this test program's own symbols, lines and types. */
#include "lib/base/str.h"
#include "lib/probe/command.h"
#include "lib/probe/elf.h"
#include "lib/probe/print-format.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* What the probes below are put on. */
struct probe_me {
	int x, y;
	const char *name;
	unsigned int low : 3, high : 5;
	struct {
		long deep[2];
	} in;
	char text[8];
};

long probe_this(struct probe_me *me, int n, const char *what);

__attribute__((noinline)) long probe_this(struct probe_me *me, int n, const char *what)
{
	return me->x + n + what[0]; /* line of probe_this: PROBE_LINE */
}
enum { PROBE_LINE = __LINE__ - 2 };

static int parse(struct probe_spec *spec, const char *text)
{
	int err = dup(2), null = open("/dev/null", O_WRONLY), ret;

	dup2(null, 2);
	ret = probe_spec_parse(spec, text);
	dup2(err, 2);
	close(err);
	close(null);
	return ret;
}

START_TEST(parts)
{
	struct probe_spec s;

	ck_assert_int_eq(parse(&s, "kprobe:tcp_sendmsg+0x10@net sz=size:u64 sk->sk_prot name=my/ev"), 0);
	ck_assert_int_eq(s.type, PROBE_KPROBE);
	ck_assert_str_eq(s.function, "tcp_sendmsg");
	ck_assert_str_eq(s.module, "net");
	ck_assert_uint_eq(s.offset, 16);
	ck_assert_str_eq(s.group, "my");
	ck_assert_str_eq(s.event, "ev");
	ck_assert_uint_eq(s.args.n, 2);
	ck_assert_str_eq(s.args.at[0].name, "sz");
	ck_assert_str_eq(s.args.at[0].expr, "size");
	ck_assert_str_eq(s.args.at[0].type, "u64");
	ck_assert_str_eq(s.args.at[1].expr, "sk->sk_prot");
	ck_assert_uint_eq(s.args.at[1].column, strlen("kprobe:tcp_sendmsg+0x10@net sz=size:u64 "));
	probe_spec_fini(&s);

	ck_assert_int_eq(parse(&s, "uprobe:./a.out:dir/main.c:42"), 0);
	ck_assert_str_eq(s.file, "./a.out");
	ck_assert_str_eq(s.source, "dir/main.c");
	ck_assert_uint_eq(s.line, 42);
	probe_spec_fini(&s);

	ck_assert_int_eq(parse(&s, "uprobe:lib:Class::method v:s32"), 0);
	ck_assert_str_eq(s.function, "Class::method");
	probe_spec_fini(&s);

	ck_assert_int_eq(parse(&s, "usdt:libc:libc:setjmp"), 0);
	ck_assert_str_eq(s.provider, "libc");
	ck_assert_str_eq(s.function, "setjmp");
	probe_spec_fini(&s);

	ck_assert_int_eq(parse(&s, "raw:p:grp/name do_sys_openat2 %di"), 0);
	ck_assert_str_eq(s.function, "p:grp/name do_sys_openat2 %di");
	probe_spec_fini(&s);
}
END_TEST

START_TEST(wrong_probes)
{
	/* clang-format off */
	static const char *const texts[] = {
		"",	       "kprobe",	 "kprobe:",		 "kprob:f",	    "uprobe:file",  "uprobe:file:",
		"usdt::name",  "kprobe:f+0xzz", "kprobe:f a b=",	 "kprobe:f 1x=a",   "uprobe:f:m.c:0",
		"kprobe:f name=a/b/c", "kprobe:f name=9", "raw:p:a/b f\np:c/d f",
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct probe_spec s;

		ck_assert_msg(parse(&s, texts[i]) == -EINVAL, "'%s'", texts[i]);
	}
}
END_TEST

/* Blanks, plus signs and colons inside of a symbol do not end it. */
START_TEST(symbols_of_languages)
{
	static const struct {
		const char *text, *function;
		uint64_t offset;
		size_t args;
	} rows[] = {
		{ "uprobe:p:ns::f(int, char const*) a", "ns::f(int, char const*)", 0, 1 },
		{ "uprobe:p:f<a, b<c> > a b", "f<a, b<c> >", 0, 2 },
		{ "uprobe:p:C::get(int) const a", "C::get(int) const", 0, 1 },
		{ "uprobe:p:C::get() constant", "C::get()", 0, 1 },
		{ "uprobe:p:C::operator+ a", "C::operator+", 0, 1 },
		{ "uprobe:p:C::operator+(C const&)", "C::operator+(C const&)", 0, 0 },
		{ "uprobe:p:C::operator<<(int, int) a", "C::operator<<(int, int)", 0, 1 },
		{ "uprobe:p:C::operator()(int, int)+0x4", "C::operator()(int, int)", 4, 0 },
		{ "uprobe:p:(anonymous namespace)::f a", "(anonymous namespace)::f", 0, 1 },
		{ "uprobe:p:<a::B as c::D>::f a", "<a::B as c::D>::f", 0, 1 },
		{ "uprobe:p:f+16 a", "f", 16, 1 },
		{ "uprobe:p:f(int a", "f(int", 0, 1 },
		{ "uprobe:p:f a\n\tb\n", "f", 0, 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct probe_spec s;

		ck_assert_int_eq(parse(&s, rows[i].text), 0);
		ck_assert_str_eq(s.function, rows[i].function);
		ck_assert_uint_eq(s.offset, rows[i].offset);
		ck_assert_uint_eq(s.args.n, rows[i].args);
		probe_spec_fini(&s);
	}
}
END_TEST

/* The command for a probe on this program; NULL when it is refused. */
static char *command(const char *rest)
{
	__cleanup(free_ptr) char *self = realpath("/proc/self/exe", NULL);
	__cleanup(free_ptr) char *text = NULL;
	struct probe_world world = { 0 };
	probe_commands_t out = { 0 };
	struct probe_spec spec;
	char *got = NULL;

	ck_assert(asprintf(&text, rest, self) > 0);
	ck_assert_int_eq(parse(&spec, text), 0);
	if (probe_compile(&world, &spec, &out) == 0 && out.n == 1) {
		char *path = strstr(out.at[0].text, self);

		/* "p:group/event args": what does not depend on where things lie. */
		ck_assert_ptr_nonnull(path);
		ck_assert(asprintf(&got, "%.*s%s", (int)(path - out.at[0].text), out.at[0].text, strchr(path, ' ') ? strchr(path, ' ') + 1 : "") > 0);
	}
	probe_commands_fini(&out);
	probe_spec_fini(&spec);
	return got;
}

START_TEST(user_arguments)
{
	static const struct {
		const char *probe, *want;
	} rows[] = {
		{ "uprobe:%s:probe_this me->x me->y n", "p:ringside/probe_this x=+0(%di):s32 y=+4(%di):s32 n=%si:s32" },
		{ "uprobe:%s:probe_this me->name what", "p:ringside/probe_this name=+0(+8(%di)):string what=+0(%dx):string" },
		{ "uprobe:%s:probe_this me->low me->high", "p:ringside/probe_this low=+16(%di):b3@0/32 high=+16(%di):b5@3/32" },
		{ "uprobe:%s:probe_this me->in.deep[1] me->text", "p:ringside/probe_this deep=+32(%di):s64 text=+40(%di):string" },
		{ "uprobe:%s:probe_this me->x me->x", "p:ringside/probe_this x=+0(%di):s32 x_2=+0(%di):s32" },
		{ "uprobe:%s:probe_this a=arg2:x8 name=g/e", "p:g/e a=%si:x8" },
		{ "uretprobe:%s:probe_this $retval", "r:ringside/probe_this_return ret=$retval:s64" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		__cleanup(free_ptr) char *got = command(rows[i].probe);

		ck_assert_msg(got && strcmp(got, rows[i].want) == 0, "%s: %s", rows[i].probe, got ? got : "refused");
	}
}
END_TEST

/* A char has names for what can be printed, unless a type was asked for. */
START_TEST(characters)
{
	static const char *const probes[] = { "uprobe:%s:probe_this what[0]", "uprobe:%s:probe_this what[0]:s8" };

	for (size_t i = 0; i < ARRAY_LEN(probes); i++) {
		__cleanup(free_ptr) char *self = realpath("/proc/self/exe", NULL), *text = NULL;
		struct probe_world world = { 0 };
		probe_commands_t out = { 0 };
		struct probe_spec spec;
		const char *names;

		ck_assert(asprintf(&text, probes[i], self) > 0);
		ck_assert_int_eq(parse(&spec, text), 0);
		ck_assert_int_eq(probe_compile(&world, &spec, &out), 0);
		names = out.at[0].args.at[0].enums;
		if (i == 0)
			ck_assert(names && strstr(names, ", { 97, \"'a'\" }, ") && str_starts(names, "{ 32, \"' '\" }") && !strstr(names, "{ 34,") &&
				  !strstr(names, "{ 92,") && str_ends(names, "{ 126, \"'~'\" }"));
		else
			ck_assert_ptr_null(names);
		probe_commands_fini(&out);
		probe_spec_fini(&spec);
	}
}
END_TEST

START_TEST(lines_and_refusals)
{
	__cleanup(free_ptr) char *line = NULL, *probe = NULL;
	static const char *const wrong[] = {
		"uprobe:%s:probe_thi",		"uprobe:%s:probe_this me->z",
		"uprobe:%s:probe_this $retval", "uretprobe:%s:probe_this n",
		"uprobe:%s:probe_this me->in",	"uprobe:%s:probe_this me->in.deep[2]",
		"uprobe:%s:nosuch.c:1",		"uprobe:%s:0xfffffffff",
		"uprobe:%s:probe_this arg7",	"usdt:%s:nosuch",
	};

	ck_assert(asprintf(&probe, "uprobe:%%s:tests/unit/probe.c:%d", PROBE_LINE) > 0);
	line = command(probe);
	ck_assert_ptr_nonnull(line);
	ck_assert_str_eq(line, "p:ringside/tests_unit_probe_c ");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		int err = dup(2), null = open("/dev/null", O_WRONLY);
		__cleanup(free_ptr) char *got = NULL;

		dup2(null, 2);
		got = command(wrong[i]);
		dup2(err, 2);
		close(err);
		close(null);
		ck_assert_msg(!got, "%s was accepted: %s", wrong[i], got);
	}
}
END_TEST

START_TEST(kernel_arguments)
{
	struct probe_world world = { 0 };
	probe_commands_t out = { 0 };
	struct probe_spec spec;

	ck_assert_int_eq(parse(&spec, "kprobe:vfs_read file->f_path.dentry->d_name.name:string n=count"), 0);
	ck_assert_int_eq(probe_compile(&world, &spec, &out), 0);
	ck_assert_uint_eq(out.n, 1);
	/* Offsets are the kernel's; the shape is ours. */
	ck_assert(str_starts(out.at[0].text, "p:ringside/vfs_read vfs_read name=+0(+"));
	ck_assert(str_ends(out.at[0].text, "($arg1))):string n=$arg3:u64"));
	probe_commands_fini(&out);
	probe_spec_fini(&spec);
	probe_world_fini(&world);
}
END_TEST

/* Many functions of a glob: f0, f1 … */
static int many(__unused void *ctx, __unused const char *glob, strv_t *out)
{
	int err = 0;

	for (int i = 0; i < 100 && !err; i++)
		err = strv_own(out, str_printf("f%d", i));
	return err;
}

static int few(void *ctx, const char *glob, strv_t *out)
{
	int err = many(ctx, glob, out);

	while (out->n > 10)
		free(out->at[--out->n]);
	return err;
}

/* The odd ones have a place, f2 stands for several. */
static int nine_behind(__unused void *ctx, const strv_t *names, int *out)
{
	for (size_t i = 0; i < names->n; i++)
		out[i] = i % 2 ? 9 : i == 2 ? -1 : 0;
	return 0;
}

static const struct {
	const char *probe, *moved, *plain; /* of f1; plain NULL: not moved */
	bool few;
} many_probes[] = {
	{ "kprobe:f*", "p:ringside/f1 f1+9", "p:ringside/f1 f1", false },
	{ "kprobe:f*", "p:ringside/f1 f1", NULL, true },
	{ "kprobe:f* a=$arg1:x64 b=+8(+4($arg6)):string $comm", "p:ringside/f1 f1+9 a=%di:x64 b=+8(+4(%r9)):string comm=$comm",
	  "p:ringside/f1 f1 a=$arg1:x64 b=+8(+4($arg6)):string comm=$comm", false },
	/* on the stack */
	{ "kprobe:f* a=$arg7", "p:ringside/f1 f1 a=$arg7", NULL, false },
	{ "kprobe:f* a=$arg10", "p:ringside/f1 f1 a=$arg10", NULL, false },
	{ "kprobe:f*+4", "p:ringside/f1 f1+4", NULL, false },
	{ "kretprobe:f*", "r:ringside/f1_return f1", NULL, false },
};

START_TEST(many_functions)
{
	struct probe_world world = { .functions = many_probes[_i].few ? few : many, .behind = nine_behind };
	probe_commands_t out = { 0 };
	struct probe_spec spec;

	ck_assert_int_eq(parse(&spec, many_probes[_i].probe), 0);
	ck_assert_int_eq(probe_compile(&world, &spec, &out), 0);
	ck_assert_str_eq(out.at[1].text, many_probes[_i].moved);
	if (many_probes[_i].plain)
		ck_assert_str_eq(out.at[1].plain, many_probes[_i].plain);
	else
		ck_assert_ptr_null(out.at[1].plain);
	ck_assert_ptr_nonnull(strstr(out.at[2].text, " f3"));
	ck_assert_ptr_null(out.at[3].plain);
	probe_commands_fini(&out);
	probe_spec_fini(&spec);
	probe_world_fini(&world);
}
END_TEST

#define FIELDS \
	"name: x\nID: 1\nformat:\n\tfield:s32 a;\toffset:16;\tsize:4;\tsigned:1;\n" \
	"\tfield:s32 aa;\toffset:20;\tsize:4;\tsigned:1;\n\tfield:s32 v[];\toffset:24;\tsize:8;\tsigned:1;\n"
#define BEGIN "\nprint fmt: \"(%lx)"

static const struct {
	struct fetch fetch;
	const char *fields, *line, *wanted_fields, *wanted;
	/* clang-format off */
} formats[] = {
	{ { .name = (char *)"a", .enums = (char *)"{ 0, \"NO\" }" }, FIELDS, BEGIN " a=%d aa=%d\", REC->__probe_ip, REC->a, REC->aa\n",
	  FIELDS, BEGIN " a=%s aa=%d\", REC->__probe_ip, __print_symbolic(REC->a, { 0, \"NO\" }), REC->aa\n" },
	{ { .name = (char *)"a", .enums = (char *)"{ 0, \"NO\" }" }, FIELDS, BEGIN " aa=%d a=%d\", REC->__probe_ip, REC->aa, REC->a\n",
	  FIELDS, BEGIN " aa=%d a=%s\", REC->__probe_ip, REC->aa, __print_symbolic(REC->a, { 0, \"NO\" })\n" },
	/* behind a string in quotes */
	{ { .name = (char *)"a", .enums = (char *)"{ 0, \"NO\" }" }, "", BEGIN " s=\\\"%s\\\" a=%d\", REC->__probe_ip, __get_str(s), REC->a\n",
	  "", BEGIN " s=\\\"%s\\\" a=%s\", REC->__probe_ip, __get_str(s), __print_symbolic(REC->a, { 0, \"NO\" })\n" },
	/* bits with a sign, and in hexadecimal */
	{ { .name = (char *)"a", .shown = 's', .bits = 5 }, FIELDS, BEGIN " a=%u aa=%d\", REC->__probe_ip, REC->a, REC->aa\n",
	  FIELDS, BEGIN " a=%Ld aa=%d\", REC->__probe_ip, (REC->a - ((REC->a & 0x10) * 2)), REC->aa\n" },
	{ { .name = (char *)"a", .shown = 'x', .bits = 5 }, FIELDS, BEGIN " a=%u aa=%d\", REC->__probe_ip, REC->a, REC->aa\n",
	  FIELDS, BEGIN " a=0x%Lx aa=%d\", REC->__probe_ip, REC->a, REC->aa\n" },
	{ { .name = (char *)"aa", .hidden = true }, FIELDS, BEGIN " a=%d aa=0x%Lx\", REC->__probe_ip, REC->a, REC->aa\n",
	  FIELDS, BEGIN " a=%d\", REC->__probe_ip, REC->a\n" },
	{ { .name = (char *)"v", .type = (char *)"s32[2]" }, "\tfield:s32 v[];\toffset:24;\tsize:8;\tsigned:1;\n",
	  BEGIN " v={%d,%d}\", REC->__probe_ip, REC->v[0], REC->v[1]\n",
	  "\tfield:s32 v[2];\toffset:24;\tsize:8;\tsigned:1;\n", BEGIN " v={%d,%d}\", REC->__probe_ip, REC->v[0], REC->v[1]\n" },
	/* nothing to do, nothing found */
	{ { .name = (char *)"a", .type = (char *)"s32" }, FIELDS, BEGIN " a=%d\", REC->__probe_ip, REC->a\n",
	  FIELDS, BEGIN " a=%d\", REC->__probe_ip, REC->a\n" },
	{ { .name = (char *)"b", .enums = (char *)"{ 0, \"NO\" }" }, FIELDS, BEGIN " a=%d\", REC->__probe_ip, REC->a\n",
	  FIELDS, BEGIN " a=%d\", REC->__probe_ip, REC->a\n" },
};
/* clang-format on */

START_TEST(print_formats)
{
	struct fetch fetch = formats[_i].fetch;
	const struct probe_command c = { .args = { .at = &fetch, .n = 1 } };
	char *before = str_printf("%s%s", formats[_i].fields, formats[_i].line);
	char *wanted = str_printf("%s%s", formats[_i].wanted_fields, formats[_i].wanted);
	struct text format = { before, strlen(before) };

	ck_assert_int_eq(probe_print_format(&c, &format), 0);
	ck_assert_str_eq(format.at, wanted);
	ck_assert_uint_eq(format.size, strlen(wanted));
	free(format.at);
	free(wanted);
}
END_TEST

static const char *const not_timed[] = {
	"kretprobe:vfs_read", "kprobe:vfs_read+8", "uprobe:./prog:main.c:42", "uprobe:./prog:0x1234", "usdt:./prog:go", "kprobe:vfs_read name=mine/reads",
	"raw:p:a/b vfs_read",
};

START_TEST(latency_specs)
{
	struct probe_spec s;

	ck_assert_int_eq(probe_spec_parse_latency(&s, "kprobe:vfs_read count $retval:s64 pos name=reads"), 0);
	ck_assert(s.latency && s.back && s.back->latency && !s.back->back);
	ck_assert_int_eq(s.back->type, PROBE_KRETPROBE);
	ck_assert_uint_eq(s.args.n, 2);
	ck_assert_str_eq(s.args.at[1].expr, "pos");
	ck_assert_uint_eq(s.back->args.n, 1);
	ck_assert_str_eq(s.back->args.at[0].expr, "$retval");
	ck_assert_str_eq(s.group, s.back->group);
	probe_spec_fini(&s);
	for (size_t i = 0; i < ARRAY_LEN(not_timed); i++)
		ck_assert_int_eq(probe_spec_parse_latency(&s, not_timed[i]), -EINVAL);
}
END_TEST

Suite *probe_suite(void)
{
	Suite *suite = suite_create("probe");
	TCase *tc = tcase_create("probe");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, parts);
	tcase_add_test(tc, wrong_probes);
	tcase_add_test(tc, symbols_of_languages);
	tcase_add_test(tc, latency_specs);
	tcase_add_loop_test(tc, many_functions, 0, ARRAY_LEN(many_probes));
	tcase_add_loop_test(tc, print_formats, 0, ARRAY_LEN(formats));
#ifdef __x86_64__
	tcase_add_test(tc, user_arguments);
	tcase_add_test(tc, characters);
#endif
	tcase_add_test(tc, lines_and_refusals);
	if (access("/sys/kernel/btf/vmlinux", R_OK) == 0)
		tcase_add_test(tc, kernel_arguments);
	suite_add_tcase(suite, tc);
	return suite;
}

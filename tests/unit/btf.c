/* SPDX-License-Identifier: GPL-2.0 */
/* lib/probe on a BTF of our own: where the kernel's conventions put parameters behind structures, wide numbers and hidden returns. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/base/str.h"
#include "lib/probe/command.h"
#include "tests/unit/folder.h"
#include "tests/unit/unit.h"

#include <bpf/btf.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Types, by what stands for them in the signatures below; v is void. */
enum { INT = 'i', LONG = 'l', WIDE = 'w', POINTER = 'p', SMALL = 's', TWO = 't', BIG = 'b', TYPES = 128 };

static int add_struct(struct btf *btf, const char *name, unsigned int size, int member, unsigned int n, unsigned int each)
{
	int id = btf__add_struct(btf, name, size);

	for (unsigned int i = 0; i < n; i++) {
		char field[16];

		snprintf(field, sizeof(field), "m%u", i);
		ck_assert_int_eq(btf__add_field(btf, field, member, i * each * 8, 0), 0);
	}
	return id;
}

/* "b:pi": returns a big structure, takes a pointer and an int; the parameters are called a, b, c and so on. */
static void add_function(struct btf *btf, const int *types, const char *name, const char *signature)
{
	int proto = btf__add_func_proto(btf, types[(unsigned char)signature[0]]);

	for (const char *at = signature + 2; *at; at++) {
		const char parameter[] = { (char)('a' + (at - signature - 2)), '\0' };

		ck_assert_int_eq(btf__add_func_param(btf, parameter, types[(unsigned char)*at]), 0);
	}
	ck_assert_int_gt(btf__add_func(btf, name, BTF_FUNC_STATIC, proto), 0);
}

static const struct {
	const char *signature, *wanted, *text;
} cases[] = {
	{ "i:iii", "c", "c=$arg3:s32" },
	{ "v:pl", "b", "b=$arg2:s64" },
	/* A structure of up to 16 bytes takes as many registers as it has eightbytes. */
	{ "i:si", "b", "b=$arg2:s32" },
	{ "i:si", "a.m1", "m1=$arg1:b32@32/64" },
	{ "i:ti", "b", "b=$arg3:s32" },
	{ "i:ti", "a.m1", "m1=$arg2:s64" },
	/* A larger one is on the stack, and takes none. */
	{ "i:bi", "b", "b=$arg1:s32" },
	/* So is one for which not all registers are left; those stay for who comes next. */
	{ "i:iiiiiti", "g", "g=$arg6:s32" },
	/* A large result needs a place, which is the first argument. */
	{ "b:pi", "b", "b=$arg3:s32" },
	{ "t:pi", "b", "b=$arg2:s32" },
	{ "i:wi", "b", "b=$arg3:s32" },
	{ "w:wi", "b", "b=$arg3:s32" },
};

static void save(const struct btf *btf, const char *file)
{
	uint32_t size;
	const void *raw = btf__raw_data(btf, &size);
	int fd = open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(io_write(fd, raw, size), 0);
	close(fd);
}

START_TEST(places)
{
	struct btf *btf = btf__new_empty();
	char dir[] = "/tmp/ringside-btf.XXXXXX", file[64];
	struct probe_world world = { .btf_dir = dir };
	probe_commands_t out = { 0 };
	struct probe_spec spec;
	int types[TYPES] = { 0 };
	__cleanup(free_ptr) char *typed = str_printf("kprobe:f %s", cases[_i].wanted);

	types[INT] = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	types[LONG] = btf__add_int(btf, "long", 8, BTF_INT_SIGNED);
	types[WIDE] = btf__add_int(btf, "__int128", 16, BTF_INT_SIGNED);
	types[POINTER] = btf__add_ptr(btf, types[INT]);
	types[SMALL] = add_struct(btf, "small", 8, types[INT], 2, 4);
	types[TWO] = add_struct(btf, "two", 16, types[LONG], 2, 8);
	types[BIG] = add_struct(btf, "big", 40, types[LONG], 5, 8);
	add_function(btf, types, "f", cases[_i].signature);
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/vmlinux", dir);
	save(btf, file);

	ck_assert_int_eq(probe_spec_parse(&spec, typed), 0);
	ck_assert_int_eq(probe_compile(&world, &spec, &out), 0);
	ck_assert_msg(str_ends(out.at[0].text, cases[_i].text), "%s of %s: %s", cases[_i].wanted, cases[_i].signature, out.at[0].text);
	unlink(file);
	rmdir(dir);
	probe_commands_fini(&out);
	probe_spec_fini(&spec);
	probe_world_fini(&world);
	btf__free(btf);
}
END_TEST

/* That the modules' BTF cannot be read is said as such, and does not hold for the next time. */
START_TEST(modules)
{
	char dir[] = "/tmp/ringside-btf.XXXXXX", file[64], module[64];
	struct btf *btf = btf__new_empty(), *split;
	int types[TYPES] = { 0 };
	variables_t vars = { 0 };
	struct kbtf *k;

	types[INT] = btf__add_int(btf, "int", 4, BTF_INT_SIGNED);
	add_function(btf, types, "f", "i:i");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(file, sizeof(file), "%s/vmlinux", dir);
	snprintf(module, sizeof(module), "%s/module", dir);
	save(btf, file);
	split = btf__new_empty_split(btf);
	add_function(split, types, "g", "i:i");
	ck_assert_int_eq(kbtf_open(&k, dir), 0);
	unlink(file);
	rmdir(dir);
	close(open(dir, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	mentions(kbtf_variables(k, "g", 1, &vars), -ENOTDIR, dir, "which has the BTF of modules, cannot be read: Not a directory\n");
	mentions(kbtf_names(k, NULL, "g", NULL, NULL), -ENOTDIR, dir, "which has the BTF of modules, cannot be read: Not a directory\n");
	unlink(dir);
	ck_assert_int_eq(mkdir(dir, 0700), 0);
	save(split, module);
	ck_assert_int_eq(kbtf_variables(k, "g", 1, &vars), 0);
	ck_assert_uint_eq(vars.n, 2);
	ck_assert_str_eq(vars.at[0].expr, "a");
	mentions(kbtf_variables(k, "h", 1, &vars), -ENOENT, "h is not in this kernel's BTF", "; nearest: f or g");
	variables_fini(&vars);
	kbtf_close(k);
	unlink(module);
	rmdir(dir);
	btf__free(split);
	btf__free(btf);
}
END_TEST

Suite *btf_suite(void)
{
	Suite *suite = suite_create("btf");
	TCase *tc = tcase_create("btf");

	tcase_add_test(tc, modules);
#ifdef __x86_64__
	tcase_add_loop_test(tc, places, 0, ARRAY_LEN(cases));
#endif
	suite_add_tcase(suite, tc);
	return suite;
}

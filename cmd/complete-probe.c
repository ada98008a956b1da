/* SPDX-License-Identifier: GPL-2.0 */
/* Completes a probe that is being typed: its type, functions, files, symbols, parameters and members. */
#include "cmd/complete.h"

#include "lib/base/event-fields.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/probe/elf.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/tracedir.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

/* More than FEW names help nobody, so their common beginnings are offered instead. At least GROUP names have such a beginning. */
enum { FEW = 1000, GROUP = 40 };

/* --- functions of the kernel --------------------------------------------------------------------------------- */

static int add_kallsyms(const char *prefix, strv_t *names)
{
	struct text all = { 0 }, rest;
	size_t len = strlen(prefix);
	struct ksym sym;
	int err = io_slurp(KALLSYMS, &all);

	rest = all;
	while (!err && ksym_next(&rest, &sym))
		if (sym.code && sym.len >= len && memcmp(sym.name, prefix, len) == 0)
			err = strv_own(names, strndup(sym.name, sym.len));
	free(all.at);
	return err;
}

/* If there are very many names, replaces those that begin the same by their beginning, up to the next _ after @prefix. At least GROUP names must share it. */
static int shorten(const char *prefix, strv_t *names)
{
	strv_t begins = { 0 };
	size_t run = 0;
	int err = 0;

	if (names->n <= FEW)
		return 0;
	strv_sort(names);
	for (size_t i = 0; !err && i < names->n; i++) {
		const char *name = names->at[i], *end = strchr(name + MIN(strlen(prefix), strlen(name)), '_');
		size_t len = end ? (size_t)(end - name) + 1 : 0;
		bool more = len && i + 1 < names->n && strncmp(names->at[i + 1], name, len) == 0;

		run = more ? run + 1 : 0;
		if (run == GROUP && len > strlen(prefix))
			err = strv_own(&begins, strndup(name, len));
	}
	strv_fini(names);
	*names = begins;
	return err;
}

static int add_functions(const char *prefix, strv_t *names)
{
	/* The functions that can be traced, if the kernel lists them; otherwise all symbols of code. */
	int err = prefix[0] ? complete_kernel("functions", prefix, names) : -ENOENT;

	err = err ? add_kallsyms(prefix, names) : 0;
	return err ? err : shorten(prefix, names);
}

/* --- files and what is in them ------------------------------------------------------------------------------- */

/* Adds folders, programs and libraries by path. A colon follows the name of a program or library. */
static int add_files(const char *prefix, strv_t *names)
{
	const char *slash = strrchr(prefix, '/');
	size_t len = slash ? (size_t)(slash - prefix) + 1 : 0;
	__cleanup(free_ptr) char *folder = strndup(prefix, len);
	DIR *dir = folder ? opendir(len ? folder : ".") : NULL;
	struct dirent *entry;
	int err = 0;

	while (dir && !err && (entry = readdir(dir))) {
		__cleanup(free_ptr) char *path = str_printf("%s%s", folder, entry->d_name);
		struct stat st;

		if (!str_starts(entry->d_name, prefix + len) || (entry->d_name[0] == '.' && !prefix[len]) || fstatat(dirfd(dir), entry->d_name, &st, 0))
			continue;
		if (S_ISDIR(st.st_mode))
			err = strv_own(names, str_printf("%s/", path));
		else if (len && S_ISREG(st.st_mode) && ((st.st_mode & 0111) || strstr(entry->d_name, ".so")))
			err = strv_own(names, str_printf("%s:", path));
	}
	if (dir)
		closedir(dir);
	return err;
}

static int add_known(const char *prefix, strv_t *names)
{
	strv_t known = { 0 };
	int err = prefix[0] ? elf_known(prefix, &known) : 0;

	vec_each (&known, name)
		err = err ? err : strv_own(names, str_printf("%s:", *name));
	strv_fini(&known);
	return err;
}

static int open_file(const char *name, struct elf_file **elf)
{
	__cleanup(free_ptr) char *path = NULL;
	int err = elf_find(name, 0, &path);

	return err ? err : elf_open(elf, path);
}

static int add_symbols(const char *file, const char *prefix, strv_t *names)
{
	__cleanup(free_ptr) char *pattern = str_printf("%s*", glob_is(prefix) ? "" : prefix);
	struct elf_file *elf = NULL;
	elf_symbols_t found = { 0 };
	int err = pattern ? open_file(file, &elf) : -ENOMEM;

	err = err ? err : elf_functions(elf, pattern, &found);
	vec_each (&found, s)
		err = err ? err : strv_add(names, s->demangled && !str_starts(prefix, "_") ? s->demangled : s->name);
	elf_symbols_fini(&found);
	elf_close(elf);
	return err;
}

/* Adds NAME, or PROVIDER:NAME once a provider is typed. */
static int add_usdt(const char *file, const char *prefix, strv_t *names)
{
	struct elf_file *elf = NULL;
	usdts_t found = { 0 };
	int err = open_file(file, &elf);

	err = err ? err : elf_usdts(elf, NULL, NULL, &found);
	vec_each (&found, u)
		err = err ? err : strchr(prefix, ':') ? strv_own(names, str_printf("%s:%s", u->provider, u->name)) : strv_add(names, u->name);
	usdts_fini(&found);
	elf_close(elf);
	return err;
}

int complete_in_file(bool usdt, const char *file, const char *prefix, strv_t *names)
{
	return usdt ? add_usdt(file, prefix, names) : add_symbols(file, prefix, names);
}

/* Adds files or, after a colon, what is in the file. */
static int add_in_file(bool usdt, const char *target, size_t *from, strv_t *names)
{
	const char *colon = strchr(target, ':');
	__cleanup(free_ptr) char *file = colon ? strndup(target, (size_t)(colon - target)) : NULL;
	int err;

	if (colon) {
		*from += (size_t)(colon + 1 - target);
		return file ? complete_in_file(usdt, file, colon + 1, names) : -ENOMEM;
	}
	err = strchr(target, '/') ? 0 : add_known(target, names);
	return err ? err : add_files(target, names);
}

int complete_target(const char *word, size_t *from, strv_t *names)
{
	if (strpbrk(word, "/:"))
		return add_in_file(false, word, from, names);
	return add_functions(word, names);
}

/* --- the target, behind the type ------------------------------------------------------------------------------ */

static int add_events(bool with_system, const char *prefix, strv_t *names)
{
	strv_t all = { 0 };
	int err = complete_kernel("events", prefix, &all);

	vec_each (&all, name) {
		char *colon = strchr(*name, ':');

		if (err || !colon)
			continue;
		*colon = '/';
		err = strv_add(names, with_system ? *name : colon + 1);
	}
	strv_fini(&all);
	return err;
}

static int add_target(enum probe_type type, const char *target, size_t *from, strv_t *names)
{
	switch (type) {
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
	case PROBE_USDT:
		return add_in_file(type == PROBE_USDT, target, from, names);
	case PROBE_TPROBE:
	case PROBE_EPROBE:
		return add_events(type == PROBE_EPROBE, target, names);
	case PROBE_RAW:
		return 0;
	default:
		return add_functions(target, names);
	}
}

/* --- what to fetch, behind the target ------------------------------------------------------------------------- */

static int add_kernel_names(const struct probe_spec *spec, const struct probe_arg *base, strv_t *names)
{
	struct kbtf *btf = NULL;
	int err = kbtf_open(&btf, NULL);

	err = err ? err : kbtf_names(btf, spec, spec->function, base, names);
	kbtf_close(btf);
	return err;
}

static int add_user_names(const struct probe_spec *spec, const struct probe_arg *base, strv_t *names)
{
	bool ret = spec->type == PROBE_URETPROBE;
	struct elf_file *elf = NULL;
	uint64_t offset;
	int err = open_file(spec->file, &elf);

	err = err ? err : elf_place(elf, spec, &offset);
	/* Registers can be named even without debug information. */
	if (!err && elf_names(elf, spec, offset, ret, base, names) && !base)
		err = strv_split(names, ret ? "$retval" : "arg1 arg2 arg3 arg4 arg5 arg6", " ");
	elf_close(elf);
	return err;
}

static int add_usdt_names(const struct probe_spec *spec, strv_t *names)
{
	struct elf_file *elf = NULL;
	usdts_t found = { 0 };
	int err = open_file(spec->file, &elf);

	err = err ? err : elf_usdts(elf, spec->provider, spec->function, &found);
	if (!err && found.n)
		vec_each (&found.at[0].args, f)
			err = err ? err : strv_own(names, str_printf("%s%s%s", f->name, f->type ? "\t" : "", f->type ? f->type : ""));
	usdts_fini(&found);
	elf_close(elf);
	return err;
}

static int add_fields(const char *event, strv_t *names)
{
	__cleanup(free_ptr) char *path = str_printf("%s/format", event);
	__cleanup(free_ptr) char *format = NULL;
	int err = path ? complete_read("events", path, &format) : -ENOMEM;

	return err ? err : format_fields(format, names);
}

static int add_names(const struct probe_spec *spec, const struct probe_arg *base, strv_t *names)
{
	switch (spec->type) {
	case PROBE_KPROBE:
	case PROBE_KRETPROBE:
	case PROBE_FPROBE:
	case PROBE_FRETPROBE:
		return add_kernel_names(spec, base, names);
	case PROBE_UPROBE:
	case PROBE_URETPROBE:
		return add_user_names(spec, base, names);
	case PROBE_USDT:
		return base ? 0 : add_usdt_names(spec, names);
	case PROBE_EPROBE:
		return base ? 0 : add_fields(spec->function, names);
	default:
		return 0;
	}
}

/* Returns where the typed member begins in an expression: after the last -> or ., or 0. */
static size_t behind_joint(const char *expr)
{
	size_t at = strlen(expr);

	while (at && expr[at - 1] != '.' && expr[at - 1] != '>')
		at--;
	return at;
}

/* Completes an argument of the form [NAME=]EXPRESSION[:TYPE]. */
static int add_argument(const struct probe_spec *spec, const char *word, size_t *from, strv_t *names)
{
	const char *equals = strchr(word, '='), *colon, *expr = equals ? equals + 1 : word;
	__cleanup(free_ptr) char *base = NULL;
	size_t behind, joint;

	if (equals && strncmp(word, "name=", 5) == 0)
		return 0;
	*from += (size_t)(expr - word);
	colon = strrchr(expr, ':');
	if (colon) {
		*from += (size_t)(colon + 1 - expr);
		return strv_split(names, "u8 u16 u32 u64 s8 s16 s32 s64 x8 x16 x32 x64 char string ustring symbol symstr", " ");
	}
	behind = behind_joint(expr);
	*from += behind;
	joint = behind ? (expr[behind - 1] == '.' ? 1 : 2) : 0;
	base = strndup(expr, behind - joint);
	if (!base)
		return -ENOMEM;
	if (!behind && expr[0] == '$' && !strv_split(names, "$comm $stack", " "))
		return spec->type == PROBE_UPROBE ? 0 : add_names(spec, NULL, names);
	return add_names(spec, behind ? &(struct probe_arg){ .expr = base } : NULL, names);
}

int complete_probe(const char *word, size_t *from, strv_t *names)
{
	size_t type = strcspn(word, ":"), target, last;
	__cleanup(free_ptr) char *head = NULL;
	struct probe_spec spec;
	int err = 0;

	if (!word[type]) {
		for (int i = PROBE_KPROBE; !err && i <= PROBE_RAW; i++)
			err = strv_own(names, str_printf("%s:", probe_type_name((enum probe_type)i)));
		return err;
	}
	target = type + 1 + symbol_span(word + type + 1, " \t");
	if (!word[target]) {
		for (int i = PROBE_KPROBE; i <= PROBE_RAW; i++)
			if (strlen(probe_type_name((enum probe_type)i)) == type && str_starts(word, probe_type_name((enum probe_type)i))) {
				*from += type + 1;
				return add_target((enum probe_type)i, word + type + 1, from, names);
			}
		return 0;
	}
	head = strndup(word, target);
	if (!head)
		return -ENOMEM;
	err = probe_spec_parse(&spec, head);
	if (err)
		return err;
	for (last = strlen(word); !strchr(" \t", word[last - 1]); last--)
		;
	*from += last;
	err = add_argument(&spec, word + last, from, names);
	probe_spec_fini(&spec);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* ringside probe vars, funcs, usdt and syms: list what can be probed. */
#include "cmd/probe.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/probe/elf.h"
#include "lib/tracefs/ksyms.h"
#include "lib/tracefs/select.h"

#include <stdio.h>

struct find_opts {
	uint64_t depth;
	uint64_t pid;
};

#define TO(field) offsetof(struct find_opts, field)

/* Returns the exit status. lib/probe and lib/elf print no message for lack of memory, so it is printed here. */
static int status_of(int err)
{
	if (err == -ENOMEM)
		fail(ENOMEM, "out of memory");
	return err != 0;
}

static void print_variables(const variables_t *vars)
{
	int expr = 0, type = 0;

	vec_each (vars, v) {
		expr = MAX(expr, (int)strlen(v->expr));
		type = MAX(type, (int)strlen(v->type));
	}
	vec_each (vars, v) {
		printf("  %-*s  %-*s  ", MIN(expr, 48), v->expr, MIN(type, 32), v->type);
		if (v->why)
			printf("# not: %s\n", v->why);
		else
			printf("%s:%s\n", v->fetch.text, v->fetch.type);
	}
}

static int kernel_variables(const char *function, unsigned int depth)
{
	__cleanup(free_ptr) char *prototype = NULL;
	struct kbtf *btf = NULL;
	variables_t vars = { 0 };
	int err = kbtf_open(&btf, NULL);

	err = err ? err : kbtf_variables(btf, function, depth, &vars);
	if (!err && !kbtf_prototype(btf, function, &prototype))
		printf("%s\n", prototype);
	print_variables(&vars);
	variables_fini(&vars);
	kbtf_close(btf);
	return err;
}

/* Prints the variables of FILE:FUNCTION. */
static int user_variables(const char *target, const char *colon, unsigned int depth, pid_t pid)
{
	__cleanup(free_ptr) char *name = strndup(target, (size_t)(colon - target));
	__cleanup(free_ptr) char *path = NULL;
	struct elf_file *elf = NULL;
	variables_t vars = { 0 };
	int err = name ? elf_find(name, pid, &path) : -ENOMEM;

	err = err ? err : elf_open(&elf, path);
	err = err ? err : elf_variables(elf, colon + 1, depth, &vars);
	if (!err)
		printf("%s in %s\n", colon + 1, path);
	print_variables(&vars);
	variables_fini(&vars);
	elf_close(elf);
	return err;
}

static int run_vars(int argc, char **argv)
{
	struct find_opts o = { .depth = 2 };
	char **operands;
	int n = opt_parse(&probe_cmd_vars, &o, argc, argv, &operands), status = 0;

	if (n < 0)
		return opt_status(n);
	if (n == 0)
		return usage(&probe_cmd_vars, "name a kernel function, or FILE:FUNCTION of a program");
	for (int i = 0; i < n; i++)
		if (strchr(operands[i], '/') && !strchr(operands[i], ':'))
			return usage(&probe_cmd_vars, "%s is a file: name its function after a colon, as %s:main", operands[i], operands[i]);
	for (int i = 0; i < n; i++) {
		const char *colon = strchr(operands[i], ':');
		const int failed = status_of(colon ? user_variables(operands[i], colon, (unsigned int)o.depth, (pid_t)o.pid)
						   : kernel_variables(operands[i], (unsigned int)o.depth));

		status = MAX(status, failed);
	}
	return status;
}

const struct cmd probe_cmd_vars = {
	.name = "probe vars",
	.synopsis = "[OPTION...] FUNCTION | FILE:FUNCTION ...",
	.summary = "print the prototype of a function and every expression that a probe on this function can fetch",
	.details = "FUNCTION is a function of the kernel. FILE:FUNCTION is a function of the program or library FILE.",
	.operands = "targets",
	.opts = (const struct opt[]){ { OPT_U64, 'd', .name = "depth", .arg = "LEVELS", .offset = TO(depth),
					.help = "print the members of structures down to this many levels (default: 2)" },
				      { OPT_U64, .name = "pid", .arg = "PID", .offset = TO(pid), .help = "look for FILE inside this process's root directory" },
				      OPT_END },
	.run = run_vars,
};

/* --- functions of the kernel --------------------------------------------------------------------------------- */

/* Prints why matching symbols of the kernel's code cannot be probed. */
static int print_excluded(const char *glob, const strv_t *probeable)
{
	struct text all = { 0 }, rest;
	strv_t plain = { 0 }, black = { 0 };
	struct ksym sym;
	int err = io_slurp(KALLSYMS, &all);

	err = err ? err : ksyms_blacklist(&black);
	vec_each (probeable, name)
		err = err ? err : strv_own(&plain, strndup(*name, strcspn(*name, " ")));
	strv_sort(&plain);
	rest = all;
	while (!err && ksym_next(&rest, &sym)) {
		__cleanup(free_ptr) char *name = sym.code ? strndup(sym.name, sym.len) : NULL;

		if (!name || !glob_match(glob, name) || ksyms_has(&plain, name))
			continue;
		if (ksyms_has(&black, name))
			printf("%s  # not: on the kernel's kprobe blacklist\n", name);
		else
			printf("%s  # not traceable (notrace); a kprobe may still be accepted\n", name);
	}
	strv_fini(&plain);
	strv_fini(&black);
	free(all.at);
	return err;
}

static int run_funcs(int argc, char **argv)
{
	struct tracedir top = TRACEDIR_NONE;
	strv_t names = { 0 };
	char **operands;
	int n = opt_parse(&probe_cmd_funcs, NULL, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n != 1)
		return usage(&probe_cmd_funcs, "one glob is wanted, as 'vfs_*'");
	err = tracedir_open(&top, NULL);
	err = err ? err : functions_find(&top, operands[0], &names);
	if (!err) {
		vec_each (&names, name)
			puts(*name);
		err = print_excluded(operands[0], &names);
		if (err)
			fail(-err, "cannot find out which other functions there are: %s", strerror(-err));
	}
	strv_fini(&names);
	tracedir_fini(&top);
	return err != 0;
}

const struct cmd probe_cmd_funcs = {
	.name = "probe funcs",
	.synopsis = "GLOB",
	.summary = "list the kernel functions that can be probed, and say why other functions cannot be probed",
	.operands = "functions",
	.run = run_funcs,
};

/* --- programs ------------------------------------------------------------------------------------------------- */

static int run_syms(int argc, char **argv)
{
	__cleanup(free_ptr) char *path = NULL;
	struct find_opts o = { 0 };
	struct elf_file *elf = NULL;
	elf_symbols_t found = { 0 };
	char **operands;
	int n = opt_parse(&probe_cmd_syms, &o, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n < 1 || n > 2)
		return usage(&probe_cmd_syms, "a program or library is wanted, and perhaps a glob");
	err = elf_find(operands[0], (pid_t)o.pid, &path);
	err = err ? err : elf_open(&elf, path);
	err = err ? err : elf_functions(elf, n == 2 ? operands[1] : "*", &found);
	vec_each (&found, s)
		printf("0x%08llx %6llu  %s%s%s%s\n", (unsigned long long)s->offset, (unsigned long long)s->size, s->demangled ? s->demangled : s->name,
		       s->demangled ? "  [" : "", s->demangled ? s->name : "", s->demangled ? "]" : "");
	if (!err && !found.n)
		err = fail(ENOENT, "%s has no function that matches '%s'", path, n == 2 ? operands[1] : "*");
	elf_symbols_fini(&found);
	elf_close(elf);
	return status_of(err);
}

static const struct opt pid_option[] = {
	{ OPT_U64, .name = "pid", .arg = "PID", .offset = TO(pid), .help = "look for FILE inside this process's root directory" },
	OPT_END,
};

const struct cmd probe_cmd_syms = {
	.name = "probe syms",
	.synopsis = "[OPTION...] FILE [GLOB]",
	.summary = "list the functions of a program or library: offset, size, name",
	.operands = "symbols",
	.opts = pid_option,
	.run = run_syms,
};

static int run_usdt(int argc, char **argv)
{
	__cleanup(free_ptr) char *path = NULL;
	struct find_opts o = { 0 };
	struct elf_file *elf = NULL;
	usdts_t found = { 0 };
	char **operands;
	int n = opt_parse(&probe_cmd_usdt, &o, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n < 1 || n > 2)
		return usage(&probe_cmd_usdt, "a program or library is wanted, and perhaps a glob");
	err = elf_find(operands[0], (pid_t)o.pid, &path);
	err = err ? err : elf_open(&elf, path);
	err = err ? err : elf_usdts(elf, NULL, n == 2 ? operands[1] : NULL, &found);
	vec_each (&found, u) {
		printf("%s:%s  0x%llx%s", u->provider, u->name, (unsigned long long)u->offset, u->semaphore ? " (semaphore)" : "");
		vec_each (&u->args, f)
			printf(" %s=%s%s%s", f->name, f->text ? f->text : "(cannot be fetched)", f->type ? ":" : "", f->type ? f->type : "");
		putchar('\n');
	}
	if (!err && !found.n)
		err = fail(ENOENT, "%s has no USDT probe%s", path, n == 2 ? " that matches" : "");
	usdts_fini(&found);
	elf_close(elf);
	return status_of(err);
}

const struct cmd probe_cmd_usdt = {
	.name = "probe usdt",
	.synopsis = "[OPTION...] FILE [GLOB]",
	.summary = "list the USDT probes that a program or library was compiled with",
	.operands = "usdts",
	.opts = pid_option,
	.run = run_usdt,
};

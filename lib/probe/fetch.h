/* SPDX-License-Identifier: GPL-2.0 */
/* An argument of a probe as the kernel fetches it, and the kernel's BTF, which tells what arguments functions have. */
#ifndef RINGSIDE_FETCH_H
#define RINGSIDE_FETCH_H

#include "lib/probe/spec.h"

/* One argument in the kernel's syntax: "filename=+0($arg2):ustring". */
struct fetch {
	char *name;	   /* a valid field name, unique in its probe */
	char *text;	   /* "+0($arg2)" */
	char *type;	   /* "u64"; NULL: leave it to the kernel */
	char *enums;	   /* "{ 0, "NONE" }, { 1, "READ" }" for the report, when it is an enum or a bool; else NULL */
	bool hidden;	   /* not printed by a report */
	char shown;	   /* for a number of some bits, which the kernel prints unsigned: 's' is signed, 'x' hexadecimal; 0: as the kernel prints it */
	unsigned int bits; /* with 's': how many bits the number has */
};

typedef VEC(struct fetch) fetches_t;
void fetch_fini(struct fetch *f);
void fetches_fini(fetches_t *v);

/* A fetchable expression, for `probe vars`. */
struct variable {
	char *expr; /* "how->flags" */
	char *type; /* as in C: "unsigned long long" */
	struct fetch fetch;
	char *why; /* why it cannot be fetched (.fetch is empty then); NULL: it can */
};

typedef VEC(struct variable) variables_t;
void variable_fini(struct variable *v);
void variables_fini(variables_t *v);

/*
 * The kernel's BTF: of vmlinux and of modules, opened when first needed. @dir NULL: /sys/kernel/btf.
 */
struct kbtf;
int kbtf_open(struct kbtf **out, const char *dir);
void kbtf_close(struct kbtf *btf);

/*
 * Compiles the argument @arg of a probe on kernel function @spec->function (at its entry; $retval and members behind it at its
 * return), by parameter names, members through pointers and embedded structs, arrays, bitfields, char pointers and arrays.
 * $argN, %reg, @addr, $stack and the like are passed through. @entry_args: at its return the kernel has what the parameters
 * were at the entry. 0; -errno after a message with the nearest names.
 */
int kbtf_fetch(struct kbtf *btf, const struct probe_spec *spec, const char *function, const struct probe_arg *arg, bool entry_args, struct fetch *out);

/* "int do_sys_openat2(int dfd, const char *filename, struct open_how *how)" in new memory; -ENOENT: not in BTF. No message. */
int kbtf_prototype(struct kbtf *btf, const char *function, char **out);

/* All fetchable expressions of a function, @depth levels of members deep. Returns 0 or -errno after a message. */
int kbtf_variables(struct kbtf *btf, const char *function, unsigned int depth, variables_t *out);

/*
 * For completion: "NAME<tab>TYPE" of what may stand behind the expression @base with its -> or . (NULL: at the beginning) in a
 * probe @spec on kernel function @function. Returns 0 or -errno after a message.
 */
int kbtf_names(struct kbtf *btf, const struct probe_spec *spec, const char *function, const struct probe_arg *base, strv_t *out);

#endif

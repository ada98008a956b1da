/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Converts an argument of a probe to the expression by which the kernel fetches it. The parameters of functions and their types come from the
 * kernel's BTF.
 */
#ifndef RINGSIDE_FETCH_H
#define RINGSIDE_FETCH_H

#include "lib/probe/spec.h"

/* One argument in the kernel's syntax: "filename=+0($arg2):ustring". */
struct fetch {
	char *name;  /* a valid field name, unique in its probe */
	char *text;  /* "+0($arg2)" */
	char *type;  /* "u64"; NULL: the kernel chooses the type */
	char *enums; /* the values and their names, for __print_symbolic(); NULL: the argument is neither an enum nor a bool */
	bool hidden; /* reports do not print this argument */
	/* How a report prints a bit-field. 's' means signed, 'x' means hexadecimal. 0 means unsigned, which is how the kernel prints it. */
	char shown;
	unsigned int bits; /* if .shown is 's': how many bits the number has */
};

typedef VEC(struct fetch) fetches_t;
void fetch_fini(struct fetch *f);
void fetches_fini(fetches_t *v);

/* An expression that `probe vars` lists. */
struct variable {
	char *expr; /* "how->flags" */
	char *type; /* as in C: "unsigned long long" */
	struct fetch fetch;
	char *why; /* why the expression cannot be fetched (.fetch is then empty); NULL: it can be fetched */
};

typedef VEC(struct variable) variables_t;
void variable_fini(struct variable *v);
void variables_fini(variables_t *v);

/*
 * Opens the BTF of the kernel, which is the file vmlinux in the folder @dir. If @dir is NULL, the folder is /sys/kernel/btf. The BTF of a module is
 * opened when it is needed for the first time. Returns 0, -ENOMEM, or another -errno after a message. kbtf_close() accepts NULL.
 */
struct kbtf;
int kbtf_open(struct kbtf **out, const char *dir);
void kbtf_close(struct kbtf *btf);

/*
 * Compiles the argument @arg of the probe @spec, which is on the kernel function @function. An argument in the kernel's own syntax ($argN, %reg, @addr, $stack
 * and the like) is passed through. Any other argument begins with the name of a parameter or with $retval. Members and elements of arrays may follow. A member
 * may be reached through pointers and embedded structures. The argument may end at a bit-field. A char pointer or a char array is fetched as a string. $retval
 * needs a probe at the return. If the function is not in BTF, an argument that consists of $retval alone is passed through. @entry_args is true if the kernel
 * can fetch parameters at the return as they were at the entry. If @entry_args is false, parameters and $argN are refused in a probe at the return. Returns 0,
 * -ENOMEM, or another -errno after a message. If a name is not known, the message lists the most similar names.
 */
int kbtf_fetch(struct kbtf *btf, const struct probe_spec *spec, const char *function, const struct probe_arg *arg, bool entry_args, struct fetch *out);

/*
 * Makes the prototype of a function in new memory: "int do_sys_openat2(int dfd, const char *filename, struct open_how *how)". Returns 0. Returns
 * -ENOENT when the function is not in BTF, and -ENOMEM when memory runs out, both without a message. Returns any other -errno after a message.
 */
int kbtf_prototype(struct kbtf *btf, const char *function, char **out);

/*
 * Appends entries for the parameters of a function and for $retval. Their members down to @depth levels have entries, too. When a value cannot be fetched, its
 * entry says why. A structure as a whole has no entry. Returns 0, -ENOMEM, or another -errno after a message.
 */
int kbtf_variables(struct kbtf *btf, const char *function, unsigned int depth, variables_t *out);

/*
 * This is for the completion of a command line with a probe @spec on the kernel function @function. The expression @base ends with "->" or ".". Appends
 * "NAME<tab>TYPE" for each name that may follow @base. When @base is NULL, appends the names with which an expression may begin. Returns 0 or -errno. Some
 * failures have a message and others have none, because completion shows no messages.
 */
int kbtf_names(struct kbtf *btf, const struct probe_spec *spec, const char *function, const struct probe_arg *base, strv_t *out);

#endif

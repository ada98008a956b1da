/* SPDX-License-Identifier: GPL-2.0 */
/* Reads the symbols of the running kernel, and its list of the functions that cannot be probed. Nothing in here prints. */
#ifndef RINGSIDE_KSYMS_H
#define RINGSIDE_KSYMS_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

#define KALLSYMS "/proc/kallsyms"

/* A line of /proc/kallsyms: "ffffffff81000000 T name". If the symbol belongs to a module, a tab and the module's name in brackets follow. */
struct ksym {
	uint64_t at;	  /* the address; 0 when kptr_restrict hides it */
	const char *name; /* points into the text from which ksym_next() took the symbol; .len bytes without a NUL */
	size_t len;
	bool code; /* the letter behind the address is t, T, w or W */
};

/* Takes the next symbol from the front of @rest. Returns false at the end. */
bool ksym_next(struct text *rest, struct ksym *out);

/* Returns 1 if the kernel has code of that name, and 0 if it has none. Returns -errno when this cannot be found out. */
int ksym_exists(const char *name);

/*
 * Appends the names of the functions that cannot be probed, and sorts *@out. Appends nothing when debugfs has no list of these functions
 * (kprobes/blacklist), or when the list cannot be read. Returns 0 or -ENOMEM.
 */
int ksyms_blacklist(strv_t *out);

/* Returns true if @name is in the sorted @names. */
bool ksyms_has(const strv_t *names, const char *name);

#endif

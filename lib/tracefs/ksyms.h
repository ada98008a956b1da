/* SPDX-License-Identifier: GPL-2.0 */
/* What the running kernel's code consists of, and what of it may be probed. Nothing in here prints a message. */
#ifndef RINGSIDE_KSYMS_H
#define RINGSIDE_KSYMS_H

#include "lib/base/str.h"
#include "lib/base/vec.h"

#define KALLSYMS "/proc/kallsyms"

/* A line of /proc/kallsyms: "ffffffff81000000 T name", with its module in brackets behind a tab. */
struct ksym {
	uint64_t at;		/* 0 where kptr_restrict hides it */
	const char *name;	/* in the text, @len bytes */
	size_t len;
	bool code;
};

/* The next symbol of @rest; false at the end. */
bool ksym_next(struct text *rest, struct ksym *out);

/* Is there code of that name? 1 or 0; -errno: nobody can tell. */
int ksym_exists(const char *name);

/* Appends the functions that the kernel lets nobody probe, sorted; none where debugfs does not tell. 0 or -ENOMEM. */
int ksyms_blacklist(strv_t *out);

/* Is @name in the sorted @names? */
bool ksyms_has(const strv_t *names, const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The text of /proc/kallsyms, sorted by address without taking names apart: of a kernel's 200,000 few are looked up. */
#ifndef RINGSIDE_KALLSYMS_H
#define RINGSIDE_KALLSYMS_H

#include "lib/base/str.h"

struct kallsyms {
	const char *text, *end;	/* borrowed */
	uint64_t *addrs;	/* ascending; among equals the last in the text first */
	uint64_t *coarse;	/* some of them, small enough to stay in a core's cache */
	uint32_t *names;	/* where in the text each one's name begins */
	uint32_t n;
};

/* Reads *@text, which must outlive it, up to a NUL (and 4 GiB). Absolute and mapping symbols are left out. 0 or -ENOMEM. */
int kallsyms_init(struct kallsyms *out, const struct text *text);
void kallsyms_fini(struct kallsyms *syms);

/* The index of the symbol that answers for @addr as symbols_find() says; -1: there is none. */
int64_t kallsyms_search(const struct kallsyms *syms, uint64_t addr);

/* The name of symbol @i, and its module's ("ext4" without brackets; .at NULL: the kernel itself). */
struct text kallsyms_name(const struct kallsyms *syms, uint32_t i, struct text *module);

#endif

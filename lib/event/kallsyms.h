/* SPDX-License-Identifier: GPL-2.0 */
/* The text of /proc/kallsyms, sorted by address without taking names apart: of a kernel's 200,000 few are looked up. */
#ifndef RINGSIDE_KALLSYMS_H
#define RINGSIDE_KALLSYMS_H

#include "lib/base/str.h"

struct kallsyms_part;

struct kallsyms {
	const char *text, *end;	/* borrowed */
	uint64_t *addrs;	/* ascending; among equals the last in the text first */
	uint64_t *coarse;	/* some of them, small enough to stay in a core's cache */
	uint32_t *names;	/* where in the text each one's name begins; behind the addresses, in the same memory */
	uint32_t n;
	struct kallsyms_part *parts;	/* while the text is read */
	uint32_t nparts;
};

/*
 * To read *@text, which must outlive it, up to a NUL (and 4 GiB): begin; then each of .nparts parts, in any order and at the same
 * time on any threads; then end. Absolute and mapping symbols are left out. 0 or -ENOMEM; after that only fini may follow.
 */
int kallsyms_begin(struct kallsyms *out, const struct text *text);
void kallsyms_read(struct kallsyms *syms, uint32_t part);
int kallsyms_end(struct kallsyms *syms);

void kallsyms_fini(struct kallsyms *syms);

/* The index of the symbol that answers for @addr as symbols_find() says; -1: there is none. */
int64_t kallsyms_search(const struct kallsyms *syms, uint64_t addr);

/* The name of symbol @i, and its module's ("ext4" without brackets; .at NULL: the kernel itself). */
struct text kallsyms_name(const struct kallsyms *syms, uint32_t i, struct text *module);

#endif

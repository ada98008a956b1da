/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds symbols by address in the text of /proc/kallsyms, with an index that is sorted by address. The name of a symbol is taken from the text only when a
 * caller asks for it.
 */
#ifndef RINGSIDE_KALLSYMS_H
#define RINGSIDE_KALLSYMS_H

#include "lib/base/str.h"

struct kallsyms_part;

struct kallsyms {
	const char *text, *end; /* borrowed */
	uint64_t *addrs;	/* ascending; among symbols at the same address, the one that stands last in the text comes first */
	uint64_t *coarse;	/* element i is .addrs[64 * i]; a search begins in this array, because it is small enough for a core's cache */
	/* Element i tells where the name of the symbol at .addrs[i] begins in .text. The array is in the memory of .addrs, behind the addresses. */
	uint32_t *names;
	uint32_t n;		     /* the number of symbols */
	struct kallsyms_part *parts; /* the .nparts pieces into which the text is cut while it is read */
	uint32_t nparts;
};

/*
 * These functions read *@text up to its first NUL, but at most 4 GiB of it. The text must live as long as *@out. Call them one after the other:
 *  - kallsyms_begin() cuts the text into .nparts pieces.
 *  - kallsyms_read() reads one of these pieces. Call it for each piece. The order does not matter, and several threads may call it at the same time.
 *  - kallsyms_end() makes the index.
 * Absolute symbols, and ARM's mapping symbols ($a, $d and the like), are left out. kallsyms_begin() and kallsyms_end() return 0 or -ENOMEM. After -ENOMEM
 * only kallsyms_fini() may be called.
 */
int kallsyms_begin(struct kallsyms *out, const struct text *text);
void kallsyms_read(struct kallsyms *syms, uint32_t part);
int kallsyms_end(struct kallsyms *syms);

void kallsyms_fini(struct kallsyms *syms);

/* Returns the index of the symbol that symbols_find() (lib/event/symbols.h) chooses for @addr, or -1 when there is none. */
int64_t kallsyms_search(const struct kallsyms *syms, uint64_t addr);

/*
 * Returns the name of symbol @i. *@module becomes the name of the symbol's module, without brackets ("ext4"). For a symbol of the kernel itself,
 * module->at becomes NULL.
 */
struct text kallsyms_name(const struct kallsyms *syms, uint32_t i, struct text *module);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel symbols by address, from the text of /proc/kallsyms. The text is not looked at before the first look-up
 * and then sorted once; names are taken from it as they are found. Look-ups are safe from several threads.
 */
#ifndef RINGSIDE_SYMBOLS_H
#define RINGSIDE_SYMBOLS_H

#include "lib/base/str.h"

struct symbol {
	uint64_t addr;
	const char *name;	/* NUL-terminated; can be copied by put_short() */
	const char *module;	/* "ext4" without brackets; NULL: the kernel itself */
	uint32_t name_len;
	uint32_t name_id;	/* symbols_name_id()'s */
};

struct symbols;

/* Borrows *@kallsyms, which must outlive it and is not changed. 0 or -ENOMEM. */
int symbols_new(struct symbols **out, const struct text *kallsyms);
void symbols_free(struct symbols *syms);

/*
 * From now on the symbols are those of *@kallsyms (borrowed likewise): modules have come or gone. Symbols that were handed
 * out hold.
 */
void symbols_renew(struct symbols *syms, const struct text *kallsyms);

/*
 * The symbol that covers @addr, the one that libtraceevent's tep_find_function chooses: at an address with several
 * symbols, where its binary search arrives first; between two addresses the first one in the text of those at the
 * lower. NULL: there is none, as below the first address and above the last. @syms may be NULL.
 */
const struct symbol *symbols_find(const struct symbols *syms, uint64_t addr);

/*
 * The same number, not 0, for symbols of the same name, also of before and after symbols_renew(); 0: @sym is NULL, or no memory.
 * From one thread at a time.
 */
uint32_t symbols_name_id_(const struct symbols *syms, const struct symbol *sym);

static inline uint32_t symbols_name_id(const struct symbols *syms, const struct symbol *sym)
{
	return sym && !sym->name_id ? symbols_name_id_(syms, sym) : sym ? sym->name_id : 0;
}

/* Calls @each for all of them, by address. */
void symbols_each(const struct symbols *syms, void (*each)(void *ctx, const struct symbol *sym), void *ctx);

/* The lowest address of a symbol of that name; 0: there is none. Goes through all of them. */
uint64_t symbols_address(const struct symbols *syms, const char *name);

#endif

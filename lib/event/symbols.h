/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds kernel symbols by address, in the text of /proc/kallsyms. The text is sorted at the first look-up, and a name is taken from it when
 * it is found for the first time. Several threads may look up symbols at the same time.
 */
#ifndef RINGSIDE_SYMBOLS_H
#define RINGSIDE_SYMBOLS_H

#include "lib/base/str.h"

struct symbol {
	uint64_t addr;
	const char *name;   /* with a NUL behind it, in memory from which put_short() can copy */
	const char *module; /* "ext4" without brackets; NULL: the kernel itself */
	uint32_t name_len;
	uint32_t name_id; /* what symbols_name_id() returns; 0: not asked for yet */
	bool data;	  /* it is a variable, and no code */
	bool plain;	  /* the name has only letters, digits, _, . and $, so that no format writes it in another way */
};

struct symbols;

/* Borrows *@kallsyms, which must live as long as the symbols and is not changed. Returns 0 or -ENOMEM. */
int symbols_new(struct symbols **out, const struct text *kallsyms);
void symbols_free(struct symbols *syms);

/*
 * Replaces the text, when modules have been loaded or removed: from now on look-ups use *@kallsyms, which is borrowed in the same
 * way. Symbols that were returned before stay valid.
 */
void symbols_renew(struct symbols *syms, const struct text *kallsyms);

/*
 * Returns the symbol that covers @addr. When several do, it is the one that libtraceevent's tep_find_function() chooses. Of several symbols at exactly this
 * address, tep_find_function() chooses the one that its binary search finds first. When @addr lies between two addresses, it chooses the symbol of the
 * lower address that comes first in the text. Returns NULL below the first address and above the last. @syms may be NULL.
 */
const struct symbol *symbols_find(const struct symbols *syms, uint64_t addr);

/*
 * Returns the function that covers @addr, an address of a stack, or NULL. When symbols_find() finds a variable, what runs there is not in the list of
 * symbols: it may be one of ftrace's trampolines, in memory behind the variables of a module. Reports print such a variable's name as trace-cmd does;
 * analyses use this.
 */
static inline const struct symbol *symbols_function(const struct symbols *syms, uint64_t addr)
{
	const struct symbol *sym = symbols_find(syms, addr);

	return sym && sym->data ? NULL : sym;
}

/*
 * Returns a number other than 0 that is the same for all symbols of the same name, also before and after symbols_renew(). Returns
 * 0 when @sym is NULL or memory runs out. Only one thread at a time may call it.
 */
uint32_t symbols_name_id_(const struct symbols *syms, const struct symbol *sym);

static inline uint32_t symbols_name_id(const struct symbols *syms, const struct symbol *sym)
{
	return sym && !sym->name_id ? symbols_name_id_(syms, sym) : sym ? sym->name_id : 0;
}

/* Calls @each for all symbols, in the order of their addresses. */
void symbols_each(const struct symbols *syms, void (*each)(void *ctx, const struct symbol *sym), void *ctx);

/* Returns the lowest address of a symbol of this name, or 0 when there is none. This is slow, because it looks at all symbols. */
uint64_t symbols_address(const struct symbols *syms, const char *name);

/*
 * Does what symbols_address() does, for @n names at once, and only for symbols of the kernel itself, not of modules: addrs[i] becomes the
 * lowest address of names[i], or 0 when there is none.
 */
void symbols_addresses(const struct symbols *syms, const char *const *names, size_t n, uint64_t *addrs);

#endif

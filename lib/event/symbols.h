/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds kernel symbols by address, in the text of /proc/kallsyms. The symbols are sorted at the first look-up. The name of a symbol is taken from the
 * text when that symbol is found for the first time. Several threads may look up symbols at the same time.
 */
#ifndef RINGSIDE_SYMBOLS_H
#define RINGSIDE_SYMBOLS_H

#include "lib/base/str.h"

struct symbol {
	uint64_t addr;
	/* The name ends with a NUL. A reader may read SLACK bytes (lib/event/print-program.h) from the start of the name, even if the name is shorter. */
	const char *name;
	const char *module; /* "ext4" without brackets; NULL: the kernel itself */
	uint32_t name_len;
	uint32_t name_id; /* what symbols_name_id() returns; 0 until symbols_name_id() is called for this symbol */
	bool data;	  /* true: the symbol is a variable; false: it is a function */
	bool plain;	  /* the name has only letters, digits, _, . and $, so that no output format has to escape it */
};

struct symbols;

/* Borrows *@kallsyms, which must live as long as *@out and must not change. Returns 0 or -ENOMEM. */
int symbols_new(struct symbols **out, const struct text *kallsyms);
void symbols_free(struct symbols *syms);

/*
 * Call this after modules have been loaded or removed. From then on, look-ups use the new text *@kallsyms, which is borrowed as in symbols_new(). When
 * memory runs out, look-ups go on using the former text, and no error is reported. So the former text, too, must live as long as @syms. Symbols that were
 * returned before stay valid.
 */
void symbols_renew(struct symbols *syms, const struct text *kallsyms);

/*
 * Returns the symbol that covers @addr. A symbol covers the addresses from its own address up to the next higher address at which a symbol begins. The
 * last symbol covers only its own address. Several symbols that begin at one address cover the same addresses. If several symbols cover @addr, this
 * function returns the symbol that libtraceevent's tep_find_function() would return:
 *  - If they begin at @addr, it is the symbol that the binary search of tep_find_function() meets first.
 *  - If they begin below @addr, it is the symbol that comes first in the text.
 * Returns NULL when @addr is below the first symbol or above the last. Also returns NULL when @syms is NULL, and when memory runs out.
 */
const struct symbol *symbols_find(const struct symbols *syms, uint64_t addr);

/*
 * Returns the function that covers @addr, an address of code. Returns NULL when symbols_find() finds nothing, and when it finds a variable. If symbols_find()
 * finds a variable, the code at @addr has no symbol. For example, the code may be one of ftrace's trampolines, which lie in memory behind the variables of a
 * module. Analyses use this function. A report uses symbols_find(), and so prints the name of the variable, as trace-cmd does.
 */
static inline const struct symbol *symbols_function(const struct symbols *syms, uint64_t addr)
{
	const struct symbol *sym = symbols_find(syms, addr);

	return sym && sym->data ? NULL : sym;
}

/*
 * symbols_name_id() returns a number above 0 that stands for the name of @sym. All symbols of the same name have the same number, even after symbols_renew().
 * When @sym is NULL or memory runs out, symbols_name_id() returns 0. Only one thread at a time may call symbols_name_id(). For a symbol that has no number yet,
 * symbols_name_id() calls symbols_name_id_(). The @sym of symbols_name_id_() must not be NULL.
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
 * Does what symbols_address() does, for @n names at once. Each name must have at least SYMBOLS_LEAST bytes. The function looks only at symbols of the kernel
 * itself, not at those of modules. addrs[i] becomes the lowest address of names[i], or 0 when there is none.
 */
enum { SYMBOLS_LEAST = 4 };
void symbols_addresses(const struct symbols *syms, const char *const *names, size_t n, uint64_t *addrs);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Kernel symbols by address, from the text of /proc/kallsyms. The text is not parsed before the first look-up
 * and then sorted once; look-ups are safe from several threads.
 */
#ifndef RINGSIDE_SYMBOLS_H
#define RINGSIDE_SYMBOLS_H

#include "lib/base/str.h"

struct symbol {
	uint64_t addr;
	const char *name;	/* NUL-terminated */
	const char *module;	/* "ext4" without brackets; NULL: the kernel itself */
	uint32_t name_len;
};

struct symbols;

/* Borrows *@kallsyms, which must outlive it and is not changed. 0 or -ENOMEM. */
int symbols_new(struct symbols **out, const struct text *kallsyms);
void symbols_free(struct symbols *syms);

/*
 * The symbol that covers @addr (the last one at or below it, as libtraceevent's tep_find_function chooses
 * among equals); NULL: none. Addresses below the first symbol have none.
 */
const struct symbol *symbols_find(const struct symbols *syms, uint64_t addr);

/* The lowest address of a symbol of that name; 0: there is none. */
uint64_t symbols_address(const struct symbols *syms, const char *name);

#endif

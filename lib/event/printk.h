/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The kernel's constant strings by address, from the text of tracefs' printk_formats. Events that record a
 * pointer to such a string are printed with it.
 */
#ifndef RINGSIDE_PRINTK_H
#define RINGSIDE_PRINTK_H

#include "lib/base/str.h"

struct printk;

/* Takes the lines `0xADDRESS : "string"` apart; keeps nothing of *@formats. 0 or -ENOMEM. */
int printk_new(struct printk **out, const struct text *formats);
void printk_free(struct printk *printk);

/*
 * The string at exactly @addr as the file spells it, without its quotes and the \n at its end; NULL: there is none.
 * @printk may be NULL. Holds until printk_free().
 */
const char *printk_find(const struct printk *printk, uint64_t addr);

/* Calls @each for all of them, by address. @printk may be NULL. */
void printk_each(const struct printk *printk, void (*each)(void *ctx, uint64_t addr, const char *string), void *ctx);

#endif

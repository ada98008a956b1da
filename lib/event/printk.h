/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the kernel's constant strings by address, in the text of tracefs's file printk_formats. Some events record only the address of a constant string. */
#ifndef RINGSIDE_PRINTK_H
#define RINGSIDE_PRINTK_H

#include "lib/base/str.h"

struct printk;

/* Reads the lines `0xADDRESS : "string"`. *@formats is not used after the call. Returns 0 or -ENOMEM. */
int printk_new(struct printk **out, const struct text *formats);
void printk_free(struct printk *printk);

/*
 * Returns the string that begins at @addr, as the file spells it. The quotes and a "\n" at the end of the string are left out. Returns NULL when
 * no string begins there. @printk may be NULL. The string is valid until printk_free().
 */
const char *printk_find(const struct printk *printk, uint64_t addr);

/* Calls @each for all strings, in the order of their addresses. @printk may be NULL. */
void printk_each(const struct printk *printk, void (*each)(void *ctx, uint64_t addr, const char *string), void *ctx);

#endif

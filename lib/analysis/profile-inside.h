/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the files that implement lib/analysis/profile.h share. Only these files use this header. */
#ifndef RINGSIDE_PROFILE_INSIDE_H
#define RINGSIDE_PROFILE_INSIDE_H

#include "lib/analysis/profile.h"

/*
 * Returns the index in facts->items of the item that is about the same thing and the same owner as @item. If there is no such item, appends a copy of @item.
 * Returns -ENOMEM when memory runs out.
 */
int64_t profile_item_of(struct profile *p, struct profile_facts *facts, const struct profile_item *item);

#endif

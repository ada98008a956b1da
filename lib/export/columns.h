/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many rows of numbers, column by column, as a page's script reads them: how many columns there are, then of each how many bytes it
 * has, 32 bits each, lowest byte first; then their bytes. Numbers are of 7 bits a byte, the lowest first, all but the last with the
 * eighth bit set; of a column of differences each is the difference to the one before, with the sign in the lowest bit.
 */
#ifndef RINGSIDE_COLUMNS_H
#define RINGSIDE_COLUMNS_H

#include "lib/base/str.h"

enum { COLUMNS_MOST = 12 };

struct columns {
	struct str at[COLUMNS_MOST];
	uint64_t before[COLUMNS_MOST];
	unsigned int n;
};

void columns_put(struct columns *columns, unsigned int column, uint64_t value);
void columns_put_difference(struct columns *columns, unsigned int column, uint64_t value);

/* Appends all to @out and frees what the columns have. -ENOMEM shows in @out. */
void columns_take(struct columns *columns, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes many rows of numbers, column by column, as the script of an HTML page reads them. First comes the number of columns, then the size of each column
 * in bytes, then the bytes of all columns. The number of columns and the sizes have 32 bits each, with the lowest byte first. A number in a column is a
 * varint (lib/base/digits.h). A column of differences does not store the values themselves. For each value, the column stores the difference between the value
 * and the value before it. The lowest bit of the difference's varint is the sign (zigzag encoding).
 */
#ifndef RINGSIDE_COLUMNS_H
#define RINGSIDE_COLUMNS_H

#include "lib/base/str.h"

enum { COLUMNS_MOST = 12 };

struct columns {
	struct str at[COLUMNS_MOST];   /* element i: the bytes of column i */
	uint64_t before[COLUMNS_MOST]; /* element i: the last argument @value of columns_put_difference() for column i; 0 before the first call */
	unsigned int n;		       /* 1 + the highest index of a column to which a number was appended; 0: there is no number yet */
};

/*
 * columns_put() appends a number to a column. columns_put_difference() takes the next value for a column of differences. It appends the difference
 * between this value and the value before it.
 */
void columns_put(struct columns *columns, unsigned int column, uint64_t value);
void columns_put_difference(struct columns *columns, unsigned int column, uint64_t value);

/* Appends all columns to @out and frees their memory. When memory runs out, or ran out in an earlier call, out->oom is set. */
void columns_take(struct columns *columns, struct str *out);

#endif

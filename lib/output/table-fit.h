/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fits tables into the width of a terminal. With table_show.fit, each row is one line: texts that take more than half of the width are cut, and then columns on
 * the right are left out until the rest fits. With table_show.width, texts are broken into lines, if that is of use.
 */
#ifndef RINGSIDE_TABLE_FIT_H
#define RINGSIDE_TABLE_FIT_H

#include "lib/output/table-rows.h"

/* Cuts a text of UTF-8 that has more than @width characters. The last character that stays is then a mark: an ellipsis, or '~' if @utf8 is false. */
void table_cut(struct str *text, size_t width, bool utf8);

/* Returns how many of the first @n columns fit into @width characters, with two blanks between columns. @widths are their widths. The result is at least 1. */
unsigned int table_fit(const size_t *widths, unsigned int n, size_t width);

/*
 * Do @n columns fit into @width characters if those that are @broken into lines keep 16 characters? If not, it is no use to break them. @widths are the widths
 * that the columns have when nothing is broken.
 */
bool table_breaks(const size_t *widths, const bool *broken, unsigned int n, size_t width);

/* Writes a line with the names of the columns that are shown from the @from-th on, as columns that have no room. Returns what table_show() returns. */
int table_fit_tell(const struct table *t, unsigned int from, int fd);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lays out tables without colours and without a limit on the width of a line. Each column is as wide as its widest text. The caller sets all widths before it
 * appends the first row. libsmartcols would make the same text, but would take much more time.
 */
#ifndef RINGSIDE_TABLE_PLAIN_H
#define RINGSIDE_TABLE_PLAIN_H

#include "lib/output/table-rows.h"

struct table_plain {
	size_t widths[TABLE_COLUMNS]; /* element k: the width, in characters, of the k-th column that is shown, counted from 0 */
	bool right[TABLE_COLUMNS];    /* element k: the texts of this column are right-aligned */
	struct str out;
	size_t line; /* where the line that is being written begins in .out */
};

/*
 * Returns the number of characters in the widest line of @text, which is UTF-8. Sets *@odd to true if libsmartcols may lay the text out differently, and
 * otherwise leaves *@odd as it is. The layout may differ if the text has one of these:
 *  - a line break;
 *  - a backslash;
 *  - a character that may take less or more than one column of a terminal in the locale of the thread.
 */
size_t table_plain_width(const char *text, size_t n, bool *odd);

/* Appends the text of column @k of a line. The caller appends the columns from left to right. */
void table_plain_cell(struct table_plain *plain, unsigned int k, const char *text, size_t n);

/* Ends the line. Blanks at its end are not written. */
void table_plain_end(struct table_plain *plain);

/* Appends the lines of @text, without the blanks at their ends. */
void table_plain_lines(char *text, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws the lines of rows on the screen of `ringside top` (cmd/top-screen.h). A line has figures and, behind them, the name of the row. Only figures that leave
 * at least 24 columns of the terminal for the name are shown, but at least one is. A build without ncursesw has none of these functions.
 */
#ifndef RINGSIDE_TOP_ROW_H
#define RINGSIDE_TOP_ROW_H

#include "lib/analysis/top.h"

/* The number of figures of a row. */
enum { TOP_FIGURES = 8 };

/* Returns the index of the first figure that has no room behind the figure @left, if @left is the leftmost figure that is shown. */
size_t top_row_end(size_t left);

/* Draws the line of heads, or the line of a row, in the line @y of the screen. @left is the leftmost figure that is shown. */
void top_row_heads(int y, size_t left);
void top_row_draw(int y, size_t left, const struct top *top, const struct top_row *row, const struct top_sums *sums);

/* Draws a name at the cursor, without characters that a terminal must not show. If the name has not enough room in its line, '>' stands at the end. */
void top_row_name(const char *name);

/* Writes a time with its unit into @buf, or "-" if the time is not known. Returns the text. */
const char *top_row_time(uint64_t ns, char buf[16]);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Shows, below the tables of a distribution of times, what is known of the longest of these times. */
#ifndef RINGSIDE_WORST_TEXT_H
#define RINGSIDE_WORST_TEXT_H

#include "lib/analysis/dist-worst.h"
#include "lib/output/table.h"

/*
 * Makes a table of the fields of the event at which the longest time ended. Each field has a row with its name and value. When the stack of that event is
 * known, the last row has the stack. The table borrows its texts from @worst. Only the member .form of @show is used. Returns 0, or -errno after a message.
 * The caller frees *@out.
 */
int worst_table(struct table **out, const struct dist_worst *worst, const struct table_show *show);

/*
 * Appends plain text: a line with the time and the fields, and a line for each function of the stack, the innermost one first. worst->any must be true. @ticks
 * is true if the time is in ticks of the trace's clock, not in ns. visible_str() escapes all of @out, including the text that @out had before.
 */
void worst_text(const struct dist_worst *worst, bool ticks, struct str *out);

/* Appends a line "=> FUNCTION" for each function of @path ("OUTERMOST;...;INNERMOST"), the innermost first. The last line has no newline. */
void stack_lines(const char *path, struct str *out);

#endif

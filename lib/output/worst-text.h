/* SPDX-License-Identifier: GPL-2.0 */
/* The longest time of a distribution, below its tables. */
#ifndef RINGSIDE_WORST_TEXT_H
#define RINGSIDE_WORST_TEXT_H

#include "lib/analysis/dist-worst.h"
#include "lib/output/table.h"

/* Its fields as a table of names and values, with the stack as the last of them. Returns 0, or -errno after a message; *@out is freed by the caller. */
int worst_table(struct table **out, const struct dist_worst *worst, const struct table_show *show);

/* For people: a line of its time and fields, and a line for each function of its stack, the innermost one first. Nothing where it is not known. */
void worst_text(const struct dist_worst *worst, bool ticks, struct str *out);

/* Adds a path as such lines: "=> FUNCTION" each, with newlines between them. */
void stack_lines(const char *path, struct str *out);

#endif

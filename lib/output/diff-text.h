/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints a table of the differences between two sides. A side is one or more recordings. Each row has a verdict (enum diff_verdict in lib/analysis/diff.h). The
 * column "evidence" tells in words why this verdict was reached.
 */
#ifndef RINGSIDE_DIFF_TEXT_H
#define RINGSIDE_DIFF_TEXT_H

#include "lib/analysis/diff.h"
#include "lib/output/table.h"

struct diff_show {
	bool all;     /* also show the rows with the verdicts DIFF_SAME and DIFF_UNKNOWN */
	bool explain; /* also show the figures on which each verdict is based */
	strv_t globs; /* only these functions or paths; empty: all */
};

/* Returns the columns of the table. If @by_path is true, its rows are paths. Otherwise its rows are functions. */
const struct table_spec *diff_spec(bool by_path);

/*
 * Fills @table, which was made from diff_spec(), with the rows that @show chooses. The table borrows texts from @diff. Returns how many rows with the verdict
 * DIFF_SAME would be in the table if show->all were true, but are left out.
 */
size_t diff_table(struct table *table, const struct diff *diff, const struct diff_show *show);

/* Returns true if show->globs choose the row, or if there are no globs. */
bool diff_chosen(const struct diff_row *row, const struct diff_show *show);

/* Adds the sentences below the table. They tell the total change, what was left out, and what is not known. @hidden is what diff_table() has returned. */
void diff_notes(struct table *table, const struct diff *diff, size_t hidden);

#endif

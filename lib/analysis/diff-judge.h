/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what diff.c and diff-judge.c share. diff.c makes the rows of a comparison. diff-judge.c judges the rows. Only lib/analysis/diff*.c uses
 * this.
 */
#ifndef RINGSIDE_DIFF_JUDGE_H
#define RINGSIDE_DIFF_JUDGE_H

#include "lib/analysis/diff.h"

/* Returns how many recordings @side (OLD or NEW) has. */
static inline size_t diff_runs(const struct diff *diff, unsigned int side)
{
	return diff->runs[side]->n;
}

/* Returns the logarithm of the median time of an item's calls. Returns NaN when @item is NULL or has too few calls. This function is in diff.c. */
double diff_log_median(const struct diff_item *item);

/*
 * Sets diff_row.ratio of each row: the new median time divided by the old median time. Tests all rows, and sets their verdicts. Returns 0 or -ENOMEM. This
 * function is in diff-judge.c.
 */
int diff_judge(struct diff *diff);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Between the two files of a comparison: its rows, and the verdicts on them. Inside lib/analysis/diff*.c only. */
#ifndef RINGSIDE_DIFF_JUDGE_H
#define RINGSIDE_DIFF_JUDGE_H

#include "lib/analysis/diff.h"

/* How many recordings a side has. */
static inline size_t diff_runs(const struct diff *diff, unsigned int side)
{
	return diff->runs[side]->n;
}

/* diff.c: the logarithm of the median in a recording; not a number: it has too few calls there, or @item is NULL. */
double diff_log_median(const struct diff_item *item);

/* diff-judge.c: finds the shift of each row, tests all, and sets their verdicts. 0 or -ENOMEM. */
int diff_judge(struct diff *diff);

#endif

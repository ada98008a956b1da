/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells whether events of a task may have been lost between two of the task's records. Documentation/analysis.md has the rules. lib/analysis/timed.h applies
 * these rules.
 *	err = doubts_take(doubts, rec);
 *	mark = doubts_mark(doubts, rec, pid);
 */
#ifndef RINGSIDE_DOUBTS_H
#define RINGSIDE_DOUBTS_H

#include "lib/analysis/timed.h"

struct doubts;

/* Makes *@out. Borrows @inputs. Returns 0 or -ENOMEM. */
int doubts_new(struct doubts **out, const inputs_t *inputs);
void doubts_free(struct doubts *doubts);

/*
 * Must be called for each record in the order of time, including records without data. For each record, doubts_take()
 * must be called before doubts_mark(). Returns 0 or -errno.
 */
int doubts_take(struct doubts *doubts, const struct record *rec);

/*
 * Returns the mark of the task @pid at @rec. A mark is a number for doubts_between(). @rec is the record that was taken in last. When memory runs
 * out, the mark makes doubts_between() return true.
 */
uint64_t doubts_mark(struct doubts *doubts, const struct record *rec, int pid);

/*
 * Returns true if events of a task may have been lost between two of its records. @begin is the task's mark at the first record, and @end is its mark
 * at the second.
 */
static inline bool doubts_between(uint64_t begin, uint64_t end)
{
	return begin == TIMED_DOUBTFUL || begin != end;
}

#endif

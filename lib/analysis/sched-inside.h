/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what the files that implement lib/analysis/sched.h share about losses. A loss lasts from the last record before it on its CPU to the first one
 * after it. A task that was off its CPU during a part of a loss may have run on the CPU that lost events.
 */
#ifndef RINGSIDE_SCHED_INSIDE_H
#define RINGSIDE_SCHED_INSIDE_H

#include "lib/analysis/sched.h"

/* Must be called after a record with RECORD_GAP has been taken in. Returns 0 or -ENOMEM. */
int sched_gap_begin(struct sched *sched, const struct record *rec);

/*
 * Must be called before a record with RECORD_LOST is taken in. *@counts becomes true if events of the scheduler are taken from the record's buffer. For
 * each of these events, only the first buffer that has records of it counts. Returns 0 or -ENOMEM.
 */
int sched_gap_over(struct sched *sched, const struct record *rec, bool *counts);

#endif

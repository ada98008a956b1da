/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares functions that note losses of events. Only the files that implement lib/analysis/sched.h use them. A loss on a CPU lasts from the CPU's last record
 * before the loss to the CPU's first record after the loss. A task that was off its CPU during a part of the loss may have run on the CPU that lost events.
 */
#ifndef RINGSIDE_SCHED_INSIDE_H
#define RINGSIDE_SCHED_INSIDE_H

#include "lib/analysis/sched.h"

/* Must be called after a record with RECORD_GAP has been taken in. Returns 0 or -ENOMEM. */
int sched_gap_begin(struct sched *sched, const struct record *rec);

/*
 * Must be called before a record with RECORD_LOST is taken in. *@counts becomes true if events of the scheduler are taken from the record's buffer.
 * Each event of the scheduler is taken from only one buffer, which is the first buffer that has a record of the event. Returns 0 or -ENOMEM.
 */
int sched_gap_over(struct sched *sched, const struct record *rec, bool *counts);

#endif

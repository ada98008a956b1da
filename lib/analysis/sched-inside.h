/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares functions that note losses of events. Only the files that implement lib/analysis/sched.h use them. A loss on a CPU lasts from the CPU's last record
 * before the loss to the CPU's first record after the loss. A task that seems to be off the CPU during a part of the loss may in fact have run on the CPU that
 * lost events.
 */
#ifndef RINGSIDE_SCHED_INSIDE_H
#define RINGSIDE_SCHED_INSIDE_H

#include "lib/analysis/sched.h"

/* Must be called after a record with RECORD_GAP has been taken in. Returns 0 or -ENOMEM. */
int sched_gap_begin(struct sched *sched, const struct record *rec);

/*
 * Must be called before a record with RECORD_LOST is taken in. *@counts becomes true if events of the scheduler are taken from the record's buffer.
 * Several buffers may have records of sched_switch, or of another event of the scheduler. For each of these events, only the first buffer with such a record
 * counts. Returns 0 or -ENOMEM.
 */
int sched_gap_over(struct sched *sched, const struct record *rec, bool *counts);

#endif

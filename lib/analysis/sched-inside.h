/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what the files that implement lib/analysis/sched.h share. Only these files use this header.
 *
 * A loss on a CPU lasts from the CPU's last record before the loss to the CPU's first record after the loss. A task that seems to be off the CPU during a part
 * of the loss may in fact have run on the CPU that lost events.
 */
#ifndef RINGSIDE_SCHED_INSIDE_H
#define RINGSIDE_SCHED_INSIDE_H

#include "lib/analysis/sched.h"

/* Notes that a loss begins after @rec, a record with RECORD_GAP. Must be called after @rec has been taken in. Returns 0 or -ENOMEM. */
int sched_gap_begin(struct sched *sched, const struct record *rec);

/*
 * Notes that a loss has ended before @rec, a record with RECORD_LOST. Must be called before @rec is taken in. Adds the number of lost events to sched->lost. If
 * the kernel did not count these events, sets sched->lost_more. *@counts becomes true if events of the scheduler are taken from the record's buffer, and
 * otherwise false. Several buffers can have records of the same kind of event of the scheduler, such as sched_switch. The events of each kind are taken only
 * from the first buffer that has a record of this kind. Returns 0 or -ENOMEM.
 */
int sched_gap_over(struct sched *sched, const struct record *rec, bool *counts);

/* Returns whether a task or an interrupt made the wakeup that @rec records. For an interrupt, the result also tells its kind. */
enum sched_from sched_from(const struct sched_input *in, const struct record *rec);

/*
 * Notes for sched_find_whole() that the CPU of @rec has switched from the task @prev to the task
 * @next. @prev and @next are indices into sched.tasks. @on is 1 + the index of the task that was
 * believed to run on the CPU. @on is 0 if this is not known. Returns 0 or -ENOMEM.
 */
int sched_watch(struct sched *sched, const struct record *rec, uint32_t on, uint32_t prev, uint32_t next);

#endif

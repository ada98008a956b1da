/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which records are wanted, by event, task and filter expressions; what a pass does before its handler. CPUs and buffers
 * are selected earlier, in lib/data/merge.h. A stack goes with the event before it on its CPU. Losses are
 * never dropped: a dropped record that tells of one leaves a record without data.
 */
#ifndef RINGSIDE_SELECT_H
#define RINGSIDE_SELECT_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct select_options {
	strv_t events;		/* globs "EVENT", "SYSTEM:EVENT", "SYSTEM:", also with / for :, or comma lists of them */
	strv_t pids;		/* numbers, also comma lists */
	strv_t tids;		/* the same: only records of these, not those about them */
	strv_t comms;		/* globs of task names, also comma lists */
	strv_t keep, drop;	/* filter expressions: -F, and -F after -v */
	bool no_hardirq, no_softirq;	/* -I, -S: nothing from such contexts */
	bool live;		/* names of tasks change: comms are looked up for each record */
};

struct select;

/*
 * Borrows the traces of @inputs. 0; -EINVAL after a message (an unknown event with the
 * nearest names, a pid that is no number, a filter that cannot be read); -ENOMEM.
 */
int select_new(struct select **out, const inputs_t *inputs, const struct select_options *opt);
void select_free(struct select *sel);

/* Is there anything to select? If not, it need not be a stage. */
bool select_is_empty(const struct select *sel);

/* Is this event named by options.events, or are all? */
bool select_event(const struct select *sel, const struct event *event);

/*
 * Is a task of this name and pid among those that the options name? It is in .comms or in .pids, and in .tids. For analyses that take the records of all
 * tasks, and show some.
 */
bool select_task(const struct select_options *opt, const char *comm, int pid);

/* What the filter expressions come to for each event, keep before drop; see filter_text(). 0 or -ENOMEM. */
int select_filter_text(const struct select *sel, strv_t *out);

/* Takes out of the batch what is not wanted, in place. Batches must come in order. 0 or -ENOMEM. */
int select_batch(struct select *sel, struct batch *batch);

/* The same as a stage of a pass, which does not free it. */
struct stage *select_stage(struct select *sel);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects records by event, task and filter expressions, before the handlers of a pass get them. CPUs and buffers are selected earlier, in
 * lib/data/merge.h. A stack is wanted when the event before it on its CPU is. Losses are never dropped: when a record that tells of a loss is dropped, a
 * record without data stays in its place.
 */
#ifndef RINGSIDE_SELECT_H
#define RINGSIDE_SELECT_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct select_options {
	strv_t events;		     /* globs "EVENT", "SYSTEM:EVENT", "SYSTEM:", also with / for :, or comma lists of them */
	const char *events_cure;     /* how one of .events is recorded, for the message that a file lacks it; NULL: it has the nearest names */
	strv_t pids;		     /* numbers, also comma lists */
	strv_t tids;		     /* numbers, also comma lists: only records of these threads, and not those that only name them in a field */
	bool switches;		     /* with .tids: the records of the scheduler, too, that name one of these threads in a field */
	strv_t comms;		     /* globs of task names, also comma lists */
	strv_t keep, drop;	     /* filter expressions: -F, and -F after -v */
	bool no_hardirq, no_softirq; /* -I, -S: nothing from such contexts */
	bool live;		     /* names of tasks may change, so that they are looked up for each record */
};

struct select;

/*
 * Borrows the traces of @inputs. Returns 0, -ENOMEM, or -EINVAL after a message about an unknown event (with the nearest names),
 * a pid that is no number, or a filter that cannot be read.
 */
int select_new(struct select **out, const inputs_t *inputs, const struct select_options *opt);
void select_free(struct select *sel);

/* Does it select all records? Then it need not be a stage. */
bool select_is_empty(const struct select *sel);

/* Does a filter expression select only some records of sched_switch in the input with the index @input? */
bool select_some_switches(const struct select *sel, size_t input);

/* Is this event wanted: does options.events name it, or is that empty? */
bool select_event(const struct select *sel, const struct event *event);

/*
 * Is a task of this name and pid among those that the options name? When .comms or .pids is set, one of the two must name the task. When .tids is set,
 * .tids must name the task, too. This is for analyses that take in the records of all tasks and show only some tasks.
 */
bool select_task(const struct select_options *opt, const char *comm, int pid);

/* Appends what the filter expressions mean for each event, first .keep and then .drop; see filter_text(). Returns 0 or -ENOMEM. */
int select_filter_text(const struct select *sel, strv_t *out);

/* Removes the records that are not wanted from the batch. Batches must come in order. Returns 0 or -ENOMEM. */
int select_batch(struct select *sel, struct batch *batch);

/* Returns a stage for a pass, which calls select_batch() for each batch. The stage does not free @sel. */
struct stage *select_stage(struct select *sel);

#endif

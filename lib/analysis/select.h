/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects records by event, task and filter expressions, before the handlers of a pass get them. CPUs and buffers are selected earlier, in
 * lib/data/merge.h. The record of a stack is selected if the event before it on its CPU is selected. Losses are never dropped: if a record that tells
 * of a loss is not selected, a record without data stays in its place.
 */
#ifndef RINGSIDE_SELECT_H
#define RINGSIDE_SELECT_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct select_options {
	strv_t events; /* globs "EVENT", "SYSTEM", "SYSTEM:EVENT" or "SYSTEM:", also with "/" instead of ":", or comma lists of such globs */
	/* If no file has one of .events, the message ends with this text, which says how to record such events. NULL: it ends with the nearest names. */
	const char *events_cure;
	bool all_events; /* .events selects nothing: it is only checked that a file has these events, and records of all events are selected */
	strv_t pids;	 /* numbers, also comma lists: selects records of these tasks, and records that name one of them in the field pid or next_pid */
	strv_t tids;	 /* numbers, also comma lists: selects records of these threads, but no records that only name the threads in a field */
	bool switches;	 /* if .tids is not empty: also selects records of the scheduler's events that name one of these threads in a field */
	strv_t comms;	 /* globs of task names, also comma lists: selects records as .pids does */
	strv_t keep;	 /* the filter expressions of -F */
	strv_t drop;	 /* the filter expressions of -F after -v: selects no records that they match */
	bool no_hardirq, no_softirq; /* -I, -S: select no records that were made in these contexts */
	bool live;		     /* records are live: names of tasks may change, so that they are looked up for each record */
};

struct select;

/*
 * Borrows the traces of @inputs. Returns 0, -ENOMEM, or -EINVAL after a message about an unknown event (with the nearest names),
 * a pid that is no number, or a filter that cannot be read.
 */
int select_new(struct select **out, const inputs_t *inputs, const struct select_options *opt);
void select_free(struct select *sel);

/* Does @sel select all records, because it has no conditions? If so, no stage is needed. */
bool select_is_empty(const struct select *sel);

/* Does a filter expression select only some records of sched_switch in the input with the index @input? */
bool select_some_switches(const struct select *sel, size_t input);

/* Is this event wanted? It is if select_options.events names it or is empty, or if select_options.all_events is true. */
bool select_event(const struct select *sel, const struct event *event);

/*
 * Is a task with this name and pid among those that the options name? If .comms or .pids is set, one of them must name the task. If .tids is set,
 * .tids must name the task, too. This is for analyses that take in the records of all tasks and show only some of the tasks.
 */
bool select_task(const struct select_options *opt, const char *comm, int pid);

/*
 * Appends texts that say what the filter expressions mean for each event, first .keep and then .drop (filter_text() in lib/event/filter.h). Returns 0 or
 * -ENOMEM.
 */
int select_filter_text(const struct select *sel, strv_t *out);

/* Removes from the batch the records that are not selected. The batches must come in the order of time. Returns 0 or -ENOMEM. */
int select_batch(struct select *sel, struct batch *batch);

/* Returns a stage that calls select_batch() for each batch of a pass. The stage does not free @sel. */
struct stage *select_stage(struct select *sel);

#endif

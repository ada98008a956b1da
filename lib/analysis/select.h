/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects records by events, by tasks and by filter expressions, before analyses get the records. CPUs and buffers are selected earlier, in
 * lib/data/merge.h. A stack is selected together with the event to which it belongs (lib/analysis/stack-owner.h). But stacks are selected like all other
 * records if .events names the event of stacks, or if a filter of .keep can match this event. Losses are never dropped. If a record that tells of a loss is not
 * selected, a record without data takes its place.
 */
#ifndef RINGSIDE_SELECT_H
#define RINGSIDE_SELECT_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct select_options {
	strv_t events; /* Globs, or comma lists of globs. A glob is "EVENT", "SYSTEM", "SYSTEM:EVENT" or "SYSTEM:". "/" may be used instead of ":". */
	/*
	 * When a glob of .events fits no event of any file, a message says so. The message ends with this text, which says how to record such events.
	 * NULL: the message ends with the nearest names, or says how to list the events of the file.
	 */
	const char *events_cure;
	bool all_events; /* Records of all events are selected. .events is only used to check that a file has these events. */
	/*
	 * The ids of tasks: numbers, or comma lists of numbers. They select the records of these tasks. They also select the records that name one of these
	 * tasks in the field pid or next_pid.
	 */
	strv_t pids;
	/*
	 * The ids of threads: numbers, or comma lists of numbers. They select the records of these threads. They do not select records that only name such a
	 * thread in a field.
	 */
	strv_t tids;
	/*
	 * True: .tids, .pids and .comms select further records.
	 * - .tids also selects the records of the scheduler's events that name one of its threads in the field pid or next_pid.
	 * - .tids, .pids and .comms also select a sched_process_fork that names one of their tasks in the field child_pid.
	 */
	bool switches;
	/*
	 * Globs of task names, or comma lists of globs. They select the records of the tasks with these names. They also select the records that name one of
	 * these tasks in the field pid or next_pid.
	 */
	strv_t comms;
	strv_t keep;		     /* the filter expressions of -F; if there are any, a record must match at least one of them to be selected */
	strv_t drop;		     /* the filter expressions of each -F that comes after -v; a record that matches at least one of them is not selected */
	bool no_hardirq, no_softirq; /* -I, -S: records that were made in a hard interrupt or in a soft interrupt are not selected */
	/*
	 * True: calls are put together. Then -I and -S do not leave out the exit of a call of function_graph if its entry was the last selected record of the
	 * same CPU. irq_enter_rcu() is such a call. The record of its exit says that it was made in a hard interrupt, but the record of its entry does not say
	 * so.
	 */
	bool calls;
	bool live; /* the records come from tracing that goes on; names of tasks can change, so the names are looked up for each record */
};

struct select;

/*
 * Borrows the traces of @inputs. Returns 0, -ENOMEM, or -EINVAL after a message. -EINVAL has one of these reasons:
 * - a glob of .events fits no event of any file;
 * - a pid or a tid is not a number;
 * - filter_add() refuses a filter (lib/event/filter.h).
 */
int select_new(struct select **out, const inputs_t *inputs, const struct select_options *opt);
void select_free(struct select *sel);

/* Returns true if @sel has no conditions, so that it selects all records. */
bool select_is_empty(const struct select *sel);

/* Returns true if a filter expression leaves out some records of sched_switch in the input with the index @input. */
bool select_some_switches(const struct select *sel, size_t input);

/*
 * Returns true if this event is wanted. An event is wanted in each of these cases:
 * - select_options.events names it;
 * - select_options.events is empty;
 * - select_options.all_events is true.
 */
bool select_event(const struct select *sel, const struct event *event);

/*
 * Returns true if the options select a task with this name and pid. If .comms or .pids is set, at least one of .comms and .pids must name the task. If .tids is
 * set, .tids must name the task, too. This function is for analyses that take in the records of all tasks and show only some of the tasks.
 */
bool select_task(const struct select_options *opt, const char *comm, int pid);

/*
 * Appends texts that say what the filter expressions mean for each event (filter_text() in lib/event/filter.h). For each input, the texts for .keep come first,
 * and the texts for .drop follow. Returns 0 or -ENOMEM.
 */
int select_filter_text(const struct select *sel, strv_t *out);

/* Removes from the batch the records that are not selected. The batches must come in the order of time. Returns 0 or -ENOMEM. */
int select_batch(struct select *sel, struct batch *batch);

/* Returns a stage that calls select_batch() for each batch of a pass. The stage does not free @sel. */
struct stage *select_stage(struct select *sel);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the records that lie within wanted calls of functions. This selection comes before the selection by events, tasks and filters
 * (lib/analysis/select.h). Only calls of functions that function_graph or `record --latency` has recorded are looked at (calls_functions_only() in
 * lib/analysis/calls.h). The selection depends on the options:
 * - Only names of functions are given: a call of a named function selects all records of the task from the entry to the exit of the call. The function tracer's
 *   records of the named functions are also selected.
 * - Names and a minimum duration are given: a call of a named function selects all records of the task from the entry to the exit of the call. Calls that are
 *   shorter than the minimum select nothing. The function tracer's records are selected only if they are inside of a call that is long enough.
 * - Only a minimum duration is given: the entry and the exit of each call that lasts at least this long are selected.
 *
 * If the entry of a call is not recorded, at most its exit is selected. A call that has not returned lasts to the end of the records. If the clock counts ticks
 * of unknown length, the durations of some calls are unknown. A call of unknown duration is taken as long enough if it contains a call that is long enough. The
 * record of a stack is selected if the previous event on the same CPU is selected. Losses of events are always reported.
 */
#ifndef RINGSIDE_WITHIN_H
#define RINGSIDE_WITHIN_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct within_options {
	strv_t funcs;	       /* names of functions, or globs; a text may have several names or globs, with commas between them */
	uint64_t min_duration; /* in ns; 0: calls of any duration are selected */
	/*
	 * The records are live. If there is a minimum duration, only the exit of a call is selected, because only the exit tells how long the call lasted. If
	 * the exit of a leaf call is folded into the record of the entry, this record is selected.
	 */
	bool live;
	bool scheduling; /* the scheduler's events of all tasks are selected, too */
};

struct within;

/* Returns true if the options limit the records. */
static inline bool within_selects(const struct within_options *opt)
{
	return opt->funcs.n || opt->min_duration;
}

/* Returns true if @input describes the event sched_switch, and the options may leave out some records of this event. */
bool within_hides_switches(const struct within_options *opt, const struct input *input);

/*
 * Makes a struct within, which borrows @inputs and @opt. Returns 0, -ENOMEM, or -EINVAL after a message. -EINVAL means that a name in opt->funcs is not the
 * name of a function.
 */
int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt);
void within_free(struct within *w);

/*
 * Returns a handler for a separate pass over all records. This pass must come before the pass in which records are selected. It is needed for a minimum
 * duration, because the entry of a call does not tell how long the call lasts. @w owns the handler. Returns NULL if the separate pass is not needed, or if the
 * records are live.
 */
struct handler *within_scan(struct within *w);

/* Removes from the batch the records that are not selected. The batches must come in order. Returns 0 or -ENOMEM. */
int within_batch(struct within *w, struct batch *batch);

/* Returns a stage that calls within_batch() for each batch of a pass. @w is freed together with the stage. */
struct stage *within_stage(struct within *w);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the records that lie within wanted calls of functions. This comes before the selection by events, tasks and filters (lib/analysis/select.h).
 *
 * The calls are those of functions, as function_graph or `record --latency` has recorded them (calls_functions_only() in lib/analysis/calls.h). The
 * selection depends on the options:
 * - With names of functions, it selects all records of a task from the entry of a call of such a function to the call's exit. The function tracer's records
 *   of these functions are selected, too.
 * - With names and a minimum duration, it selects only calls of these functions that last at least this long. It selects everything in these calls. The
 *   function tracer's records tell no duration, so they are selected only if they are inside of such a call.
 * - With a minimum duration alone, it selects the entries and exits of all calls that last at least this long. The callers of such calls last at least as
 *   long, so their entries and exits are selected, too.
 *
 * If the entry of a call is not recorded, only its exit is selected. A call that has not returned lasts to the end of the records. The record of a stack is
 * selected if the event before it on its CPU is selected. Losses are never dropped.
 */
#ifndef RINGSIDE_WITHIN_H
#define RINGSIDE_WITHIN_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct within_options {
	strv_t funcs;	       /* names of functions, or globs; a text may have several, with commas between them */
	uint64_t min_duration; /* ns; 0: any */
	/*
	 * The records are live. If there is a minimum duration, only the exit of a call is selected, because only the exit tells how long the call lasted.
	 * A leaf call has a single record, which is selected.
	 */
	bool live;
	/*
	 * The scheduler's events of all tasks are selected, too. This is needed because the switch to a task is an event of the previous task on the
	 * CPU.
	 */
	bool scheduling;
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
 * Makes a struct within, which borrows @inputs and @opt. Returns 0 or -ENOMEM. If a name is not the name of a function, returns -EINVAL after a
 * message with the nearest names.
 */
int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt);
void within_free(struct within *w);

/*
 * Returns a handler for a separate pass over all records. This pass must come before the pass in which records are selected. A minimum duration needs the
 * separate pass, because the entry of a call does not tell how long the call lasts. @w owns the handler. Returns NULL if the separate pass is not needed.
 * Also returns NULL if the records are live, because they can be read only once.
 */
struct handler *within_scan(struct within *w);

/* Removes from the batch the records that are not selected. The batches must come in order. Returns 0 or -ENOMEM. */
int within_batch(struct within *w, struct batch *batch);

/* Returns a stage that calls within_batch() for each batch of a pass. The free() of the stage frees @w. */
struct stage *within_stage(struct within *w);

#endif

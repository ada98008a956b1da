/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the records that lie within wanted calls of functions, before the other selection of a pass.
 *
 * With names of functions it selects everything that a task does from the entry of such a call until its return (calls of any source:
 * lib/analysis/calls.h), and the function tracer's records of these functions. With a least duration as well, only calls that last this long or
 * longer count. With a least duration alone it selects the entries and exits of all calls that last this long or longer. Their callers last longer
 * still, so they are among them.
 *
 * Of a call whose entry is not recorded only the exit is selected. A call that has not returned lasts to the end of the records. A stack is wanted
 * when the event before it on its CPU is. Losses are never dropped.
 */
#ifndef RINGSIDE_WITHIN_H
#define RINGSIDE_WITHIN_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct within_options {
	strv_t funcs;	       /* names of functions or globs, also comma lists */
	uint64_t min_duration; /* ns; 0: any */
	/*
		 * Records are read as they happen. Of a call that has to last this long only the exit or the leaf is selected, because only these
		 * tell how long it lasted.
	 */
	bool live;
};

struct within;

/*
 * Borrows @inputs and @opt. Returns 0, -ENOMEM, or -EINVAL after a message when there is no function of this name (with the
 * nearest names).
 */
int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt);
void within_free(struct within *w);

/*
 * Returns a handler that has to see all records in an earlier pass of its own, when a least duration is asked for: the entry of a call does not tell
 * how long the call lasts. @w owns the handler. Returns NULL when no such pass is needed, or when it is not possible because records are live.
 */
struct handler *within_scan(struct within *w);

/* Removes the records that are not wanted from the batch. Batches must come in order. Returns 0 or -ENOMEM. */
int within_batch(struct within *w, struct batch *batch);

/* Returns a stage for a pass, which calls within_batch() for each batch and frees @w. */
struct stage *within_stage(struct within *w);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Selects the records that lie within wanted calls of functions, before the other selection of a pass.
 *
 * With names of functions it selects everything that a task does from the entry of a call of one of these until its return. Calls may have any source
 * (lib/analysis/calls.h). The function tracer's records of these functions are selected, too. With names and a minimum duration it does this only for
 * calls that last this long or longer. With a minimum duration alone it selects the entries and exits of all calls that last this long or longer. The
 * callers of such calls last even longer, so they are selected, too.
 *
 * Only the exit is selected when the entry of a call is not recorded. A call that has not returned lasts to the end of the records. A stack is wanted
 * when the event before it on its CPU is. Losses are never dropped.
 */
#ifndef RINGSIDE_WITHIN_H
#define RINGSIDE_WITHIN_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct within_options {
	strv_t funcs;	       /* names of functions and globs; a text may have several with commas between them */
	uint64_t min_duration; /* ns; 0: any */
	/*
	 * Records are read as they happen. With a minimum duration, only the exit or the leaf of a call is selected, because only these tell how long
	 * the call lasted.
	 */
	bool live;
};

struct within;

/*
 * Makes a struct within, which borrows @inputs and @opt. Returns 0 or -ENOMEM. Returns -EINVAL when a name is not that of a function, after a
 * message that has the nearest names.
 */
int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt);
void within_free(struct within *w);

/*
 * Returns a handler for an earlier pass of its own over all records. A minimum duration needs such a pass, because the entry of a call does not tell
 * how long the call lasts. @w owns the handler. Returns NULL when the pass is not needed, or when it is not possible because records are live.
 */
struct handler *within_scan(struct within *w);

/* Removes the records that are not wanted from the batch. Batches must come in order. Returns 0 or -ENOMEM. */
int within_batch(struct within *w, struct batch *batch);

/* Returns a stage for a pass, which calls within_batch() for each batch and frees @w. */
struct stage *within_stage(struct within *w);

#endif

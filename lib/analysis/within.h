/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which records lie within wanted calls of functions; what a pass does before its other selection.
 * With names: of each call of such a function all that its task does until the call returns (calls of any source: lib/analysis/calls.h), and the function tracer's lines of
 * these functions. With a least duration: only such calls that last so long; without names the entries and exits of all
 * calls that do (those that call them last longer still, so they are there, too).
 * A call whose entry is not recorded is its exit; one that has not returned lasts to the end of the records.
 * A stack goes with the event before it on its CPU; losses are never dropped.
 */
#ifndef RINGSIDE_WITHIN_H
#define RINGSIDE_WITHIN_H

#include "lib/analysis/handler.h"
#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

struct within_options {
	strv_t funcs;		/* names of functions or globs, also comma lists */
	uint64_t min_duration;	/* ns; 0: any */
	/* Records come as they happen: of calls that have to last so long, only what tells that they did, their exit or leaf. */
	bool live;
};

struct within;

/*
 * Borrows @inputs and @opt. 0; -EINVAL after a message (no function of that name, with the nearest names); -ENOMEM.
 */
int within_new(struct within **out, const inputs_t *inputs, const struct within_options *opt);
void within_free(struct within *w);

/*
 * How long a call lasts is not known at its entry: when a least duration is asked for, all records have to be seen before by
 * this handler, in a pass of its own. It belongs to @w. NULL: that is not needed, or not possible as records are live.
 */
struct handler *within_scan(struct within *w);

/* Takes out of the batch what is not wanted, in place. Batches must come in order. 0 or -ENOMEM. */
int within_batch(struct within *w, struct batch *batch);

/* The same as a stage of a pass, which frees it. */
struct stage *within_stage(struct within *w);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often each chain of calls led to an event or a function: all chains of a task (or of all tasks) as one tree with the
 * outermost callers at its roots. No printing.
 *
 * What leads there is: the stacks that were recorded with an event or a function; else the calls of the function graph that are
 * open; for the function tracer what its parents make likely. Every call and every event counts once. Memory grows with
 * the number of different chains, not with that of records, and ends at a limit.
 */
#ifndef RINGSIDE_HIST_H
#define RINGSIDE_HIST_H

#include "lib/analysis/calls.h"
#include "lib/analysis/chains.h"
#include "lib/analysis/handler.h"
#include "lib/analysis/streams.h"
#include "lib/event/values.h"

struct hist_options {
	bool all_tasks;			/* do not tell tasks apart */
	bool time;			/* add up the ns that calls took without those inside, and count nothing else */
	const char *sum;		/* add up this field of events, and count nothing else; NULL: count */
	size_t most;			/* so many nodes, then new chains lose their callers; 0: a million and a half */
};

/* A function that was called lately. */
struct hist_recent {
	uint64_t func;
	uint32_t frame;
	uint16_t where;			/* file and source, + 1 */
};

struct hist {
	struct handler handler;
	struct hist_options opt;
	const inputs_t *inputs;
	struct calls *calls;		/* borrowed */
	struct calls_user user;
	struct chains chains;		/* what was counted */
	struct hist_recent *recent;	/* found by the function's address */
	struct streams streams;		/* of what the last record of a CPU was counted as */
	VEC(const struct value_field **) sums;	/* by input, then by event id: the field to add up; NULL: the event has none */
};

/*
 * Takes in what @calls tell; what it has counted can be read at any time. Borrows @inputs and @calls. 0; -EINVAL after a message
 * (no event has the field); -ENOMEM. Freed by its handler's free, after the calls.
 */
int hist_new(struct hist **out, const inputs_t *inputs, struct calls *calls, const struct hist_options *opt);

#endif

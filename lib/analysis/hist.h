/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts how often each chain of calls led to an event or a function. The chains form a tree for each task, or one tree for all tasks. The outermost
 * callers are right below the root of a tree. Nothing in here prints.
 *
 * The chain of an event or a function is the stack that was recorded with it. If no stack was recorded with it, its chain consists of the calls of its task
 * that have not returned yet. For the function tracer, these calls are guessed from the recorded parents. Every call and every event is counted once. Memory
 * grows with the number of different chains, up to a limit (hist_options.most). Memory does not grow with the number of records.
 */
#ifndef RINGSIDE_HIST_H
#define RINGSIDE_HIST_H

#include "lib/analysis/calls.h"
#include "lib/analysis/chains.h"
#include "lib/analysis/handler.h"
#include "lib/analysis/select.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/timed.h"
#include "lib/event/values.h"

struct hist_options {
	bool all_tasks; /* count all tasks together */
	/* Instead of counting, add up the durations of calls, in ns. The durations of the calls inside of a call are subtracted from the call's duration. */
	bool time;
	/* Instead of counting, add up the values of this field of events. Values below zero are left out. NULL: no field is added up. */
	const char *sum;
	/* The selection of events. NULL: all events are selected. If .sum is not NULL, at least one selected event must have this field. Borrowed. */
	const struct select *selected;
	size_t most; /* When the trees have this many nodes, a new chain is counted without its callers. 0: the limit is a million and a half. */
};

/* This is an entry of a cache. The entry tells which frame in hist.chains a function has. */
struct hist_recent {
	uint64_t func;	/* call_frame.func of the function */
	uint32_t frame; /* index of a struct chain_frame */
	uint16_t where; /* 1 + 256 * (index of the input) + call_frame.source; 0: the entry is empty */
};

struct hist {
	struct handler handler;
	struct hist_options opt;
	const inputs_t *inputs;
	struct calls *calls; /* borrowed */
	struct calls_user user;
	struct timed *timed;		       /* tells which calls are complete; NULL if opt.time is false */
	struct chains chains;		       /* what was counted */
	struct hist_recent *recent;	       /* the cache; the index of a function's entry is a hash of the function's address */
	struct streams streams;		       /* for each CPU of each buffer: the node at which its last record was counted; the record's stack may follow */
	VEC(const struct value_field **) sums; /* sums.at[input][id]: the field opt.sum of the event with this id; NULL: the event has no such field */
	uint64_t sum;			       /* the sum of all values of the field opt.sum; 0 if opt.sum is NULL */
	bool too_much;			       /* true: the sum is 2^64 or more, so .sum is wrong, and the counts of chains may be wrong, too */
};

/*
 * Makes a histogram of the calls and events that @calls reports. The histogram can be read at any time. Borrows @inputs, @calls, opt->sum and opt->selected.
 * Returns 0, -ENOMEM, or -EINVAL after a message when no selected event has the field opt->sum. The histogram is freed together with its handler. @calls must
 * be freed before the histogram, because calls_free() calls a callback of the histogram.
 */
int hist_new(struct hist **out, const inputs_t *inputs, struct calls *calls, const struct hist_options *opt);

#endif

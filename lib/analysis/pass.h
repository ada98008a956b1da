/* SPDX-License-Identifier: GPL-2.0 */
/* One pass over all records: merge, selection, handler. */
#ifndef RINGSIDE_PASS_H
#define RINGSIDE_PASS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/latency.h"
#include "lib/analysis/select.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/wakeups.h"
#include "lib/analysis/within.h"
#include "lib/data/merge.h"

struct pass {
	struct merge *merge;
	void (*look)(void *ctx, const struct batch *batch);	/* sees all records before anything is decided about them; NULL */
	void *look_ctx;
	struct latency *latency;	/* NULL: no calls and returns to pair */
	struct wakeups *wakeups;	/* NULL: no waits to tell */
	struct within *within;		/* NULL: all records; comes before select */
	struct select *select;		/* NULL: all records */
	inputs_t *align;		/* --align-ts: their times are moved so that the first record of the handler is at 0; NULL: not */
	struct handler *handler;
	bool check_order;		/* --ts-check: warn when a CPU's time goes backwards */
	const volatile int *stop;	/* not 0: end early, as at the end of the records; NULL: never */
	/* Results, losses without data not counted: how many records there were, and whether the handler got any. */
	uint64_t seen;
	bool passed;
	struct streams last;		/* its own: of uint64_t, for check_order */
	bool said;			/* that memory ran out */
};

/* 0; -EPIPE when nobody reads the output any more; -errno after a message. */
int pass_run(struct pass *pass);

/*
 * The same in steps, for a live merge: pass_begin(); pass_go() takes all the records that are there now, as often as one
 * likes; pass_end() in any case.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_end(struct pass *pass);

#endif

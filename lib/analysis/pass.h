/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs one pass over all records of a merge (lib/data/merge.h), which gives them in batches. The stages (lib/analysis/stage.h) get each batch first. They mark
 * or remove records. Then the handlers (lib/analysis/handler.h) get the records that were not removed. Live records are merged while the kernel makes them.
 */
#ifndef RINGSIDE_PASS_H
#define RINGSIDE_PASS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"
#include "lib/base/parse.h"
#include "lib/data/merge.h"

struct pass {
	struct merge *merge;		/* borrowed */
	VEC(struct stage *) stages;	/* owned: pass_fini() frees them */
	VEC(struct handler *) handlers; /* owned: pass_fini() frees them */
	/* The handlers get only records of these CPUs. NULL: the handlers get all records. The stages always get the records of all CPUs. Borrowed. */
	const struct cpuset *cpus;
	/* This element of .handlers gets the records of all CPUs even if .cpus is not NULL. NULL: there is no such handler. Borrowed. */
	struct handler *whole;
	/*
	 * One thread of this pool merges batches while the handlers take in earlier batches (lib/analysis/ahead.h). The pool is not used while live records
	 * are merged. NULL: there is no pool. Borrowed.
	 */
	struct pool *pool;
	const volatile int *stop; /* when *stop is no longer 0, the pass ends as if there were no more records; may be NULL */
	/* The members below are results. For .seen and .passed, records without an event (RECORD_NODATA in lib/data/record.h) are ignored. */
	/*
	 * The number of records of .cpus, including the records that the stages removed. Exits that are folded into their entries are included only if .cpus is
	 * NULL.
	 */
	uint64_t seen;
	bool passed;		   /* the handlers got at least one record */
	bool said;		   /* a message has said that memory has run out */
	struct record first, last; /* if .seen is not 0: the first and the last record of .cpus, without their data */
};

/*
 * These functions append a stage to .stages, or a handler to .handlers. pass_fini() frees the stage or handler. Both functions return 0 or -ENOMEM. On
 * -ENOMEM, the stage or handler is freed at once.
 */
int pass_add_stage(struct pass *pass, struct stage *stage);
int pass_add_handler(struct pass *pass, struct handler *handler);

/* Runs the pass. Returns 0, -EPIPE when nobody reads the output any more, or -errno after a message. */
int pass_run(struct pass *pass);

/*
 * These functions run the pass in steps, while live records are merged. pass_begin() must be called first. pass_go() takes all records that are due
 * (lib/data/merge.h). pass_flush() lets the handlers show these records. pass_go() and pass_flush() may be called any number of times. pass_end() must be
 * called last, even if another of these functions has failed. All four functions return what pass_run() returns.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_flush(struct pass *pass);
int pass_end(struct pass *pass);

/*
 * For callers that have no handlers: gets the next batch, passes it through the stages, sets *@out to it, and returns 1. The caller gives the batch back by
 * batch_put(). Returns 0 if there are no more batches, or -errno after a message.
 */
int pass_next(struct pass *pass, struct batch **out);

/* Frees the stages and the handlers. The merge must still exist, because a handler may hold batches of it. */
void pass_fini(struct pass *pass);

#endif

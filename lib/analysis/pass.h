/* SPDX-License-Identifier: GPL-2.0 */
/* Runs one pass over all records of a merge: the stages see them first, then the handlers. */
#ifndef RINGSIDE_PASS_H
#define RINGSIDE_PASS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"
#include "lib/base/parse.h"
#include "lib/data/merge.h"

struct pass {
	struct merge *merge;	    /* borrowed */
	VEC(struct stage *) stages; /* owned, as the handlers are, by pass_fini() */
	VEC(struct handler *) handlers;
	/*
	 * With .cpus, the handlers get only records of these CPUs. The stages still see the records of all CPUs, and so does the handler .whole, which is
	 * one of .handlers. Both members are borrowed and may be NULL.
	 */
	const struct cpuset *cpus;
	struct handler *whole;
	struct pool *pool;	  /* borrowed; on its threads batches are merged ahead, except in a live merge; may be NULL */
	const volatile int *stop; /* when it becomes other than 0, the pass ends as at the end of the records; may be NULL */
	/* Results: how many records there were of the wanted CPUs, without those with RECORD_NODATA, and whether the handlers got any. */
	uint64_t seen;
	bool passed;
	bool said;		   /* a message has said that there is no memory */
	struct record first, last; /* when .seen is not 0: the first and the last of these records, without their data */
};

/*
 * These add a stage or a handler after those that are there. pass_fini() frees it; when adding fails, it is freed at once. They return 0 or -ENOMEM.
 */
int pass_add_stage(struct pass *pass, struct stage *stage);
int pass_add_handler(struct pass *pass, struct handler *handler);

/* Runs the pass. Returns 0, -EPIPE when nobody reads the output any more, or -errno after a message. */
int pass_run(struct pass *pass);

/*
 * These run the pass in steps, for a live merge. pass_begin() comes first. pass_go() takes all records that are due, and pass_flush() lets the
 * handlers show them; both may be called any number of times. pass_end() comes last, also when one of the others has failed. All return what
 * pass_run() returns.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_flush(struct pass *pass);
int pass_end(struct pass *pass);

/*
 * Gives the next batch after the stages, for callers that use no handlers. Returns 1 and the batch in *@out, which the caller gives back by
 * batch_put(). Returns 0 at the end, or -errno after a message.
 */
int pass_next(struct pass *pass, struct batch **out);

/* Frees stages and handlers. The merge must still be there: a handler may hold batches of it. */
void pass_fini(struct pass *pass);

#endif

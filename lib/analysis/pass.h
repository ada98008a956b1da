/* SPDX-License-Identifier: GPL-2.0 */
/* Runs one pass over all records of a merge (lib/data/merge.h): the stages see them first, then the handlers. */
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
	/*
	 * If .cpus is not NULL, the handlers get only records of these CPUs. The stages still see the records of all CPUs, and so does .whole, which
	 * is one of .handlers or NULL. .cpus and .whole are borrowed.
	 */
	const struct cpuset *cpus;
	struct handler *whole;
	struct pool *pool;	  /* borrowed; its threads merge batches ahead of the handlers, except in a live merge; may be NULL */
	const volatile int *stop; /* when *stop becomes other than 0, the pass ends as if there were no more records; may be NULL */
	/* These are results. Records with RECORD_NODATA do not count for .seen and .passed. */
	uint64_t seen;		   /* how many records of .cpus there were, before the stages removed any */
	bool passed;		   /* the handlers got a record */
	bool said;		   /* a message has said that memory has run out */
	struct record first, last; /* if .seen is not 0: the first and the last record of .cpus, without their data */
};

/*
 * These add a stage or a handler after those that are there already. pass_fini() frees the stage or handler. If memory runs out, the stage or handler is
 * freed at once, and -ENOMEM is returned; otherwise 0 is returned.
 */
int pass_add_stage(struct pass *pass, struct stage *stage);
int pass_add_handler(struct pass *pass, struct handler *handler);

/* Runs the pass. Returns 0, -EPIPE when nobody reads the output any more, or -errno after a message. */
int pass_run(struct pass *pass);

/*
 * These run the pass in steps, for a live merge. pass_begin() comes first. pass_go() takes all records that are due, and pass_flush() lets the
 * handlers show them; both may be called any number of times. pass_end() comes last, even if one of the others has failed. All return what pass_run()
 * returns.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_flush(struct pass *pass);
int pass_end(struct pass *pass);

/*
 * Gives the next batch after the stages have seen it, for users that have no handlers. Returns 1 and sets *@out to the batch, which the user gives
 * back by batch_put(). Returns 0 at the end, or -errno after a message.
 */
int pass_next(struct pass *pass, struct batch **out);

/* Frees the stages and the handlers. The merge must still exist, because a handler may hold batches of it. */
void pass_fini(struct pass *pass);

#endif

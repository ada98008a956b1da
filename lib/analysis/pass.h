/* SPDX-License-Identifier: GPL-2.0 */
/* Runs one pass over all records of a merge (lib/data/merge.h). The stages see the records first, and the handlers see them afterwards. */
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
	/* The handlers get only records of these CPUs. NULL: of all CPUs. The stages always get the records of all CPUs. Borrowed. */
	const struct cpuset *cpus;
	struct handler *whole; /* One of .handlers, which gets the records of all CPUs even if .cpus is not NULL. NULL: there is none. Borrowed. */
	/*
	 * One thread of this pool merges batches ahead of the handlers (lib/analysis/ahead.h). It is not used while live records are merged. NULL: none.
	 * Borrowed.
	 */
	struct pool *pool;
	const volatile int *stop; /* when *stop is no longer 0, the pass ends as if there were no more records; may be NULL */
	/* These are results. Records that are no events (RECORD_NODATA in lib/data/record.h) do not count for .seen and .passed. */
	uint64_t seen;		   /* the number of records of .cpus, including those that the stages removed */
	bool passed;		   /* the handlers got at least one record */
	bool said;		   /* a message about memory running out was given already */
	struct record first, last; /* if .seen is not 0: the first and the last record of .cpus, without their data */
};

/*
 * These functions add a stage or a handler at the end of .stages or .handlers. pass_fini() frees the stage or handler. They return 0 or -ENOMEM. On
 * -ENOMEM, the stage or handler is freed at once.
 */
int pass_add_stage(struct pass *pass, struct stage *stage);
int pass_add_handler(struct pass *pass, struct handler *handler);

/* Runs the pass. Returns 0, -EPIPE when nobody reads the output any more, or -errno after a message. */
int pass_run(struct pass *pass);

/*
 * These functions run the pass in steps, while live records are merged. pass_begin() comes first. pass_go() takes all records that are due
 * (lib/data/merge.h). pass_flush() lets the handlers show these records. pass_go() and pass_flush() may be called any number of times. pass_end() comes
 * last, even if one of the others has failed. All four return what pass_run() returns.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_flush(struct pass *pass);
int pass_end(struct pass *pass);

/*
 * Gives the next batch after the stages have seen it, for callers that have no handlers. Returns 1 and sets *@out to the batch. The caller gives the
 * batch back by batch_put(). Returns 0 at the end, or -errno after a message.
 */
int pass_next(struct pass *pass, struct batch **out);

/* Frees the stages and the handlers. The merge must still exist, because a handler may hold batches of it. */
void pass_fini(struct pass *pass);

#endif

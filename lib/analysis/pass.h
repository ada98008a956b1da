/* SPDX-License-Identifier: GPL-2.0 */
/* One pass over all records of a merge: stages, then handlers. */
#ifndef RINGSIDE_PASS_H
#define RINGSIDE_PASS_H

#include "lib/analysis/handler.h"
#include "lib/analysis/stage.h"
#include "lib/data/merge.h"

struct pass {
	struct merge *merge;			/* borrowed */
	VEC(struct stage *) stages;		/* owned, as the handlers are, by pass_fini() */
	VEC(struct handler *) handlers;
	const volatile int *stop;		/* not 0: end early, as at the end of the records; NULL: never */
	/* Results: how many records there were, losses without data not counted, and whether the handlers got any. */
	uint64_t seen;
	bool passed;
	bool said;			/* that memory ran out */
	struct record first, last;		/* the first and the last of them, without their data, when .seen is not 0 */
};

/* One more, behind those that are there. It is freed by pass_fini(), or at once on failure. 0 or -ENOMEM. */
int pass_add_stage(struct pass *pass, struct stage *stage);
int pass_add_handler(struct pass *pass, struct handler *handler);

/* 0; -EPIPE when nobody reads the output any more; -errno after a message. */
int pass_run(struct pass *pass);

/*
 * The same in steps, for a live merge: pass_begin(); pass_go() takes all the records that are there now, as often as one
 * likes, and pass_flush() has handlers show them; pass_end() in any case.
 */
int pass_begin(struct pass *pass);
int pass_go(struct pass *pass);
int pass_flush(struct pass *pass);
int pass_end(struct pass *pass);

/*
 * For who wants the records one batch after the other, without handlers: the next batch, with what the stages make of it. 1 and *@out, which
 * batch_put() gives back; 0 at the end; -errno after a message.
 */
int pass_next(struct pass *pass, struct batch **out);

/* Frees stages and handlers. The merge must still be there: a handler may hold batches of it. */
void pass_fini(struct pass *pass);

#endif

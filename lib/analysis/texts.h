/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the text of batches in two steps. First the caller's thread decides, batch by batch, everything that depends on the order of records. Then any
 * thread of a pool makes the text of the batch. The texts are written in order. The bytes are the same for any number of threads.
 *
 *	struct my_slot { struct texts_slot slot; ... };		what was decided for a batch; all zero at first
 *	texts_init(&texts, pool, fd, sizeof(struct my_slot), 0, run);
 *	slot = texts_next(&texts, &err);			for each batch: a slot that is free
 *	texts_start(&texts, &slot->slot, batch);		when it is filled; run() appends to slot->out
 *	texts_flush(&texts);					all that was started is written
 */
#ifndef RINGSIDE_TEXTS_H
#define RINGSIDE_TEXTS_H

#include "lib/base/pool.h"
#include "lib/base/str.h"
#include "lib/data/record.h"

struct texts_slot {
	struct job job;
	const struct batch *batch;
	struct batch *held; /* a reference; NULL: the slot is free */
	struct str out;
};

struct texts {
	struct pool *pool; /* borrowed */
	int fd;
	const char *what; /* the name of what is written, for messages; the user sets it when it is not "the report" */
	bool in_order;	  /* the user sets it to make the text of one slot after the other, in the caller's thread */
	bool failed;	  /* writing has failed, so that nothing is written any more */
	size_t next, n, size;
	char *slots;
};

/*
 * Makes @n slots, which take the batches in turn, or as many as suit the pool when @n is 0. Returns 0 or -ENOMEM. The caller calls texts_fini() in either
 * case.
 */
int texts_init(struct texts *texts, struct pool *pool, int fd, size_t slot_size, size_t n, void (*run)(struct job *job));

/* Returns slot number @i of .n, so that the user can fill in what all slots have in common. */
static inline void *texts_slot(const struct texts *texts, size_t i)
{
	return texts->slots + i * texts->size;
}

/*
 * Returns a free slot, after writing the text that it had. Returns NULL with *@err set to -EPIPE, -ENOMEM, or another -errno
 * after a message.
 */
void *texts_next(struct texts *texts, int *err);

/* Begins to make the text of @slot from @batch, to which it takes a reference. */
void texts_start(struct texts *texts, struct texts_slot *slot, const struct batch *batch);

/*
 * Writes the text of all slots that were started. Returns 0, -EPIPE when nobody reads any more, -ENOMEM, or another -errno after
 * a message.
 */
int texts_flush(struct texts *texts);

/*
 * Waits for the jobs that run, writes nothing more, and frees the slots. @fini, which may be NULL, frees what the user keeps in a
 * slot.
 */
void texts_fini(struct texts *texts, void (*fini)(void *slot));

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Batches on their way to text. What depends on the order of records is decided in the caller's thread, batch by batch; the
 * text is then made from that on any thread of a pool, and written in order. The bytes are the same at any number of threads.
 *
 *	struct my_slot { struct texts_slot slot; ... };		what was decided for a batch; all zero at first
 *	texts_init(&texts, pool, fd, sizeof(struct my_slot), run);
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
	struct batch *held;	/* a reference; NULL: the slot is free */
	struct str out;
};

struct texts {
	struct pool *pool;	/* borrowed */
	int fd;
	const char *what;	/* is written, for messages; set by the user where it is not "the report" */
	bool in_order;		/* set by the user: one slot after the other, in the caller's thread */
	bool failed;		/* to write: nothing is written any more */
	size_t next, n, size;
	char *slots;
};

/* 0 or -ENOMEM. texts_fini() in any case. */
int texts_init(struct texts *texts, struct pool *pool, int fd, size_t slot_size, void (*run)(struct job *job));

/* Slot number @i, for filling in what is the same in all. */
static inline void *texts_slot(const struct texts *texts, size_t i)
{
	return texts->slots + i * texts->size;
}

/* A slot that is free, whose former text is written. NULL: *@err is -EPIPE, -ENOMEM, or -errno after a message. */
void *texts_next(struct texts *texts, int *err);

/* Takes a reference to @batch, which its text is made of. */
void texts_start(struct texts *texts, struct texts_slot *slot, const struct batch *batch);

/* 0; -EPIPE when nobody reads any more; -ENOMEM; another -errno after a message. */
int texts_flush(struct texts *texts);

/* Waits for what runs; nothing more is written. @fini, for what the user keeps in a slot, may be NULL. */
void texts_fini(struct texts *texts, void (*fini)(void *slot));

#endif

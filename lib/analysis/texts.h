/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes texts on the threads of a pool, and writes them in order. A text is made in two steps. In the first step, the caller's thread decides everything that
 * depends on the order of the texts. It does this for one text after the other, and stores what it has decided in a slot. A slot is a structure that the caller
 * defines. Its first member is a struct texts_slot. In the second step, a thread of the pool makes the text from the slot. A text can be made from a batch of
 * records, which then stays valid until the text has been written.
 *
 *	struct my_slot { struct texts_slot slot; ... };		what was decided for a text; all zero at first
 *	texts_init(&texts, pool, fd, sizeof(struct my_slot), 0, run);
 *	slot = texts_next(&texts, &err);			for each text: a slot that is free
 *	texts_start(&texts, &slot->slot, batch);		after the slot has been filled in; run() appends to slot->out
 *	texts_flush(&texts);					writes all texts that were started
 */
#ifndef RINGSIDE_TEXTS_H
#define RINGSIDE_TEXTS_H

#include "lib/base/pool.h"
#include "lib/base/str.h"
#include "lib/data/record.h"

struct texts_slot {
	struct job job;
	bool busy;		   /* the text has been started, and has not been written yet */
	const struct batch *batch; /* the batch from which run() makes the text, or NULL */
	struct batch *held;	   /* a reference to the batch, or NULL */
	struct str out;		   /* the text */
};

struct texts {
	struct pool *pool; /* borrowed */
	int fd;
	const char *what; /* the name of the output, for messages; at first "the report"; the caller may change it */
	bool in_order;	  /* the caller sets this if the texts must be made one after the other, in the caller's thread */
	bool failed;	  /* writing has failed, and nothing is written any more */
	size_t next;	  /* the index of the slot that takes the next text */
	size_t n;	  /* how many slots there are */
	size_t size;	  /* how many bytes a slot has */
	char *slots;
};

/*
 * Makes @n slots. The slots take the texts in turn. If @n is 0, the number of slots is chosen to suit the pool. @run gets the .job of a slot, and makes
 * the text of this slot. Returns 0 or -ENOMEM. The caller must call texts_fini(), even after -ENOMEM.
 */
int texts_init(struct texts *texts, struct pool *pool, int fd, size_t slot_size, size_t n, void (*run)(struct job *job));

/* Returns the slot with the index @i. */
static inline void *texts_slot(const struct texts *texts, size_t i)
{
	return texts->slots + i * texts->size;
}

/*
 * Returns the next slot. The slot is free, because its earlier text has been written. On failure, returns NULL and sets *@err to -EPIPE, -ENOMEM, or
 * another -errno after a message.
 */
void *texts_next(struct texts *texts, int *err);

/* Begins to make the text of @slot, and takes a reference to @batch. If @batch is NULL, the text is not made from a batch. */
void texts_start(struct texts *texts, struct texts_slot *slot, const struct batch *batch);

/* Writes the texts of all started slots. Returns 0, -EPIPE when nobody reads the output any more, -ENOMEM, or another -errno after a message. */
int texts_flush(struct texts *texts);

/*
 * Waits for the jobs that run, and frees the slots. Texts that were not written yet are dropped. If @fini is not NULL, it is called for each slot, and frees
 * what the caller keeps in the slot.
 */
void texts_fini(struct texts *texts, void (*fini)(void *slot));

#endif

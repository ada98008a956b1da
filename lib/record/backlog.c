/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/backlog.h"

#include "lib/base/err.h"
#include "lib/base/thread.h"
#include <pthread.h>

/* The most bytes that may wait for the reader: as much as the default ring buffers of 16 MB on four CPUs. */
enum { MOST_WAITING = 64 << 20 };

/* If the pages take less than 1/SMALL_SHARE of a block, they are copied out of it. */
enum { SMALL_SHARE = 4 };

struct part {
	size_t lane, size;
	bool drained;
	bool copied; /* .pages is not a block, but memory of .size bytes */
	char *pages; /* NULL if .size is 0 */
};

struct round {
	struct round *next;
	uint64_t begin_ns, end_ns;
	size_t size;	/* the memory that the round takes */
	bool has_pages; /* there was something to read on at least one CPU */
	VEC(struct part) parts;
};

struct backlog {
	const struct tap_reader *reader;
	size_t block;
	char *next;	       /* the block that backlog_block() has returned, or NULL */
	struct round *current; /* the round that the tap adds to */
	pthread_t thread;
	bool running;
	/* All below is under @lock; @news is signalled when some of it changes. */
	pthread_mutex_t lock;
	pthread_cond_t news;
	VEC(char *) spare; /* used blocks, kept because taking new memory each time would take longer */
	struct round *first, **last;
	size_t waiting; /* the memory of the rounds in the list and of the one that the reader has */
	bool taking;	/* the reader has a round */
	bool abandoned, ended;
	int err; /* the reader's -errno */
};

static int no_memory(void)
{
	return fail(ENOMEM, "no memory for reading the trace");
}

static void block_free(struct backlog *b, char *block)
{
	int err;

	pthread_mutex_lock(&b->lock);
	err = vec_push(&b->spare, block);
	pthread_mutex_unlock(&b->lock);
	if (err)
		free(block);
}

static void part_free(struct backlog *b, struct part *part)
{
	if (part->copied)
		free(part->pages);
	else if (part->pages)
		block_free(b, part->pages);
	part->pages = NULL;
}

static void round_free(struct backlog *b, struct round *round)
{
	if (!round)
		return;
	vec_each (&round->parts, part)
		part_free(b, part);
	vec_fini(&round->parts);
	free(round);
}

static bool given_up(struct backlog *b)
{
	bool abandoned;

	pthread_mutex_lock(&b->lock);
	abandoned = b->abandoned;
	pthread_mutex_unlock(&b->lock);
	return abandoned;
}

static int give_part(struct backlog *b, const struct part *part)
{
	const struct tap_reader *reader = b->reader;
	size_t done = 0, room;

	do {
		char *to = reader->room(reader->ctx, part->lane, &room);
		size_t n = MIN(room, part->size - done);
		int err;

		if (!to)
			return no_memory();
		if (n)
			memcpy(to, part->pages + done, n);
		done += n;
		err = reader->pages(reader->ctx, part->lane, n, part->drained && done == part->size);
		if (err)
			return err;
	} while (done < part->size);
	return 0;
}

static int give(struct backlog *b, struct round *round, bool *pending)
{
	vec_each (&round->parts, part) {
		int err = given_up(b) ? -ECANCELED : give_part(b, part);

		if (err)
			return err;
		part_free(b, part);
	}
	return b->reader->round(b->reader->ctx, round->begin_ns, round->end_ns, pending);
}

static struct round *next_round(struct backlog *b)
{
	struct round *round = NULL;

	pthread_mutex_lock(&b->lock);
	while (!b->first && !b->ended)
		pthread_cond_wait(&b->news, &b->lock);
	if (!b->ended) {
		round = b->first;
		b->first = round->next;
		b->last = b->first ? b->last : &b->first;
		b->taking = true;
	}
	pthread_mutex_unlock(&b->lock);
	return round;
}

static void *thread_main(void *arg)
{
	struct backlog *b = arg;
	struct round *round;
	bool pending;

	pthread_setname_np(pthread_self(), "ringside/late");
	while ((round = next_round(b))) {
		int err = b->err || given_up(b) ? 0 : give(b, round, &pending);

		pthread_mutex_lock(&b->lock);
		b->err = b->err ? b->err : err;
		b->waiting -= round->size;
		b->taking = false;
		pthread_cond_broadcast(&b->news);
		pthread_mutex_unlock(&b->lock);
		round_free(b, round);
	}
	return NULL;
}

int backlog_new(struct backlog **out, const struct tap_reader *reader, size_t block)
{
	struct backlog *b = calloc(1, sizeof(*b));
	int err;

	*out = b;
	if (!b)
		return no_memory();
	b->reader = reader;
	b->block = block;
	b->last = &b->first;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->news, NULL);
	err = thread_start(&b->thread, thread_main, b);
	b->running = !err;
	return err ? fail(err, "cannot start a thread for what was read: %s", strerror(err)) : 0;
}

char *backlog_block(struct backlog *b)
{
	if (b->next)
		return b->next;
	pthread_mutex_lock(&b->lock);
	if (b->spare.n)
		b->next = b->spare.at[--b->spare.n];
	pthread_mutex_unlock(&b->lock);
	if (!b->next)
		b->next = malloc(b->block);
	if (!b->next)
		no_memory();
	return b->next;
}

/* Gives the block that was read to the part, or copies what is in it. */
static int take_pages(struct backlog *b, struct part *part)
{
	part->copied = part->size < b->block / SMALL_SHARE;
	if (!part->copied) {
		part->pages = take(b->next);
		return 0;
	}
	part->pages = part->size ? malloc(part->size) : NULL;
	if (part->size && !part->pages)
		return -ENOMEM;
	if (part->size)
		memcpy(part->pages, b->next, part->size);
	return 0;
}

int backlog_add(struct backlog *b, size_t lane, size_t size, bool drained)
{
	struct part part = { .lane = lane, .size = size, .drained = drained };

	if ((!b->current && !(b->current = calloc(1, sizeof(*b->current)))) || take_pages(b, &part))
		return no_memory();
	b->current->size += sizeof(part) + (part.copied ? size : b->block);
	b->current->has_pages |= size > 0;
	if (!vec_push(&b->current->parts, part))
		return 0;
	part_free(b, &part);
	return no_memory();
}

/* Waits until no more than @most bytes wait. If @most is 0, also waits until the reader is not at work. The caller holds the lock. */
static int wait_below(struct backlog *b, size_t most)
{
	while (!b->abandoned && !b->err && (b->waiting > most || (!most && (b->first || b->taking))))
		pthread_cond_wait(&b->news, &b->lock);
	return b->err ? b->err : b->abandoned ? -ECANCELED : 0;
}

/* Gives the round to the reader now if no other round is before it. Otherwise returns 1. */
static int give_now(struct backlog *b, struct round *round, bool *pending)
{
	bool busy;
	int err;

	pthread_mutex_lock(&b->lock);
	busy = b->first || b->taking;
	err = b->err;
	pthread_mutex_unlock(&b->lock);
	return err ? err : busy ? 1 : give(b, round, pending);
}

static int wait_in_turn(struct backlog *b, struct round *round)
{
	int err;

	pthread_mutex_lock(&b->lock);
	*b->last = round;
	b->last = &round->next;
	b->waiting += round->size;
	pthread_cond_broadcast(&b->news);
	err = wait_below(b, MOST_WAITING);
	pthread_mutex_unlock(&b->lock);
	return err;
}

int backlog_round(struct backlog *b, uint64_t begin_ns, uint64_t end_ns, bool few, bool *pending)
{
	struct round *round = b->current;
	int err = 1;

	if (!round && !(round = calloc(1, sizeof(*round))))
		return no_memory();
	b->current = NULL;
	round->begin_ns = begin_ns;
	round->end_ns = end_ns;
	if (few)
		err = give_now(b, round, pending);
	if (err == 1) {
		*pending = true;
		/* A round without pages need not wait: it would only take memory, and another round follows. */
		if (round->has_pages)
			return wait_in_turn(b, round);
		err = 0;
	}
	round_free(b, round);
	return err;
}

int backlog_wait(struct backlog *b)
{
	int err;

	pthread_mutex_lock(&b->lock);
	err = wait_below(b, 0);
	pthread_mutex_unlock(&b->lock);
	return err;
}

void backlog_abandon(struct backlog *b)
{
	pthread_mutex_lock(&b->lock);
	b->abandoned = true;
	pthread_cond_broadcast(&b->news);
	pthread_mutex_unlock(&b->lock);
}

void backlog_end(struct backlog *b)
{
	pthread_mutex_lock(&b->lock);
	b->ended = true;
	pthread_cond_broadcast(&b->news);
	pthread_mutex_unlock(&b->lock);
	if (b->running)
		pthread_join(b->thread, NULL);
	b->running = false;
}

void backlog_free(struct backlog *b)
{
	struct round *next;

	if (!b)
		return;
	backlog_end(b);
	for (struct round *round = b->first; round; round = next) {
		next = round->next;
		round_free(b, round);
	}
	round_free(b, b->current);
	vec_each (&b->spare, block)
		free(*block);
	vec_fini(&b->spare);
	free(b->next);
	pthread_cond_destroy(&b->news);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

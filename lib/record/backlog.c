/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/backlog.h"

#include "lib/base/err.h"
#include <pthread.h>
#include <signal.h>

/* As much as default ring buffers of 16 MB on each of four CPUs. */
enum { MOST_WAITING = 64 << 20 };

struct part {
	size_t lane, size;
	bool drained;
	char *pages; /* NULL if .size is 0 */
};

struct round {
	struct round *next;
	uint64_t begin_ns, end_ns;
	size_t size; /* of all parts */
	VEC(struct part) parts;
};

struct backlog {
	const struct tap_reader *reader;
	size_t block;
	char *spare;	       /* of @block bytes, or NULL */
	struct round *current; /* the one that the tap adds to */
	pthread_t thread;
	bool running;
	/* All below is under @lock; @news is signalled when some of it changes. */
	pthread_mutex_t lock;
	pthread_cond_t news;
	struct round *first, **last;
	size_t waiting; /* the bytes of the rounds in the list and of the one that the reader has */
	bool taking;	/* the reader has a round */
	bool abandoned, ended;
	int err; /* of the reader */
};

static void round_free(struct round *round)
{
	if (!round)
		return;
	vec_each (&round->parts, part)
		free(part->pages);
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
			return fail(ENOMEM, "no memory for reading the trace");
		if (n)
			memcpy(to, part->pages + done, n);
		done += n;
		err = reader->pages(reader->ctx, part->lane, n, part->drained && done == part->size);
		if (err)
			return err;
	} while (done < part->size);
	return 0;
}

static int give(struct backlog *b, struct round *round)
{
	bool pending;

	vec_each (&round->parts, part) {
		int err = given_up(b) ? -ECANCELED : give_part(b, part);

		if (err)
			return err;
		free(part->pages);
		part->pages = NULL;
	}
	return b->reader->round(b->reader->ctx, round->begin_ns, round->end_ns, &pending);
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

	pthread_setname_np(pthread_self(), "ringside/late");
	while ((round = next_round(b))) {
		int err = b->err || given_up(b) ? 0 : give(b, round);

		pthread_mutex_lock(&b->lock);
		b->err = b->err ? b->err : err;
		b->waiting -= round->size;
		b->taking = false;
		pthread_cond_broadcast(&b->news);
		pthread_mutex_unlock(&b->lock);
		round_free(round);
	}
	return NULL;
}

int backlog_new(struct backlog **out, const struct tap_reader *reader, size_t block)
{
	struct backlog *b = calloc(1, sizeof(*b));
	sigset_t all, before;
	int err;

	*out = b;
	if (!b)
		return fail(ENOMEM, "no memory for reading the trace");
	b->reader = reader;
	b->block = block;
	b->last = &b->first;
	pthread_mutex_init(&b->lock, NULL);
	pthread_cond_init(&b->news, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&b->thread, NULL, thread_main, b);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	b->running = !err;
	return err ? fail(err, "cannot start a thread for what was read: %s", strerror(err)) : 0;
}

int backlog_idle(struct backlog *b)
{
	int idle;

	pthread_mutex_lock(&b->lock);
	idle = b->err ? b->err : !b->first && !b->taking;
	pthread_mutex_unlock(&b->lock);
	return idle;
}

char *backlog_block(struct backlog *b)
{
	if (!b->spare)
		b->spare = malloc(b->block);
	return b->spare;
}

int backlog_add(struct backlog *b, size_t lane, size_t size, bool drained)
{
	struct part part = { .lane = lane, .size = size, .drained = drained };

	if (!b->current && !(b->current = calloc(1, sizeof(*b->current))))
		return -ENOMEM;
	if (size) {
		/* A block with few pages keeps only its pages. */
		part.pages = size < b->block / 2 ? realloc(b->spare, size) : b->spare;
		part.pages = part.pages ? part.pages : b->spare;
		b->spare = NULL;
	}
	b->current->size += size;
	if (!vec_push(&b->current->parts, part))
		return 0;
	free(part.pages);
	return -ENOMEM;
}

/* Until less than @most bytes wait and, if @most is 0, the reader is not at work. The lock is held. */
static int wait_below(struct backlog *b, size_t most)
{
	while (!b->abandoned && !b->err && (b->waiting > most || (!most && (b->first || b->taking))))
		pthread_cond_wait(&b->news, &b->lock);
	return b->err ? b->err : b->abandoned ? -ECANCELED : 0;
}

int backlog_round(struct backlog *b, uint64_t begin_ns, uint64_t end_ns)
{
	struct round *round = b->current;
	int err;

	if (!round && !(round = calloc(1, sizeof(*round))))
		return -ENOMEM;
	b->current = NULL;
	round->begin_ns = begin_ns;
	round->end_ns = end_ns;
	pthread_mutex_lock(&b->lock);
	*b->last = round;
	b->last = &round->next;
	b->waiting += round->size;
	pthread_cond_broadcast(&b->news);
	err = wait_below(b, MOST_WAITING);
	pthread_mutex_unlock(&b->lock);
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
		round_free(round);
	}
	round_free(b->current);
	free(b->spare);
	pthread_cond_destroy(&b->news);
	pthread_mutex_destroy(&b->lock);
	free(b);
}

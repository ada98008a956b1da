/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/ahead.h"

/* This many batches are merged at a time. They are few enough for a core's cache, and enough to make waking a thread for them worthwhile. */
enum { AT_ONCE = 8 };

struct run {
	struct job job;
	struct merge *merge;
	struct batch *batches[AT_ONCE];
	size_t n, at; /* how many batches there are, and how many of them have been taken */
	int got;      /* what merge_next() has returned last */
};

/* At most this many runs are merged ahead, so that the thread that merges may do something else meanwhile. */
enum { RUNS = 4 };
_Static_assert(RUNS *AT_ONCE == 32, "as ahead.h says");

struct ahead {
	struct pool *pool;
	struct run runs[RUNS]; /* a ring */
	size_t first, n;       /* the run from which batches are taken, and how many runs are ready from it on */
	bool begun;	       /* the run after these has been given to the pool */
};

static void merge_run(struct job *job)
{
	struct run *run = container_of(job, struct run, job);

	run->n = run->at = 0;
	do {
		run->got = merge_next(run->merge, &run->batches[run->n]);
		run->n += run->got > 0;
	} while (run->got > 0 && run->n < AT_ONCE);
}

int ahead_new(struct ahead **out, struct merge *merge, struct pool *pool)
{
	struct ahead *ahead = calloc(1, sizeof(*ahead));

	if (!ahead)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_LEN(ahead->runs); i++)
		ahead->runs[i] = (struct run){ .job.run = merge_run, .merge = merge, .got = 1 };
	ahead->pool = pool;
	*out = ahead;
	return 0;
}

static struct run *run_at(struct ahead *ahead, size_t i)
{
	return &ahead->runs[(ahead->first + i) % RUNS];
}

/* Waits for the run that the pool merges, and takes it over. */
static void take_run(struct ahead *ahead)
{
	pool_wait(ahead->pool, &run_at(ahead, ahead->n)->job);
	ahead->begun = false;
	ahead->n++;
}

/* If the pool has merged its run, takes the run over. Then gives the pool a further run if there is a free one and records are left. */
static void go_on(struct ahead *ahead)
{
	if (ahead->begun && pool_has_run(ahead->pool, &run_at(ahead, ahead->n)->job))
		take_run(ahead);
	if (ahead->begun || ahead->n == RUNS || (ahead->n && run_at(ahead, ahead->n - 1)->got <= 0))
		return;
	ahead->begun = true;
	pool_submit(ahead->pool, &run_at(ahead, ahead->n)->job);
}

int ahead_next(struct ahead *ahead, struct batch **out)
{
	struct run *run = run_at(ahead, 0);

	if (ahead->n && run->at == run->n && run->got > 0) {
		ahead->first = (ahead->first + 1) % RUNS;
		ahead->n--;
		run = run_at(ahead, 0);
	}
	go_on(ahead);
	if (!ahead->n) {
		take_run(ahead);
		go_on(ahead);
	}
	if (run->at == run->n)
		return run->got;
	*out = run->batches[run->at++];
	return 1;
}

void ahead_free(struct ahead *ahead)
{
	if (!ahead)
		return;
	if (ahead->begun)
		take_run(ahead);
	for (size_t i = 0; i < ahead->n; i++) {
		struct run *run = run_at(ahead, i);

		while (run->at < run->n)
			batch_put(run->batches[run->at++]);
	}
	free(ahead);
}

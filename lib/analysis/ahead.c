/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/ahead.h"

/* So many batches are merged at a time: few enough for a core's cache, and enough that waking a thread for them is worth it. */
enum { AT_ONCE = 8 };

struct run {
	struct job job;
	struct merge *merge;
	struct batch *batches[AT_ONCE];
	size_t n, at; /* how many there are, and how many of them have been taken */
	int got;      /* what merge_next() has returned last */
};

struct ahead {
	struct pool *pool;
	struct run runs[2];
	struct run *ready, *coming; /* what is taken, and what is merged meanwhile */
	bool begun;		    /* .coming has been given to the pool */
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
	ahead->ready = &ahead->runs[0];
	ahead->coming = &ahead->runs[1];
	*out = ahead;
	return 0;
}

static void begin(struct ahead *ahead)
{
	ahead->begun = true;
	pool_submit(ahead->pool, &ahead->coming->job);
}

int ahead_next(struct ahead *ahead, struct batch **out)
{
	struct run *run = ahead->ready;

	if (!ahead->begun && run->got > 0)
		begin(ahead);
	if (run->at == run->n && run->got > 0) {
		pool_wait(ahead->pool, &ahead->coming->job);
		ahead->begun = false;
		ahead->ready = ahead->coming;
		ahead->coming = run;
		run = ahead->ready;
		if (run->got > 0)
			begin(ahead);
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
		pool_wait(ahead->pool, &ahead->coming->job);
	for (size_t i = 0; i < ARRAY_LEN(ahead->runs); i++)
		while (ahead->runs[i].at < ahead->runs[i].n)
			batch_put(ahead->runs[i].batches[ahead->runs[i].at++]);
	free(ahead);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A pool of worker threads. Jobs start in the order in which they were given and end in any; the giver waits
 * for the one it needs, and works at others meanwhile: it is counted as one of the threads. A pool of one thread
 * runs each job in the caller when it is waited for.
 */
#ifndef RINGSIDE_POOL_H
#define RINGSIDE_POOL_H

#include "lib/base/base.h"

struct pool;

/* A piece of work, embedded in the giver's own structure and kept by it until job_wait() returned. */
struct job {
	void (*run)(struct job *job);
	struct job *next;	/* the pool's */
	int state;		/* the pool's */
};

/* How many threads are worth starting: $RINGSIDE_THREADS, else the CPUs this process may use. At least 1. */
unsigned int pool_default_threads(void);

/* Warns when RINGSIDE_THREADS is set to something else than a number of threads. */
void pool_check_wish(void);

/* @threads = 1 makes a pool without threads. 0 or -errno. */
int pool_new(struct pool **out, unsigned int threads);

/* Waits for all that runs; jobs not yet begun are run as well. Accepts NULL. */
void pool_free(struct pool *pool);

unsigned int pool_threads(const struct pool *pool);

void pool_submit(struct pool *pool, struct job *job);

/*
 * Lazy: no thread is woken for jobs given from now on; they are run by who waits for them, unless a thread is at work
 * anyway. For work so little that waking costs more.
 */
void pool_lazy(struct pool *pool, bool lazy);

/* Returns when @job has run; runs it here and now if no thread has begun it, and else perhaps others. Once per submit. */
void pool_wait(struct pool *pool, struct job *job);

#endif

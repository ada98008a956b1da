/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs jobs on a pool of worker threads. The workers take jobs in the order in which they were submitted, and the jobs may end in any order. The
 * submitter waits for the job whose result it needs. While the submitter waits, it may run jobs itself. So it counts as one of the threads. A pool of one
 * thread has no worker: each job runs in the submitter when the submitter waits for this job.
 */
#ifndef RINGSIDE_POOL_H
#define RINGSIDE_POOL_H

#include "lib/base/base.h"

struct pool;

/* A piece of work. The submitter embeds it in a structure of its own, which must stay where it is until pool_wait() has returned. */
struct job {
	void (*run)(struct job *job);
	struct job *next; /* only the pool uses it */
	int state;	  /* only the pool uses it */
};

/* Returns how many threads are worth starting: $RINGSIDE_THREADS, or else the number of CPUs that this process may use. The result is at least 1. */
unsigned int pool_default_threads(void);

/* Prints a warning when $RINGSIDE_THREADS is set and is not a possible number of threads. */
void pool_check_wish(void);

/*
 * Makes a pool of @threads threads. A pool of one thread has no workers. When not all threads can be started, the pool has fewer workers. Returns 0 or
 * -ENOMEM.
 */
int pool_new(struct pool **out, unsigned int threads);

/* Runs the jobs that have not begun, waits for those that run, and frees the pool. Accepts NULL. */
void pool_free(struct pool *pool);

/* Returns the argument @threads of pool_new(), or 1 if that argument was 0. The pool may have fewer threads. */
unsigned int pool_threads(const struct pool *pool);

void pool_submit(struct pool *pool, struct job *job);

/*
 * Makes the pool lazy, or not lazy any more. A lazy pool wakes no thread for a job that is submitted. A thread that is awake may take the job. If no
 * thread takes the job, it runs in the submitter's pool_wait(). A lazy pool suits jobs that are so small that waking a thread takes longer than the job.
 */
void pool_lazy(struct pool *pool, bool lazy);

/*
 * Returns when @job has run. If no thread has begun it, the submitter runs it. If a thread is running it, the submitter may run other jobs in the
 * meantime. The submitter calls this exactly once for each pool_submit().
 */
void pool_wait(struct pool *pool, struct job *job);

/* Tells whether @job has run. The submitter may ask this only between pool_submit() and pool_wait(). After true, pool_wait() returns at once. */
bool pool_has_run(struct pool *pool, const struct job *job);

#endif

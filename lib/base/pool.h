/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs jobs on a pool of worker threads. The workers take jobs in the order in which the jobs were submitted. The jobs may end in any order. The submitter is
 * the thread that uses the pool. The submitter waits for the job whose result it needs. While the submitter waits, it may run jobs itself, so it is regarded as
 * a thread of the pool. A pool of one thread has no worker: each job runs in the submitter when the submitter waits for this job.
 */
#ifndef RINGSIDE_POOL_H
#define RINGSIDE_POOL_H

#include "lib/base/base.h"

struct pool;

/* A piece of work. The submitter embeds a struct job in a structure of its own. This structure must not be moved until pool_wait() has returned. */
struct job {
	void (*run)(struct job *job);
	struct job *next; /* only the pool uses this member */
	int state;	  /* only the pool uses this member */
};

/*
 * Returns how many threads a pool should have. If $RINGSIDE_THREADS is a number from 1 to 1024, returns this number. Otherwise returns the number of CPUs that
 * this process may use. The result is at least 1.
 */
unsigned int pool_default_threads(void);

/* Prints a warning when $RINGSIDE_THREADS is neither empty nor a number from 1 to 1024. */
void pool_check_wish(void);

/*
 * Makes a pool of @threads threads, one of which is the submitter. If not all threads can be started, the pool has fewer threads. Returns 0 or -ENOMEM.
 */
int pool_new(struct pool **out, unsigned int threads);

/* Runs the jobs that have not begun, waits for the jobs that run, and frees the pool. If @pool is NULL, nothing happens. */
void pool_free(struct pool *pool);

/* Returns the argument @threads of pool_new(), or 1 if this argument was 0. The pool may have fewer threads. */
unsigned int pool_threads(const struct pool *pool);

/* Submits @job. Its .run must be set. */
void pool_submit(struct pool *pool, struct job *job);

/*
 * Makes the pool lazy, or not lazy any more. A lazy pool wakes no thread for a job that is submitted. A thread that is awake may take the job. If no
 * thread takes the job, the job runs in the submitter's pool_wait(). A lazy pool suits jobs that take less time than waking a thread.
 */
void pool_lazy(struct pool *pool, bool lazy);

/*
 * Returns when @job has run. If no thread has begun @job, the submitter runs it. While another thread runs @job, the submitter may run other jobs.
 * pool_wait() must be called exactly once for each pool_submit().
 */
void pool_wait(struct pool *pool, struct job *job);

/* Returns true if @job has run. Then pool_wait() returns at once. pool_has_run() may be called only between pool_submit() and pool_wait(). */
bool pool_has_run(struct pool *pool, const struct job *job);

#endif

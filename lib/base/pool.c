/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/base/pool.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/base/thread.h"

#include <pthread.h>
#include <sched.h>

enum { JOB_IDLE, JOB_QUEUED, JOB_RUNNING, JOB_DONE };

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t work; /* something was queued, or the end has come */
	pthread_cond_t done; /* a job has ended */
	struct job *head, **tail;
	unsigned int idle;    /* threads that wait for work */
	unsigned int waiting; /* threads that wait for the end of a job */
	bool ending, lazy;
	unsigned int threads; /* as many as the caller has asked for */
	unsigned int started;
	pthread_t thread[];
};

enum { MOST_THREADS = 1024 };

/* Returns the number in RINGSIDE_THREADS. Returns 0 when the variable is not set or its value cannot be used. */
static unsigned int wished_threads(void)
{
	const char *wish = getenv("RINGSIDE_THREADS");
	uint64_t n;

	return wish && !parse_u64(wish, &n) && n <= MOST_THREADS ? (unsigned int)n : 0;
}

void pool_check_wish(void)
{
	const char *wish = getenv("RINGSIDE_THREADS");

	if (wish && *wish && !wished_threads())
		warn("RINGSIDE_THREADS=%s is no number from 1 to %d; there are as many threads as CPUs", wish, MOST_THREADS);
}

/*
 * Returns how many CPUs this process may use, or 0 when that is not known. The kernel refuses (EINVAL) a set that is too small for all CPUs that the machine
 * may have.
 */
static int usable_cpus(void)
{
	int n = 0, err = EINVAL;

	for (size_t most = CPU_SETSIZE; err == EINVAL && most <= CPU_SETSIZE << 8; most *= 2) {
		size_t size = CPU_ALLOC_SIZE(most);
		cpu_set_t *set = CPU_ALLOC(most);

		err = !set ? ENOMEM : sched_getaffinity(0, size, set) ? errno : 0;
		n = err ? 0 : CPU_COUNT_S(size, set);
		CPU_FREE(set);
	}
	return n;
}

unsigned int pool_default_threads(void)
{
	unsigned int wish = wished_threads();

	return wish ? wish : (unsigned int)MAX(usable_cpus(), 1);
}

static void run_unlocked(struct pool *pool, struct job *job)
{
	job->state = JOB_RUNNING;
	pthread_mutex_unlock(&pool->lock);
	job->run(job);
	pthread_mutex_lock(&pool->lock);
	job->state = JOB_DONE;
	if (pool->waiting)
		pthread_cond_broadcast(&pool->done);
}

static struct job *take_first(struct pool *pool)
{
	struct job *job = pool->head;

	pool->head = job->next;
	if (!pool->head)
		pool->tail = &pool->head;
	return job;
}

static void *worker(void *arg)
{
	struct pool *pool = arg;

	pthread_mutex_lock(&pool->lock);
	for (;;) {
		while (!pool->head && !pool->ending) {
			pool->idle++;
			pthread_cond_wait(&pool->work, &pool->lock);
			pool->idle--;
		}
		if (!pool->head)
			break;
		run_unlocked(pool, take_first(pool));
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

int pool_new(struct pool **out, unsigned int threads)
{
	unsigned int want = threads > 1 ? threads - 1 : 0; /* one thread fewer, because the thread that submits jobs also runs some */
	struct pool *pool = calloc(1, sizeof(*pool) + want * sizeof(pool->thread[0]));

	if (!pool)
		return -ENOMEM;
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	pthread_cond_init(&pool->done, NULL);
	pool->tail = &pool->head;
	pool->threads = MAX(threads, 1U);
	while (pool->started < want && !thread_start(&pool->thread[pool->started], worker, pool))
		pool->started++;
	*out = pool;
	return 0;
}

void pool_free(struct pool *pool)
{
	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	while (pool->head)
		run_unlocked(pool, take_first(pool));
	pool->ending = true;
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (unsigned int i = 0; i < pool->started; i++)
		pthread_join(pool->thread[i], NULL);
	pthread_cond_destroy(&pool->done);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}

unsigned int pool_threads(const struct pool *pool)
{
	return pool->threads;
}

void pool_submit(struct pool *pool, struct job *job)
{
	pthread_mutex_lock(&pool->lock);
	job->next = NULL;
	job->state = JOB_QUEUED;
	*pool->tail = job;
	pool->tail = &job->next;
	if (pool->idle && !pool->lazy)
		pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

void pool_lazy(struct pool *pool, bool lazy)
{
	pthread_mutex_lock(&pool->lock);
	pool->lazy = lazy;
	pthread_mutex_unlock(&pool->lock);
}

static void unqueue(struct pool *pool, struct job *job)
{
	struct job **at = &pool->head;

	while (*at != job)
		at = &(*at)->next;
	*at = job->next;
	if (pool->tail == &job->next)
		pool->tail = at;
}

void pool_wait(struct pool *pool, struct job *job)
{
	pthread_mutex_lock(&pool->lock);
	if (job->state == JOB_QUEUED) {
		unqueue(pool, job);
		run_unlocked(pool, job);
	}
	while (job->state == JOB_RUNNING) {
		if (pool->started && pool->head) {
			run_unlocked(pool, take_first(pool));
		} else {
			pool->waiting++;
			pthread_cond_wait(&pool->done, &pool->lock);
			pool->waiting--;
		}
	}
	job->state = JOB_IDLE;
	pthread_mutex_unlock(&pool->lock);
}

bool pool_has_run(struct pool *pool, const struct job *job)
{
	bool done;

	pthread_mutex_lock(&pool->lock);
	done = job->state == JOB_DONE;
	pthread_mutex_unlock(&pool->lock);
	return done;
}

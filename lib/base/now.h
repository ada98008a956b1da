/* SPDX-License-Identifier: GPL-2.0 */
/* Reads clocks. */
#ifndef RINGSIDE_NOW_H
#define RINGSIDE_NOW_H

#include "lib/base/base.h"
#include <time.h>

/* Returns the time of @clock in ns. @clock must be a clock for which clock_gettime(2) never fails. */
static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * NSEC_PER_SEC + (uint64_t)t.tv_nsec;
}

/* Returns the time of CLOCK_MONOTONIC in ns. This clock is for measuring how long something takes, and for deadlines. */
static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

/* Returns the CPU time that this thread has used, in ns. On a busy machine, this can be much less than the time that has passed. */
static inline uint64_t thread_cpu_ns(void)
{
	return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

#endif

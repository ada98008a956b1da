/* SPDX-License-Identifier: GPL-2.0 */
/* What a trace clock reads now. */
#ifndef RINGSIDE_TRACE_NOW_H
#define RINGSIDE_TRACE_NOW_H

#include "lib/base/base.h"

/*
 * @stats is per_cpu/cpuN/stats of an instance: while the kernel writes it, it reads the instance's clock. *@ts is that in ns, cut off to microseconds: up to 999 ns
 * less than it was; 0: it does not say, as with clocks that do not count nanoseconds. *@before and *@after are CLOCK_MONOTONIC around it.
 */
void trace_now(int stats, uint64_t *before, uint64_t *ts, uint64_t *after);

/* The same of any clock, as a whole number: of one that counts nanoseconds the middle of the microsecond that is told. False: it does not say. */
bool trace_now_raw(int stats, int64_t *time);

#endif

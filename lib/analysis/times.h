/* SPDX-License-Identifier: GPL-2.0 */
/* Adds up how often something happened, and how long it took. */
#ifndef RINGSIDE_TIMES_H
#define RINGSIDE_TIMES_H

#include "lib/base/base.h"

/* Times are in ns if input_in_ns() (lib/analysis/input.h) is true. Otherwise they are in ticks of the clock. */
struct times {
	uint64_t count;
	uint64_t total;	 /* the sum of the durations; 0 if nothing has a duration */
	uint64_t max;	 /* the longest duration; 0 if nothing has a duration */
	uint64_t min;	 /* the shortest duration; 0 if nothing has a duration */
	uint64_t max_at; /* when the longest duration ended */
	uint64_t min_at; /* when the shortest duration ended */
};

/* Adds all durations of *@more to *@to. */
void times_merge(struct times *to, const struct times *more);

/* Adds one duration, which ended at @ts. */
void times_add(struct times *times, uint64_t duration, uint64_t ts);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Adds up how often something happened, and how long it took. */
#ifndef RINGSIDE_TIMES_H
#define RINGSIDE_TIMES_H

#include "lib/base/base.h"

/* All times are in ns, or in ticks if reports show ticks. .max_at and .min_at are the times when the longest and the shortest duration ended. */
struct times {
	uint64_t count;
	uint64_t total, max, min; /* the sum of the durations, the longest and the shortest; all 0 if nothing has a duration */
	uint64_t max_at, min_at;
};

/* Adds *@more to *@to. */
void times_merge(struct times *to, const struct times *more);

/* Adds one duration, which ended at @ts. */
void times_add(struct times *times, uint64_t duration, uint64_t ts);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* How often something took how long. */
#ifndef RINGSIDE_TIMES_H
#define RINGSIDE_TIMES_H

#include "lib/base/base.h"

/* All in ns of the reports' times, or ticks; and when the longest and the shortest ended. */
struct times {
	uint64_t count;
	uint64_t total, max, min;	/* 0 of what has no duration */
	uint64_t max_at, min_at;
};

/* *@to becomes both together. */
void times_merge(struct times *to, const struct times *more);

/* One more, which ended at @ts. */
void times_add(struct times *times, uint64_t duration, uint64_t ts);

#endif

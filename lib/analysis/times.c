/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/times.h"

void times_merge(struct times *to, const struct times *more)
{
	if (more->count && (!to->count || more->max > to->max)) {
		to->max = more->max;
		to->max_at = more->max_at;
	}
	if (more->count && (!to->count || more->min < to->min)) {
		to->min = more->min;
		to->min_at = more->min_at;
	}
	to->count += more->count;
	to->total += more->total;
}

void times_add(struct times *times, uint64_t duration, uint64_t ts)
{
	times_merge(times, &(struct times){ .count = 1, .total = duration, .max = duration, .max_at = ts, .min = duration, .min_at = ts });
}

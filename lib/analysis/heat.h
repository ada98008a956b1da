/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts durations by the time at which they happened and by their length. Time is divided into
 * parts of equal length. Durations are divided into bars, one for each power of two. There are at
 * most HEAT_PARTS parts. If the time of a new duration lies outside of all parts, new parts are
 * added. If there is no room for the new parts, every two neighbouring parts are first merged into
 * one part. This is repeated until there is room.
 */
#ifndef RINGSIDE_HEAT_H
#define RINGSIDE_HEAT_H

#include "lib/base/base.h"

/* HEAT_LEAST_NS is the length of each part at first. */
enum { HEAT_PARTS = 64, HEAT_BARS = 65, HEAT_LEAST_NS = 1000 };

struct heat {
	bool begun;				/* a duration has been added */
	uint64_t first;				/* when the first part begins, ns */
	uint64_t width;				/* how long each part is, ns */
	size_t parts;				/* how many parts are in use */
	uint64_t counts[HEAT_PARTS][HEAT_BARS]; /* [part][bar]: how many durations of this bar happened in this part */
};

/* Adds the duration @value at the time @ns, both in ns. Times may come in any order. */
void heat_add(struct heat *heat, uint64_t ns, uint64_t value);

/*
 * heat_from() returns the shortest duration that belongs to a bar. heat_to() returns the longest duration that belongs to a bar. Both are in ns. Bar 0 is 0 ns,
 * bar 1 is 1 ns, bar 2 is 2 to 3 ns, bar 3 is 4 to 7 ns, and so on.
 */
static inline uint64_t heat_from(size_t bar)
{
	return bar ? 1ULL << (bar - 1) : 0;
}
static inline uint64_t heat_to(size_t bar)
{
	return bar ? heat_from(bar) * 2 - 1 : 0;
}

#endif

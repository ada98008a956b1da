/* SPDX-License-Identifier: GPL-2.0 */
/* How long things took in the course of time: how often in each part of the time each power of two was. The parts grow with the time, so that it has a size that is known. */
#ifndef RINGSIDE_HEAT_H
#define RINGSIDE_HEAT_H

#include "lib/base/base.h"

enum { HEAT_PARTS = 64, HEAT_BARS = 65, HEAT_LEAST_NS = 1000 };

struct heat {
	bool begun;
	uint64_t first, width;	/* ns: where the first part begins, and how long each is */
	size_t parts;		/* so many have been reached */
	uint64_t counts[HEAT_PARTS][HEAT_BARS];
};

/* Adds a duration at a time; times come in any order. */
void heat_add(struct heat *heat, uint64_t ns, uint64_t value);

/* The least and the largest duration of a bar: 0; 1; 2 to 3; 4 to 7; … */
static inline uint64_t heat_from(size_t bar)
{
	return bar ? 1ULL << (bar - 1) : 0;
}
static inline uint64_t heat_to(size_t bar)
{
	return bar ? heat_from(bar) * 2 - 1 : 0;
}

#endif

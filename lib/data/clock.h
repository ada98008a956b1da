/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a stored timestamp to what is shown (trace-dat-format(5), timestamps): TIME_SHIFT, then TSC2NSEC or a given
 * frequency, then the offsets DATE, OFFSET and the user's.
 */
#ifndef RINGSIDE_CLOCK_H
#define RINGSIDE_CLOCK_H

#include "lib/data/metadata.h"

struct clock {
	const struct time_shift *shift;	/* NULL: none */
	struct tsc2nsec tsc;
	double ns_per_tick;		/* --ts2secs: 1e9 / HZ; 0: not given */
	int64_t offset;			/* added last */
	bool plain;			/* nothing but the offset to be done */
};

struct clock_options {
	bool raw;		/* --raw-ts: nothing is applied */
	bool no_date;		/* --nodate */
	int64_t ts_offset;	/* --ts-offset, ns */
	uint64_t hz;		/* --ts2secs; 0: not given */
};

void clock_init(struct clock *out, const struct metadata *meta, const struct clock_options *how);

uint64_t clock_shifted(const struct clock *clock, unsigned int cpu, uint64_t raw);

/* What @raw of @cpu reads as, in ns (or ticks for clocks that do not count ns). */
static inline uint64_t clock_time(const struct clock *clock, unsigned int cpu, uint64_t raw)
{
	return clock->plain ? raw + (uint64_t)clock->offset : clock_shifted(clock, cpu, raw);
}

/* The lowest raw time of [@first, @last] that reads as @ts or later; @last + 1 when none does. */
uint64_t clock_raw(const struct clock *clock, unsigned int cpu, uint64_t ts, uint64_t first, uint64_t last);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Converts stored time stamps to the times that are shown. There are three steps, in the order of trace.dat(5). First the option TIME_SHIFT of the file is
 * applied. Then the option TSC2NSEC is applied. If the user has given a frequency (--ts2secs), the frequency is applied instead of TSC2NSEC. Then three
 * offsets are added: those of the options DATE and OFFSET, and the user's own (--ts-offset).
 */
#ifndef RINGSIDE_CLOCK_H
#define RINGSIDE_CLOCK_H

#include "lib/data/metadata.h"

struct clock {
	const struct time_shift *shift; /* NULL: the times are not shifted */
	struct tsc2nsec tsc;
	uint64_t hz;	/* --ts2secs: ticks in a second; 0: not given */
	int64_t offset; /* added last; in units of the times that are shown */
	bool plain;	/* true: a conversion only adds .offset */
};

struct clock_options {
	bool raw;	   /* --raw-ts: nothing is applied */
	bool no_date;	   /* --nodate */
	int64_t ts_offset; /* --ts-offset, in units of the times that are shown */
	uint64_t hz;	   /* --ts2secs; 0: not given */
};

/* Makes the clock of a file with this metadata. Borrows @meta. */
void clock_init(struct clock *out, const struct metadata *meta, const struct clock_options *how);

/* Does the work of clock_time() for a clock whose .plain is false. */
uint64_t clock_shifted(const struct clock *clock, unsigned int cpu, uint64_t raw);

/*
 * Converts the raw time @raw of @cpu to the time that is shown. The result is in ns if the trace clock counts ns, or if .tsc or .hz turns its ticks into
 * ns. Otherwise the result is in ticks.
 */
static inline uint64_t clock_time(const struct clock *clock, unsigned int cpu, uint64_t raw)
{
	return clock->plain ? raw + (uint64_t)clock->offset : clock_shifted(clock, cpu, raw);
}

/* Returns the lowest raw time from @first to @last, both included, that clock_time() converts to @ts or a later time. If there is none, returns @last + 1. */
uint64_t clock_raw(const struct clock *clock, unsigned int cpu, uint64_t ts, uint64_t first, uint64_t last);

#endif

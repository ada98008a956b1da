/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out how another machine's trace clock relates to a clock of this machine. For this, the other machine is asked again and again for the time of its
 * clock. The other machine reads its clock after the question has left this machine and before the answer arrives here. So each answer gives a lower and an
 * upper bound of the offset between the two clocks. The bounds hold no matter how long the question and the answer take. When the clocks drift at a constant
 * rate, the offset over time is a straight line. When a straight line fits within all bounds, the offset is assumed to follow a straight line. This assumption
 * narrows the bounds.
 */
#ifndef RINGSIDE_NET_CLOCKS_H
#define RINGSIDE_NET_CLOCKS_H

#include "lib/base/base.h"

/* This is the largest number of samples that are kept of a clock. */
enum { CLOCKS_KEPT = 64 };

/* No time of a clock is farther from 0 than this number of ns (109 years). So the sum and the difference of two times fit into an int64_t. */
#define CLOCKS_FAR (INT64_C(3) << 60)

/* When the other clock read .time, the clock here read .time + .offset, with an error of at most .error. All three are in ns. */
struct clocks_sample {
	int64_t time, offset, error;
};

struct clocks {
	struct clocks_sample at[CLOCKS_KEPT]; /* the samples, in the order of time */
	size_t n;			      /* the number of samples */
	/* Of this many successive answers, only the one with the smallest error is kept as a sample. The number is doubled when .at is full. */
	uint32_t every;
	uint32_t open;	   /* the last sample was chosen from this many answers so far; 0: no further answer can replace it */
	uint64_t round_ns; /* the shortest round trip; 0: none yet */
};

/*
 * Adds an answer. When the clock of the other machine read @time, the clock here was between @first and @last. @round is the round trip in ns, without the time
 * that the other machine took to answer. An answer is ignored in these cases:
 *  - @time is not later than the time of the last sample;
 *  - @last is before @first;
 *  - one of these times is farther from 0 than CLOCKS_FAR.
 */
void clocks_add(struct clocks *c, int64_t time, int64_t first, int64_t last, uint64_t round);

/*
 * This tells how the two clocks relate, according to all answers together. clocks_fit() fills it in, and assumes that the rates of the clocks differ by no more
 * than a thousandth. The argument @until of clocks_fit() is a time of the other clock. The clocks are compared up to this time.
 */
struct clocks_line {
	/*
	 * The offset is interpolated between these points. The first point is an hour before the first sample. The last point is an hour or more after
	 * the last sample.
	 */
	struct clocks_sample points[CLOCKS_KEPT + 2];
	size_t n;		/* the number of points; 0: nothing is known */
	int64_t error;		/* the largest error of the offset, in ns, from the first to the last sample, or up to @until if @until is later */
	bool has_drift;		/* the rates of the clocks could be compared */
	double drift_ppm;	/* if .has_drift is true: by how much the other clock is faster than the clock here */
	double drift_error_ppm; /* if .has_drift is true: how far off .drift_ppm can be */
	bool straight;		/* there is a straight line within all bounds */
};
void clocks_fit(const struct clocks *c, int64_t until, struct clocks_line *out);

/* Returns the time that the clock here read when the other clock read @time. If nothing is known (line->n is 0), returns @time itself. */
int64_t clocks_here(const struct clocks_line *line, int64_t time);

#endif

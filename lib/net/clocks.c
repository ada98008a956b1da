/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/net/clocks.h"

/* How far the lines reach beyond the time that the caller asks for. */
#define BEYOND ((int64_t)(3600 * NSEC_PER_SEC))
/* The rates of two clocks never differ by more than this. */
#define STEEPEST 1e-3
/* In a shorter time, drift cannot be distinguished from errors. */
#define LEAST_SPAN ((int64_t)(NSEC_PER_SEC / 2))

/* Removes half of the answers: of each two neighbours, the better one stays. */
static void halve(struct clocks *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n; i += 2) {
		size_t best = i + 1 < c->n && c->at[i + 1].error < c->at[i].error ? i + 1 : i;

		c->at[n++] = c->at[best];
	}
	c->n = n;
	c->every *= 2;
	c->open = 0;
}

void clocks_add(struct clocks *c, int64_t time, int64_t first, int64_t last, uint64_t round)
{
	struct clocks_sample s = { .time = time };

	if (last < first || time > CLOCKS_FAR || last > CLOCKS_FAR || MIN(time, first) < -CLOCKS_FAR || (c->n && time <= c->at[c->n - 1].time))
		return;
	s.error = (last - first + 1) / 2;
	s.offset = first + (last - first) / 2 - time;
	if (!c->round_ns || round < c->round_ns)
		c->round_ns = round;
	if (!c->every)
		c->every = 1;
	if (c->n && c->open && c->open < c->every) {
		c->open++;
		if (s.error < c->at[c->n - 1].error)
			c->at[c->n - 1] = s;
		return;
	}
	if (c->n == CLOCKS_KEPT)
		halve(c);
	c->at[c->n++] = s;
	c->open = 1;
}

struct range {
	double low, high;
};

/* All lines that go through all bounds: their ranges at the beginning and at the end, and the range of their slopes. */
struct lines {
	int64_t until; /* the time at the end */
	bool any;
	struct range begin, end, slopes;
};

/* Returns true if this line goes through all bounds. The slack is for rounding. */
static bool fits(const struct clocks *c, double at_first, double slope)
{
	if (slope > STEEPEST * 1.000001 || slope < -STEEPEST * 1.000001)
		return false;
	for (size_t i = 0; i < c->n; i++) {
		double value = at_first + slope * (double)(c->at[i].time - c->at[0].time) - (double)(c->at[i].offset - c->at[0].offset);

		if (value < -(double)c->at[i].error - 1 || value > (double)c->at[i].error + 1)
			return false;
	}
	return true;
}

static void widen(struct range *range, double value, bool any)
{
	range->low = any ? MIN(range->low, value) : value;
	range->high = any ? MAX(range->high, value) : value;
}

static void try(const struct clocks *c, double x, double y, double slope, struct lines *out)
{
	double first = y - slope * x;

	if (!fits(c, first, slope))
		return;
	widen(&out->begin, first, out->any);
	widen(&out->end, first + slope * (double)(out->until - c->at[0].time), out->any);
	widen(&out->slopes, slope, out->any);
	out->any = true;
}

/* Sets *@x and *@y to the upper or lower end of an answer's bounds. Both count from the first answer. */
static void corner(const struct clocks *c, size_t i, bool upper, double *x, double *y)
{
	*x = (double)(c->at[i].time - c->at[0].time);
	*y = (double)(c->at[i].offset - c->at[0].offset) + (upper ? 1 : -1) * (double)c->at[i].error;
}

/* Finds the extreme lines. They touch two bounds, or touch one and are as steep as possible. */
static bool find_lines(const struct clocks *c, struct lines *out)
{
	double x0, y0, x1, y1;

	for (size_t a = 0; a < 2 * c->n; a++) {
		corner(c, a / 2, a & 1, &x0, &y0);
		try(c, x0, y0, STEEPEST, out);
		try(c, x0, y0, -STEEPEST, out);
		for (size_t b = (a / 2 + 1) * 2; b < 2 * c->n; b++) {
			corner(c, b / 2, b & 1, &x1, &y1);
			try(c, x0, y0, (y1 - y0) / (x1 - x0), out);
		}
	}
	return out->any;
}

static void add_point(struct clocks_line *out, int64_t time, int64_t offset, int64_t error)
{
	out->points[out->n++] = (struct clocks_sample){ time, offset, error };
}

/* Rounds a number. The limit is beyond what any clock reads, and sums of such numbers do not overflow. */
static int64_t rounded(double value)
{
	const double most = (double)(INT64_C(1) << 62);

	value = MAX(MIN(value, most), -most);
	return (int64_t)(value < 0 ? value - 0.5 : value + 0.5);
}

/*
 * Returns how much the other clock gains on ours, in millionths. @slope tells how the offset, which is what the other clock lacks, rises with that clock's
 * time.
 */
static double gain(double slope)
{
	return -slope / (1 + slope) * 1e6;
}

/* Draws the middle of all possible lines. Nowhere between the beginning and the end is a line farther from it than at one of the two. */
static void draw_line(const struct clocks *c, const struct lines *lines, struct clocks_line *out)
{
	const struct clocks_sample *first = &c->at[0];
	double low = (lines->begin.low + lines->begin.high) / 2, high = (lines->end.low + lines->end.high) / 2;
	double span = (double)(lines->until - first->time), slope = span > 0 ? (high - low) / span : 0;

	out->straight = true;
	out->error = rounded(MAX(lines->begin.high - lines->begin.low, lines->end.high - lines->end.low) / 2) + 2;
	add_point(out, first->time - BEYOND, first->offset + rounded(low - slope * (double)BEYOND), out->error);
	add_point(out, lines->until + BEYOND, first->offset + rounded(high + slope * (double)BEYOND), out->error);
	out->has_drift = c->at[c->n - 1].time - first->time >= LEAST_SPAN;
	out->drift_ppm = (gain(lines->slopes.low) + gain(lines->slopes.high)) / 2;
	out->drift_error_ppm = (gain(lines->slopes.low) - gain(lines->slopes.high)) / 2;
}

/* Draws a line from each answer to the next. Before the first and behind the last, the slope is the average one, but not steeper than possible. */
static void draw_pieces(const struct clocks *c, int64_t until, struct clocks_line *out)
{
	const struct clocks_sample *first = &c->at[0], *last = &c->at[c->n - 1];
	double span = (double)(last->time - first->time), average = span > 0 ? (double)(last->offset - first->offset) / span : 0;
	double slope = MAX(MIN(average, STEEPEST), -STEEPEST);
	double uncertain = span > 0 ? (double)(first->error + last->error) / span : 0;

	if (last->time - first->time < LEAST_SPAN)
		slope = 0;
	add_point(out, first->time - BEYOND, first->offset - rounded(slope * (double)BEYOND), first->error);
	for (size_t i = 0; i < c->n; i++) {
		add_point(out, c->at[i].time, c->at[i].offset, c->at[i].error);
		out->error = MAX(out->error, c->at[i].error);
	}
	out->error = MAX(out->error, last->error + rounded(STEEPEST * (double)(until - last->time)));
	add_point(out, last->time + BEYOND, last->offset + rounded(slope * (double)BEYOND), last->error);
	out->has_drift = last->time - first->time >= LEAST_SPAN;
	out->drift_ppm = gain(average);
	out->drift_error_ppm = uncertain * 1e6;
}

void clocks_fit(const struct clocks *c, int64_t until, struct clocks_line *out)
{
	struct lines lines = { .until = c->n ? MAX(until, c->at[c->n - 1].time) : 0 };

	*out = (struct clocks_line){ 0 };
	if (c->n && find_lines(c, &lines))
		draw_line(c, &lines, out);
	else if (c->n)
		draw_pieces(c, lines.until, out);
}

/* Limits a time to what the type can hold. */
static int64_t limited(__int128 time)
{
	return (int64_t)MAX(MIN(time, (__int128)INT64_MAX), (__int128)INT64_MIN);
}

int64_t clocks_here(const struct clocks_line *line, int64_t time)
{
	for (size_t i = 0; i + 1 < line->n; i++) {
		const struct clocks_sample *a = &line->points[i], *b = a + 1;

		if (time <= b->time || i + 2 == line->n)
			return limited((__int128)time + a->offset + ((__int128)time - a->time) * ((__int128)b->offset - a->offset) / (b->time - a->time));
	}
	return time;
}

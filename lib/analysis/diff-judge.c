/* SPDX-License-Identifier: GPL-2.0 */
/* Which rows of a comparison are different by more than chance, and which are the same. */
#include "lib/analysis/diff-judge.h"
#include "lib/analysis/diff-peers.h"

#include <math.h>

/* What is told as different has a p-value of at most 5 %, adjusted for the number of rows, and is at least 5 % different. */
#define CHANCE 0.05
#define FLOOR 1.05
/*
 * FEW: fewer peers do not tell how far functions are from what is common. RESTLESS: where so many calls tell no more than one would, times depend on the
 * machine. BRIEF: in fewer slices it is called in a short time only.
 */
#define FEW 4
#define RESTLESS 2
#define BRIEF 4

/*
 * LEAST_CALLS: a count of fewer calls on both sides is not judged. MANY: so many rows tell how restless counts are.
 * TAILS: what recordings differ by has such degrees of freedom: now and then it is far more than usual. TURN: a task that waits once more, or one more
 * interrupt, can bring so many calls of a function.
 * PRIOR: the spread of all rows counts for a row as much as so many recordings of its own.
 */
enum { LEAST_CALLS = 8, MANY = 20, PRIOR = 4, TAILS = 3, TURN = 3 };

/* --- what differs between recordings of one side ---------------------------------------------------------------------------- */

/* How far numbers of the same side are from their mean: sums of squares, and how many are free. */
struct spread {
	double squares, freedom;
};

static void spread_add(struct spread *spread, const struct diff_item *const *items, size_t n, double (*value)(const struct diff_item *))
{
	double sum = 0, squares = 0, known = 0;

	for (size_t i = 0; i < n; i++) {
		double x = value(items[i]);

		if (isnan(x))
			continue;
		sum += x;
		squares += x * x;
		known++;
	}
	if (known < 2)
		return;
	spread->squares += fmax(squares - sum * sum / known, 0);
	spread->freedom += known - 1;
}

static double log_calls(const struct diff_item *item)
{
	/* Of counts near 0 the logarithm would say too much. */
	return log((item ? (double)item->calls.n : 0) + 1);
}

static struct spread spread_between(const struct diff *diff, const struct diff_row *row, double (*value)(const struct diff_item *))
{
	struct spread spread = { 0 };

	spread_add(&spread, row->items, diff_runs(diff, OLD), value);
	spread_add(&spread, row->items + diff_runs(diff, OLD), diff_runs(diff, NEW), value);
	return spread;
}

/* The variance of a row between recordings, @usual that of most rows: which of both counts how much, their freedom says. */
static double moderate(const struct spread *spread, double usual)
{
	return (spread->squares + PRIOR * usual) / (spread->freedom + PRIOR);
}

/* The median over all rows of the variance between recordings; not a number: there is one recording a side. */
static int usual_spread(const struct diff *diff, double (*value)(const struct diff_item *), double *out)
{
	VEC(double) all = { 0 };
	int err = 0;

	*out = NAN;
	vec_each (&diff->rows, row) {
		struct spread spread = spread_between(diff, row, value);

		if (!err && spread.freedom > 0 && row->sides[OLD].all.n + row->sides[NEW].all.n >= LEAST_CALLS)
			err = vec_push(&all, spread.squares / spread.freedom);
	}
	if (!err && all.n)
		*out = middle_of(all.at, all.n);
	vec_fini(&all);
	return err;
}

/* --- how long calls took --------------------------------------------------------------------------------------------------- */

/* Of a sum of variances with @a and @b degrees of freedom those of the sum (Satterthwaite). */
static double joint_freedom(double a, double of_a, double b, double of_b)
{
	return (a + b) * (a + b) / (a * a / of_a + b * b / of_b);
}

static double ln(uint64_t value)
{
	return log((double)MAX(value, (uint64_t)1));
}

/* The ratio of the medians and its interval, of both medians' intervals (Donner and Zou's way to put them together). */
static void find_shift(struct diff_row *row)
{
	struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	uint64_t medians[] = { quantiles_at(&o->all, 500), quantiles_at(&n->all, 500) };
	double shift, down, up, t;

	if (medians[OLD] == QUANTILE_UNKNOWN || medians[NEW] == QUANTILE_UNKNOWN || o->design.freedom <= 0 || n->design.freedom <= 0)
		return;
	for (unsigned int side = OLD; side <= NEW; side++) {
		struct diff_side *s = &row->sides[side];

		median_interval(&s->all, student_beyond(CHANCE, s->design.freedom), s->design.effect, &s->low, &s->high);
	}
	row->freedom = joint_freedom(o->design.effect / (double)o->all.n, o->design.freedom, n->design.effect / (double)n->all.n, n->design.freedom);
	t = student_beyond(CHANCE, row->freedom);
	shift = ln(medians[NEW]) - ln(medians[OLD]);
	down = hypot(ln(medians[NEW]) - ln(n->low), ln(o->high) - ln(medians[OLD]));
	up = hypot(ln(n->high) - ln(medians[NEW]), ln(medians[OLD]) - ln(o->low));
	row->error = row->within = (shift > 0 ? down : up) / t;
	row->ratio = exp(shift);
	row->low = exp(shift - down);
	row->high = exp(shift + up);
}

/*
 * Does it depend on what the machine does meanwhile how long calls take? Then a recording is slow at times, and functions are slow in whole recordings,
 * each for itself.
 */
static bool is_restless(const struct diff *diff)
{
	return diff_is_single(diff) && diff->dependence > RESTLESS;
}

/* Between recordings of a side medians may differ by more than within one. */
static void widen_shift(const struct diff *diff, struct diff_row *row, double usual)
{
	struct spread spread = spread_between(diff, row, diff_log_median);
	double variance, error, t;

	if (isnan(usual) || !(row->ratio > 0))
		return;
	variance = moderate(&spread, usual);
	error = sqrt(variance / (double)diff_runs(diff, OLD) + variance / (double)diff_runs(diff, NEW));
	if (error <= row->error)
		return;
	row->error = error;
	row->freedom = spread.freedom + PRIOR;
	t = student_beyond(CHANCE, row->freedom);
	row->low = fmin(row->low, row->ratio * exp(-error * t));
	row->high = fmax(row->high, row->ratio * exp(error * t));
}

/* Of small numbers the ratio would say too much. */
static double unlike(const double numbers[2])
{
	const double some = 20;

	return fabs(log((numbers[NEW] + some) / (numbers[OLD] + some)));
}

/* What answered now before a task had to wait, and now after, answered otherwise: another disk cache, another load. */
static bool is_unlike(const struct diff *diff, const struct diff_row *row)
{
	return diff->unlike > log(1.5) && fabs(log(row->ratio)) <= diff->unlike && diff_is_single(diff);
}

/*
 * The test's distance, as if both sides were normal distributions: by so many standard deviations of a median difference they are apart. The distance that
 * the ranks tell can be no larger than when all calls of a side took longer than all of the other, and would not tell then by how much.
 */
static double distance(const struct mann_whitney *test, double pairs)
{
	const double part = fmin(fmax(test->u / pairs, 1 / pairs), 1 - 1 / pairs), off = part - 0.5;

	return fabs(off) > 1e-9 ? test->z * normal_at(part) / (off * sqrt(2 * M_PI)) : test->z;
}

/*
 * How likely such a difference is when there is none: of the medians, and by the test, the more likely one. What calls of two recordings may differ by for other
 * reasons than chance within them (the spread between recordings, and how far functions are from what is common) makes the test's distance smaller in the
 * proportion in which it makes the shift's error larger.
 */
static double time_chance(const struct diff *diff, struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double no = (double)o->all.n, nn = (double)n->all.n;
	const double effect = (o->design.effect / no + n->design.effect / nn) / (1 / no + 1 / nn);
	const double shift = log(row->ratio), beyond = shift - row->common, own = row->error * row->error;
	const double others = row->peers > 0 ? row->scatter * row->scatter * (1 + 1 / row->peers) : 0, error = sqrt(own + others);
	double freedom = row->freedom, less, p;

	row->test = mann_whitney(&o->all, &n->all);
	/* It must stand out of what is common as well. */
	if (shift == 0 || (shift > 0) != (beyond > 0))
		return 1;
	if (others > 0 && own > 0)
		freedom = joint_freedom(own, freedom, others, TAILS);
	less = fmin(1, fabs(beyond / shift)) * (row->within > 0 && error > 0 ? row->within / error : 1);
	p = fmax(error > 0 ? student_p(fmin(fabs(shift), fabs(beyond)) / error, freedom) : 0,
		 student_p(distance(&row->test, no * nn) / sqrt(effect) * less, freedom));
	/* However exactly the shift is known: others may be as far from what is common. */
	return others > 0 && row->peers >= FEW && is_restless(diff) ? fmax(p, student_p(beyond / sqrt(others), TAILS)) : p;
}

static bool time_differs(const struct diff_row *row)
{
	const double shift = fabs(log(row->ratio)), beyond = fabs(log(row->ratio) - row->common);

	return row->ratio > 0 && fmin(shift, beyond) >= log(FLOOR) && shift > row->sides[OLD].median_range && shift > row->sides[NEW].median_range &&
	       (row->low > 1 || row->high < 1) && (row->test.z > 0) == (row->ratio > 1);
}

/* --- how often they were called -------------------------------------------------------------------------------------------- */

/* The difference of the counts in standard deviations. */
static double calls_distance(const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double turns = TURN * (fabs(diff->waits[NEW] - diff->waits[OLD]) + fabs(diff->interrupts[NEW] - diff->interrupts[OLD]));
	const double variance = o->variance + n->variance + turns * turns;

	return variance > 0 ? (n->calls - o->calls) / sqrt(variance) : 0;
}

/* What comes with time comes more often in a recording that lasts longer. */
static double by_time_distance(const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	double longer = diff->span[OLD] > 0 && diff->span[NEW] > 0 ? diff->span[NEW] / diff->span[OLD] : 1;
	double variance = o->variance * longer * longer + n->variance;

	return variance > 0 ? (n->calls - o->calls * longer) / sqrt(variance) : 0;
}

/* How restless all counts are: by the median of their distances. */
static int find_restless(struct diff *diff)
{
	VEC(double) distances = { 0 };
	int err = 0;

	diff->restless = 1;
	vec_each (&diff->rows, row)
		if (!err && row->sides[OLD].all.n + row->sides[NEW].all.n >= 2 * LEAST_CALLS)
			err = vec_push(&distances, fabs(calls_distance(diff, row)));
	if (!err && distances.n >= MANY)
		diff->restless = fmax(middle_of(distances.at, distances.n) / 0.6745, 1);
	vec_fini(&distances);
	return err;
}

static double calls_chance(const struct diff *diff, const struct diff_row *row, double usual)
{
	double distance = calls_distance(diff, row) / diff->restless, p;

	if (row->by_time) {
		double other = by_time_distance(diff, row) / diff->restless;

		distance = (other > 0) != (distance > 0) ? 0 : fabs(other) < fabs(distance) ? other : distance;
	}
	p = 2 * normal_below(-fabs(distance));
	if (!isnan(usual)) {
		struct spread spread = spread_between(diff, row, log_calls);
		double variance = moderate(&spread, usual), shift = log(row->sides[NEW].calls + 1) - log(row->sides[OLD].calls + 1);
		double error = sqrt(variance / (double)diff_runs(diff, OLD) + variance / (double)diff_runs(diff, NEW));

		if (error > 0)
			p = fmax(p, student_p(shift / error, spread.freedom + PRIOR));
	}
	return p;
}

static bool calls_differ(const struct diff_row *row)
{
	const double o = row->sides[OLD].calls, n = row->sides[NEW].calls;

	return fmax(o, n) >= fmin(o, n) * FLOOR && fabs(n - o) > row->sides[OLD].calls_range && fabs(n - o) > row->sides[NEW].calls_range;
}

/* --- verdicts --------------------------------------------------------------------------------------------------------------- */

static void judge(const struct diff *diff, struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	double by_calls, by_time;

	if (row->time_p <= CHANCE && time_differs(row) && !is_unlike(diff, row))
		row->time_verdict = row->ratio > 1 ? DIFF_SLOWER : DIFF_FASTER;
	if (row->calls_p <= CHANCE && calls_differ(row))
		row->calls_verdict = !o->all.n ? DIFF_NEW : !n->all.n ? DIFF_GONE : n->calls > o->calls ? DIFF_MORE : DIFF_LESS;
	row->verdict = row->calls_verdict ? row->calls_verdict : row->time_verdict;
	if (!row->calls_verdict || !row->time_verdict)
		return;
	/* Both are so: what has changed the time more is told first. */
	by_calls = (n->calls - o->calls) * o->total / o->calls;
	by_time = n->total - o->total - by_calls;
	if (fabs(by_time) >= fabs(by_calls))
		row->verdict = row->time_verdict;
}

/* Can times, and can numbers of calls, be judged? What comes with time differs between any two recordings: more of them must tell by how much. */
static bool is_judged(const struct diff *diff, const struct diff_row *row)
{
	return !row->by_time || !diff_is_single(diff);
}

/* In how many slices of a recording it is called, at the least; slices with fewer calls than others count less. */
static double slices_of(const struct diff *diff, const struct diff_row *row)
{
	double least = DIFF_SLICES;

	for (size_t run = 0; run < diff_runs(diff, OLD) + diff_runs(diff, NEW); run++) {
		double sum = 0, squares = 0;

		for (size_t i = 0; row->items[run] && i < DIFF_SLICES; i++) {
			sum += row->items[run]->slices[i];
			squares += (double)row->items[run]->slices[i] * row->items[run]->slices[i];
		}
		least = squares > 0 ? fmin(least, sum * sum / squares) : least;
	}
	return least;
}

static bool is_brief(const struct diff *diff, const struct diff_row *row)
{
	return row->ratio > 0 && diff->judged >= FEW && (row->alone || row->peers < FEW) && is_restless(diff) && slices_of(diff, row) < BRIEF;
}

static bool has_times(const struct diff *diff, const struct diff_row *row)
{
	return row->ratio > 0 && is_judged(diff, row) && !row->brief;
}

static bool has_calls(const struct diff *diff, const struct diff_row *row)
{
	return (row->sides[OLD].all.n >= LEAST_CALLS || row->sides[NEW].all.n >= LEAST_CALLS) && is_judged(diff, row);
}

/* Tests all rows and adjusts the p-values of all tests together. */
static int test(struct diff *diff, double usual_calls)
{
	VEC(double) p = { 0 };
	size_t i = 0;
	int err = 0;

	vec_each (&diff->rows, row) {
		if (err)
			break;
		diff->not_judged += !is_judged(diff, row);
		row->brief = is_brief(diff, row);
		diff->brief += is_judged(diff, row) && row->brief;
		if (has_times(diff, row))
			err = vec_push(&p, time_chance(diff, row));
		if (!err && has_calls(diff, row))
			err = vec_push(&p, calls_chance(diff, row, usual_calls));
	}
	err = err ? err : adjust_p(p.at, p.n);
	vec_each (&diff->rows, row) {
		if (err)
			break;
		if (has_times(diff, row))
			row->time_p = p.at[i++];
		if (has_calls(diff, row))
			row->calls_p = p.at[i++];
		judge(diff, row);
	}
	vec_fini(&p);
	return err;
}

int diff_judge(struct diff *diff)
{
	double usual_time, usual_calls;
	int err = usual_spread(diff, diff_log_median, &usual_time);

	err = err ? err : usual_spread(diff, log_calls, &usual_calls);
	if (err)
		return err;
	vec_each (&diff->rows, row) {
		find_shift(row);
		widen_shift(diff, row, usual_time);
	}
	diff->unlike = fmax(unlike(diff->waits), unlike(diff->interrupts));
	err = diff_find_peers(diff);
	err = err ? err : find_restless(diff);
	return err ? err : test(diff, usual_calls);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Which rows of a comparison are different by more than chance, and which are the same. */
#include "lib/analysis/diff-judge.h"

#include <math.h>

/* What is told as different has a p-value of at most 5 %, adjusted for the number of rows, and is at least 5 % different. */
#define CHANCE 0.05
#define FLOOR 1.05

/*
 * LEAST_CALLS: a count of fewer calls on both sides is not judged. JUDGES: so many rows tell what all functions have in common; fewer do not. MANY: so
 * many tell how restless counts are.
 * TAILS: what recordings differ by has such degrees of freedom: now and then it is far more than usual. TURN: a task that waits once more, or one more
 * interrupt, can bring so many calls of a function.
 * OWN: of these most of the time is their own. PRIOR: the spread of all rows counts for a row as much as so many recordings of its own.
 */
enum { LEAST_CALLS = 8, JUDGES = 8, MANY = 20, PRIOR = 4, TAILS = 3, TURN = 3 };
#define OWN 0.8

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

/*
 * Most functions are the same on both sides, so what most of them have in common is the machine and not them, and how far they are from that
 * is what recordings differ by anyhow. Only functions whose time is mostly their own tell, as others have it of their callees.
 */
static int compare_shifts(const void *a, const void *b)
{
	const struct diff_shift *x = a, *y = b;

	return ORDER(x->error, y->error);
}

/* By how much errors are too small: how far rows are from what is common, in their own errors; what has changed must not count. */
static double find_rough(const struct diff *diff, const struct diff_shift *all, size_t n)
{
	double *far = calloc(n, sizeof(*far)), rough = 1;

	for (size_t i = 0; far && i < n; i++)
		far[i] = fabs(all[i].shift - diff->common) / fmax(all[i].error, 0.005);
	if (far) {
		middle_of(far, n);
		/* Four fifths are within 1.2816 standard deviations, nine tenths within 1.6449. */
		rough = n < 2 * MANY ? far[n * 4 / 5 - 1] / 1.2816 : far[n * 9 / 10 - 1] / 1.6449;
	}
	free(far);
	return fmax(rough, 1);
}

static int find_common(struct diff *diff)
{
	VEC(double) shifts = { 0 };
	int err = 0;

	vec_each (&diff->rows, row) {
		const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];

		if (!err && row->ratio > 0 && !row->by_time && o->self >= OWN * o->total && n->self >= OWN * n->total)
			err = vec_push(&diff->shifts, (struct diff_shift){ log(row->ratio), row->error });
	}
	if (!err && diff->shifts.n >= JUDGES) {
		/* Those that are known best tell best. */
		qsort(diff->shifts.at, diff->shifts.n, sizeof(*diff->shifts.at), compare_shifts);
		diff->judged = MAX(diff->shifts.n / 2, (size_t)JUDGES);
		for (size_t i = 0; !err && i < diff->judged; i++)
			err = vec_push(&shifts, diff->shifts.at[i].shift);
	}
	if (!err && diff->judged) {
		const double error = diff->shifts.at[diff->judged / 2].error;

		diff->common = middle_of(shifts.at, shifts.n);
		vec_each (&shifts, shift)
			*shift = fabs(*shift - diff->common);
		middle_of(shifts.at, shifts.n);
		/* Of the normal distribution four fifths are within 1.2816 standard deviations. One in five functions may have changed. */
		diff->scatter = shifts.at[shifts.n * 4 / 5 - 1] / 1.2816;
		diff->scatter = sqrt(fmax(diff->scatter * diff->scatter - error * error, 0));
		diff->rough = find_rough(diff, diff->shifts.at, diff->shifts.n);
	}
	vec_fini(&shifts);
	return err;
}

/* Of small numbers the ratio would say too much. */
static double unlike(const double numbers[2])
{
	const double some = 20;

	return fabs(log((numbers[NEW] + some) / (numbers[OLD] + some)));
}

/*
 * Of one recording a side the row must be further from what is common than two and a half times what nineteen of twenty rows are that are known as well: rows of two
 * recordings of the same are apart by more than chance within them tells, and some by far more than most.
 */
static int stands_out(const struct diff *diff, const struct diff_row *row, bool *out)
{
	VEC(double) far = { 0 };
	int err = 0;

	*out = true;
	/* What answered now before a task had to wait, and now after, answered otherwise: another disk cache, another load. */
	if (diff->unlike > log(1.5) && fabs(log(row->ratio)) <= diff->unlike && diff_runs(diff, OLD) + diff_runs(diff, NEW) == 2)
		*out = false;
	if (!*out || diff->shifts.n < MANY || diff_runs(diff, OLD) + diff_runs(diff, NEW) > 2)
		return 0;
	/* They are ordered by their errors. */
	for (size_t i = 0; !err && i < diff->shifts.n && (i < MANY || diff->shifts.at[i].error <= 2 * row->error); i++)
		err = vec_push(&far, fabs(diff->shifts.at[i].shift - diff->common));
	if (!err) {
		middle_of(far.at, far.n);
		*out = fabs(log(row->ratio) - diff->common) > 2.5 * far.at[far.n * 19 / 20 - 1];
	}
	vec_fini(&far);
	return err;
}

/*
 * How likely such a difference is when there is none. What calls of two recordings may differ by for other reasons than chance within them (the spread between
 * recordings, and of what is common) makes the test's distance smaller in the proportion in which it makes the shift's error larger.
 */
static double time_chance(const struct diff *diff, struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double no = (double)o->all.n, nn = (double)n->all.n;
	const double effect = (o->design.effect / no + n->design.effect / nn) / (1 / no + 1 / nn);
	const double shift = log(row->ratio), beyond = shift - diff->common, own = row->error * row->error;
	const double others = diff->scatter * diff->scatter + (diff->rough * diff->rough - 1) * own, error = sqrt(own + others);
	double t, freedom = row->freedom;

	row->test = mann_whitney(&o->all, &n->all);
	/* It must stand out of what is common as well. */
	if (shift == 0 || (shift > 0) != (beyond > 0))
		return row->shift_p = 1;
	if (others > 0 && own > 0)
		freedom = joint_freedom(own, freedom, others, TAILS);
	t = fmin(fabs(shift), fabs(beyond)) / error;
	row->shift_p = error > 0 ? student_p(t, freedom) : 0;
	if (row->within > 0 && error > 0)
		t = fabs(row->test.z) / sqrt(effect) * row->within / error * fmin(1, fabs(beyond / shift));
	else if (!(error > 0))
		t = fabs(row->test.z) / sqrt(effect);
	return student_p(t, freedom);
}

static bool time_differs(const struct diff_row *row)
{
	const double shift = fabs(log(row->ratio));

	return row->ratio > 0 && row->shift_p <= CHANCE && shift >= log(FLOOR) && shift > row->sides[OLD].median_range &&
	       shift > row->sides[NEW].median_range && (row->low > 1 || row->high < 1) && (row->test.z > 0) == (row->ratio > 1);
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

static int judge(const struct diff *diff, struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	double by_calls, by_time;
	bool out = row->time_p <= CHANCE && time_differs(row);
	int err = out ? stands_out(diff, row, &out) : 0;

	if (err)
		return err;
	if (out)
		row->time_verdict = row->ratio > 1 ? DIFF_SLOWER : DIFF_FASTER;
	if (row->calls_p <= CHANCE && calls_differ(row))
		row->calls_verdict = !o->all.n ? DIFF_NEW : !n->all.n ? DIFF_GONE : n->calls > o->calls ? DIFF_MORE : DIFF_LESS;
	row->verdict = row->calls_verdict ? row->calls_verdict : row->time_verdict;
	if (!row->calls_verdict || !row->time_verdict)
		return 0;
	/* Both are so: what has changed the time more is told first. */
	by_calls = (n->calls - o->calls) * o->total / o->calls;
	by_time = n->total - o->total - by_calls;
	if (fabs(by_time) >= fabs(by_calls))
		row->verdict = row->time_verdict;
	return 0;
}

/* Can times, and can numbers of calls, be judged? What comes with time differs between any two recordings: more of them must tell by how much. */
static bool is_judged(const struct diff *diff, const struct diff_row *row)
{
	return !row->by_time || diff_runs(diff, OLD) + diff_runs(diff, NEW) > 2;
}

static bool has_times(const struct diff *diff, const struct diff_row *row)
{
	return row->ratio > 0 && is_judged(diff, row);
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
		err = judge(diff, row);
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
	diff->rough = 1;
	diff->unlike = fmax(unlike(diff->waits), unlike(diff->interrupts));
	err = find_common(diff);
	err = err ? err : find_restless(diff);
	return err ? err : test(diff, usual_calls);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out which rows of a comparison differ by more than chance, and which are the same. */
#include "lib/analysis/diff-judge.h"
#include "lib/analysis/diff-peers.h"

#include <math.h>

/* A row is told to be different if two things are true: its p-value, adjusted for the number of rows, is at most 5 %, and it differs by at least 5 %. */
#define CHANCE 0.05
#define FLOOR 1.05
/*
 * Where times depend on the machine, a function takes longer in one whole recording than in another one of the same work, perhaps because its data are elsewhere
 * in the caches. This is by how much, as a standard deviation of the logarithm. It was measured in pairs of recordings of the same work in a guest. Nothing
 * within a recording shows it, and it is different for each function. The peers show it, but a few of them may be alike by chance.
 */
#define OF_RECORDING 0.02
/*
 * - FEW: fewer peers than this do not tell how far functions are from the change that they share.
 * - RESTLESS: if this many calls tell no more than one independent call, times depend on the machine.
 * - BRIEF: a function whose calls come in fewer slices than this is called in a short time only.
 */
#define FEW 4
#define RESTLESS 2
#define BRIEF 4

/*
 * - LEAST_CALLS: counts are not judged if both sides have fewer calls than this.
 * - MANY: this many rows tell by how much counts vary.
 * - PRIOR: the variance of all rows counts for each row as much as this many recordings of its own.
 * - TAILS: the degrees of freedom of what differs between recordings. They are few, because now and then the difference is far larger than usual.
 * - TURN: one more wait of a task, or one more interrupt, can bring this many calls of a function.
 */
enum { LEAST_CALLS = 8, MANY = 20, PRIOR = 4, TAILS = 3, TURN = 3 };

static bool is_compared(const struct diff_row *row)
{
	return row->verdict != DIFF_UNKNOWN;
}

/* --- what differs between recordings of one side ---------------------------------------------------------------------------- */

/* This tells how far numbers are from the mean of their side: the sum of squares, and its degrees of freedom. */
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
	/* The logarithm of a count near 0 would exaggerate differences, so 1 is added. */
	return log((item ? (double)item->calls.n : 0) + 1);
}

static struct spread spread_between(const struct diff *diff, const struct diff_row *row, double (*value)(const struct diff_item *))
{
	struct spread spread = { 0 };

	spread_add(&spread, row->items, diff_runs(diff, OLD), value);
	spread_add(&spread, row->items + diff_runs(diff, OLD), diff_runs(diff, NEW), value);
	return spread;
}

/* Returns the variance of a row between recordings, moderated by @usual, the variance of most rows. Their degrees of freedom are their weights. */
static double moderate(const struct spread *spread, double usual)
{
	return (spread->squares + PRIOR * usual) / (spread->freedom + PRIOR);
}

/*
 * *@out becomes the median over all rows of the variance between the recordings of a side. It is NAN if each side has only one recording. Returns 0 or
 * -ENOMEM.
 */
static int usual_spread(const struct diff *diff, double (*value)(const struct diff_item *), double *out)
{
	VEC(double) all = { 0 };
	int err = 0;

	*out = NAN;
	vec_each (&diff->rows, row) {
		struct spread spread = spread_between(diff, row, value);

		if (!err && is_compared(row) && spread.freedom > 0 && row->sides[OLD].all.n + row->sides[NEW].all.n >= LEAST_CALLS)
			err = vec_push(&all, spread.squares / spread.freedom);
	}
	if (!err && all.n)
		*out = middle_of(all.at, all.n);
	vec_fini(&all);
	return err;
}

/* --- how long calls took --------------------------------------------------------------------------------------------------- */

/* Returns the degrees of freedom of the sum of the variances @a and @b, which have @of_a and @of_b degrees of freedom (Satterthwaite). */
static double joint_freedom(double a, double of_a, double b, double of_b)
{
	return (a + b) * (a + b) / (a * a / of_a + b * b / of_b);
}

static double ln(uint64_t value)
{
	return log((double)MAX(value, (uint64_t)1));
}

/* Finds the ratio of the two medians and its confidence interval. The interval is put together from the intervals of both medians (Donner and Zou). */
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
	/* The end of the interval on the side of 1 counts. If the medians are equal, swapped sides swap the ends. */
	row->error = row->within = (shift > 0 ? down : shift < 0 ? up : fmax(down, up)) / t;
	row->ratio = exp(shift);
	row->low = exp(shift - down);
	row->high = exp(shift + up);
}

/* Does it depend on the machine how long calls take? Then the machine is slow at some times, and each function may be slow in one whole recording. */
static bool is_restless(const struct diff *diff)
{
	return diff_is_single(diff) && diff->dependence > RESTLESS;
}

/* Widens the interval of the ratio, because medians may differ more between the recordings of a side than within a recording. */
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

/* The ratio of small numbers would exaggerate differences, so some number is added to both. */
static double unlike(const double numbers[2])
{
	const double some = 20;

	return fabs(log((numbers[NEW] + some) / (numbers[OLD] + some)));
}

/*
 * Is the difference of the times no larger than that of the circumstances (diff->unlike)? A call that was answered at once on one side may have had to wait
 * on the other side, because the disk cache or the load was different.
 */
static bool is_unlike(const struct diff *diff, const struct diff_row *row)
{
	return diff->unlike > log(1.5) && fabs(log(row->ratio)) <= diff->unlike && diff_is_single(diff);
}

/*
 * Returns the result of the test as if both sides were normal distributions: by how many standard deviations of a difference of medians they are apart. The
 * ranks alone have a largest possible distance. It is reached as soon as all calls of a side took longer than all calls of the other side. From there on,
 * the ranks do not tell by how much.
 */
static double distance(const struct mann_whitney *test, double pairs)
{
	const double part = fmin(fmax(test->u / pairs, 1 / pairs), 1 - 1 / pairs), off = part - 0.5;

	return fabs(off) > 1e-9 ? test->z * normal_at(part) / (off * sqrt(2 * M_PI)) : test->z;
}

/*
 * Returns how likely the difference of the row's times is if there is only chance. It is computed in two ways, from the medians and from the test, and the
 * larger result is taken. Calls of two recordings may differ for other reasons than chance within a recording: by the spread between recordings, and by how
 * far functions are from the change that they share, apart from the errors of their own changes. These reasons make the test's distance smaller by the
 * factor by which they make the shift's error larger.
 */
static double time_chance(const struct diff *diff, struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double no = (double)o->all.n, nn = (double)n->all.n;
	const double effect = (o->design.effect / no + n->design.effect / nn) / (1 / no + 1 / nn);
	const double shift = log(row->ratio), beyond = shift - row->common, own = row->error * row->error;
	const double common = row->peers > 0 ? row->scatter * row->scatter / row->peers : 0; /* the variance of .common */
	/* Where times depend on the machine, the errors are too little known to be taken away. */
	const double far = is_restless(diff) ? fmax(row->scatter, OF_RECORDING) : row->apart, others = far * far + common, error = sqrt(own + others);
	double freedom = row->freedom, less, p;

	row->test = mann_whitney(&o->all, &n->all);
	/* The difference must also stand out from the change that functions share, in the same direction. */
	if (shift == 0 || (shift > 0) != (beyond > 0))
		return 1;
	if (others > 0 && own > 0)
		freedom = joint_freedom(own, freedom, others, TAILS);
	less = fmin(1, fabs(beyond / shift)) * (row->within > 0 && error > 0 ? row->within / error : 1);
	p = fmax(error > 0 ? student_p(fmin(fabs(shift), fabs(beyond)) / error, freedom) : 0,
		 student_p(distance(&row->test, no * nn) / sqrt(effect) * less, freedom));
	/* Even if the shift is known exactly, other functions may be as far from the change that they share. */
	return others > 0 && row->peers >= FEW && is_restless(diff) ? fmax(p, student_p(beyond / sqrt(others), TAILS)) : p;
}

static bool time_differs(const struct diff_row *row)
{
	const double shift = fabs(log(row->ratio)), beyond = fabs(log(row->ratio) - row->common);

	return row->ratio > 0 && fmin(shift, beyond) >= log(FLOOR) && shift > row->sides[OLD].median_range && shift > row->sides[NEW].median_range &&
	       (row->low > 1 || row->high < 1) && (row->test.z > 0) == (row->ratio > 1);
}

/* --- how often they were called -------------------------------------------------------------------------------------------- */

/* Returns a difference in standard deviations. */
static double apart(double difference, double variance)
{
	return variance > 0 ? difference / sqrt(variance) : 0;
}

/* Do the recordings tell how much the number of calls differs between recordings of the same work? For a row with .by_time, a few recordings do not. */
static bool is_scatter_known(const struct diff *diff, const struct diff_row *row)
{
	return !row->by_time && diff_runs(diff, OLD) > 1 && diff_runs(diff, NEW) > 1;
}

/*
 * Returns the difference of the counts in standard deviations. Waits and interrupts bring calls. So a difference must be larger than the difference of their
 * numbers explains, or it must also be there without all calls that waits and interrupts can have brought. A number of waits or interrupts that is not known
 * (NAN) counts as no difference.
 */
static double calls_distance(const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	const double turns = TURN * (fmax(fabs(diff->waits[NEW] - diff->waits[OLD]), 0) + fmax(fabs(diff->interrupts[NEW] - diff->interrupts[OLD]), 0));
	const double all = apart(n->calls - o->calls, o->variance + n->variance);
	const double turned = apart(n->calls - o->calls, o->variance + n->variance + turns * turns);
	const double calm = apart(n->calm - o->calm, o->calm_variance + n->calm_variance);

	if (is_scatter_known(diff, row))
		return all;
	if (row->anytime || calm * all <= 0)
		return turned;
	return copysign(fmax(fabs(turned), fmin(fabs(calm), fabs(all))), all);
}

/* Returns the difference of the counts in standard deviations, for a row with .by_time. The longer a recording is, the more calls such a row has. */
static double by_time_distance(const struct diff *diff, const struct diff_row *row)
{
	const struct diff_side *o = &row->sides[OLD], *n = &row->sides[NEW];
	double longer = diff->span[OLD] > 0 && diff->span[NEW] > 0 ? diff->span[NEW] / diff->span[OLD] : 1;
	double variance = o->variance * longer * longer + n->variance;

	return variance > 0 ? (n->calls - o->calls * longer) / sqrt(variance) : 0;
}

/* Finds by how much all counts vary more than by chance, from the median of their distances. Returns 0 or -ENOMEM. */
static int find_restless(struct diff *diff)
{
	VEC(double) distances = { 0 };
	int err = 0;

	diff->restless = 1;
	vec_each (&diff->rows, row)
		if (!err && is_compared(row) && row->sides[OLD].all.n + row->sides[NEW].all.n >= 2 * LEAST_CALLS)
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

	if (!is_compared(row))
		return;
	if (row->time_p <= CHANCE && time_differs(row) && !is_unlike(diff, row))
		row->time_verdict = row->ratio > 1 ? DIFF_SLOWER : DIFF_FASTER;
	if (row->calls_p <= CHANCE && calls_differ(row))
		row->calls_verdict = !o->all.n ? DIFF_NEW : !n->all.n ? DIFF_GONE : n->calls > o->calls ? DIFF_MORE : DIFF_LESS;
	row->verdict = row->calls_verdict ? row->calls_verdict : row->time_verdict;
	if (!row->calls_verdict || !row->time_verdict)
		return;
	/* Both have changed. The verdict is the one that changed the sum of the times more. A call more counts as the mean of both sides' mean times. */
	by_calls = (n->calls - o->calls) * (o->total / o->calls + n->total / n->calls) / 2;
	by_time = n->total - o->total - by_calls;
	if (fabs(by_time) >= fabs(by_calls))
		row->verdict = row->time_verdict;
}

/*
 * Can the times and the counts of a row be judged? For a row with .by_time, they differ between any two recordings. Then several recordings must tell by how
 * much.
 */
static bool is_judged(const struct diff *diff, const struct diff_row *row)
{
	return !row->by_time || !diff_is_single(diff);
}

/* Returns in how many slices a function is called, in the recording where these are fewest. A slice with fewer calls than others counts less. */
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
	return (row->sides[OLD].all.n >= LEAST_CALLS || row->sides[NEW].all.n >= LEAST_CALLS) && is_compared(row) && is_judged(diff, row);
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
		diff->not_judged += is_compared(row) && !is_judged(diff, row);
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
		if (!is_compared(row))
			continue;
		find_shift(row);
		widen_shift(diff, row, usual_time);
	}
	diff->unlike = fmax(unlike(diff->waits), unlike(diff->interrupts));
	err = diff_find_peers(diff);
	err = err ? err : find_restless(diff);
	return err ? err : test(diff, usual_calls);
}

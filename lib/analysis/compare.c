/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/compare.h"

#include <math.h>

/* --- distribution functions ---------------------------------------------------------------------------------------------- */

double normal_below(double z)
{
	return erfc(-z / sqrt(2)) / 2;
}

double normal_at(double p)
{
	double low = -40, high = 40;

	for (int i = 0; i < 60; i++) {
		double middle = (low + high) / 2;

		if (normal_below(middle) < p)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Returns the continued fraction of the incomplete beta function (Abramowitz and Stegun 26.5.8), computed by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300, enough = 1e-14;
	double c = 1, d = 1 - (a + b) * x / (a + 1), f;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	f = d;
	for (int m = 1; m < 1000; m++) {
		const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double before;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		f *= c * d;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		before = f;
		f *= c * d;
		if (fabs(f - before) < enough * fabs(f))
			break;
	}
	return f;
}

/* Returns the incomplete beta function I_x(a, b). */
static double beta_below(double a, double b, double x)
{
	double front;

	if (x <= 0 || x >= 1)
		return x > 0;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_p(double t, double freedom)
{
	return beta_below(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_below(double t, double freedom)
{
	double tail = student_p(t, freedom) / 2;

	return t < 0 ? tail : 1 - tail;
}

double student_beyond(double p, double freedom)
{
	double low = 0, high = 1;

	while (student_p(high, freedom) > p && high < 1e9)
		high *= 2;
	for (int i = 0; i < 100; i++) {
		double middle = (low + high) / 2;

		if (student_p(middle, freedom) > p)
			low = middle;
		else
			high = middle;
	}
	return high;
}

double fisher_p(double ratio, double of_above, double of_below)
{
	return beta_below(of_below / 2, of_above / 2, of_below / (of_below + of_above * ratio));
}

/* --- two distributions --------------------------------------------------------------------------------------------------- */

struct mann_whitney mann_whitney(const struct quantiles *a, const struct quantiles *b)
{
	struct quantiles_bucket x = { 0 }, y = { 0 };
	bool has_x = quantiles_each(a, &x), has_y = quantiles_each(b, &y);
	const double na = (double)a->n, nb = (double)b->n, n = na + nb;
	double below = 0, u = 0, ties = 0, variance;

	while (has_x || has_y) {
		const bool from_a = has_x && (!has_y || x.low <= y.low), from_b = has_y && (!has_x || y.low <= x.low);
		const double here_a = from_a ? (double)x.count : 0, here_b = from_b ? (double)y.count : 0, here = here_a + here_b;

		u += here_b * (below + here_a / 2);
		below += here_a;
		ties += here * here * here - here;
		if (from_a)
			has_x = quantiles_each(a, &x);
		if (from_b)
			has_y = quantiles_each(b, &y);
	}
	if (!a->n || !b->n)
		return (struct mann_whitney){ .u = u };
	variance = na * nb / 12 * (n + 1 - ties / (n * (n - 1)));
	return (struct mann_whitney){ .u = u, .z = variance > 1e-9 ? (u - na * nb / 2) / sqrt(variance) : 0 };
}

struct ranked {
	double p;
	size_t at;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	return ORDER(x->p, y->p);
}

int adjust_p(double *p, size_t n)
{
	struct ranked *all = calloc(n ? n : 1, sizeof(*all));
	double least = 1;

	if (!all)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		all[i] = (struct ranked){ p[i], i };
	qsort(all, n, sizeof(*all), compare_ranked);
	for (size_t i = n; i--;) {
		least = MIN(least, all[i].p * (double)n / (double)(i + 1));
		p[all[i].at] = least;
	}
	free(all);
	return 0;
}

bool median_interval(const struct quantiles *q, double z, double effect, uint64_t *low, uint64_t *high)
{
	const double n = (double)q->n, reach = z * sqrt(n * effect) / 2;
	const double first = floor(n / 2 - reach), last = ceil(n / 2 + reach) + 1;
	struct quantiles_bucket at = { 0 };
	double below = 0;

	if (q->n < 2)
		return false;
	*low = q->min;
	*high = q->max;
	while (quantiles_each(q, &at)) {
		/* The ranks from .below + 1 to .below + .count are in this bucket. */
		if (first > below && first <= below + (double)at.count)
			*low = MAX(at.low, q->min);
		if (last > below && last <= below + (double)at.count)
			*high = MIN(at.high, q->max);
		below += (double)at.count;
	}
	return true;
}

static int compare_numbers(const void *a, const void *b)
{
	return ORDER(*(const double *)a, *(const double *)b);
}

double middle_of(double *numbers, size_t n)
{
	qsort(numbers, n, sizeof(*numbers), compare_numbers);
	return numbers[(n - 1) / 2];
}

/* --- numbers that follow each other --------------------------------------------------------------------------------------- */

/*
 * - LEAST_IN_BATCH: batches of fewer numbers do not tell whether numbers depend on those before them.
 * - FEWEST_BATCHES: fewer batches do not tell how much numbers depend on those before them.
 */
enum { LEAST_IN_BATCH = 8, FEWEST_BATCHES = 4 };
/*
 * Parts of a recording differ by more than their batches only if chance alone would seldom make them differ so much: with this probability. A drift makes the
 * design effect many times larger, and each side of each row of a comparison is asked.
 */
#define DRIFT 0.001

double batches_scale(uint64_t value)
{
	unsigned int bit = 63 - (unsigned int)__builtin_clzll(value | 1);

	return value ? bit + (double)(value - (1ULL << bit)) / (double)(1ULL << bit) : -1;
}

void batches_add(struct batches *b, uint64_t value)
{
	double x = batches_scale(value);

	if (b->n >> b->shift == BATCHES) {
		for (size_t i = 0; i < BATCHES / 2; i++)
			b->sums[i] = b->sums[2 * i] + b->sums[2 * i + 1];
		memset(b->sums + BATCHES / 2, 0, sizeof(b->sums) / 2);
		b->shift++;
	}
	b->sums[b->n >> b->shift] += x;
	b->sum += x;
	b->squares += x * x;
	b->n++;
}

/*
 * Returns a variance that is to be added to the variance of the mean. Whole parts of a recording can differ more than their batches differ among each other,
 * because other work came or went, or a cache was cold. Another recording may differ as much from this one, however long it is.
 */
static double drift_of(const double *means, size_t k, double *parts)
{
	const size_t n = k >= 16 ? 8 : 4, each = k / n;
	double all = 0, between = 0, within = 0;

	*parts = (double)n;
	if (each < 2)
		return 0;
	for (size_t i = 0; i < n * each; i++)
		all += means[i] / (double)(n * each);
	for (size_t part = 0; part < n; part++) {
		double mean = 0;

		for (size_t i = 0; i < each; i++)
			mean += means[part * each + i] / (double)each;
		for (size_t i = 0; i < each; i++)
			within += (means[part * each + i] - mean) * (means[part * each + i] - mean);
		between += (mean - all) * (mean - all);
	}
	between /= (double)(n - 1);
	within /= (double)(n * (each - 1)) * (double)each;
	return fisher_p(between / within, (double)(n - 1), (double)(n * (each - 1))) <= DRIFT ? between - within : 0;
}

struct design batches_design(const struct batches *b)
{
	const double mean = b->n ? b->sum / (double)b->n : 0, one = b->n > 1 ? (b->squares - mean * b->sum) / (double)(b->n - 1) : 0;
	struct batches wide = *b;
	double between = 0, beside = 0, size, last = 0, follow, effect, means[BATCHES], drift, parts, freedom;
	size_t k;

	while (1 << wide.shift < LEAST_IN_BATCH && wide.shift < 3) {
		for (size_t i = 0; i < BATCHES / 2; i++)
			wide.sums[i] = wide.sums[2 * i] + wide.sums[2 * i + 1];
		wide.shift++;
	}
	k = (size_t)(wide.n >> wide.shift); /* the number of full batches */
	if (k < FEWEST_BATCHES)
		return (struct design){ 1, 0 };
	size = (double)(1ULL << wide.shift);
	for (size_t i = 0; i < k; i++) {
		double off = wide.sums[i] / size - mean;

		means[i] = wide.sums[i] / size;
		between += off * off;
		beside += i ? off * last : 0;
		last = off;
	}
	/* All numbers are the same. */
	if (one < 1e-9 || between < 1e-12)
		return (struct design){ 1, (double)(k - 1) };
	/*
	 * If batches depend on each other, too, even longer batches would be needed. The correlation of neighbouring batches tells by how much the effect is
	 * larger.
	 */
	follow = MIN(MAX(beside / between, 0), 0.8);
	effect = MAX(between / (double)(k - 1) * size / one * (1 + follow) / (1 - follow), 1);
	freedom = (double)(k - 1);
	drift = drift_of(means, k, &parts) * (double)b->n / one;
	if (drift > 0)
		freedom = (effect + drift) * (effect + drift) / (effect * effect / freedom + drift * drift / (parts - 1));
	return (struct design){ effect + drift, freedom };
}

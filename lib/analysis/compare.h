/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics for comparing two distributions. All of it is arithmetic on numbers that are given; nothing here knows what was measured.
 *
 * Numbers that follow each other in a recording are not independent: caches warm up, other work comes and goes. How much less N of them tell than
 * N independent ones is the design effect, found from the means of batches that follow each other; variances are multiplied by it.
 */
#ifndef RINGSIDE_COMPARE_H
#define RINGSIDE_COMPARE_H

#include "lib/analysis/quantiles.h"

/* The distribution functions of the normal and of Student's t distribution with @freedom > 0 degrees of freedom. */
double normal_below(double z);
double student_below(double t, double freedom);

/* How likely a value at least as far from 0 as @t is. */
double student_p(double t, double freedom);

/* The t > 0 with student_p() = @p, which is in (0, 1). */
double student_beyond(double p, double freedom);

/*
 * The Mann-Whitney U test, of two distributions as their buckets tell them: numbers in the same bucket are ties. .u counts the pairs in which @b's number is the
 * larger one, ties as halves; .z is how many standard deviations that is from half of all pairs, with the variance corrected for ties; 0 when all
 * numbers are tied.
 */
struct mann_whitney {
	double u, z;
};
struct mann_whitney mann_whitney(const struct quantiles *a, const struct quantiles *b);

/*
 * Adjusts p-values so that of those that are at most 0.05 one in twenty is expected to be by chance, of independent ones (Benjamini and
 * Hochberg, 1995). In place. 0 or -ENOMEM.
 */
int adjust_p(double *p, size_t n);

/*
 * The interval of the median of @q: numbers whose ranks are @z standard deviations of the rank of the median below and above it, where @effect is the design effect. Its ends are
 * those of the buckets, so that it is never narrower than what is known. False: fewer than 2 numbers.
 */
bool median_interval(const struct quantiles *q, double z, double effect, uint64_t *low, uint64_t *high);

/*
 * Sums of numbers that follow each other, in batches of equal size, which double when there are too many: all zero at first. Numbers are
 * given on a logarithmic scale, so that single large ones do not hide the rest.
 */
enum { BATCHES = 32 };
struct batches {
	uint64_t n;
	double sum, squares;		/* over all numbers */
	double sums[BATCHES];		/* of each batch; the last one may not be full */
	uint8_t shift;			/* a batch has 1 << shift numbers */
};
void batches_add(struct batches *batches, uint64_t value);

/* The design effect, at least 1, and the degrees of freedom with which it is known: 0, when there are too few numbers to tell. */
struct design {
	double effect, freedom;
};
struct design batches_design(const struct batches *batches);

/* What the batches take values as: the binary logarithm, within 0.09, strictly growing. */
double batches_scale(uint64_t value);

/* The median of @n > 0 numbers, which are sorted; the lower one of two. */
double middle_of(double *numbers, size_t n);

#endif

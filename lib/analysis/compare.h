/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the statistics with which two distributions are compared. Nothing in here depends on what the numbers measure.
 *
 * Numbers that follow each other in a recording are not independent, because caches warm up, and other work comes and goes. The design effect says how many
 * such numbers tell as much as one independent number. The design effect is found from the means of successive batches of numbers. Variances are multiplied by
 * the design effect.
 */
#ifndef RINGSIDE_COMPARE_H
#define RINGSIDE_COMPARE_H

#include "lib/analysis/quantiles.h"

/*
 * normal_below() returns the value of the normal distribution function at @z. normal_at() is the inverse function: it returns the z for which normal_below(z)
 * is @p. @p is more than 0 and less than 1. student_below() returns the value of Student's t distribution function at @t. This distribution has @freedom
 * degrees of freedom. @freedom is more than 0.
 */
double normal_below(double z);
double normal_at(double p);
double student_below(double t, double freedom);

/* Returns the probability that a number with Student's t distribution is at least as far from 0 as @t. */
double student_p(double t, double freedom);

/* Returns the t > 0 for which student_p() is @p. @p is more than 0 and less than 1. */
double student_beyond(double p, double freedom);

/*
 * Returns the probability that the ratio of two independent estimates of the same variance is at least @ratio (Fisher's F distribution). The estimate in the
 * numerator has @of_above degrees of freedom. The estimate in the denominator has @of_below. All three arguments are more than 0. @ratio may be infinite.
 */
double fisher_p(double ratio, double of_above, double of_below);

/*
 * Carries out the Mann-Whitney U test on the buckets of two distributions. Numbers in the same bucket are ties. A pair has one number from @a and one number
 * from @b. .u is the number of pairs in which the number from @b is larger. A tie adds a half to .u. If @a and @b do not differ, .u is expected to be half of
 * all pairs. .z says how many standard deviations .u is away from this half. The variance is corrected for ties. .z is 0 when all numbers are tied, or when @a
 * or @b is empty.
 */
struct mann_whitney {
	double u, z;
};
struct mann_whitney mann_whitney(const struct quantiles *a, const struct quantiles *b);

/*
 * Adjusts p-values in place (Benjamini and Hochberg, 1995). Afterwards, the tests with an adjusted value of up to 0.05 can be called significant. If the tests
 * are independent, at most 5 % of these significant tests are expected to be significant only by chance. Returns 0 or -ENOMEM.
 */
int adjust_p(double *p, size_t n);

/*
 * Finds the confidence interval of the median of @q. The median has a rank among the sorted numbers. The lower end of the interval is the number whose rank is
 * @z standard deviations below the rank of the median. The upper end is the number whose rank is @z standard deviations above the rank of the median. @effect
 * is the design effect. Both ends are rounded outwards to the bounds of their buckets, so that the interval is never too narrow. Returns false when there are
 * fewer than 2 numbers.
 */
bool median_interval(const struct quantiles *q, double z, double effect, uint64_t *low, uint64_t *high);

/*
 * Numbers that follow each other are put into batches of equal size. A struct batches keeps the sum of each batch. When BATCHES batches are full, the
 * size of a batch doubles. The struct is all zero at first. The numbers are taken on a logarithmic scale, so that single large numbers do not hide
 * the rest.
 */
enum { BATCHES = 32 };
struct batches {
	uint64_t n;	      /* how many numbers there are */
	double sum;	      /* the sum of all numbers */
	double squares;	      /* the sum of the squares of all numbers */
	double sums[BATCHES]; /* element i is the sum of the batch i; the last batch can be incomplete */
	uint8_t shift;	      /* a batch has 1 << .shift numbers */
};
void batches_add(struct batches *batches, uint64_t value);

/* .effect is an estimate of the design effect, and is at least 1. .freedom is the estimate's degrees of freedom, or 0 if there are too few numbers. */
struct design {
	double effect, freedom;
};
struct design batches_design(const struct batches *batches);

/*
 * Puts a value on the scale of the batches. The result is the binary logarithm of the value, with an error of up to 0.09. For the value 0, the result is
 * -1. A larger value never has a smaller result.
 */
double batches_scale(uint64_t value);

/* Sorts @n > 0 numbers and returns their median. If @n is even, this is the lower of the two middle numbers. */
double middle_of(double *numbers, size_t n);

#endif

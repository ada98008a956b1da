/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares two distributions by statistics. All of it is arithmetic on numbers that are given. Nothing here knows what was measured.
 *
 * Numbers that follow each other in a recording are not independent: caches warm up, and other work comes and goes. The design effect says how many such
 * numbers tell as much as one independent number. It is found from the means of batches that follow each other, and variances are multiplied by it.
 */
#ifndef RINGSIDE_COMPARE_H
#define RINGSIDE_COMPARE_H

#include "lib/analysis/quantiles.h"

/*
 * normal_below() returns the distribution function of the normal distribution at @z. student_below() returns that of Student's t distribution with @freedom
 * > 0 degrees of freedom at @t.
 */
double normal_below(double z);
double student_below(double t, double freedom);

/* Returns the probability of a value that is at least as far from 0 as @t. */
double student_p(double t, double freedom);

/* Returns the t > 0 for which student_p() is @p, which is in (0, 1). */
double student_beyond(double p, double freedom);

/*
 * Carries out the Mann-Whitney U test on two distributions as their buckets tell them: numbers in the same bucket are ties. .u counts
 * the pairs in which @b's number is the larger one, and a tie counts as a half. .z says how many standard deviations that is from half
 * of all pairs, with the variance corrected for ties. It is 0 when all numbers are tied.
 */
struct mann_whitney {
	double u, z;
};
struct mann_whitney mann_whitney(const struct quantiles *a, const struct quantiles *b);

/*
 * Adjusts p-values in place, so that one in twenty of those that are at most 0.05 is expected to be there by chance, when they are
 * independent (Benjamini and Hochberg, 1995). Returns 0 or -ENOMEM.
 */
int adjust_p(double *p, size_t n);

/*
 * Finds the interval of the median of @q. Its ends are the numbers whose ranks are @z standard deviations of the median's rank below and above it; @effect
 * is the design effect. Both ends are rounded outwards to the bounds of their buckets, so that the interval is never narrower than what is known. Returns
 * false when there are fewer than 2 numbers.
 */
bool median_interval(const struct quantiles *q, double z, double effect, uint64_t *low, uint64_t *high);

/*
 * These are sums of numbers that follow each other, in batches of equal size. The size doubles when there are too many batches. All is zero at first. The
 * numbers are taken on a logarithmic scale, so that single large ones do not hide the rest.
 */
enum { BATCHES = 32 };
struct batches {
	uint64_t n;
	double sum, squares;  /* over all numbers */
	double sums[BATCHES]; /* of each batch; the last one may not be full */
	uint8_t shift;	      /* a batch has 1 << shift numbers */
};
void batches_add(struct batches *batches, uint64_t value);

/* These are the design effect, which is at least 1, and the degrees of freedom with which it is known, which are 0 when there are too few numbers to tell. */
struct design {
	double effect, freedom;
};
struct design batches_design(const struct batches *batches);

/* Returns the number by which the batches represent a value: its binary logarithm, with an error of up to 0.09. It grows strictly with the value. */
double batches_scale(uint64_t value);

/* Sorts @n > 0 numbers and returns their median. When @n is even, it is the lower of the two middle numbers. */
double middle_of(double *numbers, size_t n);

#endif

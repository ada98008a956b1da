/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers a distribution of numbers (durations in ns, sizes in bytes). The count, the sum, the smallest and the largest number are exact. Quantiles have a
 * relative error of at most 1 %.
 *
 * The buckets are log-linear, like the buckets of HdrHistogram (Gil Tene's, public domain). Every number below 128 has a bucket of its own. From 128 on, the
 * numbers from one power of two to the next are divided into 64 buckets of equal width. A quantile is given as the middle of its bucket. The middle differs
 * from the exact number by at most 1/128 of the exact number. Every 64-bit number has a bucket.
 *
 * A struct that is all zero is an empty distribution. How much memory a distribution needs depends on its numbers:
 * - Up to 4 numbers need no memory besides the 48 bytes of the structure.
 * - Up to 64 numbers are kept in a list of their buckets. Each entry of the list takes 2 bytes. Fewer than half of the entries are free. If the numbers lie far
 *   apart, the list is used for up to 1024 numbers.
 * - For more numbers, each bucket from the lowest to the highest bucket in use has a count. Up to 16 spare buckets at either end have a count, too. Together,
 *   this takes 132 bytes, plus 4 bytes for each bucket that has a count. For numbers from 1 ns to 1 h, the buckets take 9.5 kB.
 *
 * Reading a distribution may change its memory. So only one thread at a time may use a distribution, even for reading.
 */
#ifndef RINGSIDE_QUANTILES_H
#define RINGSIDE_QUANTILES_H

#include "lib/base/base.h"

struct quantiles {
	uint64_t n;	   /* how many numbers there are */
	uint64_t sum;	   /* the sum of the numbers, modulo 2^64 */
	uint64_t min, max; /* the smallest and the largest number; 0 if .n is 0 */
	union {
		uint16_t few[4]; /* used if .n is at most QUANTILES_FIRST: the buckets of the numbers */
		/*
		 * Used if .n is more than QUANTILES_FIRST. If .len is 0, .counts points to a list of the buckets of the numbers (uint16_t). If .len is not
		 * 0, .counts points to a structure of quantiles.c with the counts.
		 */
		void *counts;
	};
	uint16_t base; /* the bucket of the first count */
	uint16_t len;  /* how many counts there are; 0: the numbers are in .few or in a list */
};

enum { QUANTILES_FIRST = 4, QUANTILES_FEW = 64 };

/* This is what quantiles_at() returns when there are too few numbers to tell the quantile. */
#define QUANTILE_UNKNOWN UINT64_MAX

/*
 * Adds a number. Returns 0 or -ENOMEM. On -ENOMEM, nothing has changed. The count of a bucket is at most 2^32 - 1. If a bucket has more numbers, quantiles may
 * be wrong, but .n, .sum, .min and .max are right.
 */
int quantiles_add(struct quantiles *q, uint64_t value);

/* Returns the distribution of one number, which needs no memory besides the structure. */
struct quantiles quantiles_of_one(uint64_t value);

/* Adds @value @n times. Returns 0 or -ENOMEM. On -ENOMEM, @value may have been added fewer than @n times. */
int quantiles_add_many(struct quantiles *q, uint64_t value, uint64_t n);

/* Adds all numbers of @more. Returns 0 or -ENOMEM. On -ENOMEM, some of the numbers may have been added and others not. */
int quantiles_merge(struct quantiles *q, const struct quantiles *more);

/*
 * Returns the quantile @mille / 1000. @mille is 1 to 999. The quantile is the smallest number x for which at least @mille / 1000 of all numbers are x or
 * less (the nearest rank). If there are fewer than 1000 / (1000 - @mille) numbers, the result is QUANTILE_UNKNOWN. So the median (@mille is 500) needs 2
 * numbers, the quantile 0.99 needs 100 numbers, and the quantile 0.999 needs 1000 numbers.
 */
uint64_t quantiles_at(const struct quantiles *q, unsigned int mille);

/* Returns the number in the middle of the bucket with the index @bucket. bucket_of() in quantiles.c tells which bucket has which index. */
uint64_t quantiles_middle(unsigned int bucket);

/*
 * Returns true if the sum of all numbers is less than 2^64. Then .sum and the mean are right. But if the sum is between 98.4 % and 100 % of 2^64, the result is
 * sometimes false although the sum is less than 2^64.
 */
bool quantiles_sum_fits(const struct quantiles *q);

/* Returns the mean, rounded down, or 0 when there are no numbers. */
static inline uint64_t quantiles_mean(const struct quantiles *q)
{
	return q->n ? q->sum / q->n : 0;
}

/*
 * quantiles_each() goes through the buckets that are not empty, from the lowest on. Each call fills in *@bucket for the next bucket. Before the first
 * call, *@bucket must be all zero. quantiles_each() returns false after the last bucket.
 */
struct quantiles_bucket {
	uint64_t low, high; /* the smallest and the largest number of this bucket */
	uint64_t count;
	/* Only quantiles.c uses these. */
	unsigned int next;  /* the index of the bucket behind this bucket */
	unsigned int place; /* used for a list: how many of its entries belong to the buckets that quantiles_each() has given so far */
};
bool quantiles_each(const struct quantiles *q, struct quantiles_bucket *bucket);

/* Returns how many bytes of memory the distribution takes besides the structure itself. */
size_t quantiles_bytes(const struct quantiles *q);

void quantiles_fini(struct quantiles *q);

#endif

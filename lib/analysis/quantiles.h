/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers a distribution of numbers (durations in ns, sizes in bytes). The count, the sum, the smallest and the largest number are exact; quantiles have a
 * relative error of at most 1 %.
 *
 * The buckets are log-linear, as those of HdrHistogram (Gil Tene's, public domain): every number below 128 has a bucket of its own, and each power of two
 * above is divided into 64 buckets of equal width. A quantile is given as the middle of its bucket, which differs from the exact number by at most 1/128 of
 * that number. Every 64-bit number has a bucket.
 *
 * A struct that is all zero is an empty distribution. Up to 4 numbers need no memory besides the 48 bytes of the structure. Up to 64 numbers are kept in a
 * list of their buckets. The list takes 2 bytes for each entry, and fewer than half of its entries are free. Up to 1024 numbers that lie far apart are kept
 * in such a list, too. Other distributions need 132 bytes, and 4 bytes for each bucket from the lowest to the highest one used (9.5 kB for numbers from 1
 * ns to 1 h) and for up to 16 spare buckets at either end. Such a distribution does not count a number at once: the last numbers, fewer than 64, wait until
 * they are counted together.
 *
 * Reading a distribution may count the numbers that wait, or may sort the list. So only one thread at a time may use a distribution, even for reading.
 */
#ifndef RINGSIDE_QUANTILES_H
#define RINGSIDE_QUANTILES_H

#include "lib/base/base.h"

struct quantiles {
	uint64_t n;	   /* how many numbers */
	uint64_t sum;	   /* modulo 2^64; for durations, 2^64 ns are 584 years */
	uint64_t min, max; /* 0 when there are none */
	union {
		uint16_t few[4]; /* up to QUANTILES_FIRST numbers, as their buckets; most distributions have no more */
		/*
		 * This is for more numbers. If there are at most QUANTILES_FEW, or a list needs less memory, this points to a list of their buckets
		 * (uint16_t). Otherwise it points to a structure of quantiles.c with the count of each bucket from .base on.
		 */
		void *counts;
	};
	uint16_t base; /* the bucket of the first count */
	uint16_t len;  /* how many counts there are; 0: there are no counts, and the numbers are in .few or in a list */
};

enum { QUANTILES_FIRST = 4, QUANTILES_FEW = 64 };

/* This is what quantiles_at() returns when there are too few numbers to tell. */
#define QUANTILE_UNKNOWN UINT64_MAX

/*
 * Adds a number. Returns 0, or -ENOMEM and changes nothing. A bucket counts up to 2^32 - 1 numbers. Any further numbers are not in the bucket, but .n
 * counts them.
 */
int quantiles_add(struct quantiles *q, uint64_t value);

/* Returns the distribution of one number, which needs no memory besides the structure. */
struct quantiles quantiles_of_one(uint64_t value);

/* Adds the same number @n times, and returns what quantiles_add() returns. */
int quantiles_add_many(struct quantiles *q, uint64_t value, uint64_t n);

/* Adds all numbers of @more. Returns 0, or -ENOMEM when only a part of them may have been added. */
int quantiles_merge(struct quantiles *q, const struct quantiles *more);

/*
 * Returns the quantile @mille / 1000, where @mille is 1 to 999: the smallest number such that this share of all numbers is not above it (the nearest
 * rank). With fewer than 1 / (1 - quantile) numbers (2 if @mille is 500, 100 if it is 990, 1000 if it is 999) it returns QUANTILE_UNKNOWN.
 */
uint64_t quantiles_at(const struct quantiles *q, unsigned int mille);

/* Returns the number in the middle of the bucket @bucket. The bucket of a number below 128 is this number, and bucket_of() in quantiles.c finds the others. */
uint64_t quantiles_middle(unsigned int bucket);

/*
 * Is the sum of all numbers less than 2^64, so that .sum and the mean are right? The answer may also be no if the sum is at most 1 % less than that. Nearly
 * always the count and the largest number are enough to tell; otherwise this looks at all buckets.
 */
bool quantiles_sum_fits(const struct quantiles *q);

/* Returns the mean, rounded down, or 0 when there are no numbers. */
static inline uint64_t quantiles_mean(const struct quantiles *q)
{
	return q->n ? q->sum / q->n : 0;
}

/*
 * quantiles_each() goes to the next bucket that is not empty, from the lowest on, and fills in *@bucket, which is all zero at first. It returns false
 * after the last one. It allocates no memory.
 */
struct quantiles_bucket {
	uint64_t low, high; /* the smallest and the largest number of this bucket */
	uint64_t count;
	unsigned int next; /* only quantiles_each() uses it */
};
bool quantiles_each(const struct quantiles *q, struct quantiles_bucket *bucket);

/* Returns how many bytes of memory the distribution takes besides the structure itself. */
size_t quantiles_bytes(const struct quantiles *q);

void quantiles_fini(struct quantiles *q);

#endif

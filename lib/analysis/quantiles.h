/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A distribution of numbers (durations in ns, sizes in bytes): how many there were, their sum, the least and the largest, all
 * exact, and quantiles with a relative error of at most 1 %.
 *
 * The buckets are log-linear, as those of HdrHistogram (Gil Tene's, public domain): every number below 128 has its own, and each
 * power of two above is divided into 64 of equal width. A quantile is told as the middle of its bucket, which is at most 1/128 of
 * the number away from it. Any 64-bit number has a bucket.
 *
 * All zero is an empty distribution. It takes 48 bytes, which hold the first 4 numbers; then 2 for each of the first 64 numbers, and then 4
 * for each bucket between the lowest and the highest one used: 9.5 kB for numbers from 1 ns to 1 h.
 */
#ifndef RINGSIDE_QUANTILES_H
#define RINGSIDE_QUANTILES_H

#include "lib/base/base.h"

struct quantiles {
	uint64_t n;		/* how many numbers */
	uint64_t sum;		/* modulo 2^64: of durations, 584 years */
	uint64_t min, max;	/* 0 when there are none */
	union {
		uint16_t few[4];	/* of up to QUANTILES_FIRST numbers their buckets; of most there are no more */
		void *counts;		/* of up to QUANTILES_FEW numbers likewise, uint16_t; then uint32_t of each bucket from base on */
	};
	uint16_t base;		/* the bucket of counts[0] */
	uint16_t len;		/* how many buckets counts has; 0: it is the list of a few */
};

enum { QUANTILES_FIRST = 4, QUANTILES_FEW = 64 };

/* What quantiles_at() gives when there are too few numbers to tell. */
#define QUANTILE_UNKNOWN UINT64_MAX

/* One more number. 0 or -ENOMEM, and then nothing has changed. A bucket holds up to 2^32 - 1 numbers; more are counted in n alone. */
int quantiles_add(struct quantiles *q, uint64_t value);

/* The same number @n times. As quantiles_add(). */
int quantiles_add_many(struct quantiles *q, uint64_t value, uint64_t n);

/* All numbers of @more as well. 0, or -ENOMEM, and then some of them may be missing. */
int quantiles_merge(struct quantiles *q, const struct quantiles *more);

/*
 * The quantile of @mille / 1000, of 1 to 999: the number below or at which so large a share of the numbers lies (the nearest rank). It
 * needs at least 1 / (1 - quantile) numbers: 2 for the median, 100 for 990, 1000 for 999. With fewer it is QUANTILE_UNKNOWN.
 */
uint64_t quantiles_at(const struct quantiles *q, unsigned int mille);

/* The mean, rounded down; 0 when there are no numbers. */
static inline uint64_t quantiles_mean(const struct quantiles *q)
{
	return q->n ? q->sum / q->n : 0;
}

/*
 * Goes through the buckets that are not empty, from the lowest on: struct quantiles_at_bucket is { 0 } at first. False after the last
 * one. -ENOMEM cannot happen: of a list of a few it looks for the next bucket each time.
 */
struct quantiles_bucket {
	uint64_t low, high;	/* the least and the largest number that belong here */
	uint64_t count;
	unsigned int next;	/* its own: the bucket to look at next */
};
bool quantiles_each(const struct quantiles *q, struct quantiles_bucket *bucket);

/* Bytes that it takes beside the structure itself. */
size_t quantiles_bytes(const struct quantiles *q);

void quantiles_fini(struct quantiles *q);

#endif

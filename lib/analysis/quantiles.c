/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/quantiles.h"

/*
 * SUB buckets divide each range from one power of two to the next. BUCKETS is the number of buckets for all 64-bit numbers. A range of counters that must
 * grow gets SLACK buckets more than needed.
 */
enum { SUB_BITS = 6, SUB = 1 << SUB_BITS, BUCKETS = (64 - SUB_BITS + 1) * SUB, SLACK = 16 };

/* Has @q allocated memory? Otherwise its buckets are in .few. */
static inline bool has_memory(const struct quantiles *q)
{
	return q->len || q->n > QUANTILES_FIRST;
}

/* Returns the list of the buckets of @q. @q must have a list, and no counters. */
static inline const uint16_t *few_of(const struct quantiles *q)
{
	return has_memory(q) ? q->counts : q->few;
}

static unsigned int bucket_of(uint64_t value)
{
	unsigned int shift;

	if (value < 2 * SUB)
		return (unsigned int)value;
	shift = 63 - (unsigned int)__builtin_clzll(value) - SUB_BITS;
	return (shift << SUB_BITS) + (unsigned int)(value >> shift);
}

static uint64_t lowest_of(unsigned int bucket)
{
	unsigned int shift = bucket / SUB ? bucket / SUB - 1 : 0;

	return (uint64_t)(bucket - (shift << SUB_BITS)) << shift;
}

static uint64_t highest_of(unsigned int bucket)
{
	return bucket + 1 < BUCKETS ? lowest_of(bucket + 1) - 1 : UINT64_MAX;
}

uint64_t quantiles_middle(unsigned int bucket)
{
	return lowest_of(bucket) + (highest_of(bucket) - lowest_of(bucket)) / 2;
}

/* --- many: a counter for each bucket of a range ---------------------------------------------------------------- */

/*
 * A distribution of many numbers has a counter for each bucket of a range. The counters of a few hundred functions do not fit into a CPU's caches. If each
 * number were counted at once, the CPU would wait for memory each time, which takes longer than all the rest. So the last numbers are kept in .recent and
 * are counted together. Then the CPU waits for all of these counters at the same time.
 */
enum { RECENT = 64 };

struct many {
	uint16_t nrecent, recent[RECENT]; /* buckets that are not counted yet, from the range's first one on */
	uint32_t counts[];
};

static struct many *new_many(unsigned int len)
{
	return calloc(1, sizeof(struct many) + len * sizeof(uint32_t));
}

static inline void count(struct many *many, unsigned int i, uint32_t more)
{
	uint32_t *at = &many->counts[i];

	*at = more > UINT32_MAX - *at ? UINT32_MAX : *at + more;
}

static void settle(struct many *many)
{
	for (unsigned int i = 0; i < many->nrecent; i++)
		count(many, many->recent[i], 1);
	many->nrecent = 0;
}

/* Returns the counters of all buckets of the range. */
static const uint32_t *counts_of(const struct quantiles *q)
{
	settle(q->counts);
	return ((struct many *)q->counts)->counts;
}

/* Makes the range of counters large enough for the buckets @first to @last. Returns 0 or -ENOMEM. */
static int stretch(struct quantiles *q, unsigned int first, unsigned int last)
{
	unsigned int end = q->base + q->len, from, to;
	struct many *many;

	if (first >= q->base && last < end)
		return 0;
	from = first < q->base ? (first > SLACK ? first - SLACK : 0) : q->base;
	to = last >= end ? MIN(last + SLACK, (unsigned int)BUCKETS) : end;
	to = MAX(to, last + 1);
	many = new_many(to - from);
	if (!many)
		return -ENOMEM;
	memcpy(many->counts + (q->base - from), counts_of(q), q->len * sizeof(many->counts[0]));
	free(q->counts);
	q->counts = many;
	q->base = (uint16_t)from;
	q->len = (uint16_t)(to - from);
	return 0;
}

/* Adds one number to @bucket, which must be in the range. */
static inline void add_recent(struct quantiles *q, unsigned int bucket)
{
	struct many *many = q->counts;

	many->recent[many->nrecent++] = (uint16_t)(bucket - q->base);
	if (unlikely(many->nrecent == RECENT))
		settle(many);
}

/* Replaces the list of @q by a range of counters that also has the bucket @bucket. Returns 0 or -ENOMEM. */
static int spread(struct quantiles *q, unsigned int bucket)
{
	const uint16_t *few = few_of(q);
	size_t n = q->n;
	unsigned int first = bucket, last = bucket;
	struct many *many;

	for (size_t i = 0; i < n; i++) {
		first = MIN(first, few[i]);
		last = MAX(last, few[i]);
	}
	many = new_many(last - first + 1);
	if (!many)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		count(many, few[i] - first, 1);
	if (has_memory(q))
		free(q->counts);
	q->counts = many;
	q->base = (uint16_t)first;
	q->len = (uint16_t)(last - first + 1);
	return 0;
}

/* --- a few: a list of their buckets ------------------------------------------------------------------------------ */

/* A list never has more numbers than this. */
enum { MOST_LISTED = 1024 };

/*
 * Should a full list be replaced by a range of counters, with a counter for @bucket, too? It should if the counters take no more memory than the longer list
 * would. If the numbers lie far apart, as most durations do, they stay in a list for longer.
 */
static bool is_dense(const struct quantiles *q, unsigned int bucket)
{
	const uint16_t *few = few_of(q);
	unsigned int first = bucket, last = bucket;

	if (q->n >= MOST_LISTED)
		return true;
	for (size_t i = 0; i < q->n; i++) {
		first = MIN(first, few[i]);
		last = MAX(last, few[i]);
	}
	return sizeof(struct many) + (last - first + 1) * sizeof(uint32_t) <= q->n * 2 * sizeof(uint16_t);
}

/* Does the next number, which is in @bucket, go into the list? is_dense() is asked only when the list would have to grow: when .n is a power of two. */
static inline bool is_listed(const struct quantiles *q, unsigned int bucket)
{
	return !q->len && (q->n < QUANTILES_FEW || q->n & (q->n - 1) || !is_dense(q, bucket));
}

/* Sorts the @n numbers of @from into @to by the byte that begins at bit @shift. Numbers with the same byte keep their order. */
static void sort_by_byte(const uint16_t *from, uint16_t *to, size_t n, unsigned int shift)
{
	uint16_t at[256] = { 0 }, sum = 0;

	for (size_t i = 0; i < n; i++)
		at[from[i] >> shift & 255]++;
	for (size_t i = 0; i < ARRAY_LEN(at); i++) {
		const uint16_t here = at[i];

		at[i] = sum;
		sum = (uint16_t)(sum + here);
	}
	for (size_t i = 0; i < n; i++)
		to[at[from[i] >> shift & 255]++] = from[i];
}

/* Sorts the list of @q and returns it. The list is not kept sorted, because only quantiles_each() and bucket_at() need the order. */
static const uint16_t *sorted_few(const struct quantiles *q)
{
	uint16_t *few = (uint16_t *)few_of(q), other[MOST_LISTED];

	for (size_t i = 1; i < q->n; i++) {
		if (few[i - 1] <= few[i])
			continue;
		sort_by_byte(few, other, q->n, 0);
		sort_by_byte(other, few, q->n, 8);
		break;
	}
	return few;
}

/* --- both ------------------------------------------------------------------------------------------------------ */

/* Adds @bucket to the list. The caller increments .n. Returns 0 or -ENOMEM. */
static inline int list(struct quantiles *q, unsigned int bucket)
{
	if (q->n < QUANTILES_FIRST) {
		q->few[q->n] = (uint16_t)bucket;
		return 0;
	}
	/* The list has room for as many numbers as the next power of two. */
	if ((q->n & (q->n - 1)) == 0) {
		uint16_t *more = realloc(has_memory(q) ? q->counts : NULL, q->n * 2 * sizeof(*more));

		if (!more)
			return -ENOMEM;
		if (!has_memory(q))
			memcpy(more, q->few, sizeof(q->few));
		q->counts = more;
	}
	((uint16_t *)q->counts)[q->n] = (uint16_t)bucket;
	return 0;
}

int quantiles_add(struct quantiles *q, uint64_t value)
{
	unsigned int bucket = bucket_of(value);
	int err = 0;

	if (likely(q->len && bucket - q->base < q->len)) {
		add_recent(q, bucket);
	} else if (is_listed(q, bucket)) {
		err = list(q, bucket);
	} else {
		err = q->len ? stretch(q, bucket, bucket) : spread(q, bucket);
		if (!err)
			add_recent(q, bucket);
	}
	if (err)
		return err;
	q->min = q->n ? MIN(q->min, value) : value;
	q->max = MAX(q->max, value);
	q->sum += value;
	q->n++;
	return 0;
}

struct quantiles quantiles_of_one(uint64_t value)
{
	return (struct quantiles){ .n = 1, .sum = value, .min = value, .max = value, .few = { (uint16_t)bucket_of(value) } };
}

int quantiles_add_many(struct quantiles *q, uint64_t value, uint64_t n)
{
	int err = 0;

	for (; !err && n && (!q->len || bucket_of(value) - q->base >= q->len); n--)
		err = quantiles_add(q, value);
	if (err || !n)
		return err;
	count(q->counts, bucket_of(value) - q->base, (uint32_t)MIN(n, (uint64_t)UINT32_MAX));
	q->min = MIN(q->min, value);
	q->max = MAX(q->max, value);
	q->sum += value * n;
	q->n += n;
	return 0;
}

/* Adds the counters of @more to those of @q. Replaces the list of @q by counters if it has one. Returns 0 or -ENOMEM. */
static int merge_counts(struct quantiles *q, const struct quantiles *more)
{
	struct quantiles_bucket at = { 0 };
	int err = 0;

	while (!err && quantiles_each(more, &at)) {
		unsigned int bucket = at.next - 1;

		err = q->len ? stretch(q, bucket, bucket) : spread(q, bucket);
		if (!err)
			count(q->counts, bucket - q->base, (uint32_t)at.count);
	}
	return err;
}

/* Adds the numbers in the list of @more to @q, one after the other. Increments .n for each, because list() relies on it. Returns 0 or -ENOMEM. */
static int merge_few(struct quantiles *q, const struct quantiles *more)
{
	const uint16_t *few = few_of(more);
	int err = 0;

	for (size_t i = 0; !err && i < more->n; i++) {
		if (is_listed(q, few[i])) {
			err = list(q, few[i]);
		} else {
			err = q->len ? stretch(q, few[i], few[i]) : spread(q, few[i]);
			if (!err)
				count(q->counts, few[i] - q->base, 1);
		}
		q->n += !err;
	}
	return err;
}

int quantiles_merge(struct quantiles *q, const struct quantiles *more)
{
	const uint64_t n = q->n;
	int err;

	if (!more->n)
		return 0;
	err = more->len ? merge_counts(q, more) : merge_few(q, more);
	if (err)
		return err;
	q->n = n;
	q->min = q->n ? MIN(q->min, more->min) : more->min;
	q->max = MAX(q->max, more->max);
	q->sum += more->sum;
	q->n += more->n;
	return 0;
}

bool quantiles_each(const struct quantiles *q, struct quantiles_bucket *bucket)
{
	const uint32_t *counts = q->len ? counts_of(q) : NULL;
	unsigned int at;

	bucket->count = 0;
	if (q->len) {
		for (at = MAX(bucket->next, q->base); at < (unsigned int)q->base + q->len && !counts[at - q->base]; at++)
			;
		if (at >= (unsigned int)q->base + q->len)
			return false;
		bucket->count = counts[at - q->base];
	} else {
		const uint16_t *few = bucket->place ? few_of(q) : sorted_few(q);

		if (bucket->place == q->n)
			return false;
		for (at = few[bucket->place]; bucket->place < q->n && few[bucket->place] == at; bucket->place++)
			bucket->count++;
	}
	bucket->low = lowest_of(at);
	bucket->high = highest_of(at);
	bucket->next = at + 1;
	return true;
}

bool quantiles_sum_fits(const struct quantiles *q)
{
	struct quantiles_bucket at = { 0 };
	uint64_t most;
	double sum = 0;

	if (likely(!__builtin_mul_overflow(q->max, q->n, &most)))
		return true;
	while (quantiles_each(q, &at))
		sum += (double)MIN(at.high, q->max) * (double)at.count;
	return sum < 0x1p64;
}

/*
 * Returns the bucket of the number with the rank @rank: its place, from 1 on, when all numbers are sorted. Returns BUCKETS if the counters have fewer numbers
 * than that, because one of them has reached its largest value.
 */
static unsigned int bucket_at(const struct quantiles *q, uint64_t rank)
{
	enum { STEP = 16 };
	const uint32_t *counts;
	uint64_t below = 0;
	unsigned int i = 0;

	if (!q->len)
		return sorted_few(q)[rank - 1];
	counts = counts_of(q);
	/* Finds the STEP counters that the bucket is among. The compiler can add up STEP counters with wide instructions. */
	for (; i + STEP <= q->len; i += STEP) {
		uint64_t sum = 0;

		for (unsigned int k = 0; k < STEP; k++)
			sum += counts[i + k];
		if (below + sum >= rank)
			break;
		below += sum;
	}
	for (; i < q->len; i++) {
		below += counts[i];
		if (below >= rank)
			return q->base + i;
	}
	return BUCKETS;
}

uint64_t quantiles_at(const struct quantiles *q, unsigned int mille)
{
	unsigned int bucket;

	/* This product does not overflow, because no recording has 2^54 events. */
	if (!q->n || (1000 - mille) * q->n < 1000)
		return QUANTILE_UNKNOWN;
	bucket = bucket_at(q, (q->n * mille + 999) / 1000);
	return bucket < BUCKETS ? MIN(MAX(quantiles_middle(bucket), q->min), q->max) : q->max;
}

size_t quantiles_bytes(const struct quantiles *q)
{
	size_t room = QUANTILES_FIRST;

	if (q->len)
		return sizeof(struct many) + q->len * sizeof(uint32_t);
	while (room < q->n)
		room *= 2;
	return has_memory(q) ? room * sizeof(uint16_t) : 0;
}

void quantiles_fini(struct quantiles *q)
{
	if (has_memory(q))
		free(q->counts);
	*q = (struct quantiles){ 0 };
}

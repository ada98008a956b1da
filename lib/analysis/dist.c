/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/dist.h"
#include "lib/analysis/timed.h"
#include "lib/base/err.h"

/* --- numbers -------------------------------------------------------------------------------------------------------------- */

static bool less(const struct dist *dist, uint64_t a, uint64_t b)
{
	return dist->is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t magnitude(uint64_t value)
{
	return -value;
}

/* Returns the index of the part of a key, or -ENOMEM. All keys beyond the limit share the last part. */
static int64_t find_part(struct dist *dist, const char *key)
{
	struct key k = { KEY_MIX, KEY_MIX, 0 };
	int64_t i;

	for (const char *at = key ? key : ""; *at; at++)
		key_mix(&k.a, &k.b, (unsigned char)*at);
	i = dist->parts.n <= DIST_MOST_KEYS ? keys_index(&dist->keys, k) : keys_find(&dist->keys, k);
	if (i == -1 || i == DIST_MOST_KEYS) {
		key = "[others]";
		dist->folded = true;
		i = DIST_MOST_KEYS;
	}
	if (i < 0 || i < (int64_t)dist->parts.n)
		return i;
	if (strv_add(&dist->names, key ? key : "") || vec_push(&dist->parts, (struct dist_part){ 0 }))
		return -ENOMEM;
	dist->parts.at[i].key = key ? dist->names.at[i] : NULL;
	return i;
}

/* Returns the number of the bar that the value is in. A bar is .step wide. */
static uint64_t bar_of(const struct dist *dist, uint64_t value)
{
	uint64_t step = dist->opt.step;

	if (dist->is_signed && (int64_t)value < 0)
		return -((magnitude(value) - 1) / step + 1);
	return value / step;
}

static int add_bar(struct dist *dist, struct dist_part *part, uint64_t value)
{
	int64_t i = keys_index(&part->bars, (struct key){ bar_of(dist, value), 0, 0 });

	if (i < 0 || (i == (int64_t)part->counts.n && vec_push(&part->counts, 0)))
		return -ENOMEM;
	if (i >= DIST_MOST_BARS)
		return fail(E2BIG, "--linear %llu makes more than %d bars; a larger step makes fewer", (unsigned long long)dist->opt.step, DIST_MOST_BARS);
	part->counts.at[i]++;
	return 0;
}

static int keep_outlier(struct dist *dist, const struct dist_outlier *number)
{
	size_t n = dist->outliers.n, at = n;

	if (n == dist->opt.outliers) {
		if (!n || !less(dist, dist->outliers.at[n - 1].value, number->value))
			return 0;
		at = --n;
	} else if (vec_push(&dist->outliers, *number)) {
		return -ENOMEM;
	}
	for (; at && less(dist, dist->outliers.at[at - 1].value, number->value); at--)
		dist->outliers.at[at] = dist->outliers.at[at - 1];
	dist->outliers.at[at] = *number;
	return 0;
}

static int add_heat(struct dist *dist, const struct dist_outlier *number)
{
	dist->heat = dist->heat ? dist->heat : calloc(1, sizeof(*dist->heat));
	if (dist->heat)
		heat_add(dist->heat, number->ns, number->value);
	return dist->heat ? 0 : -ENOMEM;
}

int dist_add(struct dist *dist, const char *key, const struct dist_outlier *number)
{
	struct dist_outlier copy = *number;
	int64_t i = find_part(dist, key);
	struct dist_part *part;
	int err;

	if (i < 0)
		return -ENOMEM;
	part = &dist->parts.at[i];
	copy.part = (uint32_t)i;
	if (dist->is_signed && (int64_t)copy.value < 0) {
		err = quantiles_add(&part->below, magnitude(copy.value));
		part->sum -= (double)magnitude(copy.value);
	} else {
		err = quantiles_add(&part->above, copy.value);
		part->sum += (double)copy.value;
	}
	if (!err && dist->opt.step)
		err = add_bar(dist, part, copy.value);
	if (!err && dist->opt.trace)
		err = vec_push(&dist->traced, copy);
	if (!err && dist->opt.heat)
		err = add_heat(dist, &copy);
	return err ? err : keep_outlier(dist, &copy);
}

int dist_add_many(struct dist *dist, const char *key, uint64_t value, uint64_t n)
{
	int64_t i = find_part(dist, key);
	struct dist_part *part;
	int err;

	if (i < 0)
		return -ENOMEM;
	part = &dist->parts.at[i];
	err = quantiles_add_many(&part->above, value, n);
	part->sum += (double)value * (double)n;
	for (uint64_t k = 0; !err && dist->opt.step && k < n; k++)
		err = add_bar(dist, part, value);
	return err;
}

int dist_correct(struct dist *dist, const char *key, uint64_t sum, uint64_t least, uint64_t most)
{
	int64_t i = find_part(dist, key);
	struct dist_part *part;

	if (i < 0)
		return -ENOMEM;
	part = &dist->parts.at[i];
	part->sum = (double)sum;
	part->above.sum = sum;
	part->above.min = least;
	part->above.max = most;
	return 0;
}

/* --- figures -------------------------------------------------------------------------------------------------------------- */

uint64_t dist_min(const struct dist_part *part)
{
	return part->below.n ? magnitude(part->below.max) : part->above.min;
}

uint64_t dist_max(const struct dist_part *part)
{
	return part->above.n ? part->above.max : magnitude(part->below.min);
}

/* Returns the number with the rank @rank in @q. Ranks begin with 1. */
static uint64_t at_rank(const struct quantiles *q, uint64_t rank)
{
	struct quantiles_bucket bucket = { 0 };
	uint64_t below = 0;

	while (quantiles_each(q, &bucket)) {
		below += bucket.count;
		if (below >= rank)
			return MIN(MAX(bucket.low + (bucket.high - bucket.low) / 2, q->min), q->max);
	}
	return q->max;
}

bool dist_quantile(const struct dist_part *part, unsigned int mille, uint64_t *out)
{
	uint64_t n = dist_count(part), rank = (n * mille + 999) / 1000;

	if (!n || (1000 - mille) * n < 1000)
		return false;
	if (rank > part->below.n)
		*out = at_rank(&part->above, rank - part->below.n);
	else
		*out = magnitude(at_rank(&part->below, part->below.n - rank + 1));
	return true;
}

/* --- bars ----------------------------------------------------------------------------------------------------------------- */

/* Returns how many bits a number has. 0 has none. */
static unsigned int bits_of(uint64_t value)
{
	return value ? 64 - (unsigned int)__builtin_clzll(value) : 0;
}

/* Adds the bars of powers of two: 0, 1, 2 to 3, 4 to 7 and so on. Each bucket of the quantiles is in one of them. Returns 0 or -ENOMEM. */
static int add_log2(const struct quantiles *q, bool negative, dist_bars_t *out)
{
	struct quantiles_bucket bucket = { 0 };
	uint64_t counts[65] = { 0 };
	unsigned int first = bits_of(q->min), last = bits_of(q->max);
	int err = 0;

	if (!q->n)
		return 0;
	while (quantiles_each(q, &bucket))
		counts[bits_of(bucket.low)] += bucket.count;
	for (unsigned int i = 0; !err && i <= last - first; i++) {
		unsigned int bits = negative ? last - i : first + i;
		uint64_t low = bits ? 1ULL << (bits - 1) : 0, high = bits ? (low - 1) * 2 + 1 : 0;

		/* The smallest possible number is alone in its bar. */
		err = vec_push(out, (struct dist_bar){ negative ? magnitude(MIN(high, 1ULL << 63)) : low, negative ? magnitude(low) : high, counts[bits] });
	}
	return err;
}

static int compare_bars(const void *a, const void *b)
{
	const struct dist_bar *x = a, *y = b;

	return ORDER(x->from, y->from);
}

/* Returns the bar with this number. The first and the last possible bar are narrower, because they end where the range of numbers ends. */
static struct dist_bar linear_bar(const struct dist *dist, uint64_t number, uint64_t count)
{
	const uint64_t step = dist->opt.step, largest = dist->is_signed ? INT64_MAX : UINT64_MAX, least = 1ULL << 63;
	uint64_t from = number * step;

	if (dist->is_signed && (int64_t)number < 0) {
		from = (-number - 1) * step;
		return (struct dist_bar){ magnitude(from + MIN(step, least - from)), magnitude(from + 1), count };
	}
	return (struct dist_bar){ from, from + MIN(step - 1, largest - from), count };
}

/*
 * Adds the bars in the order of their numbers. The numbers are moved up by half of the range, so that signed numbers have the right order. Returns 0 or
 * -ENOMEM.
 */
static int add_linear(const struct dist *dist, const struct dist_part *part, size_t most, dist_bars_t *out)
{
	const uint64_t half = dist->is_signed ? 1ULL << 63 : 0;
	dist_bars_t all = { 0 };
	uint64_t range;
	int err = 0;

	for (size_t i = 0; !err && i < part->counts.n; i++)
		err = vec_push(&all, (struct dist_bar){ map_at(&part->bars.all, i)->key.a + half, 0, part->counts.at[i] });
	if (!err && all.n) {
		qsort(all.at, all.n, sizeof(*all.at), compare_bars);
		range = all.at[all.n - 1].from - all.at[0].from;
		for (size_t i = 0; !err && i < all.n; i++) {
			uint64_t at = i && range + 1 - all.n <= most ? all.at[i - 1].from + 1 : all.at[i].from;

			for (; !err && at <= all.at[i].from; at++)
				err = vec_push(out, linear_bar(dist, at - half, at == all.at[i].from ? all.at[i].count : 0));
		}
	}
	vec_fini(&all);
	return err;
}

int dist_bars(const struct dist *dist, const struct dist_part *part, size_t most, dist_bars_t *out)
{
	int err;

	if (dist->opt.step)
		return add_linear(dist, part, most, out);
	err = add_log2(&part->below, true, out);
	return err ? err : add_log2(&part->above, false, out);
}

/* --- its life ------------------------------------------------------------------------------------------------------------- */

void dist_free(struct dist *dist)
{
	if (!dist)
		return;
	vec_each (&dist->parts, part) {
		quantiles_fini(&part->above);
		quantiles_fini(&part->below);
		keys_fini(&part->bars);
		vec_fini(&part->counts);
	}
	vec_fini(&dist->parts);
	keys_fini(&dist->keys);
	strv_fini(&dist->names);
	vec_fini(&dist->outliers);
	dist_worst_fini(&dist->worst);
	vec_fini(&dist->traced);
	free(dist->heat);
	strv_fini(&dist->seen);
	if (dist->pairs_free)
		dist->pairs_free(dist->pairs);
	timed_free(dist->timed);
	keys_fini(&dist->functions);
	vec_fini(&dist->wanted);
	vec_fini(&dist->events);
	free(dist);
}

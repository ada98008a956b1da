/* SPDX-License-Identifier: GPL-2.0 */
/* Sorts the rows of a store by the values of columns: digit by digit, beginning with the last key. */
#define _GNU_SOURCE
#include "lib/query/store.h"

enum { DIGIT = 1 << 16 };

/* Makes a value a number by which it is sorted. Returns false for a value that is not known. */
static inline bool sort_value(const struct store *store, uint32_t row, unsigned int column, uint64_t *out)
{
	uint64_t v;

	if (!store_get(store, row, column, &v))
		return false;
	*out = store->columns[column].type == COLUMN_TEXT ? store->ranks[v] : store->columns[column].type == COLUMN_INTEGER ? v ^ 1ULL << 63 : v;
	return true;
}

static int compare_texts(const void *a, const void *b, void *ctx)
{
	const strv_t *texts = ctx;

	return strcmp(texts->at[*(const uint32_t *)a], texts->at[*(const uint32_t *)b]);
}

static int make_ranks(struct store *store)
{
	const size_t n = store->texts.n;
	__cleanup(free_ptr) uint32_t *ids = NULL, *ranks = NULL;

	if (store->ranks)
		return 0;
	ids = calloc(n + 1, sizeof(*ids));
	ranks = calloc(n + 1, sizeof(*ranks));
	if (!ids || !ranks)
		return -ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		ids[i] = i;
	qsort_r(ids, n, sizeof(*ids), compare_texts, &store->texts);
	for (uint32_t i = 0; i < n; i++)
		ranks[ids[i]] = i;
	store->ranks = take(ranks);
	return 0;
}

/* Sorts rows by one digit of a key, from @from to @to; equal rows stay in their order. @shift 64 sorts by whether the value is known. */
static void sort_digit(const struct store *store, struct store_key key, unsigned int shift, const uint32_t *from, uint32_t *to, uint32_t *counts)
{
	uint32_t sum = 0;
	uint64_t v;

#define DIGIT_OF(row) \
	({ \
		const bool known_ = sort_value(store, row, key.column, &v); \
		const uint32_t digit_ = shift == 64 ? known_ : known_ ? (uint32_t)(v >> shift) % DIGIT : 0; \
		key.down ? DIGIT - 1 - digit_ : digit_; \
	})
	memset(counts, 0, DIGIT * sizeof(*counts));
	for (uint32_t i = 0; i < store->n; i++)
		counts[DIGIT_OF(from[i])]++;
	for (uint32_t i = 0; i < DIGIT; i++) {
		const uint32_t count = counts[i];

		counts[i] = sum;
		sum += count;
	}
	for (uint32_t i = 0; i < store->n; i++)
		to[counts[DIGIT_OF(from[i])]++] = from[i];
#undef DIGIT_OF
}

/* Returns the bits in which the values differ. Sets *@unknown if some values are not known. */
static uint64_t find_digits(const struct store *store, unsigned int column, bool *unknown)
{
	uint64_t any = 0, all = UINT64_MAX, v;

	*unknown = false;
	for (uint32_t row = 0; row < store->n; row++) {
		if (sort_value(store, row, column, &v)) {
			any |= v;
			all &= v;
		} else {
			*unknown = true;
		}
	}
	return any & ~all;
}

static void sort_key(const struct store *store, struct store_key key, uint32_t **rows, uint32_t **other, uint32_t *counts)
{
	bool unknown;
	const uint64_t differ = find_digits(store, key.column, &unknown);

	for (unsigned int shift = 0; shift <= 64; shift += 16) {
		uint32_t *done = *rows;

		if (shift == 64 ? !unknown : !(differ >> shift & (DIGIT - 1)))
			continue;
		sort_digit(store, key, shift, *rows, *other, counts);
		*rows = *other;
		*other = done;
	}
}

static uint32_t *sorted(struct store *store, const struct store_key *keys, unsigned int n)
{
	uint32_t *rows = calloc(store->n + 1, sizeof(*rows)), *other = calloc(store->n + 1, sizeof(*other));
	uint32_t *counts = calloc(DIGIT, sizeof(*counts));
	bool good = rows && other && counts;

	for (unsigned int i = 0; good && i < n; i++)
		good = store->columns[keys[i].column].type != COLUMN_TEXT || !make_ranks(store);
	for (uint32_t i = 0; good && i < store->n; i++)
		rows[i] = i;
	for (unsigned int i = n; good && i-- > 0;)
		sort_key(store, keys[i], &rows, &other, counts);
	free(other);
	free(counts);
	if (!good)
		free(take(rows));
	return rows;
}

const uint32_t *store_order(struct store *store, const struct store_key *keys, unsigned int n)
{
	struct store_order order = { .n = n };

	vec_each (&store->orders, there) {
		bool same = there->n == n;

		for (unsigned int i = 0; same && i < n; i++)
			same = there->keys[i].column == keys[i].column && there->keys[i].down == keys[i].down;
		if (same)
			return there->rows;
	}
	memcpy(order.keys, keys, n * sizeof(*keys));
	order.rows = sorted(store, keys, n);
	if (!order.rows || vec_push(&store->orders, order)) {
		free(order.rows);
		return NULL;
	}
	return order.rows;
}

/* A search in rows that are in an order. */
struct search {
	const struct store *store;
	const uint32_t *rows;
	unsigned int column;
	uint64_t wanted;
	bool behind;
};

static bool search_value(const struct search *s, uint32_t at, uint64_t *out)
{
	return sort_value(s->store, s->rows ? s->rows[at] : at, s->column, out);
}

static bool stands_before(const struct search *s, uint32_t at)
{
	uint64_t there;

	return !search_value(s, at, &there) || there < s->wanted || (s->behind && there == s->wanted);
}

/* Guesses where the value is, if values rise evenly, as row numbers and times do. */
static uint32_t guess(const struct search *s, uint32_t low, uint32_t high)
{
	uint64_t first, last;

	if (!search_value(s, low, &first) || !search_value(s, high - 1, &last) || s->wanted <= first)
		return low;
	if (s->wanted >= last)
		return high - 1;
	return low + (uint32_t)((double)(s->wanted - first) / (double)(last - first) * (high - 1 - low));
}

uint32_t store_find(const struct store *store, const uint32_t *rows, unsigned int column, int64_t v, uint32_t from, bool behind)
{
	const struct search s = {
		.store = store,
		.rows = rows,
		.column = column,
		.behind = behind,
		.wanted = store->columns[column].type == COLUMN_INTEGER ? (uint64_t)v ^ 1ULL << 63 : (uint64_t)v,
	};
	uint32_t low = from, high = store->n, at, step = 1;

	if (low >= high)
		return high;
	/* The end of a run of equal values is mostly near its beginning. */
	at = behind && from ? from : guess(&s, low, high);
	if (stands_before(&s, at)) {
		for (low = at + 1; low < high && high - low > step && stands_before(&s, low + step); step *= 2)
			low += step + 1;
		high = high - low > step ? low + step : high;
	} else {
		for (high = at; high > low && high - low > step && !stands_before(&s, high - step); step *= 2)
			high -= step;
		low = high - low > step ? high - step + 1 : low;
	}
	while (low < high) {
		const uint32_t mid = low + (high - low) / 2;

		if (stands_before(&s, mid))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

int64_t store_rank(struct store *store, const char *text, size_t n)
{
	const map_entry(&store->ids) entry = map_find_text(&store->ids, text, n);

	if (make_ranks(store))
		return -ENOMEM;
	return entry ? (int64_t)store->ranks[entry->value] : -1;
}

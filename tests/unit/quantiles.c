/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/quantiles: against the sorted numbers themselves. */
#include "lib/analysis/quantiles.h"
#include "lib/base/vec.h"
#include "tests/unit/unit.h"

typedef VEC(uint64_t) numbers_t;

static uint64_t draw(uint64_t *state)
{
	uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static int order(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Is @told at most 1 % away from @truth? */
static bool close_to(uint64_t told, uint64_t truth)
{
	uint64_t off = told > truth ? told - truth : truth - told;

	return off <= truth / 100;
}

static void compare(const struct quantiles *q, numbers_t *numbers)
{
	static const unsigned int milles[] = { 1, 10, 250, 500, 900, 990, 999 };
	struct quantiles_bucket bucket = { 0 };
	uint64_t sum = 0, all = 0, last = 0;

	vec_each (numbers, number)
		sum += *number;
	qsort(numbers->at, numbers->n, sizeof(*numbers->at), order);
	ck_assert_uint_eq(q->n, numbers->n);
	ck_assert_uint_eq(q->sum, sum);
	ck_assert_uint_eq(q->min, numbers->at[0]);
	ck_assert_uint_eq(q->max, numbers->at[numbers->n - 1]);
	for (size_t i = 0; i < ARRAY_LEN(milles); i++) {
		uint64_t told = quantiles_at(q, milles[i]);
		/* The nearest rank, by definition: the least of the numbers that at least so many are not above. */
		size_t rank = (numbers->n * milles[i] + 999) / 1000;

		if ((double)numbers->n < 1 / (1 - milles[i] / 1000.0) - 1e-9)
			ck_assert_uint_eq(told, QUANTILE_UNKNOWN);
		else
			ck_assert_msg(close_to(told, numbers->at[rank - 1]), "%zu numbers, %u/1000: %llu, not %llu", numbers->n, milles[i],
				      (unsigned long long)told, (unsigned long long)numbers->at[rank - 1]);
	}
	while (quantiles_each(q, &bucket)) {
		uint64_t here = 0;

		ck_assert(bucket.low <= bucket.high && (!all || bucket.low > last));
		vec_each (numbers, number)
			here += *number >= bucket.low && *number <= bucket.high;
		ck_assert_uint_eq(bucket.count, here);
		all += here;
		last = bucket.high;
	}
	ck_assert_uint_eq(all, numbers->n);
}

/* Numbers of so many bits at the most, most of them of fewer. */
static uint64_t number(uint64_t *state, unsigned int bits)
{
	uint64_t r = draw(state);

	return bits ? draw(state) >> (64 - (1 + r % bits)) : 0;
}

START_TEST(against_sorted_numbers)
{
	static const size_t sizes[] = { 1, 2, 3, 5, 9, 10, 63, 64, 65, 99, 100, 1000, 20000 };
	uint64_t state = 1;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		for (unsigned int bits = 0; bits <= 64; bits += 4) {
			struct quantiles q = { 0 };
			numbers_t numbers = { 0 };

			for (size_t n = 0; n < sizes[i]; n++) {
				uint64_t one = number(&state, bits);

				ck_assert_int_eq(vec_push(&numbers, one), 0);
				ck_assert_int_eq(quantiles_add(&q, one), 0);
			}
			compare(&q, &numbers);
			vec_fini(&numbers);
			quantiles_fini(&q);
		}
	}
}
END_TEST

START_TEST(merged)
{
	static const size_t sizes[] = { 0, 1, 30, 34, 35, 64, 65, 500 };
	uint64_t state = 2;

	for (size_t a = 0; a < ARRAY_LEN(sizes); a++) {
		for (size_t b = 0; b < ARRAY_LEN(sizes); b++) {
			struct quantiles q = { 0 }, more = { 0 };
			numbers_t numbers = { 0 };

			for (size_t n = 0; n < sizes[a] + sizes[b]; n++) {
				uint64_t one = number(&state, n < sizes[a] ? 20 : 40);

				ck_assert_int_eq(vec_push(&numbers, one), 0);
				ck_assert_int_eq(quantiles_add(n < sizes[a] ? &q : &more, one), 0);
			}
			ck_assert_int_eq(quantiles_merge(&q, &more), 0);
			if (numbers.n)
				compare(&q, &numbers);
			/* Adding goes on after it. */
			for (size_t n = 0; n < 100; n++) {
				ck_assert_int_eq(vec_push(&numbers, n), 0);
				ck_assert_int_eq(quantiles_add(&q, n), 0);
			}
			compare(&q, &numbers);
			vec_fini(&numbers);
			quantiles_fini(&q);
			quantiles_fini(&more);
		}
	}
}
END_TEST

/* The contract's figures: 1 ns to 1 h in some 10 kB, a few in some bytes. */
START_TEST(memory)
{
	struct quantiles q = { 0 };
	uint64_t hour = 3600 * NSEC_PER_SEC;

	ck_assert_uint_eq(sizeof(q), 48);
	ck_assert_uint_eq(quantiles_bytes(&q), 0);
	ck_assert_int_eq(quantiles_add(&q, hour), 0);
	ck_assert_uint_le(quantiles_bytes(&q), 8);
	for (uint64_t v = 1; v < hour; v += 1 + v / 300)
		ck_assert_int_eq(quantiles_add(&q, v), 0);
	ck_assert_uint_le(quantiles_bytes(&q), 10240);
	quantiles_fini(&q);
}
END_TEST

START_TEST(too_few)
{
	struct quantiles q = { 0 };

	ck_assert_uint_eq(quantiles_at(&q, 500), QUANTILE_UNKNOWN);
	for (unsigned int n = 1; n <= 1000; n++) {
		ck_assert_int_eq(quantiles_add(&q, 7), 0);
		ck_assert_uint_eq(quantiles_at(&q, 500), n < 2 ? QUANTILE_UNKNOWN : 7);
		ck_assert_uint_eq(quantiles_at(&q, 900), n < 10 ? QUANTILE_UNKNOWN : 7);
		ck_assert_uint_eq(quantiles_at(&q, 990), n < 100 ? QUANTILE_UNKNOWN : 7);
		ck_assert_uint_eq(quantiles_at(&q, 999), n < 1000 ? QUANTILE_UNKNOWN : 7);
	}
	quantiles_fini(&q);
}
END_TEST

/* The sum of n numbers of 2^54 is less than 2^64 up to 1023 of them. The largest number alone does not tell: one of 2^60 and many small ones fit. */
START_TEST(sum_fits)
{
	struct quantiles q = { 0 };

	ck_assert(quantiles_sum_fits(&q));
	for (unsigned int n = 1; n <= 1100; n++) {
		ck_assert_int_eq(quantiles_add(&q, 1ULL << 54), 0);
		ck_assert_msg(n > 1012 || quantiles_sum_fits(&q), "%u", n);
		ck_assert_msg(n < 1024 || !quantiles_sum_fits(&q), "%u", n);
	}
	quantiles_fini(&q);
	q = quantiles_of_one(1ULL << 60);
	ck_assert_int_eq(quantiles_add_many(&q, 1000, 1000000), 0);
	ck_assert(quantiles_sum_fits(&q));
	quantiles_fini(&q);
}
END_TEST

Suite *quantiles_suite(void)
{
	Suite *suite = suite_create("quantiles");
	TCase *tc = tcase_create("quantiles");

	tcase_add_test(tc, against_sorted_numbers);
	tcase_add_test(tc, merged);
	tcase_add_test(tc, memory);
	tcase_add_test(tc, too_few);
	tcase_add_test(tc, sum_fits);
	tcase_set_timeout(tc, 60);
	suite_add_tcase(suite, tc);
	return suite;
}

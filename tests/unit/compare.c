/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/compare: against tables of the distributions, and examples worked out by hand. */
#include "lib/analysis/compare.h"
#include "tests/unit/unit.h"

#include <math.h>

static bool near(double told, double truth)
{
	return fabs(told - truth) <= 1e-9 * fmax(1, fabs(truth));
}

START_TEST(distribution_functions)
{
	ck_assert(near(normal_below(0), 0.5));
	ck_assert(near(normal_at(0.975), 1.959963984540054) && near(normal_at(0.1), -1.2815515655446004));
	ck_assert(near(normal_below(1.959963984540054), 0.975));
	ck_assert(near(normal_below(-1.2815515655446004), 0.1));
	/* With one degree of freedom it is Cauchy's distribution: 1/2 + atan(t)/pi. */
	ck_assert(near(student_below(1, 1), 0.75));
	ck_assert(near(student_below(-3, 1), 0.5 + atan(-3) / M_PI));
	/* With two: 1/2 + t / (2 sqrt(2 + t^2)). */
	ck_assert(near(student_below(2, 2), 0.5 + 2 / (2 * sqrt(6))));
	/* Tables of Student's t. */
	ck_assert(fabs(student_beyond(0.05, 1) - 12.7062047362) < 1e-6);
	ck_assert(fabs(student_beyond(0.05, 10) - 2.2281388520) < 1e-8);
	ck_assert(fabs(student_beyond(0.01, 30) - 2.7499956536) < 1e-8);
	ck_assert(fabs(student_beyond(0.05, 1e6) - 1.9599664) < 1e-5);
	ck_assert(near(student_p(2.2281388519649385, 10), 0.05));
	ck_assert(student_p(40, 30) > 0 && student_p(40, 30) < 1e-25);
	/* Fisher's F. With one degree of freedom above, it is the square of Student's t. With two below and two above, P(F > f) is 1 / (1 + f). */
	ck_assert(near(fisher_p(2.2281388519649385 * 2.2281388519649385, 1, 10), 0.05));
	ck_assert(near(fisher_p(3, 2, 2), 0.25) && near(fisher_p(0, 5, 3), 1) && near(fisher_p(INFINITY, 5, 3), 0));
	/* Tables of the 5 % and 1 % points. */
	ck_assert(fabs(fisher_p(2.6572, 7, 16) - 0.05) < 1e-5 && fabs(fisher_p(7.5910, 3, 8) - 0.01) < 1e-6);
}
END_TEST

static void add_all(struct quantiles *q, const uint64_t *numbers, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(quantiles_add(q, numbers[i]), 0);
}

/*
 * By hand: of the 12 pairs the second is larger in 9 and as large in 2: U = 10. Two ties of two: the variance is 12 / 12 (8 - 12 / 42), and z the
 * square root of 16 divided by that.
 */
START_TEST(mann_whitney_by_hand)
{
	struct quantiles a = { 0 }, b = { 0 }, none = { 0 };
	struct mann_whitney test;

	add_all(&a, (uint64_t[]){ 1, 2, 3 }, 3);
	add_all(&b, (uint64_t[]){ 2, 3, 4, 5 }, 4);
	test = mann_whitney(&a, &b);
	ck_assert(near(test.u, 10));
	ck_assert(near(test.z, sqrt(16 / (8 - 12.0 / 42))));
	test = mann_whitney(&b, &a);
	ck_assert(near(test.u, 2));
	ck_assert(near(test.z, -sqrt(16 / (8 - 12.0 / 42))));
	/* All numbers are the same, or there are none. */
	test = mann_whitney(&a, &a);
	ck_assert(near(test.z, 0));
	ck_assert(near(mann_whitney(&a, &none).z, 0));
	quantiles_fini(&a);
	add_all(&a, (uint64_t[]){ 7, 7, 7, 7 }, 4);
	ck_assert(near(mann_whitney(&a, &a).z, 0));
	quantiles_fini(&a);
	quantiles_fini(&b);
}
END_TEST

/* Many numbers: against counting all pairs. */
START_TEST(mann_whitney_of_many)
{
	uint64_t numbers[2][300], state = 1;
	struct quantiles q[2] = { 0 };
	double u = 0;

	for (size_t i = 0; i < 300; i++) {
		for (size_t k = 0; k < 2; k++) {
			state = state * 6364136223846793005ULL + 1442695040888963407ULL;
			numbers[k][i] = (state >> 40) % 120 + k * 5; /* below 128 each has a bucket of its own */
			ck_assert_int_eq(quantiles_add(&q[k], numbers[k][i]), 0);
		}
	}
	for (size_t i = 0; i < 300; i++)
		for (size_t k = 0; k < 300; k++)
			u += numbers[1][i] > numbers[0][k] ? 1 : numbers[1][i] == numbers[0][k] ? 0.5 : 0;
	ck_assert(near(mann_whitney(&q[0], &q[1]).u, u));
	quantiles_fini(&q[0]);
	quantiles_fini(&q[1]);
}
END_TEST

/* By hand: p n / rank, and none larger than the next one's. In another order the same. */
START_TEST(benjamini_hochberg)
{
	double p[] = { 0.041, 0.001, 0.008, 0.9, 0.039, 0.042 };
	const double want[] = { 0.0504, 0.006, 0.024, 0.9, 0.0504, 0.0504 };

	ck_assert_int_eq(adjust_p(p, ARRAY_LEN(p)), 0);
	for (size_t i = 0; i < ARRAY_LEN(p); i++)
		ck_assert_msg(near(p[i], want[i]), "%zu: %g, not %g", i, p[i], want[i]);
	ck_assert_int_eq(adjust_p(p, 0), 0);
}
END_TEST

/* Of 100 numbers the median's interval is from the 40th to the 61st, as tables have it. */
START_TEST(intervals)
{
	struct quantiles q = { 0 };
	uint64_t low, high;

	ck_assert(!median_interval(&q, 1.96, 1, &low, &high));
	for (uint64_t i = 1; i <= 100; i++)
		ck_assert_int_eq(quantiles_add(&q, i), 0);
	ck_assert(median_interval(&q, 1.96, 1, &low, &high));
	ck_assert_uint_eq(low, 40);
	ck_assert_uint_eq(high, 61);
	/* When they tell as much as 25 would. */
	ck_assert(median_interval(&q, 1.96, 4, &low, &high));
	ck_assert_uint_eq(low, 30);
	ck_assert_uint_eq(high, 71);
	ck_assert(median_interval(&q, 1.96, 1e6, &low, &high));
	ck_assert_uint_eq(low, 1);
	ck_assert_uint_eq(high, 100);
	quantiles_fini(&q);
}
END_TEST

START_TEST(dependence)
{
	struct batches alone = { 0 }, runs = { 0 }, few = { 0 }, equal = { 0 };
	struct design design;
	uint64_t state = 7, value = 0;

	for (unsigned int i = 0; i < 100000; i++) {
		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		batches_add(&alone, 1000 + (state >> 40) % 1000);
		/* Each number comes 50 times in a row: 50 of them tell as much as one. */
		if (i % 50 == 0)
			value = 1000 + (state >> 40) % 1000;
		batches_add(&runs, value);
		batches_add(&equal, 1000);
	}
	design = batches_design(&alone);
	ck_assert(design.effect < 2.5 && design.freedom >= 15 && design.freedom < BATCHES);
	design = batches_design(&runs);
	ck_assert_msg(design.effect > 25 && design.effect < 125, "%g", design.effect);
	ck_assert(near(batches_design(&equal).effect, 1));
	for (unsigned int i = 0; i < 31; i++)
		batches_add(&few, 1000 + i);
	ck_assert(near(batches_design(&few).freedom, 0));
	batches_add(&few, 1000);
	ck_assert(near(batches_design(&few).freedom, 3));
}
END_TEST

/*
 * Numbers that are drawn independently: of 400 rows of numbers, next to none may seem to depend on each other, however many numbers there are. If a row is on
 * another level in one half than in the other, its variance is larger by far, because the next recording may be on either level.
 */
START_TEST(drift)
{
	uint64_t state = 11;

	for (unsigned int n = 100; n <= 1000; n += 900) {
		unsigned int large = 0;

		for (unsigned int i = 0; i < 400; i++) {
			struct batches alone = { 0 }, halves = { 0 };

			for (unsigned int k = 0; k < n; k++) {
				uint64_t number;

				state = state * 6364136223846793005ULL + 1442695040888963407ULL;
				number = 1000 + (state >> 40) % 1000;
				batches_add(&alone, number);
				batches_add(&halves, k < n / 2 ? number : 2 * number);
			}
			large += batches_design(&alone).effect > 4;
			ck_assert_msg(batches_design(&halves).effect > n / 4, "%g of %u", batches_design(&halves).effect, n);
		}
		/* One in a thousand by a drift, and a few more by batches that happen to be alike. */
		ck_assert_msg(large <= 8, "%u of %u", large, n);
	}
}
END_TEST

START_TEST(middles)
{
	ck_assert(near(middle_of((double[]){ 3, 1, 2 }, 3), 2));
	ck_assert(near(middle_of((double[]){ 4, 3, 1, 2 }, 4), 2));
	ck_assert(near(batches_scale(1024), 10) && near(batches_scale(1536), 10.5) && near(batches_scale(1), 0) && batches_scale(0) < 0);
}
END_TEST

Suite *compare_suite(void)
{
	Suite *suite = suite_create("compare");
	TCase *tests = tcase_create("compare");

	suite_add_tcase(suite, tests);
	tcase_add_test(tests, distribution_functions);
	tcase_add_test(tests, mann_whitney_by_hand);
	tcase_add_test(tests, mann_whitney_of_many);
	tcase_add_test(tests, benjamini_hochberg);
	tcase_add_test(tests, intervals);
	tcase_add_test(tests, dependence);
	tcase_add_test(tests, drift);
	tcase_add_test(tests, middles);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/top: rows of what happens, since the last refresh and in all. */
#include "lib/analysis/top.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <time.h>

static void add(struct top *top, uint64_t id, uint64_t ns, int pid)
{
	char name[32];

	snprintf(name, sizeof(name), "task-%llu", (unsigned long long)id);
	ck_assert_int_eq(top_add(top, (struct key){ id, 0, 0 }, name, (int64_t)id, ns, "who", pid), 0);
}

/* What came before a refresh is told after it, and is gone at the next one, but for the sums of all. */
START_TEST(refreshes)
{
	struct top top = TOP_NONE;
	struct top_row *row;

	add(&top, 7, 100, 1);
	add(&top, 7, 300, 1);
	add(&top, 8, TOP_NO_TIME, 1);
	ck_assert_int_eq(top_turn(&top, 1000), 0);
	ck_assert_uint_eq(top_sums(&top).n, 3);
	ck_assert_uint_eq(top_sums(&top).ns, 400);
	row = top_find(&top, (struct key){ 7, 0, 0 });
	ck_assert_uint_eq(row->last.n, 2);
	ck_assert_uint_eq(quantiles_at(&row->last.times, 500), 100);
	add(&top, 7, 50, 1);
	ck_assert_uint_eq(row->last.n, 2);
	ck_assert_int_eq(top_turn(&top, 1000), 0);
	ck_assert_uint_eq(row->last.n, 1);
	ck_assert_uint_eq(row->last.ns, 50);
	ck_assert_uint_eq(row->all.n, 3);
	ck_assert_uint_eq(row->all.ns, 450);
	ck_assert_uint_eq(row->all.times.n, 3);
	ck_assert_int_eq(top_turn(&top, 1000), 0);
	ck_assert_uint_eq(top_sums(&top).n, 0);
	ck_assert_uint_eq(row->all.n, 3);
	ck_assert_ptr_null(top_find(&top, (struct key){ 9, 0, 0 }));
	top_fini(&top);
}
END_TEST

static void ordered(const struct top *top, enum top_sort sort, const char *filter, const char *want)
{
	uint32_t *order;
	char got[64] = "";
	size_t n;

	ck_assert_int_eq(top_order(top, sort, filter, &order, &n), 0);
	for (size_t i = 0; i < n; i++)
		snprintf(got + strlen(got), sizeof(got) - strlen(got), "%lld ", (long long)top->rows.at[order[i]].id);
	ck_assert_str_eq(got, want);
	free(order);
}

START_TEST(order)
{
	struct top top = TOP_NONE;

	add(&top, 3, 10, 1);
	add(&top, 1, 40, 1);
	add(&top, 2, 15, 1);
	add(&top, 2, 16, 1);
	add(&top, 12, 1, 1);
	ck_assert_int_eq(top_turn(&top, 1000), 0);
	ordered(&top, TOP_BY_TIME, NULL, "1 2 3 12 ");
	ordered(&top, TOP_BY_RATE, "", "2 1 3 12 ");
	ordered(&top, TOP_BY_NAME, NULL, "1 12 2 3 ");
	ordered(&top, TOP_BY_P50, NULL, "2 1 3 12 "); /* one alone has no median */
	ordered(&top, TOP_BY_CALLS, "TASK-1", "1 12 ");
	ordered(&top, TOP_BY_TIME, "nobody", "");
	ck_assert_int_eq(top_turn(&top, 1000), 0);
	ordered(&top, TOP_BY_TIME, NULL, "2 1 12 3 "); /* nothing since: by all calls, then by name */
	top_fini(&top);
}
END_TEST

/* Who did it is counted from when the row is opened on, of that row alone. */
START_TEST(behind)
{
	struct top top = TOP_NONE;

	add(&top, 1, 10, 5);
	top_open(&top, 0);
	add(&top, 1, 20, 5);
	add(&top, 1, 30, 6);
	add(&top, 1, 40, 5);
	add(&top, 2, 50, 5);
	ck_assert_uint_eq(top.tasks.n, 2);
	ck_assert_str_eq(top.tasks.at[0].name, "who-5");
	ck_assert_uint_eq(top.tasks.at[0].n, 2);
	ck_assert_uint_eq(top.tasks.at[0].ns, 60);
	ck_assert_uint_eq(top.tasks.at[1].n, 1);
	top_open(&top, SIZE_MAX);
	add(&top, 1, 20, 5);
	ck_assert_uint_eq(top.tasks.n, 0);
	top_fini(&top);
}
END_TEST

/* 10,000 tasks on 256 CPUs: a refresh, its order and its sums. The CPU time of this thread, so that a busy machine does not matter. */
START_TEST(many_tasks)
{
	struct timespec begin, end;
	struct top top = TOP_NONE;
	uint32_t *sorted;
	size_t n;

	for (uint64_t i = 0; i < 200000; i++)
		add(&top, i * 7919 % 10000, 1000 + i % 100000, (int)(i % 256));
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	ck_assert_int_eq(top_turn(&top, 1000000000), 0);
	ck_assert_int_eq(top_order(&top, TOP_BY_P99, "task", &sorted, &n), 0);
	ck_assert_uint_eq(top_sums(&top).n, 200000);
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
	ck_assert_uint_eq(n, 10000);
	ck_assert((double)(end.tv_sec - begin.tv_sec) + (double)(end.tv_nsec - begin.tv_nsec) / 1e9 < 1);
	free(sorted);
	top_fini(&top);
}
END_TEST

Suite *top_suite(void)
{
	Suite *s = suite_create("top");
	TCase *c = tcase_create("rows");

	tcase_add_test(c, refreshes);
	tcase_add_test(c, order);
	tcase_add_test(c, behind);
	tcase_add_test(c, many_tasks);
	suite_add_tcase(s, c);
	return s;
}

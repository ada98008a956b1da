/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/within: calls of a least duration as they happen. Reports of files are tests/cli/report-calls. */
#include "lib/analysis/within.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

static const uint64_t alpha = 0xffff000000001000, beta = 0xffff000000002000;

/* alpha calls beta three times: briefly, as a leaf that lasts 60 ns, and for 50 ns; another task is quick. */
static size_t make_records(struct record *to)
{
	struct record leaf_exit = hand_exit(9, 180, 0, 7, beta, 1, 60);
	const struct record all[] = {
		hand_entry(0, 100, 0, 7, alpha, 0),   hand_entry(1, 101, 0, 7, beta, 1),       hand_switch(2, 102, 0, 7, "seven", 8, "eight"),
		hand_exit(3, 110, 0, 7, beta, 1, 9),  hand_entry(4, 120, 0, 7, beta, 1),       leaf_exit,
		hand_entry(5, 200, 0, 7, beta, 1),    hand_entry(6, 210, 1, 8, beta, 0),       hand_exit(7, 220, 1, 8, beta, 0, 10),
		hand_exit(8, 250, 0, 7, beta, 1, 50), hand_exit(10, 260, 0, 7, alpha, 0, 160),
	};

	memcpy(to, all, sizeof(all));
	to[4].flags = RECORD_LEAF;
	to[4].exit = leaf_exit.data;
	to[4].exit_size = (uint16_t)leaf_exit.size;
	to[5].flags = RECORD_FOLDED;
	to[6].flags = RECORD_LOST;
	to[6].lost = 3;
	return ARRAY_LEN(all);
}

/* The times of what is left, with "-" for a loss without a record. */
static void check_left(const char *func, uint64_t min, const char *want)
{
	struct within_options opt = { .min_duration = min, .live = true };
	struct record records[16];
	struct batch batch = { .records = records, .n = make_records(records) };
	struct hand_trace hand;
	struct within *w;
	struct str left = { 0 };

	hand_trace_open(&hand);
	if (func)
		ck_assert_int_eq(strv_add(&opt.funcs, func), 0);
	ck_assert_int_eq(within_new(&w, &hand.inputs, &opt), 0);
	ck_assert_ptr_null(within_scan(w));
	ck_assert_int_eq(within_batch(w, &batch), 0);
	for (size_t i = 0; i < batch.n; i++)
		str_addf(&left, "%s%s%d", i ? " " : "", records[i].flags & RECORD_NODATA ? "-" : "", (int)records[i].ts);
	ck_assert_str_eq(str_text(&left), want);
	str_fini(&left);
	within_free(w);
	strv_fini(&opt.funcs);
	hand_trace_close(&hand);
}

/* What tells that a call has lasted long enough: its exit, or the entry of a leaf with the exit folded into it. */
START_TEST(live_durations)
{
	check_left(NULL, 50, "120 180 -200 250 260");
	check_left(NULL, 51, "120 180 -200 260");
	check_left(NULL, 9, "110 120 180 -200 220 250 260");
	check_left("beta", 50, "120 180 -200 250");
	check_left("alph*", 50, "-200 260");
}
END_TEST

/* Without a least duration it is as in a file: all that happens in such a call. */
START_TEST(live_functions)
{
	check_left("alpha", 0, "100 101 102 110 120 180 200 250 260");
	check_left("beta", 0, "101 102 110 120 180 200 210 220 250");
}
END_TEST

Suite *within_suite(void)
{
	Suite *suite = suite_create("within");
	TCase *tc = tcase_create("live");

	tcase_add_test(tc, live_durations);
	tcase_add_test(tc, live_functions);
	suite_add_tcase(suite, tc);
	return suite;
}

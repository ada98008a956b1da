/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/wakeups: from the wakeup to the switch. */
#include "lib/analysis/wakeups.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

/* W wakeup of 8, w waking of 8, S switch to 8, L the same behind a loss, o switch to another; a time unit each. */
static const struct {
	const char *records, *waits; /* at each switch to 8: how long, "-": not told */
} cases[] = {
	{ "WS", "1" },		{ "WooS", "3" },  { "WSS", "1-" }, { "S", "-" }, { "WWS", "1" }, /* the last one */
	{ "wS", "1" },										 /* when there is nothing else */
	{ "wWSwoWS", "11" },	{ "WSwS", "1-" },						 /* no wakeup came of it */
	{ "woWSwSWoS", "1-2" }, { "WLWS", "-1" },
};

START_TEST(wakeups)
{
	const char *at = cases[_i].records;
	struct hand_trace hand;
	struct wakeups *w;
	struct str told = { 0 };
	uint64_t count = 0;

	hand_trace_open(&hand);
	ck_assert_int_eq(wakeups_new(&w, &hand.inputs), 0);
	ck_assert_ptr_nonnull(w);
	for (uint64_t ts = 1; *at; at++, ts++) {
		struct record rec = *at == 'W'	 ? hand_wakeup(0, ts, 0, 7, ID_WAKEUP, 8)
				    : *at == 'w' ? hand_wakeup(0, ts, 1, 7, ID_WAKING, 8)
						 : hand_switch(0, ts, 1, 7, "seven", *at == 'o' ? 9 : 8, "x");
		struct batch batch = { .records = &rec, .n = 1 };

		if (*at == 'L') {
			rec.flags |= RECORD_LOST;
			rec.lost = 1;
		}
		ck_assert_int_eq(wakeups_batch(w, &batch), 0);
		wakeups_count(w, &batch);
		if (rec.flags & RECORD_WOKEN)
			str_addf(&told, "%d", (int)rec.took);
		else if (*at == 'S' || *at == 'L')
			str_addc(&told, '-');
		count += !!(rec.flags & RECORD_WOKEN);
	}
	ck_assert_str_eq(str_text(&told), cases[_i].waits);
	ck_assert_uint_eq(wakeups_result(w)->all.count, count);
	ck_assert_uint_eq(wakeups_result(w)->rt.count, 0);
	str_fini(&told);
	wakeups_free(w);
	hand_trace_close(&hand);
}
END_TEST

Suite *wakeups_suite(void)
{
	Suite *s = suite_create("wakeups");
	TCase *c = tcase_create("waits");

	tcase_add_loop_test(c, wakeups, 0, ARRAY_LEN(cases));
	suite_add_tcase(s, c);
	return s;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/select: which records of a trace made by hand are left. */
#include "lib/analysis/select.h"
#include "tests/unit/dat.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

enum { RECORDS = 9 };

/*
 * A letter each. On CPU 0: a 7 gives way to 11; b 9 wakes 7 up, c the stack of it; f a system call of 7 in a hard interrupt,
 * g the stack of it. On CPU 1: d a function of 8, e the stack of it; h a text of 10 in a soft interrupt; i a system call of 8.
 */
static void make(struct record recs[RECORDS])
{
	static const uint64_t callers[5] = { 0x1000, 0x2000 };
	struct record made[RECORDS] = {
		hand_switch(0, 1, 0, 7, "seven", 11, "eleven"),
		hand_wakeup(1, 2, 0, 9, ID_WAKEUP, 7),
		hand_stack(2, 3, 0, 9, callers),
		hand_function(3, 4, 1, 8, 0x1000, 0x2000),
		hand_stack(4, 5, 1, 8, callers),
		hand_flags(hand_syscall(5, 6, 0, 7, ID_SYS_ENTER, 3), FLAG_HARDIRQ),
		hand_flags(hand_stack(6, 7, 0, 7, callers), FLAG_HARDIRQ),
		hand_flags(hand_print(7, 8, 1, 10, "hello"), FLAG_SOFTIRQ),
		hand_syscall(8, 9, 1, 8, ID_ENTER_OPENAT, 257),
	};

	memcpy(recs, made, sizeof(made));
}

struct wish {
	const char *events[2], *pids[2], *tids[2], *comms[2], *keep[2], *drop[2];
	bool no_hardirq, no_softirq;
	const char *left;
};

static void add(strv_t *to, const char *const texts[2])
{
	for (int i = 0; i < 2 && texts[i]; i++)
		ck_assert_int_eq(strv_add(to, texts[i]), 0);
}

static void wish_open(struct select_options *opt, const struct wish *wish)
{
	*opt = (struct select_options){ .no_hardirq = wish->no_hardirq, .no_softirq = wish->no_softirq };
	add(&opt->events, wish->events);
	add(&opt->pids, wish->pids);
	add(&opt->tids, wish->tids);
	add(&opt->comms, wish->comms);
	add(&opt->keep, wish->keep);
	add(&opt->drop, wish->drop);
}

static void wish_close(struct select_options *opt)
{
	strv_t *const all[] = { &opt->events, &opt->pids, &opt->tids, &opt->comms, &opt->keep, &opt->drop };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		strv_fini(all[i]);
}

static const struct wish wishes[] = {
	{ .left = "abcdefghi" },
	{ .events = { "sched_switch" }, .left = "a" },
	{ .events = { "sched:" }, .left = "abc" },
	{ .events = { "sched/" }, .left = "abc" },
	{ .events = { "sched/sched_switch" }, .left = "a" },
	{ .events = { "sched:sched_wakeup" }, .left = "bc" },
	{ .events = { "sched_*" }, .left = "abc" },
	{ .events = { "s*:*_switch" }, .left = "a" },
	{ .events = { "sched_switch,function" }, .left = "ade" },
	{ .events = { "sched_switch", "function" }, .left = "ade" },
	{ .events = { "print" }, .left = "h" },
	{ .pids = { "7" }, .left = "abcfg" },
	{ .pids = { "11" }, .left = "a" }, /* only told of */
	{ .pids = { "10,8" }, .left = "dehi" },
	{ .pids = { "10", "8" }, .left = "dehi" },
	{ .pids = { "12" }, .left = "" },
	{ .tids = { "7" }, .left = "afg" },
	{ .tids = { "11" }, .left = "" },
	{ .tids = { "9,10" }, .left = "bch" },
	{ .comms = { "a name with spaces" }, .left = "dei" },
	{ .comms = { "nobody,a name*" }, .left = "dei" },
	{ .comms = { "a name" }, .left = "" },
	{ .events = { "function" }, .pids = { "7" }, .left = "" },
	{ .events = { "function,sched:" }, .tids = { "8" }, .left = "de" },
	{ .no_hardirq = true, .left = "abcdehi" },
	{ .no_softirq = true, .left = "abcdefgi" },
	{ .no_hardirq = true, .tids = { "7" }, .left = "a" },
	{ .keep = { "sched_wakeup: pid == 7" }, .left = "bc" },
	{ .keep = { "sched_wakeup: pid == 8" }, .left = "" },
	{ .keep = { "sched_wakeup: pid == 7", "print" }, .left = "bch" },
	{ .drop = { "function" }, .left = "abcfghi" },
	{ .drop = { "sched_switch: next_pid == 12" }, .left = "abcdefghi" },
	{ .keep = { "sched/.*" }, .drop = { "sched_switch: next_pid == 11" }, .left = "bc" },
	{ .keep = { "sched/.*" }, .events = { "sched_switch" }, .left = "a" },
};

/* @run records to a batch: what a stack goes with may be in another one. */
static void check(const struct wish *wish, size_t run)
{
	struct record recs[RECORDS];
	struct select_options opt;
	struct hand_trace hand;
	struct select *sel;
	struct str left = { 0 };

	wish_open(&opt, wish);
	hand_trace_open(&hand);
	make(recs);
	ck_assert_int_eq(select_new(&sel, &hand.inputs, &opt), 0);
	ck_assert_int_eq(select_is_empty(sel), wish == wishes);
	for (size_t i = 0; i < RECORDS; i += run) {
		struct batch batch = { .records = &recs[i], .n = run };
		struct stage *stage = select_stage(sel);

		ck_assert_int_eq(stage->batch(stage, &batch), 0);
		for (size_t k = 0; k < batch.n; k++)
			str_addc(&left, (char)('a' + batch.records[k].ts - 1));
	}
	ck_assert_msg(strcmp(str_text(&left), wish->left) == 0, "wish %td: '%s' is left, not '%s'", wish - wishes, str_text(&left), wish->left);
	str_fini(&left);
	select_free(sel);
	hand_trace_close(&hand);
	wish_close(&opt);
}

START_TEST(chosen)
{
	check(&wishes[_i], RECORDS);
	check(&wishes[_i], 1);
}
END_TEST

/* What is wrong, and what the message has to name. */
static const struct {
	struct wish wish;
	const char *says;
} refusals[] = {
	{ { .events = { "nonsuch_at_all" } }, "nonsuch_at_all" },
	{ { .events = { "sched_swich" } }, "sched_switch" },
	{ { .events = { "sched_switch,nonsuch_at_all" } }, "nonsuch_at_all" },
	{ { .events = { "irq:sched_switch" } }, "irq:sched_switch" },
	{ { .pids = { "x" } }, "--pid x" },
	{ { .pids = { "7,-1" } }, "--pid -1" },
	{ { .pids = { "99999999999" } }, "--pid 99999999999" },
	{ { .tids = { "7x" } }, "--tid 7x" },
	{ { .keep = { "sched_switch: ((" } }, "sched_switch" },
	{ { .drop = { "nonsuch_at_all: pid == 1" } }, "nonsuch_at_all" },
	{ { .keep = { "sched_switch: next_pit == 1" } }, "next_pid" },
};

START_TEST(refused)
{
	struct select_options opt;
	struct hand_trace hand;
	struct select *sel;
	char *said;

	wish_open(&opt, &refusals[_i].wish);
	hand_trace_open(&hand);
	messages_begin();
	ck_assert_int_eq(select_new(&sel, &hand.inputs, &opt), -EINVAL);
	said = messages_end();
	ck_assert_msg(strstr(said, refusals[_i].says) != NULL, "refusal %d: %s", _i, said);
	free(said);
	hand_trace_close(&hand);
	wish_close(&opt);
}
END_TEST

/* A loss before a record that is dropped stays, one before a record that is kept stays with it. */
START_TEST(losses_stay)
{
	struct select_options opt;
	struct hand_trace hand;
	struct select *sel;
	struct record recs[4];
	struct batch batch = { .records = recs, .n = ARRAY_LEN(recs) };

	wish_open(&opt, &(struct wish){ .tids = { "7" } });
	hand_trace_open(&hand);
	recs[0] = hand_print(0, 1, 0, 9, "dropped");
	recs[1] = hand_print(1, 2, 0, 9, "dropped, but for its loss");
	recs[2] = hand_print(2, 3, 0, 7, "kept");
	recs[3] = (struct record){ .ts = 4, .cpu = 1, .flags = RECORD_LOST | RECORD_NODATA, .lost = 5 };
	recs[1].flags |= RECORD_LOST;
	recs[1].lost = LOST_UNKNOWN;
	recs[2].flags |= RECORD_LOST;
	recs[2].lost = 3;
	ck_assert_int_eq(select_new(&sel, &hand.inputs, &opt), 0);
	ck_assert_int_eq(select_batch(sel, &batch), 0);
	ck_assert_uint_eq(batch.n, 3);
	ck_assert_uint_eq(batch.records[0].ts, 2);
	ck_assert_ptr_null(batch.records[0].data);
	ck_assert_int_eq(batch.records[0].flags & (RECORD_LOST | RECORD_NODATA), RECORD_LOST | RECORD_NODATA);
	ck_assert_int_eq(batch.records[0].lost, LOST_UNKNOWN);
	ck_assert_uint_eq(batch.records[1].ts, 3);
	ck_assert_ptr_nonnull(batch.records[1].data);
	ck_assert_int_eq(batch.records[1].flags & (RECORD_LOST | RECORD_NODATA), RECORD_LOST);
	ck_assert_int_eq(batch.records[1].lost, 3);
	ck_assert_uint_eq(batch.records[2].ts, 4);
	ck_assert_int_eq(batch.records[2].lost, 5);
	select_free(sel);
	hand_trace_close(&hand);
	wish_close(&opt);
}
END_TEST

/* A name that becomes known meanwhile counts from then on. */
START_TEST(names_change)
{
	struct select_options opt;
	struct hand_trace hand;
	struct select *sel;

	wish_open(&opt, &(struct wish){ .comms = { "late*" } });
	opt.live = true;
	hand_trace_open(&hand);
	ck_assert_int_eq(select_new(&sel, &hand.inputs, &opt), 0);
	for (int known = 0; known < 2; known++) {
		struct record rec = hand_print(0, 1, 0, 20, "hello");
		struct batch batch = { .records = &rec, .n = 1 };

		if (known)
			comms_learn(hand.trace->comms, 20, "latecomer", 9);
		ck_assert_int_eq(select_batch(sel, &batch), 0);
		ck_assert_uint_eq(batch.n, (size_t)known);
	}
	select_free(sel);
	hand_trace_close(&hand);
	wish_close(&opt);
}
END_TEST

/* Is the event named? And what the filters come to. */
START_TEST(events_and_filters)
{
	struct select_options opt;
	struct hand_trace hand;
	struct select *sel;
	strv_t texts = { 0 };

	hand_trace_open(&hand);
	for (int named = 0; named < 2; named++) {
		wish_open(&opt, named ? &(struct wish){ .events = { "sched:" } }
				      : &(struct wish){ .keep = { "sched_wakeup: pid == 7" }, .drop = { "sched_switch: next_pid == 3" } });
		ck_assert_int_eq(select_new(&sel, &hand.inputs, &opt), 0);
		ck_assert(select_event(sel, trace_find(hand.trace, "sched", "sched_switch")));
		ck_assert_ptr_eq(trace_find_said(hand.trace, "sched:sched_switch"), trace_find(hand.trace, "sched", "sched_switch"));
		ck_assert_ptr_eq(trace_find_said(hand.trace, "sched_switch"), trace_find(hand.trace, "sched", "sched_switch"));
		ck_assert_ptr_null(trace_find_said(hand.trace, "sche:sched_switch"));
		ck_assert_ptr_null(trace_find_said(hand.trace, "schedule:sched_switch"));
		ck_assert_ptr_null(trace_find_said(hand.trace, "sched:"));
		ck_assert_int_eq(select_event(sel, trace_find(hand.trace, "ftrace", "print")), !named);
		ck_assert_int_eq(select_filter_text(sel, &texts), 0);
		ck_assert_uint_eq(texts.n, 2); /* those of the first round */
		select_free(sel);
		wish_close(&opt);
	}
	ck_assert_ptr_nonnull(strstr(texts.at[0], "sched_wakeup"));
	ck_assert_ptr_nonnull(strstr(texts.at[0], "7"));
	ck_assert_ptr_nonnull(strstr(texts.at[1], "sched_switch"));
	ck_assert_ptr_nonnull(strstr(texts.at[1], "next_pid"));
	strv_fini(&texts);
	hand_trace_close(&hand);
}
END_TEST

START_TEST(tasks)
{
	static const struct {
		struct wish wish;
		const char *comm;
		int pid;
		bool want;
	} rows[] = {
		{ { .left = "" }, "sh", 7, true },
		{ { .pids = { "7" } }, "sh", 7, true },
		{ { .pids = { "7" } }, "sh", 70, false },
		{ { .pids = { "6,7" } }, "sh", 7, true },
		{ { .pids = { "6", "7" } }, "sh", 7, true },
		{ { .tids = { "6,7" } }, "sh", 8, false },
		{ { .tids = { "6,7" } }, "sh", 6, true },
		{ { .comms = { "s?" } }, "sh", 7, true },
		{ { .comms = { "s?" } }, "ssh", 7, false },
		{ { .comms = { "make,ba*" } }, "bash", 7, true },
		{ { .comms = { "make", "sh" } }, "bash", 7, false },
		/* As of records: of --pid and --comm one is enough. */
		{ { .pids = { "7" }, .comms = { "make" } }, "sh", 7, true },
		{ { .pids = { "7" }, .comms = { "sh" } }, "sh", 8, true },
		{ { .pids = { "7" }, .comms = { "make" } }, "sh", 8, false },
		{ { .pids = { "7" }, .comms = { "make" }, .tids = { "8" } }, "sh", 7, false },
		{ { .comms = { "sh" }, .tids = { "8" } }, "sh", 8, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct select_options opt;

		wish_open(&opt, &rows[i].wish);
		ck_assert_msg(select_task(&opt, rows[i].comm, rows[i].pid) == rows[i].want, "row %zu", i);
		wish_close(&opt);
	}
}
END_TEST

Suite *select_suite(void)
{
	Suite *suite = suite_create("select");
	TCase *tc = tcase_create("records");

	tcase_add_loop_test(tc, chosen, 0, ARRAY_LEN(wishes));
	tcase_add_loop_test(tc, refused, 0, ARRAY_LEN(refusals));
	tcase_add_test(tc, losses_stay);
	tcase_add_test(tc, names_change);
	tcase_add_test(tc, events_and_filters);
	tcase_add_test(tc, tasks);
	suite_add_tcase(suite, tc);
	return suite;
}

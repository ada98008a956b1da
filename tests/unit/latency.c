/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/latency: which return belongs to which call; and lib/analysis/calls, to which they are calls. */
#include "lib/analysis/calls.h"
#include "lib/analysis/latency.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>

/*
 * What happens, a word for each 10 units of time: f or g is called (F or G returns) with this stack pointer by task 7, by
 * task 8 behind a comma; ! is a loss on its CPU before the next.
 */
static const struct {
	const char *happens;
	const char *returns; /* TIME-BEGAN of each return that has its call */
	const char *open;    /* the times of calls without a return, ! behind them: events were lost since */
} cases[] = {
	{ "f1000 F1008", "10-0", "" },
	/* nested and recursive */
	{ "f1000 f0fe0 g0fc0 G0fc8 F0fe8 F1008", "30-20 40-10 50-0", "" },
	/* directly, without a frame between: what one returns with is what the other began with */
	{ "f1000 f0ff8 F1000 F1008", "20-10 30-0", "" },
	/* two tasks */
	{ "f1000 f1000,8 F1008 F1008,8", "20-0 30-10", "" },
	/* f jumps to g at its end: both return with the same */
	{ "f1000 g1000 G1008 F1008", "20-10 30-0", "" },
	/* a return was missed: the next call from the same place has its own */
	{ "f1000 f1000 F1008", "20-10", "0" },
	/* the inner return was missed: the outer one is not taken for it */
	{ "f1000 f0fe0 F1008", "20-0", "10" },
	/* a call was missed: its return has none */
	{ "f1000 F0fe8 F1008", "20-0", "" },
	{ "f1000 F1000 F1008", "20-0", "" },
	/* longjmp() over both, then another call from higher up, and its return */
	{ "f1000 g0fe0 f1010 F1018", "30-20", "0 10" },
	/* a missed return, then a missed call from the same place: it is not given to the old call */
	{ "g2000 f1fe0 g2000 F1fe8 G2008", "40-20", "0 10" },
	/* on the stack of an interrupt: what waits on the other one stays */
	{ "f1000 gf0000 Gf0008 F1008", "20-10 30-0", "" },
	{ "ff0000 g1000 G1008 Ff0008", "20-10 30-0", "" },
	/* coroutines that take turns */
	{ "f10000 f20000 F10008 F20008", "20-0 30-10", "" },
	/* a program of 32 bits */
	{ "f1000 F1004", "10-0", "" },
	/* nothing that was open at a loss is believed */
	{ "f1000 f0fe0 !F0fe8 f0fe0 F0fe8 F1008", "40-30", "" },
	{ "f1000 !f0fe0", "", "0! 10" },
	/* a loss on another CPU: the task may have been there */
	{ "f1000 !g5000,8 F1008", "", "10" },
	/* returns alone */
	{ "F1008 G2008", "", "" },
};

static void check_open(struct latency *latency, const char *want)
{
	const struct latency_open *open;
	struct str got = { 0 };
	uint64_t all;
	size_t n;

	ck_assert_int_eq(latency_end(latency, &open, &n, &all), 0);
	ck_assert_uint_eq(all, n);
	for (size_t i = 0; i < n; i++)
		str_addf(&got, "%s%llu%s", i ? " " : "", (unsigned long long)open[i].ts, open[i].lost ? "!" : "");
	ck_assert_str_eq(str_text(&got), want);
	str_fini(&got);
}

/* What the calls say of the same records. */
struct told {
	struct calls *calls;
	struct calls_user user;
	struct str text;
	size_t entered, left;
};

static int on_end(void *ctx, __unused struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct told *told = ctx;

	ck_assert_int_eq(end->duration == CALL_UNKNOWN, end->cut != 0);
	if (end->rec && !end->cut)
		str_addf(&told->text, "%s%llu-%llu", told->text.len ? " " : "", (unsigned long long)end->ns, (unsigned long long)(end->ns - end->duration));
	ck_assert_uint_eq(end->cut || end->duration == end->ns - frame->ns, 1);
	return 0;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	((struct told *)ctx)->left++;
	return on_end(ctx, task, frame, end);
}

static int on_enter(void *ctx, __unused struct call_task *task, __unused struct call_frame *frame, const struct record *rec)
{
	((struct told *)ctx)->entered += rec != NULL;
	return 0;
}

static const struct calls_ops told_ops = { .enter = on_enter, .leave = on_leave, .over = on_end };

static void told_begin(struct told *told, const struct hand_trace *hand)
{
	*told = (struct told){ .user = { .ops = &told_ops, .ctx = told } };
	ck_assert_int_eq(calls_new(&told->calls, &hand->inputs), 0);
	ck_assert_int_eq(calls_add(told->calls, &told->user), 0);
}

static void told_end(struct told *told, const char *want, size_t calls)
{
	ck_assert_int_eq(calls_end(told->calls), 0);
	ck_assert_str_eq(str_text(&told->text), want);
	ck_assert_uint_eq(told->entered, calls);
	ck_assert_uint_ge(told->left, calls);
	str_fini(&told->text);
	calls_free(told->calls);
}

START_TEST(pairs)
{
	static const char names[] = "fFgG";
	struct hand_trace hand;
	struct latency *latency;
	struct str got = { 0 };
	struct told told;
	size_t calls = 0;
	uint64_t ts = 0;

	hand_trace_open(&hand);
	told_begin(&told, &hand);
	ck_assert_int_eq(latency_new(&latency, &hand.inputs), 0);
	ck_assert_ptr_nonnull(latency);
	for (const char *at = cases[_i].happens; *at; ts += 10) {
		bool lost = *at == '!';
		unsigned long sp;
		int pid = 7, len;
		char what;
		struct record rec;
		struct batch batch = { .records = &rec, .n = 1 };

		at += lost;
		ck_assert_int_eq(sscanf(at, "%c%lx%n", &what, &sp, &len), 2);
		at += len;
		if (sscanf(at, ",%d%n", &pid, &len) == 1)
			at += len;
		at += *at == ' ';
		rec = (strchr("FG", what) ? hand_return : hand_call)(0, ts, pid == 8, pid, (uint16_t)(ID_F + (strchr(names, what) - names)), sp);
		if (lost) {
			rec.flags |= RECORD_LOST;
			rec.lost = 3;
		}
		calls += !!strchr("fg", what);
		ck_assert_int_eq(calls_record(told.calls, &rec), 0);
		ck_assert_int_eq(latency_batch(latency, &batch), 0);
		if (rec.flags & RECORD_TIMED)
			str_addf(&got, "%s%llu-%llu", got.len ? " " : "", (unsigned long long)ts, (unsigned long long)(ts - rec.took));
	}
	ck_assert_str_eq(str_text(&got), cases[_i].returns);
	check_open(latency, cases[_i].open);
	told_end(&told, cases[_i].returns, calls);
	str_fini(&got);
	latency_free(latency);
	hand_trace_close(&hand);
}
END_TEST

/* So many calls without a return that they are only counted. */
START_TEST(many_open)
{
	const struct latency_open *open;
	struct hand_trace hand;
	struct latency *latency;
	uint64_t all;
	size_t n;

	hand_trace_open(&hand);
	ck_assert_int_eq(latency_new(&latency, &hand.inputs), 0);
	for (uint64_t i = 0; i < 5000; i++) {
		struct record rec = hand_call(0, i, 0, 7, ID_F, 0x1000);
		struct batch batch = { .records = &rec, .n = 1 };

		ck_assert_int_eq(latency_batch(latency, &batch), 0);
	}
	ck_assert_int_eq(latency_end(latency, &open, &n, &all), 0);
	ck_assert_uint_eq(all, 5000);
	ck_assert_uint_eq(n, 1000);
	ck_assert_uint_eq(open[0].ts, 0);
	latency_free(latency);
	hand_trace_close(&hand);
}
END_TEST

Suite *latency_suite(void)
{
	Suite *s = suite_create("latency");
	TCase *c = tcase_create("pairs");

	tcase_add_loop_test(c, pairs, 0, ARRAY_LEN(cases));
	tcase_add_test(c, many_open);
	suite_add_tcase(s, c);
	return s;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis: two events that belong together, as they are said and as they are found. */
#include "lib/analysis/pair-match.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

enum { READ = 0, WRITE = 1 };

/* What the matcher told: "30@7 " has ended what task 7 began 30 ns before. */
struct told {
	struct hand_trace hand;
	struct pair pair;
	strv_t hooks;
	struct matcher *matcher;
	struct str text;
	unsigned int slot;
};

static void begin(struct told *told, const char *spec)
{
	memset(told, 0, sizeof(*told));
	hand_trace_open(&told->hand);
	ck_assert_int_eq(pair_parse_spec(&told->pair, spec), 0);
	ck_assert_int_eq(matcher_new(&told->matcher, &told->hand.inputs, &told->pair, 1, false), 0);
	ck_assert(matcher_found(told->matcher));
}

static void begin_hook(struct told *told, const char *hook)
{
	memset(told, 0, sizeof(*told));
	hand_trace_open(&told->hand);
	ck_assert_int_eq(strv_add(&told->hooks, hook), 0);
	ck_assert_int_eq(matcher_new_hooks(&told->matcher, &told->hand.inputs, &told->hooks), 0);
}

static void feed(struct told *told, struct record rec, uint16_t cpu, uint16_t buffer, unsigned int flags)
{
	struct match match;

	rec.cpu = cpu;
	rec.buffer = buffer;
	rec.flags |= (uint16_t)flags;
	rec.lost = flags & RECORD_LOST ? 1 : 0;
	ck_assert_int_eq(matcher_record(told->matcher, &rec, &match), 0);
	if (match.pair)
		str_addf(&told->text, "%llu@%d ", (unsigned long long)match.took, match.pid);
}

static void sys(struct told *told, uint64_t ts, int pid, uint16_t id, int64_t number)
{
	feed(told, hand_syscall(told->slot++, ts, 0, pid, id, number), 0, 0, 0);
}

static void end(struct told *told, const char *want)
{
	ck_assert_str_eq(str_text(&told->text), want);
	matcher_free(told->matcher);
	pair_fini(&told->pair);
	strv_fini(&told->hooks);
	str_fini(&told->text);
	hand_trace_close(&told->hand);
}

START_TEST(by_keys)
{
	struct told told;

	/* By the number, whatever task ends it; the last beginning counts, and an end takes it away. */
	begin(&told, "sys_enter,sys_exit,id");
	sys(&told, 100, 7, ID_SYS_ENTER, READ);
	sys(&told, 110, 8, ID_SYS_ENTER, WRITE);
	sys(&told, 120, 9, ID_SYS_ENTER, READ);
	sys(&told, 150, 8, ID_SYS_EXIT, READ);
	sys(&told, 160, 7, ID_SYS_EXIT, READ);
	sys(&told, 170, 7, ID_SYS_EXIT, WRITE);
	end(&told, "30@9 60@8 ");
	/* Without a key by the task; with a filter only those that pass. */
	begin(&told, "sys_enter/id == 1/,raw_syscalls:sys_exit");
	sys(&told, 100, 7, ID_SYS_ENTER, READ);
	sys(&told, 110, 8, ID_SYS_ENTER, WRITE);
	sys(&told, 120, 7, ID_SYS_EXIT, READ);
	sys(&told, 130, 8, ID_SYS_EXIT, READ);
	end(&told, "20@8 ");
}
END_TEST

START_TEST(ends_and_begins)
{
	struct told told;

	/* The same event on both sides: from each to the next. */
	begin(&told, "each=sys_enter,sys_enter");
	ck_assert_str_eq(told.pair.name, "each");
	sys(&told, 100, 7, ID_SYS_ENTER, READ);
	sys(&told, 130, 7, ID_SYS_ENTER, WRITE);
	sys(&told, 135, 8, ID_SYS_ENTER, WRITE);
	sys(&told, 170, 7, ID_SYS_ENTER, READ);
	end(&told, "30@7 40@7 ");
	/* Clocks of CPUs may disagree. */
	begin(&told, "sys_enter,sys_exit");
	sys(&told, 100, 7, ID_SYS_ENTER, READ);
	sys(&told, 90, 7, ID_SYS_EXIT, READ);
	sys(&told, 110, 7, ID_SYS_EXIT, READ);
	ck_assert_uint_eq(matcher_backwards(told.matcher), 1);
	end(&told, "");
}
END_TEST

static void lose(const char *spec, const char *want)
{
	struct told told;

	begin(&told, spec);
	feed(&told, hand_syscall(0, 100, 0, 7, ID_SYS_ENTER, READ), 0, 0, 0);
	/* From here on CPU 1 loses events, up to 140. */
	feed(&told, hand_syscall(1, 110, 0, 8, ID_SYS_ENTER, READ), 1, 0, RECORD_GAP);
	feed(&told, hand_syscall(2, 120, 0, 7, ID_SYS_EXIT, READ), 0, 0, 0);
	feed(&told, hand_syscall(3, 121, 0, 7, ID_SYS_ENTER, READ), 0, 0, 0);
	feed(&told, hand_syscall(4, 130, 0, 7, ID_SYS_EXIT, READ), 0, 0, 0);
	feed(&told, hand_syscall(5, 140, 0, 8, ID_SYS_EXIT, READ), 1, 0, RECORD_LOST);
	feed(&told, hand_syscall(6, 150, 0, 7, ID_SYS_ENTER, READ), 0, 0, 0);
	feed(&told, hand_syscall(7, 160, 0, 7, ID_SYS_EXIT, READ), 0, 0, 0);
	/* Live nobody knows that there is a gap before it is over. */
	feed(&told, hand_syscall(8, 170, 0, 7, ID_SYS_ENTER, READ), 0, 0, 0);
	feed(&told, hand_syscall(9, 180, 0, 8, ID_SYS_ENTER, READ), 1, 0, RECORD_LOST);
	feed(&told, hand_syscall(10, 190, 0, 7, ID_SYS_EXIT, READ), 0, 0, 0);
	feed(&told, hand_syscall(11, 200, 0, 8, ID_SYS_EXIT, READ), 1, 0, 0);
	end(&told, want);
}

START_TEST(losses)
{
	/* 7 is on CPU 0 all the time, so that nothing of it is lost; of 8 the exit of one call and the entry of another may be. */
	lose("sys_enter,sys_exit", "20@7 9@7 10@7 20@7 20@8 ");
	/* By the number, whatever happens on CPU 1 meanwhile, another CPU's records are no proof. */
	lose("sys_enter,sys_exit,id", "10@7 10@8 ");
}
END_TEST

START_TEST(hooks)
{
	struct told told;

	begin_hook(&told, "raw_syscalls:sys_enter,common_pid/sys_exit,common_pid");
	sys(&told, 100, 7, ID_SYS_ENTER, READ);
	sys(&told, 130, 7, ID_SYS_EXIT, WRITE);
	end(&told, "30@7 ");
	/* Both on one CPU, and in one buffer. */
	begin_hook(&told, "sys_enter,id/sys_exit,id,p");
	feed(&told, hand_syscall(0, 100, 0, 7, ID_SYS_ENTER, READ), 0, 0, 0);
	feed(&told, hand_syscall(1, 110, 0, 8, ID_SYS_ENTER, READ), 1, 0, 0);
	feed(&told, hand_syscall(2, 120, 0, 9, ID_SYS_EXIT, READ), 0, 1, 0);
	feed(&told, hand_syscall(3, 130, 0, 9, ID_SYS_EXIT, READ), 0, 0, 0);
	feed(&told, hand_syscall(4, 140, 0, 9, ID_SYS_EXIT, READ), 1, 0, 0);
	end(&told, "30@7 30@8 ");
}
END_TEST

START_TEST(many)
{
	struct told told;

	/* What has ended is forgotten now and then, and what is open is kept. */
	begin(&told, "sys_enter,sys_exit,id");
	feed(&told, hand_syscall(0, 100, 0, 7, ID_SYS_ENTER, 1000000), 0, 0, 0);
	for (int64_t i = 0; i < 5000; i++) {
		feed(&told, hand_syscall(1, 200, 0, 7, ID_SYS_ENTER, i), 0, 0, 0);
		feed(&told, hand_syscall(2, 200, 0, 7, ID_SYS_EXIT, i), 0, 0, 0);
		str_clear(&told.text);
	}
	feed(&told, hand_syscall(3, 300, 0, 7, ID_SYS_EXIT, 1000000), 0, 0, 0);
	end(&told, "200@7 ");
	/* As many as there may be are open when events are lost: the next pairs have room all the same. */
	begin(&told, "sys_enter,sys_exit,id");
	for (int64_t i = 0; i < MATCH_MOST; i++)
		feed(&told, hand_syscall(1, 100, 0, 7, ID_SYS_ENTER, i), 0, 0, 0);
	feed(&told, hand_syscall(2, 200, 0, 7, ID_SYS_ENTER, MATCH_MOST), 0, 0, 0);
	feed(&told, hand_syscall(3, 210, 0, 7, ID_SYS_EXIT, MATCH_MOST), 0, 0, 0);
	ck_assert_str_eq(str_text(&told.text), "");
	feed(&told, hand_syscall(4, 220, 0, 7, ID_SYS_ENTER, READ), 0, 0, RECORD_LOST);
	feed(&told, hand_syscall(5, 300, 0, 7, ID_SYS_ENTER, MATCH_MOST), 0, 0, 0);
	feed(&told, hand_syscall(6, 330, 0, 7, ID_SYS_EXIT, MATCH_MOST), 0, 0, 0);
	end(&told, "30@7 ");
}
END_TEST

Suite *pair_match_suite(void)
{
	Suite *suite = suite_create("pair-match");
	TCase *tc = tcase_create("pair-match");

	tcase_add_test(tc, by_keys);
	tcase_add_test(tc, ends_and_begins);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, hooks);
	tcase_add_test(tc, many);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis: calls of other kinds than functions: system calls, and what programs mark. */
#include "lib/analysis/timed.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#define ALPHA 0xffff000000001000ULL
#define BETA 0xffff000000002000ULL
enum { OPENAT = 257, READ = 0 };

/* What the callbacks were told: "7>openat" task 7 enters it, "7<openat:40=30" it took 40 ns, of which 30 are its own; "7+" beside the task. */
struct told {
	struct hand_trace hand;
	struct calls *calls;
	struct timed *timed;
	struct calls_user user;
	struct str text;
	unsigned int slot;
};

static void add_name(struct told *told, const struct call_task *task, char sign, const struct call_frame *frame)
{
	char buf[CALL_NAME];

	str_addf(&told->text, "%d%s%c%s", task->pid, task->aside ? "+" : "", sign,
		 frame->func ? call_name(task->trace, frame->source, frame->func, buf, NULL) : "?");
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec)
{
	struct told *told = ctx;

	add_name(told, task, '>', frame);
	str_addc(&told->text, ' ');
	return 0;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct call_end *end)
{
	struct told *told = ctx;
	const struct timed_call *call = timed_call_of(told->timed, frame);

	add_name(told, task, '<', frame);
	if (call->cut)
		str_add(&told->text, "!");
	else
		str_addf(&told->text, ":%llu=%llu", (unsigned long long)call->times.total, (unsigned long long)call->times.self);
	if (!call->cut)
		ck_assert_uint_eq(call->times.total, call->times.self + call->times.callees + call->times.irq + call->times.off);
	str_addc(&told->text, ' ');
	return 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, __unused const struct record *rec)
{
	struct told *told = ctx;

	str_addf(&told->text, "%d=%s ", task->pid, event->name);
	return 0;
}

static const struct calls_ops ops = { .enter = on_enter, .leave = on_leave, .other = on_other };

static void begin(struct told *told)
{
	memset(told, 0, sizeof(*told));
	hand_trace_open(&told->hand);
	told->user = (struct calls_user){ .ops = &ops, .ctx = told };
	ck_assert_int_eq(calls_new(&told->calls, &told->hand.inputs), 0);
	ck_assert_int_eq(timed_new(&told->timed, told->calls, &told->hand.inputs), 0);
	ck_assert_int_eq(calls_add(told->calls, &told->user), 0);
}

static void feed(struct told *told, struct record rec)
{
	ck_assert_int_eq(calls_record(told->calls, &rec), 0);
}

static void sys(struct told *told, uint64_t ts, int pid, uint16_t id, int64_t number)
{
	feed(told, hand_syscall(told->slot++, ts, 0, pid, id, number));
}

static void mark(struct told *told, uint64_t ts, int pid, const char *text)
{
	feed(told, hand_print(told->slot++, ts, 0, pid, text));
}

static void end(struct told *told, const char *want)
{
	ck_assert_int_eq(calls_end(told->calls), 0);
	ck_assert_str_eq(str_text(&told->text), want);
	calls_free(told->calls);
	timed_free(told->timed);
	str_fini(&told->text);
	hand_trace_close(&told->hand);
}

START_TEST(system_calls)
{
	struct told told;

	begin(&told);
	/* One that began before; one in which another task has one, too; one whose exit never comes; one that has not ended. */
	sys(&told, 90, 7, ID_SYS_EXIT, READ);
	sys(&told, 100, 7, ID_SYS_ENTER, OPENAT);
	sys(&told, 110, 8, ID_SYS_ENTER, READ);
	sys(&told, 130, 7, ID_SYS_EXIT, OPENAT);
	sys(&told, 140, 8, ID_SYS_EXIT, READ);
	sys(&told, 150, 7, ID_SYS_ENTER, OPENAT);
	sys(&told, 160, 7, ID_SYS_ENTER, READ);
	sys(&told, 165, 7, ID_SYS_EXIT, READ);
	/* The trampoline of return probes calls this one at each return of a function that has such a probe. */
	sys(&told, 166, 7, ID_SYS_ENTER, 335);
	sys(&told, 167, 7, ID_SYS_EXIT, 335);
	sys(&told, 170, 7, ID_SYS_ENTER, 5000);
	end(&told, "7>read 7<read! 7>openat 8>read 7<openat:30=30 8<read:30=30 7>openat 7<openat! 7>read 7<read:5=5 "
		   "7>uretprobe 7<uretprobe:1=1 7>syscall_5000 7<syscall_5000! ");
}
END_TEST

/* Both kinds of events at once, in either order; a handler of a signal has returned, of which only one of them tells. */
START_TEST(system_calls_told_twice)
{
	struct told told;

	begin(&told);
	sys(&told, 90, 7, ID_SYS_EXIT, OPENAT);
	sys(&told, 91, 7, ID_EXIT_OPENAT, OPENAT);
	sys(&told, 100, 7, ID_SYS_ENTER, OPENAT);
	sys(&told, 101, 7, ID_ENTER_OPENAT, OPENAT);
	sys(&told, 130, 7, ID_EXIT_OPENAT, OPENAT);
	sys(&told, 131, 7, ID_SYS_EXIT, OPENAT);
	sys(&told, 140, 7, ID_ENTER_OPENAT, OPENAT);
	sys(&told, 141, 7, ID_SYS_ENTER, OPENAT);
	sys(&told, 150, 7, ID_EXIT_OPENAT, OPENAT);
	sys(&told, 151, 7, ID_SYS_EXIT, OPENAT);
	sys(&told, 160, 7, ID_SYS_ENTER, 15);
	sys(&told, 170, 7, ID_SYS_EXIT, -1);
	/* Of no table. */
	sys(&told, 180, 7, ID_ENTER_FUTILE, 4000);
	sys(&told, 185, 7, ID_EXIT_FUTILE, 4000);
	end(&told, "7>openat 7<openat! 7>openat 7<openat:30=30 7>openat 7<openat:10=10 7>rt_sigreturn 7<rt_sigreturn:10=10 "
		   "7>futile 7<futile:5=5 ");
}
END_TEST

/* sys_enter and sys_exit are told by functions, which are not inside of what they tell, or not with all of their time. */
START_TEST(system_calls_and_functions)
{
	struct told told;

	begin(&told);
	feed(&told, hand_entry(20, 100, 0, 7, ALPHA, 0));
	sys(&told, 105, 7, ID_SYS_ENTER, OPENAT);
	feed(&told, hand_exit(21, 110, 0, 7, ALPHA, 0, 10));
	feed(&told, hand_entry(22, 120, 0, 7, BETA, 0));
	feed(&told, hand_entry(23, 130, 0, 7, ALPHA, 1));
	feed(&told, hand_exit(24, 140, 0, 7, ALPHA, 1, 10));
	feed(&told, hand_exit(25, 160, 0, 7, BETA, 0, 40));
	feed(&told, hand_entry(26, 170, 0, 7, ALPHA, 0));
	sys(&told, 175, 7, ID_SYS_EXIT, OPENAT);
	feed(&told, hand_exit(27, 190, 0, 7, ALPHA, 0, 20));
	/* Its functions have not ended when it does: both ends come while it waits. */
	feed(&told, hand_entry(28, 200, 0, 7, ALPHA, 0));
	sys(&told, 205, 7, ID_SYS_ENTER, READ);
	sys(&told, 215, 7, ID_SYS_EXIT, READ);
	feed(&told, hand_exit(29, 220, 0, 7, ALPHA, 0, 20));
	/* 70 less 40 of beta, and 5 of the alpha in which it ends. */
	end(&told, "7>alpha 7<alpha:10=10 7>openat 7>beta 7>alpha 7<alpha:10=10 7<beta:40=30 7>alpha 7<alpha:20=20 7<openat:70=25 "
		   "7>alpha 7<alpha:20=20 7>read 7<read:10=10 ");
}
END_TEST

START_TEST(markers)
{
	struct told told;

	begin(&told);
	mark(&told, 90, 7, "E|7\n");
	mark(&told, 100, 7, "B|7|outer\n");
	mark(&told, 110, 7, "B|7|in|ner\n");
	mark(&told, 120, 8, "B|7|other\n");
	mark(&told, 130, 7, "E\n");
	mark(&told, 140, 7, "C|7|count|3\n");
	mark(&told, 145, 7, "Beat|it\n");
	mark(&told, 150, 7, "E|7\n");
	mark(&told, 155, 7, "B|x|no\n");
	end(&told, "7>? 7<?! 7>outer 7>in|ner 8>other 7<in|ner:20=20 7=print 7=print 7<outer:50=30 7=print 8<other! ");
}
END_TEST

/* A program writes them by system calls, which are not inside of what they begin. */
START_TEST(markers_and_system_calls)
{
	struct told told;

	begin(&told);
	sys(&told, 100, 7, ID_SYS_ENTER, 1);
	mark(&told, 105, 7, "B|7|work\n");
	sys(&told, 110, 7, ID_SYS_EXIT, 1);
	sys(&told, 120, 7, ID_SYS_ENTER, READ);
	sys(&told, 130, 7, ID_SYS_EXIT, READ);
	sys(&told, 140, 7, ID_SYS_ENTER, 1);
	mark(&told, 145, 7, "E|7\n");
	sys(&told, 150, 7, ID_SYS_EXIT, 1);
	end(&told, "7>write 7<write:10=10 7>work 7>read 7<read:10=10 7>write 7<write:10=10 7<work:40=25 ");
}
END_TEST

START_TEST(asynchronous_markers)
{
	struct record lost = hand_print(60, 170, 1, 9, "x");
	struct told told;

	begin(&told);
	mark(&told, 90, 7, "F|7|load|1\n");
	mark(&told, 100, 7, "S|7|load|1\n");
	mark(&told, 110, 7, "S|7|load|2\n");
	mark(&told, 115, 7, "B|7|work\n");
	mark(&told, 120, 8, "F|7|load|1\n");
	mark(&told, 130, 7, "S|7|load|2\n");
	mark(&told, 140, 8, "F|7|load|2\n");
	mark(&told, 145, 7, "E\n");
	/* Its end may be among what is lost on any CPU. */
	mark(&told, 150, 7, "S|7|load|3\n");
	lost.flags = RECORD_LOST;
	lost.lost = 1;
	feed(&told, lost);
	mark(&told, 180, 7, "F|7|load|3\n");
	mark(&told, 190, 7, "S|7|load|4\n");
	mark(&told, 195, 7, "F|7|load|4\n");
	end(&told, "7+>load 7+<load! 7+>load 7+>load 7>work 7+<load:20=20 7+<load! 7+>load 7+<load:10=10 7<work:30=30 "
		   "7+>load 9=print 7+<load! 7+>load 7+<load:5=5 ");
}
END_TEST

Suite *call_sources_suite(void)
{
	Suite *suite = suite_create("call sources");
	TCase *tc = tcase_create("call sources");

	tcase_add_test(tc, system_calls);
	tcase_add_test(tc, system_calls_told_twice);
	tcase_add_test(tc, system_calls_and_functions);
	tcase_add_test(tc, markers);
	tcase_add_test(tc, markers_and_system_calls);
	tcase_add_test(tc, asynchronous_markers);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis: calls put together per task, and depths guessed from parents. */
#include "lib/analysis/calls.h"
#include "lib/analysis/parents.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

enum { ALPHA = 0x1000, BETA = 0x2000, GAMMA = 0x3000 };

/* What the callbacks were told, one word each: "7>1" task 7 enters ALPHA (its number in thousands)… */
struct told {
	struct hand_trace hand;
	struct calls *calls;
	struct calls_user user;
	struct str text;
};

static void add_func(struct told *told, const struct call_task *task, const struct call_frame *frame)
{
	char buf[CALL_NAME];

	if (call_has_address(frame->source))
		str_addf(&told->text, "%llx", (unsigned long long)frame->func >> 12);
	else
		str_add(&told->text, call_name(task->trace, frame->source, frame->func, buf, NULL));
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct told *told = ctx;

	str_addf(&told->text, "%d%s", task->pid, rec ? ">" : "?>");
	add_func(told, task, frame);
	str_addc(&told->text, ' ');
	ck_assert_ptr_eq(frame, call_top(task));
	return 0;
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct told *told = ctx;

	str_addf(&told->text, "%d<", task->pid);
	add_func(told, task, frame);
	if (end->duration != CALL_UNKNOWN)
		str_addf(&told->text, ":%llu", (unsigned long long)end->duration);
	str_addf(&told->text, "%s%s%s%s%s ", end->leaf ? "leaf" : "", end->cut & CALL_NO_ENTRY ? "!entry" : "", end->cut & CALL_NO_EXIT ? "!exit" : "",
		 end->cut & CALL_LOSS ? "!loss" : "", end->cut & CALL_EDGE ? "!edge" : "");
	return 0;
}

static int on_lost(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost)
{
	struct told *told = ctx;

	str_addf(&told->text, "%d-lost%d:%d ", task->pid, cpu, (int)lost);
	return 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, __unused const struct record *rec)
{
	struct told *told = ctx;

	str_addf(&told->text, "%d=%s ", task->pid, event->name);
	return 0;
}

static const struct calls_ops ops = { .enter = on_enter, .leave = on_leave, .lost = on_lost, .other = on_other };

static void begin_by(struct told *told, const struct calls_ops *told_ops)
{
	memset(told, 0, sizeof(*told));
	hand_trace_open(&told->hand);
	told->user = (struct calls_user){ .ops = told_ops, .ctx = told };
	ck_assert_int_eq(calls_new(&told->calls, &told->hand.inputs), 0);
	ck_assert_int_eq(calls_add(told->calls, &told->user), 0);
}

static void begin(struct told *told)
{
	begin_by(told, &ops);
}

static void feed(struct told *told, struct record rec)
{
	ck_assert_int_eq(calls_record(told->calls, &rec), 0);
}

static void end(struct told *told, const char *want)
{
	ck_assert_int_eq(calls_end(told->calls), 0);
	ck_assert_str_eq(str_text(&told->text), want);
	for (size_t i = 0; i < calls_ntasks(told->calls); i++)
		ck_assert_uint_eq(calls_task(told->calls, i)->depth, 0);
	calls_free(told->calls);
	str_fini(&told->text);
	hand_trace_close(&told->hand);
}

START_TEST(nested_over_cpus)
{
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 100, 0, 7, ALPHA, 0));
	feed(&told, hand_entry(1, 110, 1, 8, ALPHA, 0));
	feed(&told, hand_entry(2, 120, 0, 7, BETA, 1));
	feed(&told, hand_switch(3, 125, 0, 7, "seven", 0, "swapper"));
	/* Task 7 has moved to CPU 1. */
	feed(&told, hand_exit(4, 130, 1, 7, BETA, 1, 10));
	feed(&told, hand_exit(5, 140, 1, 7, ALPHA, 0, 40));
	feed(&told, hand_exit(6, 150, 0, 8, ALPHA, 0, 40));
	end(&told, "7>1 8>1 7>2 7=sched_switch 7<2:10 7<1:40 8<1:40 ");
}
END_TEST

START_TEST(leaves)
{
	struct record entry, ret;
	struct told told;

	begin(&told);
	ret = hand_exit(1, 130, 0, 7, BETA, 0, 30);
	entry = hand_entry(0, 100, 0, 7, BETA, 0);
	entry.flags = RECORD_LEAF;
	entry.exit = ret.data;
	entry.exit_size = (uint16_t)ret.size;
	ret.flags = RECORD_FOLDED;
	feed(&told, entry);
	feed(&told, ret);
	/* Its entry was filtered away: the exit stands for itself. */
	feed(&told, ret);
	end(&told, "7>2 7<2:30leaf 7?>0 7<2:30!entry ");
}
END_TEST

static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end)
{
	struct told *told = ctx;

	ck_assert_ptr_eq(frame, call_top(task));
	ck_assert_ptr_nonnull(rec);
	ck_assert(end->leaf && !end->cut && !frame->cut && !frame->gap);
	str_addf(&told->text, "%d*", task->pid);
	add_func(told, task, frame);
	str_addf(&told->text, ":%llu ", (unsigned long long)end->duration);
	return 0;
}

static const struct calls_ops leaf_ops = { .enter = on_enter, .leaf = on_leaf, .leave = on_leave, .lost = on_lost, .other = on_other };

/* An entry with its exit; the exit's depth is one deeper by @off. */
static void feed_leaf(struct told *told, unsigned int slot, uint64_t ts, uint64_t func, uint32_t depth, uint32_t off, uint16_t flags)
{
	const struct record ret = hand_exit(slot + 1, ts + 30, 0, 7, func, depth + off, 30);
	struct record entry = hand_entry(slot, ts, 0, 7, func, depth);

	entry.flags = RECORD_LEAF | flags;
	entry.lost = 5;
	entry.exit = ret.data;
	entry.exit_size = (uint16_t)ret.size;
	feed(told, entry);
}

/* A consumer that knows leaves is told once of each, but not of one that is not as it should be. */
START_TEST(leaves_at_once)
{
	struct told told;

	begin_by(&told, &leaf_ops);
	feed_leaf(&told, 0, 100, BETA, 0, 0, 0);
	feed(&told, hand_entry(2, 200, 0, 7, ALPHA, 0));
	feed_leaf(&told, 3, 210, BETA, 1, 0, 0);
	feed_leaf(&told, 5, 250, BETA, 1, 1, 0);
	feed_leaf(&told, 7, 300, GAMMA, 2, 0, 0);
	feed(&told, hand_exit(9, 400, 0, 7, ALPHA, 0, 200));
	/* Behind a gap it is in step again when nothing is open. */
	feed_leaf(&told, 10, 500, BETA, 0, 0, RECORD_LOST);
	feed_leaf(&told, 12, 600, BETA, 0, 0, 0);
	end(&told, "7*2:30 7>1 7*2:30 7>2 7?>0 7<2:30leaf!entry 7*3:30 7<2!exit 7<1:200 7-lost0:5 7*2:30 7*2:30 ");
}
END_TEST

/* When one consumer wants both ends, all are told of both. */
START_TEST(leaves_of_two_consumers)
{
	struct calls_user other;
	struct told told;

	begin_by(&told, &leaf_ops);
	other = (struct calls_user){ .ops = &ops, .ctx = &told };
	ck_assert_int_eq(calls_add(told.calls, &other), 0);
	feed_leaf(&told, 0, 100, BETA, 0, 0, 0);
	end(&told, "7>2 7>2 7<2:30leaf 7<2:30leaf ");
}
END_TEST

START_TEST(edges)
{
	struct told told;

	begin(&told);
	/* Depth 2 first: two calls were entered before the recording; one of them is named by its exit. */
	feed(&told, hand_entry(0, 100, 0, 7, GAMMA, 2));
	feed(&told, hand_exit(1, 110, 0, 7, GAMMA, 2, 10));
	feed(&told, hand_exit(2, 120, 0, 7, BETA, 1, 500));
	feed(&told, hand_entry(3, 130, 0, 7, GAMMA, 1));
	end(&told, "7?>0 7?>0 7>3 7<3:10 7<2:500!entry!edge 7>3 7<3!exit!edge 7<0!entry!exit!edge ");
}
END_TEST

START_TEST(losses)
{
	struct record rec;
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 1000, 0, 7, ALPHA, 0));
	feed(&told, hand_entry(1, 1010, 0, 7, BETA, 1));
	/* The exits of both and the entry of another ALPHA were lost: its exit says it took 50. */
	rec = hand_exit(2, 2000, 0, 7, ALPHA, 0, 50);
	rec.flags = RECORD_LOST;
	rec.lost = 12;
	feed(&told, rec);
	end(&told, "7>1 7>2 7-lost0:12 7<2!exit!loss 7<1!exit!loss 7?>0 7<1:50!entry!loss ");
}
END_TEST

START_TEST(losses_that_do_no_harm)
{
	struct record rec;
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 1000, 0, 7, ALPHA, 0));
	rec = hand_exit(1, 2000, 0, 7, ALPHA, 0, 1000);
	rec.flags = RECORD_LOST;
	rec.lost = LOST_UNKNOWN;
	feed(&told, rec);
	rec = (struct record){ .ts = 2100, .cpu = 0, .flags = RECORD_NODATA | RECORD_LOST, .lost = 3 };
	feed(&told, rec);
	end(&told, "7>1 7-lost0:-1 7<1:1000 7-lost0:3 ");
}
END_TEST

enum { LOW = 0x1000, HIGH = 0x2000 };
#define KERNEL_SP 0xffff900000001000ULL

/* Pairs of probes among functions: each in the one that was entered before it and not left. */
START_TEST(pairs_and_functions)
{
	struct told told;

	begin(&told);
	feed(&told, hand_call(0, 100, 0, 7, ID_F, HIGH));
	feed(&told, hand_entry(1, 110, 0, 7, ALPHA, 0));
	feed(&told, hand_call(2, 120, 0, 7, ID_G, KERNEL_SP));
	feed(&told, hand_entry(3, 130, 0, 7, BETA, 1));
	feed(&told, hand_exit(4, 140, 0, 7, BETA, 1, 10));
	feed(&told, hand_return(5, 150, 1, 7, ID_G_RETURN, KERNEL_SP + 8));
	feed(&told, hand_exit(6, 160, 1, 7, ALPHA, 0, 50));
	feed(&told, hand_return(7, 170, 1, 7, ID_F_RETURN, HIGH + 8));
	end(&told, "7>f 7>1 7>g 7>2 7<2:10 7<g:30 7<1:50 7<f:70 ");
}
END_TEST

/* A function and a pair at the same place can end in either order; both are left when what stands above them is. */
START_TEST(pairs_cross_functions)
{
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 100, 0, 7, ALPHA, 0));
	feed(&told, hand_call(1, 110, 0, 7, ID_F, KERNEL_SP));
	feed(&told, hand_exit(2, 150, 0, 7, ALPHA, 0, 50));
	feed(&told, hand_return(3, 160, 0, 7, ID_F_RETURN, KERNEL_SP + 8));
	feed(&told, hand_entry(4, 170, 0, 7, BETA, 0));
	feed(&told, hand_exit(5, 180, 0, 7, BETA, 0, 10));
	end(&told, "7>1 7>f 7<f:50 7<1:50 7>2 7<2:10 ");
}
END_TEST

/* The return of a pair in the kernel was missed: the next function is not inside of it. */
START_TEST(pairs_without_return)
{
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 100, 0, 7, ALPHA, 0));
	feed(&told, hand_call(1, 110, 0, 7, ID_F, KERNEL_SP));
	feed(&told, hand_exit(2, 150, 0, 7, ALPHA, 0, 50));
	feed(&told, hand_entry(3, 170, 0, 7, BETA, 0));
	feed(&told, hand_exit(4, 180, 0, 7, BETA, 0, 10));
	/* A program's begins when the kernel's function has ended that told of it, and goes on until its stack says otherwise. */
	feed(&told, hand_entry(5, 200, 0, 7, ALPHA, 0));
	feed(&told, hand_call(6, 210, 0, 7, ID_F, LOW));
	feed(&told, hand_exit(7, 220, 0, 7, ALPHA, 0, 20));
	feed(&told, hand_call(8, 230, 0, 7, ID_G, HIGH));
	feed(&told, hand_return(9, 240, 0, 7, ID_G_RETURN, HIGH + 8));
	end(&told, "7>1 7>f 7<f!exit 7<1:50 7>2 7<2:10 7>1 7<1:20 7?>f 7<f!exit 7>g 7<g:10 ");
}
END_TEST

START_TEST(pairs_and_losses)
{
	struct record rec;
	struct told told;

	begin(&told);
	feed(&told, hand_return(0, 90, 0, 7, ID_G_RETURN, LOW + 8));
	feed(&told, hand_call(1, 100, 0, 7, ID_F, HIGH));
	rec = hand_call(2, 110, 1, 8, ID_G, LOW);
	rec.flags = RECORD_LOST;
	rec.lost = 5;
	feed(&told, rec);
	feed(&told, hand_return(3, 120, 0, 7, ID_F_RETURN, HIGH + 8));
	feed(&told, hand_return(4, 130, 1, 8, ID_G_RETURN, LOW + 8));
	feed(&told, hand_return(5, 140, 1, 8, ID_G_RETURN, HIGH + 8));
	end(&told, "7?>g 7<g!entry 7>f 8-lost1:5 8>g 7<f!exit!loss 8<g:20 8?>g 8<g!entry!loss ");
}
END_TEST

/* Ticks are not nanoseconds: how long a pair took is not known, but function_graph says it in ns. */
START_TEST(pairs_in_ticks)
{
	struct told told;

	begin(&told);
	told.hand.file.buffers.at[0].clock = (char *)"x86-tsc";
	feed(&told, hand_call(0, 1000, 0, 7, ID_F, HIGH));
	feed(&told, hand_entry(1, 2000, 0, 7, ALPHA, 0));
	feed(&told, hand_exit(2, 3000, 0, 7, ALPHA, 0, 400));
	feed(&told, hand_return(3, 4000, 0, 7, ID_F_RETURN, HIGH + 8));
	end(&told, "7>f 7>1 7<1:400 7<f ");
}
END_TEST

/* With a known length of a tick, here half a ns, it is. */
START_TEST(pairs_in_known_ticks)
{
	struct told told;

	begin(&told);
	told.hand.file.buffers.at[0].clock = (char *)"x86-tsc";
	told.hand.inputs.at[0].clock = (struct clock){ .hz = 2000000000 };
	feed(&told, hand_call(0, 1000, 0, 7, ID_F, HIGH));
	feed(&told, hand_return(1, 4000, 0, 7, ID_F_RETURN, HIGH + 8));
	end(&told, "7>f 7<f:1500 ");
}
END_TEST

START_TEST(idle_tasks_are_many)
{
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 100, 0, 0, ALPHA, 0));
	feed(&told, hand_entry(1, 110, 1, 0, BETA, 0));
	feed(&told, hand_exit(2, 120, 0, 0, ALPHA, 0, 20));
	feed(&told, hand_exit(3, 130, 1, 0, BETA, 0, 20));
	ck_assert_uint_eq(calls_ntasks(told.calls), 2);
	end(&told, "0>1 0>2 0<1:20 0<2:20 ");
}
END_TEST

START_TEST(nonsense)
{
	struct record rec;
	struct told told;

	begin(&told);
	feed(&told, hand_entry(0, 100, 0, 7, ALPHA, 4000000000U));
	feed(&told, hand_exit(1, 110, 0, 7, ALPHA, 99999, 5));
	rec = hand_entry(2, 120, 0, 7, ALPHA, 0);
	rec.size = 9;
	feed(&told, rec);
	rec = hand_exit(3, 130, 0, 7, ALPHA, 0, 5);
	rec.size = 20;
	feed(&told, rec);
	for (int pid = 1; pid < 500; pid++)
		feed(&told, hand_function(4, 200, 0, pid, ALPHA, BETA));
	ck_assert_uint_eq(calls_ntasks(told.calls), 499);
	str_clear(&told.text);
	end(&told, "");
}
END_TEST

START_TEST(parent_depths)
{
	enum { NONE, A, B, C, D };
	struct parents p = { 0 };

	ck_assert_uint_eq(parents_depth(&p, A, B), 0);
	ck_assert_uint_eq(parents_depth(&p, B, C), 1);
	ck_assert_uint_eq(parents_depth(&p, C, D), 2);
	ck_assert_uint_eq(parents_depth(&p, B, D), 1);
	/* What is deeper stays, as in the plug-in. */
	ck_assert_uint_eq(parents_depth(&p, D, A), 2);
	ck_assert_uint_eq(parents_depth(&p, NONE, A), 0);
	ck_assert_uint_eq(parents_depth(&p, A, NONE), 0);
	parents_fini(&p);
}
END_TEST

/* The guess as it is defined: the first of the same name, one after the other. */
static unsigned int plain_depth(uint32_t *stack, size_t *n, uint32_t parent, uint32_t func)
{
	size_t at = 0;

	while (at < *n && stack[at] != parent)
		at++;
	if (at == *n) {
		at = 0;
		stack[0] = parent;
		*n = *n > 0 ? *n : 1;
	}
	stack[at + 1] = func;
	*n = *n > at + 2 ? *n : at + 2;
	return (unsigned int)at;
}

START_TEST(parent_depths_of_many)
{
	static uint32_t stack[100002];
	struct parents p = { 0 };
	uint64_t random = 1;
	size_t n = 0;

	for (int i = 0; i < 100000; i++) {
		/* At first few names, later many that are seldom seen again. */
		uint32_t names = i < 30000 ? 300 : i < 60000 ? 20000 : 20;
		uint32_t parent, func;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		parent = 1 + (uint32_t)(random >> 40) % names;
		func = 1 + (uint32_t)(random >> 20 & 0xfffff) % names;
		ck_assert_uint_eq(parents_depth(&p, parent, func), plain_depth(stack, &n, parent, func));
	}
	ck_assert_uint_gt(n, 32); /* there was something to renew */
	parents_fini(&p);
}
END_TEST

Suite *calls_suite(void)
{
	Suite *suite = suite_create("calls");
	TCase *tc = tcase_create("calls");

	tcase_add_test(tc, nested_over_cpus);
	tcase_add_test(tc, leaves);
	tcase_add_test(tc, leaves_at_once);
	tcase_add_test(tc, leaves_of_two_consumers);
	tcase_add_test(tc, edges);
	tcase_add_test(tc, losses);
	tcase_add_test(tc, losses_that_do_no_harm);
	tcase_add_test(tc, pairs_and_functions);
	tcase_add_test(tc, pairs_cross_functions);
	tcase_add_test(tc, pairs_without_return);
	tcase_add_test(tc, pairs_and_losses);
	tcase_add_test(tc, pairs_in_ticks);
	tcase_add_test(tc, pairs_in_known_ticks);
	tcase_add_test(tc, idle_tasks_are_many);
	tcase_add_test(tc, nonsense);
	tcase_add_test(tc, parent_depths);
	tcase_add_test(tc, parent_depths_of_many);
	suite_add_tcase(suite, tc);
	return suite;
}

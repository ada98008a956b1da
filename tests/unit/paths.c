/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/timed and paths: where the time of calls goes, by hand. */
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/path-facts.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#define A 0xffff000000001000ULL
#define B 0xffff000000002000ULL
#define C 0xffff000000003000ULL
#define SCHEDULE 0xffff000000005000ULL
#define IRQ 0xffff000000008000ULL

struct test {
	struct hand_trace hand;
	struct calls *calls;
	struct paths *paths;
	unsigned int slot;
};

static void begin(struct test *t, enum paths_by by)
{
	*t = (struct test){ 0 };
	hand_trace_open(&t->hand);
	ck_assert_int_eq(calls_new(&t->calls, &t->hand.inputs), 0);
	ck_assert_int_eq(paths_new(&t->paths, t->calls, &t->hand.inputs, &(struct paths_options){ .by = by }), 0);
}

static void feed(struct test *t, struct record rec)
{
	ck_assert_int_eq(calls_record(t->calls, &rec), 0);
}

static void enters(struct test *t, uint64_t ts, uint16_t cpu, uint64_t func, uint32_t depth)
{
	feed(t, hand_entry(t->slot++, ts, cpu, 7, func, depth));
}

static void leaves(struct test *t, uint64_t ts, uint16_t cpu, uint64_t func, uint32_t depth, uint64_t took)
{
	feed(t, hand_exit(t->slot++, ts, cpu, 7, func, depth, took));
}

/* "path calls/cut total=self+callees+irq+off(blocked,preempted,queued)" of each node, callers first, callees as they came. */
static void tell(const struct callgraph *graph, uint32_t first, const char *path, struct str *out)
{
	if (!first)
		return;
	/* The first child is the one that came last. */
	tell(graph, graph->nodes.at[first].next, path, out);
	{
		const struct callgraph_node *node = &graph->nodes.at[first];
		const struct callgraph_figures all = callgraph_figures(graph, node);
		bool owner = node->flags & CALLGRAPH_OWNER;
		__cleanup(free_ptr) char *at = str_printf("%s%s%s", path, *path ? ";" : "", owner ? "" : graph->names.at[node->name]);
		uint64_t callees = all.calls.sum - all.self - all.irq - all.off;

		if (!owner)
			str_addf(out, "%s %d/%d %d=%d+%d+%d+%d(%d,%d,%d)\n", at, (int)all.calls.n, (int)all.cut, (int)all.calls.sum, (int)all.self,
				 (int)callees, (int)all.irq, (int)all.off, (int)all.blocked, (int)all.preempted, (int)all.queued);
		tell(graph, node->first, at, out);
	}
}

static void end(struct test *t, const char *want)
{
	struct str text = { 0 };

	ck_assert_int_eq(calls_end(t->calls), 0);
	tell(t->paths->graph, t->paths->graph->owners, "", &text);
	ck_assert_str_eq(str_text(&text), want);
	str_fini(&text);
	calls_free(t->calls);
	paths_free(t->paths);
	hand_trace_close(&t->hand);
}

/* A calls B, which sleeps and comes back on another CPU; then an interrupt comes, which calls C. */
START_TEST(parts_of_a_call)
{
	struct test t;

	begin(&t, PATHS_ALL);
	enters(&t, 100, 0, A, 0);
	enters(&t, 200, 0, B, 1);
	feed(&t, hand_sleep(t.slot++, 300, 0, 7, 1, 8));
	feed(&t, hand_wakeup(t.slot++, 400, 0, 8, ID_WAKING, 7));
	feed(&t, hand_wakeup(t.slot++, 410, 1, 0, ID_WAKEUP, 7));
	feed(&t, hand_sleep(t.slot++, 450, 1, 0, 0, 7));
	/* Preempted for a while. */
	feed(&t, hand_sleep(t.slot++, 500, 1, 7, 0x100, 8));
	feed(&t, hand_sleep(t.slot++, 530, 1, 8, 1, 7));
	leaves(&t, 600, 1, B, 1, 400);
	feed(&t, hand_flags(hand_entry(t.slot++, 700, 1, 7, IRQ, 1), FLAG_HARDIRQ));
	feed(&t, hand_flags(hand_entry(t.slot++, 710, 1, 7, C, 2), FLAG_HARDIRQ));
	feed(&t, hand_flags(hand_exit(t.slot++, 730, 1, 7, C, 2, 20), FLAG_HARDIRQ));
	feed(&t, hand_flags(hand_exit(t.slot++, 760, 1, 7, IRQ, 1, 60), FLAG_HARDIRQ));
	leaves(&t, 1000, 1, A, 0, 900);
	end(&t, "alpha 1/0 900=440+400+60+0(0,0,0)\n"
		"alpha;beta 1/0 400=220+0+0+180(100,30,50)\n"
		"__irqentry_text_start 1/0 60=40+20+0+0(0,0,0)\n"
		"__irqentry_text_start;gamma 1/0 20=20+0+0+0(0,0,0)\n");
}
END_TEST

/* What function_graph records as the address of a function: its symbol; behind endbr64; behind what arm64 has there. */
static const uint64_t sites[] = { 0, 4, 8 };

/* Without sched_switch the own time of schedule() is off. */
START_TEST(off_guessed)
{
	const uint64_t schedule = SCHEDULE + sites[_i];
	struct test t;

	begin(&t, PATHS_ALL);
	enters(&t, 100, 0, A, 0);
	enters(&t, 200, 0, schedule, 1);
	enters(&t, 210, 0, B, 2);
	leaves(&t, 230, 0, B, 2, 20);
	leaves(&t, 600, 0, schedule, 1, 400);
	leaves(&t, 700, 0, A, 0, 600);
	ck_assert(timed_facts(t.paths->timed).guessed && !timed_facts(t.paths->timed).switches);
	end(&t, "alpha 1/0 600=200+400+0+0(0,0,0)\n"
		"alpha;schedule 1/0 400=0+20+0+380(0,0,0)\n"
		"alpha;schedule;beta 1/0 20=20+0+0+0(0,0,0)\n");
}
END_TEST

/* Two files differ only in that a filter leaves out records of sched_switch of one of them. */
START_TEST(facts_of_files)
{
	struct path_facts facts;
	struct record rec;
	struct test t = { 0 };

	hand_trace_open(&t.hand);
	ck_assert_int_eq(vec_push(&t.hand.inputs, t.hand.inputs.at[0]), 0);
	t.hand.inputs.at[0].some_switches = true;
	ck_assert_int_eq(calls_new(&t.calls, &t.hand.inputs), 0);
	ck_assert_int_eq(paths_new(&t.paths, t.calls, &t.hand.inputs, &(struct paths_options){ .by = PATHS_ALL }), 0);
	enters(&t, 100, 0, A, 0);
	leaves(&t, 200, 0, A, 0, 100);
	rec = hand_entry(t.slot++, 300, 0, 7, B, 0);
	rec.file = 1;
	feed(&t, rec);
	rec = hand_exit(t.slot++, 400, 0, 7, B, 0, 100);
	rec.file = 1;
	feed(&t, rec);
	ck_assert_int_eq(path_facts_init(&facts, t.paths), 0);
	ck_assert(facts.least.some);
	ck_assert(path_facts_of(&facts, "alpha")->some);
	ck_assert(!path_facts_of(&facts, "beta")->some);
	path_facts_fini(&facts);
	end(&t, "alpha 1/0 100=100+0+0+0(0,0,0)\n"
		"beta 1/0 100=100+0+0+0(0,0,0)\n");
}
END_TEST

/* A loss on CPU 0 cuts what was open there, and in the task that comes there next, but not on CPU 1. */
START_TEST(losses)
{
	struct record rec;
	struct test t;

	begin(&t, PATHS_ALL);
	enters(&t, 100, 0, A, 0);
	feed(&t, hand_entry(t.slot++, 110, 1, 8, A, 0));
	enters(&t, 120, 0, B, 1);
	rec = hand_exit(t.slot++, 200, 0, 7, B, 1, 80);
	rec.flags |= RECORD_LOST;
	rec.lost = 5;
	feed(&t, rec);
	/* After it calls are whole again, below one that is cut as well. */
	enters(&t, 210, 0, B, 1);
	leaves(&t, 240, 0, B, 1, 30);
	leaves(&t, 300, 0, A, 0, 200);
	feed(&t, hand_exit(t.slot++, 310, 1, 8, A, 0, 200));
	/* Another task was elsewhere all the time, and comes to the CPU of the loss afterwards. */
	feed(&t, hand_entry(t.slot++, 400, 1, 9, C, 0));
	feed(&t, hand_entry(t.slot++, 405, 0, 7, A, 0));
	rec = hand_exit(t.slot++, 410, 0, 7, A, 0, 5);
	rec.flags |= RECORD_LOST;
	rec.lost = LOST_UNKNOWN;
	feed(&t, rec);
	feed(&t, hand_exit(t.slot++, 420, 0, 9, C, 0, 20));
	end(&t, "alpha 1/2 200=200+0+0+0(0,0,0)\n"
		"alpha;beta 1/1 30=30+0+0+0(0,0,0)\n"
		"gamma 0/1 0=0+0+0+0(0,0,0)\n");
}
END_TEST

/* What began before the recording gets its name at its exit, and what is below it its path. */
START_TEST(edges)
{
	struct test t;

	begin(&t, PATHS_ALL);
	leaves(&t, 50, 0, C, 2, 10);
	enters(&t, 60, 0, C, 2);
	leaves(&t, 80, 0, C, 2, 20);
	leaves(&t, 100, 0, B, 1, 1000);
	enters(&t, 200, 0, B, 1);
	leaves(&t, 300, 0, B, 1, 100);
	enters(&t, 400, 0, C, 1);
	end(&t, "[unknown] 0/1 0=0+0+0+0(0,0,0)\n"
		"[unknown];beta 1/1 100=100+0+0+0(0,0,0)\n"
		"[unknown];beta;gamma 1/1 20=20+0+0+0(0,0,0)\n"
		"[unknown];gamma 0/1 0=0+0+0+0(0,0,0)\n");
}
END_TEST

START_TEST(recursion)
{
	callgraph_functions_t functions = { 0 };
	struct test t;

	begin(&t, PATHS_TASK);
	enters(&t, 100, 0, A, 0);
	enters(&t, 110, 0, B, 1);
	enters(&t, 120, 0, A, 2);
	leaves(&t, 150, 0, A, 2, 30);
	leaves(&t, 160, 0, B, 1, 50);
	leaves(&t, 200, 0, A, 0, 100);
	ck_assert_int_eq(callgraph_functions(t.paths->graph, &(struct callgraph_choice){ .by_owner = true }, &functions), 0);
	ck_assert_uint_eq(functions.n, 2);
	vec_each (&functions, function) {
		bool alpha = strcmp(function->name, "alpha") == 0;

		ck_assert_str_eq(function->owner, "seven-7");
		ck_assert_uint_eq(function->all.calls.n, alpha ? 2 : 1);
		ck_assert_uint_eq(function->total, alpha ? 100 : 50);
		ck_assert_uint_eq(function->all.self, alpha ? 80 : 20);
	}
	callgraph_functions_fini(&functions);
	end(&t, "alpha 1/0 100=50+50+0+0(0,0,0)\n"
		"alpha;beta 1/0 50=20+30+0+0(0,0,0)\n"
		"alpha;beta;alpha 1/0 30=30+0+0+0(0,0,0)\n");
}
END_TEST

static void has(const struct callgraph *graph, const char *want)
{
	struct str text = { 0 };

	tell(graph, graph->owners, "", &text);
	ck_assert_str_eq(str_text(&text), want);
	str_fini(&text);
}

START_TEST(views)
{
	strv_t globs = { 0 };
	struct callgraph *part;
	struct test t;

	begin(&t, PATHS_ALL);
	enters(&t, 100, 0, A, 0);
	enters(&t, 110, 0, B, 1);
	enters(&t, 120, 0, C, 2);
	leaves(&t, 150, 0, C, 2, 30);
	leaves(&t, 160, 0, B, 1, 50);
	leaves(&t, 200, 0, A, 0, 100);
	enters(&t, 300, 0, B, 0);
	leaves(&t, 310, 0, B, 0, 10);
	ck_assert_int_eq(strv_add(&globs, "be*"), 0);
	ck_assert_int_eq(callgraph_below(t.paths->graph, &globs, &part), 0);
	has(part, "beta 2/0 60=30+30+0+0(0,0,0)\nbeta;gamma 1/0 30=30+0+0+0(0,0,0)\n");
	callgraph_free(part);
	ck_assert_int_eq(callgraph_callers(t.paths->graph, &globs, &part), 0);
	has(part, "beta 2/0 60=30+30+0+0(0,0,0)\nbeta;alpha 1/0 50=20+30+0+0(0,0,0)\n");
	callgraph_free(part);
	ck_assert_int_eq(callgraph_at_path(t.paths->graph, "alpha;beta", &part), 0);
	has(part, "beta 1/0 50=20+30+0+0(0,0,0)\nbeta;gamma 1/0 30=30+0+0+0(0,0,0)\n");
	callgraph_free(part);
	ck_assert_int_eq(callgraph_at_path(t.paths->graph, "beta;gamma", &part), -ENOENT);
	strv_fini(&globs);
	calls_free(t.calls);
	paths_free(t.paths);
	hand_trace_close(&t.hand);
}
END_TEST

Suite *paths_suite(void)
{
	Suite *suite = suite_create("paths");
	TCase *tc = tcase_create("paths");

	tcase_add_test(tc, facts_of_files);
	tcase_add_test(tc, parts_of_a_call);
	tcase_add_loop_test(tc, off_guessed, 0, ARRAY_LEN(sites));
	tcase_add_test(tc, losses);
	tcase_add_test(tc, edges);
	tcase_add_test(tc, recursion);
	tcase_add_test(tc, views);
	suite_add_tcase(suite, tc);
	return suite;
}

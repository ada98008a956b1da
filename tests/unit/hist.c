/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/hist: chains of calls, from calls, parents and stacks. */
#define _GNU_SOURCE
#include "lib/analysis/hist.h"
#include "lib/analysis/reading.h"
#include "lib/output/branches.h"
#include "lib/output/hist-text.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define A 0xffff000000001000ULL
#define B 0xffff000000002000ULL
#define C 0xffff000000003000ULL
#define D 0xffff000000004000ULL

struct test {
	struct hand_trace hand;
	struct calls *calls;
	struct hist *hist;
	unsigned int slot;
	uint64_t ts;
	struct str text;
};

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "OWNER OUTER>INNER:COUNT" of each chain, sorted. */
static void tell(struct test *t)
{
	const struct hist *h = t->hist;
	strv_t lines = { 0 };

	vec_each (&h->chains.nodes, node) {
		__cleanup(free_ptr) char *line = NULL;
		const struct chain_node *at = node;

		for (; node->count && at != &h->chains.nodes.at[at->caller]; at = &h->chains.nodes.at[at->caller]) {
			char *more = str_printf("%s%s%s", h->chains.frames.at[at->frame].name, line ? ">" : "", line ? line : "");

			free(line);
			line = more;
		}
		if (line)
			strv_own(&lines, str_printf("%d %s:%d", h->chains.owners.at[at->frame].pid, line, (int)node->count));
	}
	qsort(lines.at, lines.n, sizeof(*lines.at), by_text);
	vec_each (&lines, line)
		str_addf(&t->text, "%s ", *line);
	strv_fini(&lines);
}

static void begin(struct test *t, const struct hist_options *opt)
{
	*t = (struct test){ 0 };
	hand_trace_open(&t->hand);
	ck_assert_int_eq(calls_new(&t->calls, &t->hand.inputs), 0);
	ck_assert_int_eq(hist_new(&t->hist, &t->hand.inputs, t->calls, opt), 0);
}

static void feed(struct test *t, struct record rec)
{
	ck_assert_int_eq(calls_record(t->calls, &rec), 0);
}

static void function(struct test *t, int pid, uint64_t ip, uint64_t parent)
{
	feed(t, hand_function(t->slot++, ++t->ts, 0, pid, ip, parent));
}

static void switched(struct test *t, int pid)
{
	feed(t, hand_switch(t->slot++, ++t->ts, 0, pid, "x", 8, "y"));
}

static void end(struct test *t, const char *want)
{
	ck_assert_int_eq(calls_end(t->calls), 0);
	tell(t);
	ck_assert_str_eq(str_text(&t->text), want);
	calls_free(t->calls);
	t->hist->handler.free(&t->hist->handler);
	str_fini(&t->text);
	hand_trace_close(&t->hand);
}

static void prints(struct test *t, enum hist_form form, const char *want)
{
	int fd = memfd_create("hist", 0);
	struct pool *pool;
	char got[4096] = "";

	ck_assert_int_eq(pool_new(&pool, 2), 0);
	ck_assert_int_eq(hist_print(t->hist, &(struct hist_show){ .form = form }, &(struct reading){ .out = fd, .pool = pool }), 0);
	pool_free(pool);
	ck_assert_int_ge(pread(fd, got, sizeof(got) - 1, 0), 0);
	ck_assert_str_eq(got, want);
	close(fd);
}

/* An event in a call, and one behind it; a call whose exit alone is recorded; one that is open at the end. */
START_TEST(hist_of_calls)
{
	struct test t;

	begin(&t, &(struct hist_options){ 0 });
	feed(&t, hand_exit(t.slot++, ++t.ts, 0, 7, C, 1, 1));
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, A, 0));
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, B, 1));
	switched(&t, 7);
	feed(&t, hand_exit(t.slot++, ++t.ts, 1, 7, B, 1, 2));
	feed(&t, hand_exit(t.slot++, ++t.ts, 1, 7, A, 0, 4));
	switched(&t, 7);
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, B, 0));
	end(&t, "7 alpha:1 7 alpha>beta:1 7 alpha>beta>sched_switch:1 7 beta:1 7 gamma:1 7 sched_switch:1 ");
}
END_TEST

/* Parents make chains, in each task its own; what an interrupt called does not make one forget what it interrupted. */
START_TEST(hist_of_functions)
{
	struct test t;

	begin(&t, &(struct hist_options){ 0 });
	function(&t, 7, A, D);
	function(&t, 8, C, B);
	function(&t, 7, B, A);
	function(&t, 7, C, 0xffff000000008000ULL);
	function(&t, 7, C, B);
	function(&t, 7, B, A);
	end(&t, "7 __irqentry_text_start>gamma:1 7 delta>alpha:1 7 delta>alpha>beta:2 7 delta>alpha>beta>gamma:1 8 beta>gamma:1 ");
	begin(&t, &(struct hist_options){ .all_tasks = true });
	function(&t, 7, A, D);
	function(&t, 8, A, D);
	end(&t, "-1 delta>alpha:2 ");
}
END_TEST

/* A stack says it better, also of a function that is in it itself; it goes to the record before it on its CPU only. */
START_TEST(hist_of_stacks)
{
	struct test t;

	begin(&t, &(struct hist_options){ 0 });
	switched(&t, 7);
	feed(&t, hand_stack(t.slot++, ++t.ts, 1, 7, (uint64_t[5]){ D, C }));
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ B, A }));
	function(&t, 7, B, A);
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ B, A, D }));
	function(&t, 7, B, A);
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ A, D }));
	function(&t, 7, B, A);
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ 0x7fffffff, B, A, D }));
	end(&t, "7 alpha>beta>sched_switch:1 7 delta>alpha>beta:3 ");
}
END_TEST

/* A stack behind a call is not of the event before that call. */
START_TEST(hist_of_stacks_and_calls)
{
	struct test t;

	begin(&t, &(struct hist_options){ 0 });
	switched(&t, 7);
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, A, 0));
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ D, C }));
	end(&t, "7 alpha:1 7 sched_switch:1 ");
}
END_TEST

/* At the limit, chains that are known go on, new ones are counted without callers, and none is forgotten. */
START_TEST(hist_limit)
{
	struct test t;

	begin(&t, &(struct hist_options){ .most = 4 });
	for (int i = 0; i < 2; i++) {
		switched(&t, 7);
		feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ A }));
		switched(&t, 7);
		feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ B, C, D }));
	}
	/* Of each of the two stacks with three callers, all of which are missing. */
	ck_assert_uint_eq(t.hist->chains.cut, 2);
	end(&t, "7 alpha>sched_switch:2 7 sched_switch:2 ");
}
END_TEST

/* At the limit, an event below a call has no callers. Whether it counts as one without is what its stack says. */
START_TEST(hist_limit_stack_behind_call)
{
	struct test t;

	begin(&t, &(struct hist_options){ .most = 3 });
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, A, 0));
	switched(&t, 7);
	ck_assert_uint_eq(t.hist->chains.cut, 0);
	feed(&t, hand_entry(t.slot++, ++t.ts, 0, 7, B, 1));
	ck_assert_uint_eq(t.hist->chains.cut, 1);
	switched(&t, 7);
	ck_assert_uint_eq(t.hist->chains.cut, 2);
	feed(&t, hand_stack(t.slot++, ++t.ts, 0, 7, (uint64_t[5]){ A }));
	ck_assert_uint_eq(t.hist->chains.cut, 1);
	end(&t, "7 alpha:1 7 alpha>sched_switch:2 7 beta:1 ");
}
END_TEST

/* Many nodes below one caller: each frame has one node, however it is found, and branches of as many numbers are as right. */
START_TEST(hist_many_below_one)
{
	struct chains chains;
	struct branches branches;
	char name[16];
	int64_t root, node;

	chains_init(&chains, 0);
	ck_assert_int_eq(branches_init(&branches), 0);
	root = chains_root(&chains, 7, 0);
	ck_assert_int_eq(chains_root(&chains, 8, 0), root + 1);
	for (int round = 0; round < 3; round++) {
		for (unsigned int i = 0; i < 3 * CHAIN_MANY; i++) {
			snprintf(name, sizeof(name), "f%u", i * 7 % (3 * CHAIN_MANY));
			node = chains_below(&chains, (uint32_t)root, (uint32_t)chains_named(&chains, name, false));
			ck_assert_int_ge(node, 0);
			chains.nodes.at[node].count += i;
			branches_begin(&branches, &(struct times){ .count = 1 });
			ck_assert_int_eq(branches_add(&branches, i * 7 % (3 * BRANCH_MANY)), 0);
			ck_assert_int_eq(branches_add(&branches, 5), 0);
		}
	}
	ck_assert_uint_eq(chains.nodes.n, 2 + 3 * CHAIN_MANY);
	for (size_t i = 2; i < chains.nodes.n; i++) {
		ck_assert_uint_eq(chains.nodes.at[i].count, 3 * (i - 2));
		ck_assert_int_eq(chains.nodes.at[i].caller, root);
	}
	ck_assert_int_eq(branches_sort(&branches), 0);
	ck_assert_uint_eq(branches.all.at[0].n, 3 * BRANCH_MANY);
	for (uint32_t i = 0; i < 3 * BRANCH_MANY; i++) {
		const struct branch *on = branch_on(&branches, &branches.all.at[0], i);

		ck_assert_uint_eq(on->what, i);
		ck_assert_uint_eq(on->times.count, 3);
		ck_assert_uint_eq(on->n, 1);
	}
	branches_fini(&branches);
	chains_fini(&chains);
}
END_TEST

START_TEST(hist_losses)
{
	struct test t;
	struct record rec;

	begin(&t, &(struct hist_options){ 0 });
	function(&t, 7, A, D);
	rec = hand_function(t.slot++, ++t.ts, 0, 7, B, A);
	rec.flags = RECORD_LOST;
	rec.lost = 5;
	feed(&t, rec);
	ck_assert_uint_eq(calls_lost(t.hist->calls)->events, 5);
	prints(&t, HIST_FLAT,
	       "       COUNT  PERCENT  TASK                   EVENT OR FUNCTION\n"
	       "           1   50.00%  seven-7                alpha\n"
	       "           1   50.00%  seven-7                beta\n"
	       "\n5 events were lost and are not counted\n");
	prints(&t, HIST_FOLDED, "seven;alpha;beta 1\nseven;delta;alpha 1\n");
	end(&t, "7 alpha>beta:1 7 delta>alpha:1 ");
}
END_TEST

Suite *hist_suite(void)
{
	Suite *suite = suite_create("hist");
	TCase *tc = tcase_create("hist");

	tcase_add_test(tc, hist_of_calls);
	tcase_add_test(tc, hist_of_functions);
	tcase_add_test(tc, hist_of_stacks);
	tcase_add_test(tc, hist_of_stacks_and_calls);
	tcase_add_test(tc, hist_limit);
	tcase_add_test(tc, hist_limit_stack_behind_call);
	tcase_add_test(tc, hist_many_below_one);
	tcase_add_test(tc, hist_losses);
	suite_add_tcase(suite, tc);
	return suite;
}

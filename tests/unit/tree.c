/* SPDX-License-Identifier: GPL-2.0 */
/* lib/output/tree: calls made by hand, and the picture of them. */
#define _GNU_SOURCE
#include "lib/analysis/reading.h"
#include "lib/base/io.h"
#include "lib/output/tree.h"
#include "tests/unit/graph.h"
#include "tests/unit/unit.h"

#include <sys/mman.h>
#include <unistd.h>

#define A 0xffff000000001000ULL
#define B 0xffff000000002000ULL
#define C 0xffff000000003000ULL
#define IRQ 0xffff000000008000ULL

struct test {
	struct hand_trace hand;
	struct reading reading;
	struct tree_options opt;
	struct handler *tree;
	unsigned int slot;
};

static void begin(struct test *t, const struct tree_options *opt, const char *since, const char *until)
{
	*t = (struct test){ .opt = *opt };
	hand_trace_open(&t->hand);
	t->reading = (struct reading){ .inputs = t->hand.inputs, .since = since, .until = until, .out = memfd_create("out", MFD_CLOEXEC) };
	ck_assert_int_eq(pool_new(&t->reading.pool, 2), 0);
	ck_assert_int_eq(vec_push(&t->reading.parts, (struct reading_part){ .what = &tree_analysis, .options = &t->opt }), 0);
	ck_assert_int_eq(tree_analysis.make(&t->tree, &t->reading, &t->opt), 0);
}

static void feed(struct test *t, struct record rec)
{
	t->slot++;
	ck_assert_int_eq(calls_record(t->reading.calls, &rec), 0);
}

static void enters(struct test *t, uint64_t ts, uint64_t func, uint32_t depth)
{
	feed(t, hand_entry(t->slot, ts, 0, 7, func, depth));
}

static void leaves(struct test *t, uint64_t ts, uint64_t func, uint32_t depth, uint64_t took)
{
	feed(t, hand_exit(t->slot, ts, 0, 7, func, depth, took));
}

/* What has been written: of each line what stands behind "CPU) TASK | " and blanks; no header, no blank lines. */
static char *drawn(struct test *t)
{
	char *text = calloc(1, 65536), *at, *next;
	struct str out = { 0 };

	ck_assert_int_ge(io_pread(t->reading.out, text, 65535, 0), 0);
	for (at = text; *at; at = next) {
		char *bar;

		next = at + strcspn(at, "\n");
		if (*next)
			*next++ = '\0';
		if (*at == '#' || !*at)
			continue;
		bar = strchr(at, '|');
		bar = bar ? bar + 1 : at;
		str_addf(&out, "%s\n", bar + strspn(bar, " "));
	}
	free(text);
	return out.at ? out.at : strdup("");
}

/* The recording ends; all that is drawn. */
static char *finished(struct test *t)
{
	char *text;

	ck_assert_int_eq(calls_end(t->reading.calls), 0);
	ck_assert_int_eq(t->tree->end(t->tree), 0);
	text = drawn(t);
	pass_fini(&t->reading.pass);
	t->tree->free(t->tree);
	pool_free(t->reading.pool);
	vec_fini(&t->reading.parts);
	close(t->reading.out);
	hand_trace_close(&t->hand);
	return text;
}

static void end(struct test *t, const char *want)
{
	char *text = finished(t);

	ck_assert_str_eq(text, want);
	free(text);
}

/* The same where only a part of the picture matters. */
static void end_with(struct test *t, const char *part, const char *more)
{
	char *text = finished(t);

	ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in '%s'", part, text);
	ck_assert_msg(strstr(text, more) != NULL, "'%s' is not in '%s'", more, text);
	free(text);
}

/* B is called twice, the second time on another CPU; C, of a module, within the first. */
START_TEST(nested)
{
	struct test t;

	begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
	enters(&t, 1000, A, 0);
	enters(&t, 2000, B, 1);
	enters(&t, 3000, C, 2);
	leaves(&t, 4000, C, 2, 1000);
	leaves(&t, 5000, B, 1, 3000);
	feed(&t, hand_entry(t.slot, 6000, 1, 7, B, 1));
	feed(&t, hand_exit(t.slot, 8500, 1, 7, B, 1, 2500));
	feed(&t, hand_exit(t.slot, 21000, 1, 7, A, 0, 20000));
	end(&t, "|  alpha() {\n"
		"|    beta() {\n"
		"1.000 us    |      gamma [mod]();\n"
		"3.000 us    |    }\n"
		"2.500 us    |    beta();\n"
		"+ 20.000 us   |  }\n");
}
END_TEST

/* Two tasks at the same time are two pictures, each with its name in front. */
START_TEST(task_by_task)
{
	struct test t;
	char *text, *seven, *eight;

	begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
	comms_learn(t.hand.trace->comms, 20, "first", 5);
	comms_learn(t.hand.trace->comms, 21, "second", 6);
	feed(&t, hand_entry(t.slot, 1000, 0, 20, A, 0));
	feed(&t, hand_entry(t.slot, 1100, 1, 21, B, 0));
	feed(&t, hand_entry(t.slot, 1200, 0, 20, C, 1));
	feed(&t, hand_exit(t.slot, 1400, 1, 21, B, 0, 300));
	feed(&t, hand_exit(t.slot, 1500, 0, 20, C, 1, 300));
	feed(&t, hand_exit(t.slot, 2000, 0, 20, A, 0, 1000));
	text = finished(&t);
	seven = strstr(text, "first-20\n");
	eight = strstr(text, "second-21\n");
	ck_assert_ptr_nonnull(seven);
	ck_assert_ptr_nonnull(eight);
	ck_assert(seven < eight);
	ck_assert(seven < strstr(text, "alpha() {") && strstr(text, "gamma [mod]();") < eight);
	ck_assert(strstr(text, "beta();") > eight);
	free(text);
}
END_TEST

/* What the edges of the recording, or of the window, and losses cut is said. */
START_TEST(cut_by_edges)
{
	static const char *const windows[2] = { NULL, "12.5" };

	for (int i = 0; i < 2; i++) {
		struct test t;

		begin(&t, &(struct tree_options){ 0 }, windows[i], NULL);
		leaves(&t, 2000, A, 0, 1500);
		end_with(&t, i ? "alpha() { /* entered before 12.5 */" : "alpha() { /* entered before the recording began */", "} /* alpha */");
		begin(&t, &(struct tree_options){ 0 }, NULL, windows[i]);
		enters(&t, 2000, A, 0);
		end_with(&t, "alpha() {\n", i ? "} /* alpha: had not returned at 12.5 */" : "} /* alpha: had not returned when the recording ended */");
	}
}
END_TEST

START_TEST(cut_by_losses)
{
	struct record rec;

	for (int known = 0; known < 2; known++) {
		struct test t;

		begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
		enters(&t, 1000, A, 0);
		enters(&t, 1500, B, 1);
		rec = hand_exit(t.slot, 2000, 0, 7, A, 0, 1000);
		rec.flags |= RECORD_LOST;
		rec.lost = known ? 3 : LOST_UNKNOWN;
		feed(&t, rec);
		end_with(&t, known ? "/* 3 events were lost on CPU 0 */" : "/* events were lost on CPU 0 */", "} /* beta: its return was lost */");
	}
}
END_TEST

/* A function that interrupts enter is marked, by its address or by its context, and what it calls is not marked once more. */
START_TEST(interrupts)
{
	for (int by_context = 0; by_context < 2; by_context++) {
		uint8_t flags = by_context ? FLAG_HARDIRQ : 0;
		uint64_t func = by_context ? C : IRQ;
		char *text, *in, *out;
		struct test t;

		begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
		enters(&t, 1000, A, 0);
		feed(&t, hand_flags(hand_entry(t.slot, 1100, 0, 7, func, 1), flags));
		feed(&t, hand_flags(hand_entry(t.slot, 1200, 0, 7, B, 2), flags));
		feed(&t, hand_flags(hand_exit(t.slot, 1300, 0, 7, B, 2, 100), flags));
		feed(&t, hand_flags(hand_exit(t.slot, 1400, 0, 7, func, 1, 300), flags));
		leaves(&t, 2000, A, 0, 1000);
		text = finished(&t);
		in = strstr(text, "==========> |\n");
		out = strstr(text, "<========== |\n");
		ck_assert_msg(in && out, "no marks in '%s'", text);
		ck_assert(strstr(text, "alpha() {") < in && in < strstr(text, "beta();") && strstr(text, "beta();") < out);
		ck_assert_ptr_null(strstr(in + 1, "==========> |"));
		ck_assert_ptr_null(strstr(out + 1, "<========== |"));
		free(text);
	}
}
END_TEST

START_TEST(other_events)
{
	struct test t;

	begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
	enters(&t, 1000, A, 0);
	feed(&t, hand_print(t.slot, 1100, 0, 7, "hello\n"));
	leaves(&t, 2000, A, 0, 1000);
	end_with(&t, "|    /* print: ", "hello");
}
END_TEST

/* The end of a long call says whose it is. */
START_TEST(long_calls)
{
	for (int many = 0; many < 2; many++) {
		const unsigned int n = many ? 200 : 3;
		struct test t;

		begin(&t, &(struct tree_options){ 0 }, NULL, NULL);
		enters(&t, 1000, A, 0);
		for (unsigned int i = 0; i < n; i++) {
			enters(&t, 2000 + 10 * i, B, 1);
			leaves(&t, 2001 + 10 * i, B, 1, 1);
		}
		leaves(&t, 11000, A, 0, 10000);
		end_with(&t, "beta();\n", many ? "|  } /* alpha */\n" : "|  }\n");
	}
}
END_TEST

/* Only calls that last so long, and what else happened is gone; a loss stays. */
START_TEST(short_calls)
{
	struct record rec;
	struct test t;

	begin(&t, &(struct tree_options){ .min_duration = 2000 }, NULL, NULL);
	enters(&t, 1000, A, 0);
	enters(&t, 2000, B, 1);
	enters(&t, 2500, C, 2);
	feed(&t, hand_print(t.slot, 2600, 0, 7, "gone"));
	leaves(&t, 3000, C, 2, 500);
	leaves(&t, 3999, B, 1, 1999);
	enters(&t, 4000, C, 1);
	leaves(&t, 6000, C, 1, 2000);
	leaves(&t, 9000, A, 0, 8000);
	enters(&t, 10000, B, 0);
	leaves(&t, 10500, B, 0, 500);
	end(&t, "|  alpha() {\n"
		"2.000 us    |    gamma [mod]();\n"
		"8.000 us    |  }\n");
	begin(&t, &(struct tree_options){ .min_duration = 1000000 }, NULL, NULL);
	enters(&t, 1000, A, 0);
	leaves(&t, 2000, A, 0, 1000);
	rec = hand_entry(t.slot, 3000, 0, 7, B, 0);
	rec.flags |= RECORD_LOST;
	rec.lost = 3;
	feed(&t, rec);
	leaves(&t, 3100, B, 0, 100);
	end(&t, "|  /* 3 events were lost on CPU 0 */\n");
}
END_TEST

/* Live, each outermost call is drawn as it ends; else nothing is before the end. */
START_TEST(live)
{
	for (int on = 0; on < 2; on++) {
		struct test t;
		char *text;

		begin(&t, &(struct tree_options){ .live = on }, NULL, NULL);
		enters(&t, 1000, A, 0);
		enters(&t, 1100, B, 1);
		leaves(&t, 1600, B, 1, 500);
		ck_assert_int_eq(t.tree->flush(t.tree), 0);
		text = drawn(&t);
		ck_assert_str_eq(text, "");
		free(text);
		leaves(&t, 2000, A, 0, 1000);
		enters(&t, 3000, B, 0);
		ck_assert_int_eq(t.tree->flush(t.tree), 0);
		text = drawn(&t);
		ck_assert_str_eq(text, on ? "|  alpha() {\n0.500 us    |    beta();\n1.000 us    |  }\n" : "");
		free(text);
		leaves(&t, 3250, B, 0, 250);
		end(&t, "|  alpha() {\n0.500 us    |    beta();\n1.000 us    |  }\n0.250 us    |  beta();\n");
	}
}
END_TEST

Suite *tree_suite(void)
{
	Suite *suite = suite_create("tree");
	TCase *tc = tcase_create("pictures");

	tcase_add_test(tc, nested);
	tcase_add_test(tc, task_by_task);
	tcase_add_test(tc, cut_by_edges);
	tcase_add_test(tc, cut_by_losses);
	tcase_add_test(tc, interrupts);
	tcase_add_test(tc, other_events);
	tcase_add_test(tc, long_calls);
	tcase_add_test(tc, short_calls);
	tcase_add_test(tc, live);
	suite_add_tcase(suite, tc);
	return suite;
}

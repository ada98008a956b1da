/* SPDX-License-Identifier: GPL-2.0 */
/* lib/record/advice: what would have prevented losses, from pages made by hand. */
#include "lib/record/advice.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#define A 0xffffffff81000000ULL
#define B 0xffffffff81000100ULL
#define C 0xffffffff81000200ULL

static char symbols[] = "ffffffff81000000 T often\n"
			"ffffffff81000100 t sometimes\n"
			"ffffffff81000200 T rarely\n"
			"ffffffff81000204 d no_function\n";

static struct metadata meta_of(const struct dat *d, struct event_text *format)
{
	static char system[] = "ftrace";
	static char text[] = "name: funcgraph_entry\nID: 11\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n"
			     "\tfield:unsigned long func;\toffset:8;\tsize:8;\tsigned:0;\n"
			     "\tfield:unsigned int depth;\toffset:16;\tsize:4;\tsigned:0;\n";
	struct metadata meta = { .user_long_size = 8 };

	*format = (struct event_text){ .system = system, .format = { text, strlen(text) } };
	meta.header_page = (struct text){ (char *)header_page_text(d), strlen(header_page_text(d)) };
	ck_assert_int_eq(vec_push(&meta.formats, *format), 0);
	return meta;
}

static void call(struct dat *d, uint64_t func, uint32_t depth)
{
	dat_entry(d, 1, 7, func);
	dat_patch32(d, d->s.len - 4, depth);
}

/* Of 100 events 60 are of one function at depth 1 (with the offset of a call), 30 of another at depth 0, 10 of a third at depth 5. */
static void tally(struct tally *t, struct metadata *meta)
{
	struct dat d = { .long_size = 8, .page_size = 4096 };
	struct event_text format;

	*meta = meta_of(&d, &format);
	ck_assert_int_eq(tally_init(t, meta), 0);
	dat_page(&d, 1000);
	for (int i = 0; i < 100; i++)
		if (i % 10 == 9)
			call(&d, C, 5);
		else
			call(&d, i % 10 < 6 ? A + 4 : B, i % 10 < 6);
	dat_page_end(&d, 0);
	ck_assert_int_eq(tally_page(t, d.s.at, d.s.len), 0);
	ck_assert_uint_eq(t->events, 100);
	str_fini(&d.s);
}

START_TEST(names_functions_and_depth)
{
	static const struct {
		unsigned int keep, functions, functions_percent, depth, depth_percent;
	} rows[] = {
		{ 90, 1, 60, 5, 90 }, /* one function is enough, and so is what lies less deep than 5 */
		{ 40, 1, 60, 1, 30 }, /* exactly */
		{ 30, 2, 90, 1, 30 },
		{ 5, 2, 90, 1, 30 }, /* all three, or a depth of 0, would be nothing */
	};
	struct text kallsyms = { symbols, strlen(symbols) };
	struct metadata meta;
	struct advice advice;
	struct tally t;

	tally(&t, &meta);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_int_eq(tally_advice(&t, &kallsyms, rows[i].keep, &advice), 0);
		ck_assert_uint_eq(advice.functions.n, rows[i].functions);
		ck_assert_str_eq(advice.functions.at[0], "often");
		ck_assert_uint_eq(advice.functions_percent, rows[i].functions_percent);
		ck_assert_uint_eq(advice.depth, rows[i].depth);
		ck_assert_uint_eq(advice.depth_percent, rows[i].depth_percent);
		advice_fini(&advice);
	}
	tally_fini(&t);
	vec_fini(&meta.formats);
}
END_TEST

/* Functions without names cannot be left out by them. */
START_TEST(no_names)
{
	struct text none = { symbols, 0 };
	struct metadata meta;
	struct advice advice;
	struct tally t;

	tally(&t, &meta);
	ck_assert_int_eq(tally_advice(&t, &none, 50, &advice), 0);
	ck_assert_uint_eq(advice.functions.n, 0);
	ck_assert_uint_eq(advice.functions_percent, 0);
	ck_assert_uint_eq(advice.depth, 1);
	tally_fini(&t);
	vec_fini(&meta.formats);
}
END_TEST

START_TEST(no_functions_traced)
{
	struct metadata meta = { 0 };
	struct tally t;

	ck_assert_int_eq(tally_init(&t, &meta), -ENOENT);
	tally_fini(&t);
}
END_TEST

START_TEST(stretches)
{
	struct gaps g = { .ring = 10000 };

	gaps_page(&g, 0, 4000);
	ck_assert_uint_eq(g.longest, 0);
	gaps_page(&g, 50, 4000);
	gaps_page(&g, 30, 4000); /* the ring was full in between */
	ck_assert_uint_eq(g.longest, 80);
	gaps_page(&g, 0, 4000);
	gaps_page(&g, 0, 4000);
	gaps_page(&g, 70, 4000); /* 12,000 bytes later: another one */
	ck_assert_uint_eq(g.longest, 80);
	gaps_page(&g, LOST_UNKNOWN, 4000);
	gaps_page(&g, 20, 4000);
	ck_assert_uint_eq(g.longest, 91);
}
END_TEST

Suite *advice_suite(void)
{
	Suite *suite = suite_create("advice");
	TCase *tc = tcase_create("advice");

	tcase_add_test(tc, names_functions_and_depth);
	tcase_add_test(tc, no_names);
	tcase_add_test(tc, no_functions_traced);
	tcase_add_test(tc, stretches);
	suite_add_tcase(suite, tc);
	return suite;
}

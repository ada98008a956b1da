/* SPDX-License-Identifier: GPL-2.0 */
/* lib/output/table-fit */
#include "lib/output/table-fit.h"
#include "tests/unit/table.h"
#include "tests/unit/unit.h"

/* In a screen of a fixed size: each row is a line, long texts are cut with a mark, and columns on the right give way. */
START_TEST(fitting)
{
	static const struct table_column four[] = { { "function", TABLE_TEXT },
						    { "calls", TABLE_COUNT },
						    { "total", TABLE_COUNT },
						    { "spread", TABLE_TEXT },
						    { NULL } };
	static const struct table_spec of = { .columns = four };
	static const size_t widths[] = { 24, 31, 40, 200 };
	static const char *const texts[] = {
		"FUNCTION      CALLS\n"
		"a_function_~   9999\n"
		"b\\x1b[2J          1\n"
		"... and columns that have no room: total, spread\n",
		"FUNCTION         CALLS  TOTAL\n"
		"a_function_of_~   9999      -\n"
		"b\\x1b[2J             1      -\n"
		"... and columns that have no room: spread\n",
		"FUNCTION              CALLS  TOTAL\n"
		"a_function_of_a_ver~   9999      -\n"
		"b\\x1b[2J                  1      -\n"
		"... and columns that have no room: spread\n",
		"FUNCTION                        CALLS  TOTAL  SPREAD\n"
		"a_function_of_a_very_long_name   9999      -  -\n"
		"b\\x1b[2J                            1      -  -\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(widths); i++) {
		struct table *t;

		ck_assert_int_eq(table_new(&t, &of, &(struct table_show){ .fit = &widths[i] }), 0);
		add_two_rows(t);
		check_table(t, NULL, texts[i]);
	}
}
END_TEST

/* Characters are counted, and not bytes. */
START_TEST(cut)
{
	struct str text = { 0 };

	str_add(&text, "\xc3\xa4\xc3\xb6\xc3\xbc");
	table_cut(&text, 3, true);
	ck_assert_str_eq(str_text(&text), "\xc3\xa4\xc3\xb6\xc3\xbc");
	table_cut(&text, 2, true);
	ck_assert_str_eq(str_text(&text), "\xc3\xa4\xe2\x80\xa6");
	table_cut(&text, 1, false);
	ck_assert_str_eq(str_text(&text), "~");
	str_fini(&text);
}
END_TEST

Suite *table_fit_suite(void)
{
	Suite *suite = suite_create("table-fit");
	TCase *tc = tcase_create("table-fit");

	tcase_add_test(tc, fitting);
	tcase_add_test(tc, cut);
	suite_add_tcase(suite, tc);
	return suite;
}

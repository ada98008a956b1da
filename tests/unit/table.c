/* SPDX-License-Identifier: GPL-2.0 */
/* lib/output/table and lib/base/quote */
#include "lib/base/io.h"
#include "lib/base/quote.h"
#include "tests/unit/table.h"
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum { FUNCTION, CALLS, TOTAL, SHARE, MEAN, TASK, ROOM, OPEN, AT, DEPTH, PATH, BAR };

static const struct table_column columns[] = {
	[FUNCTION] = { "function", TABLE_TEXT, .tree = true },
	[CALLS] = { "calls", TABLE_COUNT, .sum = true },
	[TOTAL] = { "total", TABLE_NS, .sum = true },
	[SHARE] = { "percent", TABLE_PERCENT, .of = "total", .heat = true },
	[MEAN] = { "mean", TABLE_REAL, .more = true },
	[TASK] = { "tid", TABLE_ID, .more = true },
	[ROOM] = { "room", TABLE_BYTES, .more = true },
	[OPEN] = { "open", TABLE_BOOL, .more = true },
	[AT] = { "ts", TABLE_TS, .more = true },
	[DEPTH] = { "depth", TABLE_DEPTH, .more = true },
	[PATH] = { "path", TABLE_PATH, .more = true },
	[BAR] = { "spread", TABLE_TEXT, .people = true },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns, .sort = "total" };

static struct table *made(const struct table_show *show)
{
	struct table *t;

	ck_assert_int_eq(table_new(&t, &spec, show), 0);
	return t;
}

static uint32_t add(struct table *t, uint32_t parent, const char *name, uint64_t calls, uint64_t total)
{
	uint32_t row = table_row(t, parent);

	table_text(t, FUNCTION, name);
	table_count(t, CALLS, calls);
	table_count(t, TOTAL, total);
	return row;
}

/* What it prints; the caller frees it. */
static char *shown(struct table *t, const struct table_meta *meta)
{
	FILE *file = tmpfile();
	struct text text;
	char path[64];

	setenv("LC_ALL", "C", 1);
	ck_assert_int_eq(table_show(t, meta, fileno(file)), 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fileno(file));
	ck_assert_int_eq(io_slurp(path, &text), 0);
	fclose(file);
	return text.at;
}

void check_table(struct table *t, const struct table_meta *meta, const char *want)
{
	char *got = shown(t, meta);

	ck_assert_str_eq(got, want);
	free(got);
	table_free(t);
}

START_TEST(for_people)
{
	struct table *t = made(&(struct table_show){ 0 });

	add(t, TABLE_ROOT, "vfs_read", 12, 1500);
	add(t, TABLE_ROOT, "vfs_open", 3, 4500000);
	table_row(t, TABLE_ROOT);
	table_copy(t, FUNCTION, "vfs_write");
	table_note(t, "%d calls were cut by losses", 2);
	check_table(t, &(struct table_meta){ .lost = 7, .lost_more = true },
		    "FUNCTION   CALLS  TOTAL us  PERCENT  SPREAD\n"
		    "vfs_open       3  4500.000    99.97  -\n"
		    "vfs_read      12     1.500     0.03  -\n"
		    "vfs_write      -         -        -  -\n"
		    "all           15  4501.500\n"
		    "\n7 or more events were lost and are not counted\n"
		    "2 calls were cut by losses\n");
	t = made(&(struct table_show){ 0 });
	add(t, TABLE_ROOT, "vfs_read", 12, 1500);
	table_note(t, "b.dat: 7 events were lost");
	check_table(t, &(struct table_meta){ .lost = 7, .lost_told = true },
		    "FUNCTION  CALLS  TOTAL us  PERCENT  SPREAD\n"
		    "vfs_read     12     1.500   100.00  -\n"
		    "\nb.dat: 7 events were lost\n");
}
END_TEST

START_TEST(units)
{
	static const struct {
		uint64_t ns;
		bool ticks;
		const char *want;
	} rows[] = {
		{ 1, false, "TOTAL us\n   0.001\n" },
		{ 9999999, false, "TOTAL us\n9999.999\n" },
		{ 10000000, false, "TOTAL ms\n  10.000\n" },
		{ 10000000000, false, "  TOTAL s\n10.000000\n" },
		{ 12345678901234, false, "     TOTAL s\n12345.678901\n" },
		/* Rounded, and not cut off, whatever the unit is. */
		{ 1371186845, false, "TOTAL ms\n1371.187\n" },
		{ 13711868450, false, "  TOTAL s\n13.711868\n" },
		{ 13711868500, false, "  TOTAL s\n13.711869\n" },
		{ 13711868999, false, "  TOTAL s\n13.711869\n" },
		{ 99999999999, false, "   TOTAL s\n100.000000\n" },
		{ UINT64_MAX, false, "           TOTAL s\n18446744073.709552\n" },
		{ 12345, true, "TOTAL\n12345\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct table *t = made(&(struct table_show){ .columns = "total" });

		add(t, TABLE_ROOT, "f", 1, rows[i].ns);
		check_table(t, &(struct table_meta){ .ticks = rows[i].ticks }, rows[i].want);
	}
}
END_TEST

static struct table *tree(const struct table_show *show)
{
	struct table *t = made(show);
	uint32_t a = add(t, TABLE_ROOT, "a", 1, 100), b = add(t, a, "b", 1, 20), c;

	add(t, b, "d", 1, 5);
	c = add(t, a, "c", 1, 60);
	add(t, c, "d", 1, 10);
	add(t, c, "b", 1, 30);
	add(t, TABLE_ROOT, "z", 1, 300);
	return t;
}

START_TEST(trees)
{
	check_table(tree(&(struct table_show){ .columns = "function,total,percent" }), NULL,
		    "FUNCTION  TOTAL us  PERCENT\n"
		    "z            0.300    75.00\n"
		    "a            0.100    25.00\n"
		    "|-c          0.060    15.00\n"
		    "| |-b        0.030     7.50\n"
		    "| `-d        0.010     2.50\n"
		    "`-b          0.020     5.00\n"
		    "  `-d        0.005     1.25\n"
		    "all          0.400\n");
	check_table(tree(&(struct table_show){ .form = TABLE_CSV, .columns = "path,depth,total", .sort = "+total" }), NULL,
		    "path,depth,total\na,0,100\na;b,1,20\na;b;d,2,5\na;c,1,60\na;c;d,2,10\na;c;b,2,30\nz,0,300\n");
	check_table(tree(&(struct table_show){ .form = TABLE_CSV, .columns = "path", .sort = "path", .top = 1 }), NULL,
		    "path\na\na;b\na;b;d\na;c\na;c;b\na;c;d\n");
}
END_TEST

/* Of a tree that is deeper than any stack the branches to the left are a number, so that a line has an end. */
START_TEST(deep_trees)
{
	struct table *t = made(&(struct table_show){ .columns = "function" });
	uint32_t row = TABLE_ROOT;
	char *got, *line;

	for (int i = 0; i < 1002; i++)
		row = add(t, row, "f", 1, 1);
	got = shown(t, &(struct table_meta){ 0 });
	line = strrchr(got, '+');
	ck_assert_ptr_nonnull(line);
	ck_assert(str_starts(line, "+901  "));
	ck_assert_ptr_nonnull(strstr(line, "`-f\n"));
	for (line = got; line; line = strchr(line + 1, '\n'))
		ck_assert_uint_le(strcspn(line + 1, "\n"), 210);
	free(got);
	table_free(t);
}
END_TEST

START_TEST(json)
{
	struct table *t = made(&(struct table_show){ .form = TABLE_JSON });

	add(t, TABLE_ROOT, "tab\t\"q\" \\ \x01 \xff \xc3\xa9", UINT64_MAX, 9007199254740993ULL);
	table_real(t, MEAN, 0.1);
	table_id(t, TASK, -5);
	table_count(t, ROOM, 4096);
	table_bool(t, OPEN, true);
	table_count(t, AT, 1000000001);
	table_note(t, "a \"note\"");
	table_fact(t, "cut", 3);
	check_table(t, &(struct table_meta){ .file = "a b.dat", .span = 17, .lost = 2, .selection = "--cpu 1" },
		    "{\"meta\": {\"file\": \"a b.dat\", \"span\": 17, \"losses\": 2, \"losses_complete\": true, \"selection\": \"--cpu 1\", "
		    "\"time_unit\": \"ns\", \"rows\": 1, \"rows_cut\": 0, \"cut\": 3, \"notes\": [\"a \\\"note\\\"\"]},\n\"rows\": [\n"
		    "{\"function\": \"tab\\t\\\"q\\\" \\\\ \\u0001 \\\\xff \xc3\xa9\", \"calls\": 18446744073709551615, \"total\": 9007199254740993, "
		    "\"percent\": 100, \"mean\": 0.1, \"tid\": -5, \"room\": 4096, \"open\": true, \"ts\": 1000000001, \"depth\": 0, "
		    "\"path\": \"tab\\t\\\"q\\\" \\\\ \\u0001 \\\\xff \xc3\xa9\"}\n]}\n");
	check_table(made(&(struct table_show){ .form = TABLE_JSON }), NULL,
		    "{\"meta\": {\"file\": null, \"span\": null, \"losses\": 0, \"losses_complete\": true, \"selection\": null, \"time_unit\": \"ns\", "
		    "\"rows\": 0, \"rows_cut\": 0, \"notes\": []},\n\"rows\": []}\n");
}
END_TEST

START_TEST(csv)
{
	struct table *t = made(&(struct table_show){ .form = TABLE_CSV, .columns = "function,calls,mean,tid" });

	add(t, TABLE_ROOT, "a,b", 1, 3);
	table_real(t, MEAN, NAN);
	add(t, TABLE_ROOT, "say \"x\"", 2, 2);
	table_real(t, MEAN, 1e300);
	add(t, TABLE_ROOT, "two\nlines", 3, 1);
	check_table(t, NULL, "function,calls,mean,tid\n\"a,b\",1,,\n\"say \"\"x\"\"\",2,1e+300,\n\"two\nlines\",3,,\n");
	t = made(&(struct table_show){ .form = TABLE_CSV, .columns = "tid" });
	table_row(t, TABLE_ROOT);
	check_table(t, NULL, "tid\n\"\"\n");
}
END_TEST

/* Numbers: the largest first; ids and times: the smallest; what is not known: at the end; equals as they were added. */
START_TEST(sorting)
{
	static const struct {
		const char *sort, *want;
	} rows[] = {
		{ "calls", "b a c d" },	   { "-calls", "b a c d" },    { "+calls", "c a b d" },		{ "tid", "a c b d" }, { "-tid", "b c a d" },
		{ "function", "a b c d" }, { "-function", "d c b a" }, { "open,-function", "b c a d" }, { NULL, "a b c d" },  { "none", "a b c d" },
	};
	static const struct {
		const char *name;
		uint64_t calls;
		int64_t tid;
		bool open;
	} facts[] = { { "a", 5, -1, false }, { "b", 7, 9, true }, { "c", 2, 3, false } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct table *t = made(&(struct table_show){ .form = TABLE_CSV, .columns = "function", .sort = rows[i].sort });
		char *got;

		for (size_t k = 0; k < ARRAY_LEN(facts); k++) {
			table_row(t, TABLE_ROOT);
			table_text(t, FUNCTION, facts[k].name);
			table_count(t, CALLS, facts[k].calls);
			table_id(t, TASK, facts[k].tid);
			table_bool(t, OPEN, facts[k].open);
		}
		table_row(t, TABLE_ROOT);
		table_text(t, FUNCTION, "d");
		got = shown(t, &(struct table_meta){ 0 });
		ck_assert_str_eq(strtok(got, "\n"), "function");
		for (const char *at = rows[i].want; *at; at += at[1] ? 2 : 1)
			ck_assert_msg(*strtok(NULL, "\n") == *at, "--sort %s: not at %s of %s", rows[i].sort ? rows[i].sort : "is not given", at, rows[i].want);
		free(got);
		table_free(t);
	}
}
END_TEST

START_TEST(columns_are_chosen)
{
	struct table *t = made(&(struct table_show){ .columns = "+tid, mean" });

	ck_assert(table_wants(t, FUNCTION) && table_wants(t, TASK) && table_wants(t, MEAN) && !table_wants(t, ROOM));
	table_free(t);
	t = made(&(struct table_show){ .columns = "percent", .sort = "calls" });
	ck_assert(table_wants(t, TOTAL) && table_wants(t, CALLS) && !table_wants(t, FUNCTION));
	table_free(t);
	ck_assert_int_eq(table_new(&t, &spec, &(struct table_show){ .columns = "nope" }), -EINVAL);
	ck_assert_int_eq(table_new(&t, &spec, &(struct table_show){ .sort = "-nope" }), -EINVAL);
	ck_assert_int_eq(table_new(&t, &spec, &(struct table_show){ .sort = "" }), -EINVAL);
	ck_assert_int_eq(table_new(&t, &spec, &(struct table_show){ .sort = "," }), -EINVAL);
	ck_assert_int_eq(table_new(&t, &spec, &(struct table_show){ .columns = "," }), -EINVAL);
}
END_TEST

START_TEST(first_rows)
{
	struct table *t = made(&(struct table_show){ .columns = "function", .top = 2 });

	add(t, TABLE_ROOT, "a", 1, 1);
	add(t, TABLE_ROOT, "b", 1, 2);
	add(t, TABLE_ROOT, "c", 1, 3);
	check_table(t, NULL, "FUNCTION\nc\nb\n... and 1 more rows\n");
	t = made(&(struct table_show){ .columns = "function", .top = 2 });
	add(t, TABLE_ROOT, "a", 1, 1);
	table_clear(t);
	add(t, TABLE_ROOT, "b", 1, 1);
	check_table(t, NULL, "FUNCTION\nb\n");
}
END_TEST

/* All rows have the same columns, however many are laid out at once. */
START_TEST(many)
{
	struct table *t = made(&(struct table_show){ .columns = "function,calls" });
	struct text line, rest;
	char *text;
	size_t n = 0;

	for (uint64_t i = 0; i < 20000; i++) {
		char name[32];

		snprintf(name, sizeof(name), "function_%llu", (unsigned long long)(i * i));
		table_row(t, TABLE_ROOT);
		table_copy(t, FUNCTION, name);
		table_count(t, CALLS, i * i * i);
		table_count(t, TOTAL, 20000 - i);
	}
	text = shown(t, NULL);
	rest = (struct text){ text, strlen(text) };
	for (; text_line(&rest, &line); n++)
		ck_assert_msg(line.size == strlen("function_399960001  39996000100000000"), "%.*s", (int)line.size, line.at);
	ck_assert_uint_eq(n, 20002);
	free(text);
	table_free(t);
}
END_TEST

void add_two_rows(struct table *t)
{
	table_row(t, TABLE_ROOT);
	table_text(t, 0, "a_function_of_a_very_long_name");
	table_count(t, 1, 9999);
	table_row(t, TABLE_ROOT);
	table_text(t, 0, "b\x1b[2J");
	table_count(t, 1, 1);
	table_tint(t, 0, TABLE_GOOD);
}

/* What others have made visible before is not escaped once more; a tab would move what stands behind it. */
START_TEST(escapes)
{
	static const struct table_column two[] = { { "function", TABLE_TEXT }, { "calls", TABLE_COUNT }, { NULL } };
	static const struct table_spec of = { .columns = two };
	struct table *t;

	ck_assert_int_eq(table_new(&t, &of, &(struct table_show){ 0 }), 0);
	table_row(t, TABLE_ROOT);
	table_text(t, 0, "a\\x1b[2J\\");
	table_count(t, 1, 1);
	table_row(t, TABLE_ROOT);
	table_text(t, 0, "b\x1b\t\n\xff");
	table_count(t, 1, 2);
	check_table(t, NULL,
		    "FUNCTION         CALLS\n"
		    "a\\x1b[2J\\            1\n"
		    "b\\x1b\\x09\\n\\xff      2\n");
}
END_TEST

/* In a narrow terminal: texts that may be broken are broken, numbers stay whole. Colours are those of the terminal. */
START_TEST(narrow)
{
	static const struct table_column three[] = {
		{ "function", TABLE_TEXT, .wrap = true },
		{ "calls", TABLE_COUNT },
		{ "percent", TABLE_PERCENT, .of = "calls", .heat = true },
		{ NULL },
	};
	static const struct table_spec of = { .columns = three };
	struct table *t;

	ck_assert_int_eq(table_new(&t, &of, &(struct table_show){ .width = 32 }), 0);
	add_two_rows(t);
	check_table(t, NULL,
		    "FUNCTION          CALLS  PERCENT\n"
		    "a_function_of_a_   9999    99.99\n"
		    "very_long_name\n"
		    "b\\x1b[2J              1     0.01\n");
	/* Pieces of less than 16 letters could not be read, and the lines would still be too long. */
	ck_assert_int_eq(table_new(&t, &of, &(struct table_show){ .width = 31 }), 0);
	add_two_rows(t);
	check_table(t, NULL,
		    "FUNCTION                        CALLS  PERCENT\n"
		    "a_function_of_a_very_long_name   9999    99.99\n"
		    "b\\x1b[2J                            1     0.01\n");
	ck_assert_int_eq(table_new(&t, &of, &(struct table_show){ .colour = true }), 0);
	add_two_rows(t);
	check_table(t, NULL,
		    "\033[1mFUNCTION                      \033[0m  \033[1mCALLS\033[0m  \033[1mPERCENT\033[0m\n"
		    "a_function_of_a_very_long_name   9999  \033[31m  99.99\033[0m\n"
		    "\033[32mb\\x1b[2J                      \033[0m      1     0.01\n");
}
END_TEST

/* Without a terminal's width we lay the columns out ourselves: the text is that of libsmartcols, which has all the room that it wants. */
START_TEST(as_libsmartcols)
{
	static const char *const names[] = {
		"f", "", " blanks ", "a\\x41b", "line\nfeed", "\xe2\x82\xac", "\xe4\xb8\xad\xe6\x96\x87", "e\xcc\x81", "tab\tulator", "last  ",
	};
	static const char *const columns_shown[] = { "function,calls,total,percent,mean,tid,room,open,ts", "total,spread,function", "spread" };

	for (size_t i = 0; i < ARRAY_LEN(names) * ARRAY_LEN(columns_shown) * 3; i++) {
		const char *const name = names[i % ARRAY_LEN(names)], *const shown_columns = columns_shown[i / ARRAY_LEN(names) % ARRAY_LEN(columns_shown)];
		const uint64_t largest = i / ARRAY_LEN(names) / ARRAY_LEN(columns_shown) == 0 ? 10000 : i % 2 ? 100000000 : 20000000000;
		char *texts[2];

		for (int k = 0; k < 2; k++) {
			struct table *t = made(&(struct table_show){ .columns = shown_columns, .width = k ? 9999 : 0 });

			for (uint64_t row = 0; row < 40; row++) {
				add(t, TABLE_ROOT, row == 7 ? name : "function", row * row, largest / (row + 1) / 500 * 500 + row % 3);
				table_real(t, MEAN, (double)row / 8 + (double)(row % 5) * 0.001);
				table_id(t, TASK, (int64_t)row - 20);
				table_count(t, ROOM, row * 1000 + 50);
				table_count(t, AT, row * 1000000007);
			}
			texts[k] = shown(t, NULL);
			table_free(t);
		}
		ck_assert_str_eq(texts[0], texts[1]);
		free(texts[0]);
		free(texts[1]);
	}
}
END_TEST

/* Numbers with two digits are those of printf, also in the middle between two. */
START_TEST(reals)
{
	static const double rows[] = { 0,      -0.0, 0.004,	 0.005,		0.015, 0.125, 0.375, 0.995, 1.005,
				       99.995, 100,  123456.785, 999999999.994, 1e9,   1e15,  1e300, -1.125 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct table *t = made(&(struct table_show){ .columns = "mean" });
		char number[400], want[1000];

		table_row(t, TABLE_ROOT);
		table_real(t, MEAN, rows[i]);
		snprintf(number, sizeof(number), "%.2f", rows[i]);
		snprintf(want, sizeof(want), "%*s\n%*s\n", (int)strlen(number), "MEAN", 4, number);
		check_table(t, NULL, want);
	}
}
END_TEST

START_TEST(utf8)
{
	static const struct {
		const char *text;
		size_t want;
		/* clang-format off */
	} rows[] = {
		{ "a", 1 }, { "\x7f", 1 }, { "\x80", 0 }, { "\xc1\xbf", 0 }, { "\xc2\x80", 2 }, { "\xc2", 0 }, { "\xe0\x9f\xbf", 0 },
		{ "\xe2\x82\xac", 3 }, { "\xed\xa0\x80", 0 }, { "\xf0\x8f\xbf\xbf", 0 }, { "\xf0\x9f\x98\x80", 4 }, { "\xf4\x90\x80\x80", 0 },
		{ "\xf0\x9f\x98", 0 }, { "\xff", 0 }, { "", 0 },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_uint_eq(utf8_length(rows[i].text, strlen(rows[i].text)), rows[i].want);
}
END_TEST

START_TEST(shell_words)
{
	static const char *const rows[][2] = {
		{ "", "''" },	      { "a b", "'a b'" }, { "it's", "'it'\\''s'" }, { "'", "''\\'''" }, { "$(x) `y` \"z\" \\\n", "'$(x) `y` \"z\" \\\n'" },
		{ "\xff", "'\xff'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str out = { 0 };

		quote_shell(rows[i][0], &out);
		ck_assert_str_eq(str_text(&out), rows[i][1]);
		str_fini(&out);
	}
}
END_TEST

Suite *table_suite(void)
{
	Suite *suite = suite_create("table");
	TCase *tc = tcase_create("table");

	tcase_add_test(tc, for_people);
	tcase_add_test(tc, shell_words);
	tcase_add_test(tc, units);
	tcase_add_test(tc, trees);
	tcase_add_test(tc, deep_trees);
	tcase_add_test(tc, json);
	tcase_add_test(tc, csv);
	tcase_add_test(tc, sorting);
	tcase_add_test(tc, columns_are_chosen);
	tcase_add_test(tc, first_rows);
	tcase_add_test(tc, many);
	tcase_add_test(tc, escapes);
	tcase_add_test(tc, narrow);
	tcase_add_test(tc, as_libsmartcols);
	tcase_add_test(tc, reals);
	tcase_add_test(tc, utf8);
	suite_add_tcase(suite, tc);
	return suite;
}

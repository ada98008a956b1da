// SPDX-License-Identifier: GPL-2.0
/* lib/event/filter on one made-up event whose values are known; what goes beyond libtraceevent's language too. */
#include "lib/event/filter.h"
#include "tests/unit/filter-records.h"
#include "tests/unit/unit.h"
#include <stdio.h>
#include <unistd.h>

static const char format[] = "name: probe\nID: 77\nformat:\n"
			     "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			     "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			     "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
			     "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			     "\tfield:char name[8];\toffset:8;\tsize:8;\tsigned:1;\n"
			     "\tfield:int minus;\toffset:16;\tsize:4;\tsigned:1;\n"
			     "\tfield:unsigned int seven;\toffset:20;\tsize:4;\tsigned:0;\n"
			     "\tfield:u64 big;\toffset:24;\tsize:8;\tsigned:0;\n"
			     "\tfield:short small;\toffset:32;\tsize:2;\tsigned:1;\n"
			     "\tfield:u8 letter;\toffset:34;\tsize:1;\tsigned:0;\n"
			     "\tfield:s8 tiny;\toffset:35;\tsize:1;\tsigned:1;\n"
			     "\tfield:__data_loc char[] dyn;\toffset:36;\tsize:4;\tsigned:1;\n"
			     "\tfield:__rel_loc char[] rel;\toffset:40;\tsize:4;\tsigned:1;\n"
			     "\tfield:unsigned long ip;\toffset:44;\tsize:8;\tsigned:0;\n"
			     "\tfield:unsigned long args[2];\toffset:52;\tsize:16;\tsigned:0;\n"
			     "\tfield:__data_loc char[] none;\toffset:68;\tsize:4;\tsigned:1;\n\n"
			     "print fmt: \"%d\", REC->minus\n";

enum { PROBE = 77, SIZE = 96 };

struct probe {
	struct tep_handle *tep;
	struct comms *comms;
	struct symbols *symbols;
	struct text cmdlines, kallsyms;
	struct record record;
};

static void put(struct probe *p, size_t at, uint64_t value, size_t size, bool big)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)p->record.data)[at + (big ? size - 1 - i : i)] = value >> (8 * i);
}

static void probe_init(struct probe *p, bool big)
{
	char *data = calloc(1, SIZE);

	*p = (struct probe){ .cmdlines = { (char *)"42 worker\n", 10 }, .kallsyms = { (char *)"1000 t vfs_open\n2000 t end\n", 27 } };
	p->tep = tep_alloc();
	tep_set_loglevel(TEP_LOG_NONE);
	tep_set_file_bigendian(p->tep, big ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(p->tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(p->tep, 8);
	ck_assert_int_eq(tep_parse_event(p->tep, format, sizeof(format) - 1, "made_up"), 0);
	ck_assert_int_eq(comms_new(&p->comms, &p->cmdlines, false), 0);
	ck_assert_int_eq(symbols_new(&p->symbols, &p->kallsyms), 0);
	p->record = (struct record){ .data = data, .size = SIZE, .cpu = 3 };
	put(p, 0, PROBE, 2, big);
	put(p, 4, 42, 4, big);
	memcpy(data + 8, "eightchr", 8);
	put(p, 16, -5, 4, big);
	put(p, 20, 7, 4, big);
	put(p, 24, 0x8000000000000001, 8, big);
	put(p, 32, -2, 2, big);
	put(p, 34, 'x', 1, big);
	put(p, 35, -1, 1, big);
	put(p, 36, 6 << 16 | 72, 4, big);
	put(p, 40, 8 << 16 | (80 - 44), 4, big);
	put(p, 44, 0x1004, 8, big);
	put(p, 68, 0 << 16 | 96, 4, big);
	memcpy(data + 72, "hello", 6);
	memcpy(data + 80, "fulltext", 8);
}

static void probe_fini(struct probe *p)
{
	tep_free(p->tep);
	comms_free(p->comms);
	symbols_free(p->symbols);
	free((void *)p->record.data);
}

static const struct {
	const char *expression;
	bool matches;
	/* clang-format off */
} language[] = {
	/* with a sign, as in C */
	{ "minus < 0", true }, { "minus == -5", true }, { "minus > 3", false }, { "-minus == 5", true },
	{ "minus < -4", true }, { "minus >= -4", false }, { "small == -2", true }, { "small < tiny", true },
	{ "minus / 2 == -2", true }, { "minus % 3 == -2", true }, { "minus >> 1 == -3", true },
	{ "minus / -1 == 5", true }, { "minus < 0xffffffffffffffff", true },
	/* without */
	{ "big > 5", true }, { "big > 0x8000000000000000", true }, { "big / 2 == 0x4000000000000000", true },
	{ "big >> 63 == 1", true }, { "big > -1", false }, { "seven > -1", true }, { "seven - 8 < 0", true },
	/* ranks */
	{ "seven + 1 * 2 == 9", true }, { "(seven + 1) * 2 == 16", true }, { "seven & 4 == 4", true },
	{ "seven | 8 ^ 8 & 0 == 15", true }, { "1 << 2 + 1 == 8", true }, { "20 - 10 - 5 == 5", true },
	{ "~seven == -8", true }, { "- - seven == 7", true }, { "2 * -3 == -6", true },
	/* what cannot be calculated is false, whatever the comparison */
	{ "seven / 0 == 0", false }, { "seven / 0 != 0", false }, { "seven % (seven - 7) != 1", false },
	{ "1 / 0 == 1", false }, { "seven << 64 == 0", true }, { "seven >> 70 == 0", true },
	/* values at either side, and alone */
	{ "7 == seven", true }, { "-5 > minus", false }, { "minus == small", false }, { "seven", true },
	{ "seven - 7", false }, { "!seven", false }, { "1", true }, { "0", false }, { "\"eightchr\" == name", true },
	/* characters */
	{ "letter == 'x'", true }, { "letter != 'x'", false }, { "letter - 'a' == 23", true }, { "'x' == letter", true },
	{ "letter >= 'a' && letter <= 'z'", true }, { "name == 'e'", false }, { "name =~ 'e'", true }, { "'a' == 97", true },
	/* text */
	{ "name == \"eightchr\"", true }, { "name == \"eightchrx\"", false }, { "name =~ \"chr$\"", true },
	{ "name =~ \"^EIGHT\"", true }, { "name =~ \"e.*r$\"", true }, { "name !~ \"[xyz]\"", true },
	{ "dyn == \"hello\"", true }, { "dyn =~ \"^h.llo$\"", true }, { "rel == \"fulltext\"", true },
	{ "rel =~ \"text$\"", true }, { "none == \"\"", true }, { "none =~ \"a\"", false },
	{ "dyn == \"he\\\"llo\"", false }, { "dyn =~ \"l\\{2\\}\"", true }, { "dyn =~ \"\"", true },
	{ "ip == \"vfs_open\"", true }, { "ip =~ \"^VFS_\"", true }, { "ip == 0x1004", true },
	{ "seven == \"0x7\"", true }, { "big == \"vfs_open\"", false }, { "big == \"0x8000000000000001\"", true },
	{ "COMM == \"worker\"", true }, { "COMM != \"worker\"", false }, { "COMM =~ \"^work\"", true },
	{ "CPU == 3", true }, { "CPU =~ \"3\"", true }, { "CPU % 2", true },
	/* logic: one rank, from left to right */
	{ "seven == 7 || seven == 7 && seven == 8", false }, { "seven == 7 || (seven == 7 && seven == 8)", true },
	{ "!seven == 8 && CPU == 3", true }, { "!!(seven == 7)", true }, { "!(!(seven == 8))", false },
	{ "seven==7&&!seven==8||0", true }, { "\tseven\n==\r7 ", true },
	{ "args[1] == 0", true },
};
/* clang-format on */

static bool matches(struct probe *p, const char *expression)
{
	__cleanup(free_ptr) char *text = str_printf("probe: %s", expression);
	enum filter_verdict verdict;
	struct filter *filter;
	bool result;

	ck_assert_int_eq(filter_new(&filter, p->tep, p->comms, p->symbols), 0);
	ck_assert_msg(!filter_add(filter, text, false), "%s", text);
	result = filter_match(filter, PROBE, &p->record);
	verdict = filter_event(filter, PROBE);
	ck_assert_msg(verdict == FILTER_SOMETIMES || result == (verdict == FILTER_ALWAYS), "%s: verdict %d", text, verdict);
	filter_free(filter);
	return result;
}

START_TEST(meaning)
{
	struct probe p;

	for (int big = 0; big < 2; big++) {
		probe_init(&p, big);
		for (size_t i = 0; i < ARRAY_LEN(language); i++)
			ck_assert_msg(matches(&p, language[i].expression) == language[i].matches, "%s is %d%s", language[i].expression, !language[i].matches,
				      big ? " (big endian)" : "");
		probe_fini(&p);
	}
}
END_TEST

/* Records cut at every length, in memory of that length: nothing is read beyond it, and what is not there is false. */
START_TEST(cut_records)
{
	struct probe p;

	probe_init(&p, false);
	const void *whole = p.record.data;

	for (uint32_t size = 0; size <= SIZE; size++) {
		void *data = malloc(size ? size : 1);

		memcpy(data, whole, size);
		p.record.data = data;
		p.record.size = size;
		for (size_t i = 0; i < ARRAY_LEN(language); i++)
			matches(&p, language[i].expression);
		ck_assert_int_eq(matches(&p, "seven == 7"), size >= 24);
		ck_assert_int_eq(matches(&p, "seven != 7"), false);
		ck_assert_int_eq(matches(&p, "seven + 1 != 9"), size >= 24);
		ck_assert_int_eq(matches(&p, "dyn == \"hello\""), size >= 77);
		ck_assert_int_eq(matches(&p, "dyn != \"zzz\""), size >= 72);
		free(data);
	}
	p.record.data = whole;
	probe_fini(&p);
}
END_TEST

static const struct {
	const char *text, *why;
	int column;
} faults[] = {
	{ "prob", "no event is called \"prob\"; did you mean probe?", 0 },
	{ "probe, nosuch : 1", "no event is called \"nosuch\"", 7 },
	{ "made_up/prob: 1", "no event is called \"made_up/prob\"; did you mean probe?", 0 },
	{ "", "the name of an event or system is expected here", 0 },
	{ "probe,:1", "the name of an event or system is expected here", 6 },
	{ "pro[be", "\"pro[be\" is not a regular expression", 0 },
	{ "probe:", "the filter ends where a value is expected", 6 },
	{ "probe: seve == 7", "the event has no field \"seve\"; did you mean seven?", 7 },
	{ "probe: seven == 7 && nam == \"x\"", "no field \"nam\"; did you mean name?", 21 },
	{ "probe: TIME > 5", "the event has no field \"TIME\"", 7 },
	{ "probe: name == 5", "\"name\" is not a number", 7 },
	{ "probe: dyn & 5", "\"dyn\" is not a number", 7 },
	{ "probe: args > 5", "\"args\" is not a number", 7 },
	{ "probe: args[2] > 5", "the array \"args\" has no element 2", 7 },
	{ "probe: COMM == 5", "\"COMM\" is not a number", 7 },
	{ "probe: name < \"x\"", "text can be compared with == != =~ !~ only", 12 },
	{ "probe: seven =~ 5", "a regular expression in quotes is expected here", 16 },
	{ "probe: name =~ \"[\"", "this is not a regular expression", 15 },
	{ "probe: \"a\" == \"a\"", "text can be compared with a field or COMM only", 7 },
	{ "probe: seven + 1 == \"x\"", "text can be compared with a field or COMM only", 13 },
	{ "probe: \"a\"", "a text alone says nothing", 7 },
	{ "probe: seven + \"ab\"", "one cannot calculate with text", 15 },
	{ "probe: seven = 7", "a comparison is written ==", 13 },
	{ "probe: seven == 7 seven", "an operator is expected here", 18 },
	{ "probe: seven ~ 7", "an operator is expected here; =~ compares with a regular expression", 13 },
	{ "probe: seven == ", "the filter ends where a value is expected", 16 },
	{ "probe: seven == 12x", "this is not a number", 16 },
	{ "probe: seven == 18446744073709551616", "does not fit into 64 bits", 16 },
	{ "probe: (seven == 7", "this parenthesis is not closed", 7 },
	{ "probe: seven == 7)", "this parenthesis was never opened", 17 },
	{ "probe: == 7", "a field, number or text is expected here", 7 },
	{ "probe: seven == 7 &&", "the filter ends where a value is expected", 20 },
	{ "probe: name == \"x", "this text has no closing \"", 15 },
	{ "probe: seven == 7, seven", "a comma only separates events", 17 },
	{ "probe: seven # 7", "this character means nothing in a filter", 13 },
	{ "probe: (seven == 7) + 1 == 2", "true or false, where a number is expected", 14 },
	{ "probe: (seven == 7) == 1", "true or false, where a number is expected", 14 },
};

/* What @text makes filter_add() say, into @said. */
static void hear(struct filter *filter, const char *text, char *said, size_t size)
{
	FILE *file = tmpfile();
	int saved = dup(2);
	size_t n;

	dup2(fileno(file), 2);
	ck_assert_msg(filter_add(filter, text, false) == -EINVAL, "%s is taken", text);
	dup2(saved, 2);
	close(saved);
	rewind(file);
	n = fread(said, 1, size - 1, file);
	said[n] = '\0';
	fclose(file);
}

START_TEST(messages)
{
	struct filter *filter;
	struct probe p;

	probe_init(&p, false);
	ck_assert_int_eq(filter_new(&filter, p.tep, p.comms, p.symbols), 0);
	for (size_t i = 0; i < ARRAY_LEN(faults); i++) {
		__cleanup(free_ptr) char *end = str_printf("\n  %s\n  %*s^\n", faults[i].text, faults[i].column, "");
		char said[1024];

		hear(filter, faults[i].text, said, sizeof(said));
		ck_assert_msg(strstr(said, faults[i].why) != NULL, "%s: %s", faults[i].text, said);
		ck_assert_msg(str_ends(said, end), "%s: %s", faults[i].text, said);
	}
	ck_assert(filter_is_empty(filter));
	ck_assert(filter_match(filter, PROBE, &p.record));
	filter_free(filter);
	probe_fini(&p);
}
END_TEST

/* Deep nesting and length are refused, not survived by luck. */
START_TEST(limits)
{
	struct str text = { 0 };
	struct filter *filter;
	struct probe p;
	char said[40000];

	probe_init(&p, false);
	ck_assert_int_eq(filter_new(&filter, p.tep, p.comms, p.symbols), 0);
	str_add(&text, "probe: ");
	for (int i = 0; i < 5000; i++)
		str_add(&text, "(");
	hear(filter, str_text(&text), said, sizeof(said));
	ck_assert(strstr(said, "nested too deeply") != NULL);
	str_clear(&text);
	str_add(&text, "probe: ");
	for (int i = 0; i < 5000; i++)
		str_add(&text, i % 2 ? "!" : "! ");
	hear(filter, str_text(&text), said, sizeof(said));
	str_clear(&text);
	str_add(&text, "probe: 1");
	for (int i = 0; i < 5000; i++)
		str_add(&text, "+1");
	hear(filter, str_text(&text), said, sizeof(said));
	ck_assert(strstr(said, "too long") != NULL);
	str_clear(&text);
	str_add(&text, "probe: seven == 7 ");
	for (int i = 0; i < 900; i++)
		str_add(&text, "|| seven == 8");
	ck_assert_int_eq(filter_add(filter, str_text(&text), false), 0);
	ck_assert(filter_match(filter, PROBE, &p.record));
	str_clear(&text);
	str_add(&text, "probe: ");
	for (int i = 0; i < 90; i++)
		str_add(&text, "seven + (");
	str_add(&text, "1");
	for (int i = 0; i < 90; i++)
		str_add(&text, ")");
	hear(filter, str_text(&text), said, sizeof(said));
	str_fini(&text);
	filter_free(filter);
	probe_fini(&p);
}
END_TEST

/* Several -F and -v. */
START_TEST(together)
{
	static const struct {
		const char *with[2], *without[2];
		enum filter_verdict verdict, others;
		bool matches;
	} rows[] = {
		{ { 0 }, { 0 }, FILTER_ALWAYS, FILTER_ALWAYS, true },
		{ { "probe" }, { 0 }, FILTER_ALWAYS, FILTER_NEVER, true },
		{ { "probe: 1 == 2" }, { 0 }, FILTER_NEVER, FILTER_NEVER, false },
		{ { "probe: seven == 7" }, { 0 }, FILTER_SOMETIMES, FILTER_NEVER, true },
		{ { "probe: seven == 8", "probe: CPU == 3" }, { 0 }, FILTER_SOMETIMES, FILTER_NEVER, true },
		{ { "probe: seven == 8", "probe: CPU == 4" }, { 0 }, FILTER_SOMETIMES, FILTER_NEVER, false },
		{ { "probe: seven == 8", "probe" }, { 0 }, FILTER_ALWAYS, FILTER_NEVER, true },
		{ { 0 }, { "probe" }, FILTER_NEVER, FILTER_ALWAYS, false },
		{ { 0 }, { "probe: seven == 7" }, FILTER_SOMETIMES, FILTER_ALWAYS, false },
		{ { 0 }, { "probe: seven == 8", "probe: CPU == 4" }, FILTER_SOMETIMES, FILTER_ALWAYS, true },
		{ { "probe" }, { "probe: seven == 7" }, FILTER_SOMETIMES, FILTER_NEVER, false },
		{ { "probe: CPU == 3" }, { "probe: seven == 8" }, FILTER_SOMETIMES, FILTER_NEVER, true },
		{ { "probe: CPU == 3" }, { "probe" }, FILTER_NEVER, FILTER_NEVER, false },
	};
	struct probe p;

	probe_init(&p, false);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct filter *filter;

		ck_assert_int_eq(filter_new(&filter, p.tep, p.comms, p.symbols), 0);
		for (int j = 0; j < 2; j++) {
			if (rows[i].without[j])
				ck_assert_int_eq(filter_add(filter, rows[i].without[j], true), 0);
			if (rows[i].with[j])
				ck_assert_int_eq(filter_add(filter, rows[i].with[j], false), 0);
		}
		ck_assert_int_eq(filter_event(filter, PROBE), rows[i].verdict);
		ck_assert_int_eq(filter_event(filter, PROBE + 1), rows[i].others);
		ck_assert_int_eq(filter_event(filter, 3), rows[i].others);
		ck_assert_int_eq(filter_match(filter, PROBE, &p.record), rows[i].matches);
		ck_assert_int_eq(filter_match(filter, 9999, &p.record), rows[i].others == FILTER_ALWAYS);
		filter_free(filter);
	}
	filter_free(NULL);
	probe_fini(&p);
}
END_TEST

Suite *filter_suite(void)
{
	Suite *suite = suite_create("filter");
	TCase *tc = tcase_create("language");

	tcase_add_test(tc, meaning);
	tcase_add_test(tc, cut_records);
	tcase_add_test(tc, messages);
	tcase_add_test(tc, limits);
	tcase_add_test(tc, together);
	suite_add_tcase(suite, tc);
	suite_add_tcase(suite, filter_oracle_case());
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/window: which records lie in a window that was typed. */
#include "lib/analysis/window.h"
#include "lib/data/merge.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#include <unistd.h>

/* The records, in the order of time; a letter each from a on, and a page of its own. From 10 s to 20 s. */
static const struct {
	uint64_t ts;
	int cpu;
} records[] = {
	{ 10000000000, 0 }, /* a */
	{ 10499999499, 0 }, /* b: shown as 10.499999 */
	{ 10499999500, 0 }, /* c: the first that is shown as 10.500000 */
	{ 10500000000, 0 }, /* d */
	{ 10500000499, 0 }, /* e: the last */
	{ 10500000500, 0 }, /* f: shown as 10.500001 */
	{ 11000000000, 1 }, /* g */
	{ 12000000000, 0 }, /* h */
	{ 20000000000, 1 }, /* i */
};

static struct datfile *open_records(void)
{
	struct dat file = { .long_size = 8, .page_size = 4096 }, cpu[2] = { file, file };
	struct dat_buffer buffer = { .name = "" };
	struct datfile *opened;
	const char *path;

	for (size_t i = 0; i < ARRAY_LEN(records); i++) {
		struct dat *d = &cpu[records[i].cpu];

		dat_page(d, records[i].ts);
		dat_record(d, 0, 2, 314);
		dat_page_end(d, 0);
	}
	for (uint32_t i = 0; i < 2; i++)
		ck_assert_int_eq(vec_push(&buffer.cpus, (struct dat_cpu){ .cpu = i, .pages = cpu[i].s }), 0);
	dat6_file(&file, &buffer, 1);
	path = dat_save(&file);
	ck_assert_int_eq(datfile_open(&opened, path), 0);
	unlink(path);
	str_fini(&file.s);
	vec_each (&buffer.cpus, at)
		str_fini(&at->pages);
	vec_fini(&buffer.cpus);
	return opened;
}

struct test {
	struct datfile *file;
	inputs_t inputs;
	struct pool *pool;
	struct merge *merge;
};

/* The same file @files times, each shown by @shift later than the one before, the first one as @offset says. */
static void begin(struct test *t, size_t files, int64_t offset, int64_t shift)
{
	struct merge_input inputs[4] = { 0 };

	*t = (struct test){ .file = open_records() };
	for (size_t i = 0; i < files; i++)
		ck_assert_int_eq(vec_push(&t->inputs, (struct input){ .file = t->file, .clock = { .plain = true, .offset = offset + shift * (int64_t)i } }), 0);
	for (size_t i = 0; i < files; i++)
		inputs[i] = (struct merge_input){ .file = t->file, .clock = &t->inputs.at[i].clock };
	ck_assert_int_eq(pool_new(&t->pool, 1), 0);
	ck_assert_int_eq(merge_open(&t->merge, inputs, files, t->pool), 0);
}

/* The letters of what is left, capitals of the second file. */
static void tell(struct test *t, struct str *out)
{
	struct batch *batch;

	while (merge_next(t->merge, &batch) == 1) {
		for (size_t i = 0; i < batch->n; i++)
			for (size_t k = 0; k < ARRAY_LEN(records); k++)
				if (batch->records[i].ts == records[k].ts)
					str_addc(out, (char)((batch->records[i].file ? 'A' : 'a') + k));
		batch_put(batch);
	}
}

static void end(struct test *t)
{
	merge_close(t->merge);
	pool_free(t->pool);
	datfile_close(t->file);
	vec_fini(&t->inputs);
}

#define NS .ns = true
#define EXACT .ns = true, .exact = true

static const struct {
	struct window_options opt;
	int64_t offset;
	const char *left;
} rows[] = {
	{ { NULL, NULL, NS }, 0, "abcdefghi" },
	/* What is shown as this microsecond. */
	{ { "10.5", NULL, NS }, 0, "cdefghi" },
	{ { NULL, "10.5", NS }, 0, "abcde" },
	{ { "10.5", "10.5", NS }, 0, "cde" },
	{ { "10.500000", "10.500000", NS }, 0, "cde" },
	{ { "10500ms", "10500000us", NS }, 0, "cde" },
	{ { "10.499999", "10.499999", NS }, 0, "b" },
	{ { "10.500001", "10.500001", NS }, 0, "f" },
	/* Nanoseconds. */
	{ { "10.5", "10.5", EXACT }, 0, "d" },
	{ { "10.499999500", "10.500000499", EXACT }, 0, "cde" },
	{ { "10.499999501", "10.500000498", EXACT }, 0, "d" },
	{ { "10.499999501", "10.500000498", NS }, 0, "d" },
	{ { "10.500000001", "10.500000499", NS }, 0, "e" },
	{ { "10.500000001", "10.500000498", NS }, 0, "" },
	/* The digits that are written count, not the value. */
	{ { "10.500000000", "10.500000000", NS }, 0, "d" },
	{ { "10.5000000", "10.5000000", NS }, 0, "d" },
	{ { "10500000000ns", "10500000000ns", NS }, 0, "d" },
	{ { "10500.0000ms", "10500000.0us", NS }, 0, "d" },
	{ { "10500.000ms", "10.500000s", NS }, 0, "cde" },
	{ { "10.499999500", "10.500000000", NS }, 0, "cd" },
	/* After the first record, of all CPUs. */
	{ { "+1", NULL, NS }, 0, "ghi" },
	{ { NULL, "+1", NS }, 0, "abcdefg" },
	{ { "+2", "+2", NS }, 0, "h" },
	{ { "+0", "+0", NS }, 0, "a" },
	{ { "+0.5", "+0.5", EXACT }, 0, "d" },
	{ { "+1000ms", "+2s", NS }, 0, "gh" },
	{ { "+10", NULL, NS }, 0, "i" },
	/* Of the time from the first record to the last. */
	{ { "10%", NULL, NS }, 0, "ghi" },
	{ { NULL, "20%", NS }, 0, "abcdefgh" },
	{ { "10%", "20%", NS }, 0, "gh" },
	{ { "0%", "100%", NS }, 0, "abcdefghi" },
	{ { "100%", NULL, NS }, 0, "i" },
	{ { "5%", "5.0%", EXACT }, 0, "d" },
	/* Kinds mixed; ends; a window that holds nothing. */
	{ { "11", "20%", NS }, 0, "gh" },
	{ { "20", NULL, NS }, 0, "i" },
	{ { NULL, "10", NS }, 0, "a" },
	{ { "5", "100", NS }, 0, "abcdefghi" },
	{ { "13", "14", NS }, 0, "" },
	/* Times as they are shown. */
	{ { "0.5", "0.5", NS }, -10000000000, "cde" },
	{ { "0", "0", NS }, -10000000000, "a" },
	{ { "110.5", "110.5", EXACT }, 100000000000, "d" },
	{ { "+1", "20%", NS }, 100000000000, "gh" },
	/* Ticks. */
	{ { "10500000000", "10500000000" }, 0, "d" },
	{ { "10499999500", "10500000499" }, 0, "cde" },
	{ { "+500000000", "+500000000" }, 0, "d" },
	{ { "10%", "20%" }, 0, "gh" },
};

START_TEST(narrowed)
{
	struct str left = { 0 };
	struct test t;

	begin(&t, 1, rows[_i].offset, 0);
	ck_assert_int_eq(window_set(t.merge, &t.inputs, &rows[_i].opt), 0);
	tell(&t, &left);
	ck_assert_msg(strcmp(str_text(&left), rows[_i].left) == 0, "row %d: '%s' is left, not '%s'", _i, str_text(&left), rows[_i].left);
	str_fini(&left);
	end(&t);
}
END_TEST

/* What is no window, and what the message has to name. */
static const struct {
	struct window_options opt;
	const char *says;
} refusals[] = {
	{ { "x", NULL, NS }, "--since x" },
	{ { NULL, "x", NS }, "--until x" },
	{ { "", NULL, NS }, "--since" },
	{ { "+", NULL, NS }, "--since +" },
	{ { "%", NULL, NS }, "--since %" },
	{ { "5%%", NULL, NS }, "--since 5%%" },
	{ { "101%", NULL, NS }, "--since 101%" },
	{ { "-5%", NULL, NS }, "--since -5%" },
	{ { "+5%", NULL, NS }, "--since +5%" },
	{ { "5s%", NULL, NS }, "--since 5s%" },
	{ { "12.5x", NULL, NS }, "--since 12.5x" },
	{ { "99999999999999999999", NULL, NS }, "--since 99999999999999999999" },
	{ { "+18446744073", NULL, NS }, "--since +18446744073" },
	{ { "10.5" }, "--since 10.5" },	      /* no number of ticks */
	{ { "21", NULL, NS }, "--since 21" }, /* behind the trace */
	{ { "+10.1", NULL, NS }, "--since +10.1" },
	{ { NULL, "9.9", NS }, "--until 9.9" }, /* before it */
	{ { "12", "11", NS }, "--until 11" },
	{ { "20%", "10%", NS }, "--until 10%" },
};

START_TEST(refused)
{
	struct test t;
	char *said;

	begin(&t, 1, 0, 0);
	messages_begin();
	ck_assert_int_eq(window_set(t.merge, &t.inputs, &refusals[_i].opt), -EINVAL);
	said = messages_end();
	ck_assert_msg(strstr(said, refusals[_i].says) != NULL, "refusal %d: %s", _i, said);
	free(said);
	end(&t);
}
END_TEST

/* Of several files the first and the last record are those of all, each as its own clock shows it. */
START_TEST(several_files)
{
	static const struct {
		struct window_options opt;
		const char *left;
	} of_two[] = {
		{ { "+0", "+0", NS }, "a" },
		{ { "100%", NULL, NS }, "I" },
		{ { "+1", "+1", NS }, "gA" }, /* the second file is shown a second later */
		{ { "12", "+2", NS }, "hG" },
	};

	for (size_t i = 0; i < ARRAY_LEN(of_two); i++) {
		struct str left = { 0 };
		struct test t;

		begin(&t, 2, 0, 1000000000);
		ck_assert_int_eq(window_set(t.merge, &t.inputs, &of_two[i].opt), 0);
		tell(&t, &left);
		/* At 12 s a microsecond around is meant, but nothing else lies in it. */
		ck_assert_str_eq(str_text(&left), of_two[i].left);
		str_fini(&left);
		end(&t);
	}
}
END_TEST

Suite *window_suite(void)
{
	Suite *suite = suite_create("window");
	TCase *tc = tcase_create("window");

	tcase_add_loop_test(tc, narrowed, 0, ARRAY_LEN(rows));
	tcase_add_loop_test(tc, refused, 0, ARRAY_LEN(refusals));
	tcase_add_test(tc, several_files);
	suite_add_tcase(suite, tc);
	return suite;
}

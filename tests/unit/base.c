/* SPDX-License-Identifier: GPL-2.0 */
/* lib/base */
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/base/pool.h"
#include "tests/unit/unit.h"

START_TEST(str_grows)
{
	struct str s = { 0 };

	ck_assert_str_eq(str_text(&s), "");
	for (int i = 0; i < 1000; i++)
		str_addf(&s, "%d,", i);
	ck_assert_int_eq(str_ok(&s), 0);
	ck_assert_uint_eq(s.len, 10 * 2 + 90 * 3 + 900 * 4);
	ck_assert(str_starts(s.at, "0,1,2,"));
	ck_assert(str_ends(s.at, ",998,999,"));
	str_fini(&s);
}
END_TEST

START_TEST(text_lines)
{
	struct text rest = { (char *)"one\n\nthree", 10 }, line;

	ck_assert(text_line(&rest, &line) && line.size == 3);
	ck_assert(text_line(&rest, &line) && line.size == 0);
	ck_assert(text_line(&rest, &line) && line.size == 5 && !memcmp(line.at, "three", 5));
	ck_assert(!text_line(&rest, &line));
}
END_TEST

START_TEST(sizes)
{
	static const struct {
		const char *text;
		uint64_t unit, want;
		int err;
	} rows[] = {
		{ "512", 1024, 512, 0 },   { "10M", 1024, 10240, 0 }, { "1k", 1024, 1, 0 },
		{ "1KB", 1, 1024, 0 },	   { "2GiB", 1, 1ULL << 31, 0 }, { "1k", 4096, 1, 0 },
		{ "", 1, 0, -EINVAL },	   { "M", 1, 0, -EINVAL },    { "1x", 1, 0, -EINVAL },
		{ "-1", 1, 0, -EINVAL },   { "99999999999T", 1, 0, -ERANGE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t got = 0;

		ck_assert_int_eq(parse_size(rows[i].text, rows[i].unit, &got), rows[i].err);
		if (!rows[i].err)
			ck_assert_uint_eq(got, rows[i].want);
	}
}
END_TEST

START_TEST(times)
{
	static const struct {
		const char *text;
		uint64_t want;
		int err;
	} rows[] = {
		{ "1", 1000000000, 0 }, { "1.5", 1500000000, 0 }, { "0.000000001", 1, 0 },
		{ "10us", 10000, 0 },	{ "2.5ms", 2500000, 0 },  { "1m", 60000000000, 0 },
		{ ".5s", 500000000, 0 }, { "1 s", 0, -EINVAL },	  { "-1", 0, -EINVAL },
		{ "", 0, -EINVAL },	{ "99999999999999999999", 0, -ERANGE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t got = 0;

		ck_assert_int_eq(parse_time_ns(rows[i].text, &got), rows[i].err);
		if (!rows[i].err)
			ck_assert_uint_eq(got, rows[i].want);
	}
}
END_TEST

START_TEST(cpu_lists)
{
	struct cpuset set = { 0 };

	ck_assert_int_eq(parse_cpus("0-2,65", &set), 0);
	ck_assert(cpuset_has(&set, 0) && cpuset_has(&set, 2) && cpuset_has(&set, 65));
	ck_assert(!cpuset_has(&set, 3) && !cpuset_has(&set, 64) && !cpuset_has(&set, 4000));
	cpuset_fini(&set);
	ck_assert_int_eq(parse_cpus("2-1", &set), -EINVAL);
	cpuset_fini(&set);
	ck_assert_int_eq(parse_cpus("1,", &set), -EINVAL);
	cpuset_fini(&set);
	ck_assert_int_eq(parse_cpus("0-99999999", &set), -ERANGE);
	cpuset_fini(&set);
	ck_assert_int_eq(parse_cpus("all", &set), 0);
	ck_assert(cpuset_has(&set, 12345));
	cpuset_fini(&set);
}
END_TEST

START_TEST(nearest)
{
	strv_t names = { 0 }, best = { 0 };

	strv_add(&names, "vfs_read");
	strv_add(&names, "do_sys_openat2");
	strv_add(&names, "do_sys_poll");
	strv_add(&names, "sched_switch");
	ck_assert_int_eq(nearest_names("do_sys_open", &names, 1, &best), 0);
	ck_assert_uint_eq(best.n, 1);
	ck_assert_str_eq(best.at[0], "do_sys_openat2");
	strv_fini(&best);
	ck_assert_int_eq(nearest_names("shced_switch", &names, 3, &best), 0);
	ck_assert_uint_eq(best.n, 1);
	ck_assert_str_eq(best.at[0], "sched_switch");
	strv_fini(&best);
	ck_assert_int_eq(nearest_names("zzz", &names, 3, &best), 0);
	ck_assert_uint_eq(best.n, 0);
	strv_fini(&names);
}
END_TEST

struct square {
	struct job job;
	int in, out;
};

static void run_square(struct job *job)
{
	struct square *s = (struct square *)job;

	s->out = s->in * s->in;
}

START_TEST(pool_runs_all)
{
	enum { N = 100 };
	static struct square s[N];
	struct pool *pool;

	ck_assert_int_eq(pool_new(&pool, (unsigned int)_i), 0);
	for (int i = 0; i < N; i++) {
		s[i] = (struct square){ .job.run = run_square, .in = i };
		pool_submit(pool, &s[i].job);
	}
	for (int i = N - 1; i >= 0; i--) {
		pool_wait(pool, &s[i].job);
		ck_assert_int_eq(s[i].out, i * i);
	}
	pool_free(pool);
}
END_TEST

START_TEST(rooms)
{
	char *at = text_room(3 << 20);

	ck_assert_ptr_nonnull(at);
	memset(at, 1, 3 << 20);
	free(at);
	ck_assert_ptr_null(text_room(SIZE_MAX));
	ck_assert_ptr_null(text_room(SIZE_MAX - (1 << 20)));
}
END_TEST

Suite *base_suite(void)
{
	Suite *suite = suite_create("base");
	TCase *tc = tcase_create("base");

	tcase_add_test(tc, str_grows);
	tcase_add_test(tc, text_lines);
	tcase_add_test(tc, rooms);
	tcase_add_test(tc, sizes);
	tcase_add_test(tc, times);
	tcase_add_test(tc, cpu_lists);
	tcase_add_test(tc, nearest);
	tcase_add_loop_test(tc, pool_runs_all, 1, 4);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/base */
#include "lib/base/duration.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/parse.h"
#include "lib/base/pool.h"
#include "lib/base/visible.h"
#include "tests/unit/unit.h"

#include <stdio.h>

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

START_TEST(durations)
{
	static const struct {
		uint64_t ns;
		const char *want;
		/* clang-format off */
	} rows[] = {
		{ 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.000 us" }, { 12345, "12.345 us" }, { 999999, "999.999 us" }, { 1000000, "1.000 ms" },
		{ 2499499, "2.499 ms" }, { 2499953, "2.500 ms" }, { 999999499, "999.999 ms" }, { 999999500, "1.000 s" }, { 1249999999, "1.250 s" },
		{ 3600 * NSEC_PER_SEC, "3600.000 s" }, { UINT64_MAX, "18446744073.710 s" },
	};
	/* clang-format on */

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str out = { 0 };

		duration_add(&out, rows[i].ns);
		ck_assert_str_eq(str_text(&out), rows[i].want);
		str_fini(&out);
	}
}
END_TEST

START_TEST(names_of_files)
{
	static const char *const rows[][2] = {
		{ "trace.dat", "trace-web.dat" }, { "dir/a.b.dat", "dir/a.b-web.dat" }, { "dir.d/trace", "dir.d/trace-web" },	{ "trace", "trace-web" },
		{ ".hidden", ".hidden-web" },	  { "dir/.hidden", "dir/.hidden-web" }, { "/.hidden.dat", "/.hidden-web.dat" }, { "./x.", "./x-web." },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *file = str_file_of(rows[i][0], "web");

		ck_assert_str_eq(file, rows[i][1]);
		free(file);
	}
}
END_TEST

START_TEST(lists)
{
	static const struct {
		const char *text, *separators, *want;
	} rows[] = {
		{ "a,b", ",", "a|b" },	    { "", ",", "" },	   { ",", ",", "" },	{ " a b , ,c\t", ",", "a b|c" },
		{ "a:b,c", ":,", "a|b|c" }, { "one", ",", "one" }, { ",,x", ",", "x" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str got = { 0 };
		strv_t words = { 0 };

		ck_assert_int_eq(strv_split(&words, rows[i].text, rows[i].separators), 0);
		vec_each (&words, word)
			str_addf(&got, "%s%s", word == words.at ? "" : "|", *word);
		ck_assert_str_eq(str_text(&got), rows[i].want);
		strv_fini(&words);
		str_fini(&got);
	}
}
END_TEST

/* A number of each key, whatever the keys are; entries stay in their order. */
START_TEST(maps_of_numbers)
{
	MAP(uint64_t, uint32_t) map = { 0 };
	const uint64_t steps[] = { 1, 1ULL << 32, 1ULL << 52, 0x9e3779b97f4a7c15ULL, UINT64_MAX };
	size_t n = 0;

	ck_assert_ptr_null(map_find(&map, 7));
	for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
		for (uint64_t i = 0; i < 3000; i++) {
			map_entry(&map) entry = map_add(&map, i * steps[s] + s);

			ck_assert_ptr_nonnull(entry);
			n += !entry->value;
			entry->value++;
		}
	}
	ck_assert_uint_eq(map_count(&map), n);
	for (uint64_t i = 0; i < 3000; i++)
		ck_assert_uint_eq(map_find(&map, i)->key, i);
	ck_assert_ptr_null(map_find(&map, 1ULL << 31));
	ck_assert_uint_eq(map_at(&map, 2999)->key, 2999);
	n = 0;
	map_each (&map, entry)
		ck_assert_uint_eq(map_index(&map, entry), n++);
	map_clear(&map);
	ck_assert_ptr_null(map_find(&map, 5));
	ck_assert_uint_eq(map_add(&map, 5)->value, 0);
	ck_assert_uint_eq(map_count(&map), 1);
	map_fini(&map);
}
END_TEST

START_TEST(maps_of_others)
{
	struct pair {
		uint32_t a, b, c;
	};
	MAP(struct pair, char) pairs = { 0 };
	MAP(struct text, int) texts = { 0 };
	char names[1000][8];

	for (uint32_t i = 0; i < 4096; i++)
		map_add(&pairs, ((struct pair){ i & 15, i >> 4 & 15, i >> 8 }))->value = (char)i;
	for (uint32_t i = 0; i < 4096; i++)
		ck_assert_int_eq(map_find(&pairs, ((struct pair){ i & 15, i >> 4 & 15, i >> 8 }))->value, (char)i);
	ck_assert_uint_eq(map_count(&pairs), 4096);
	map_fini(&pairs);
	ck_assert_ptr_null(map_find_text(&texts, "", 0));
	for (int i = 0; i < 1000; i++) {
		snprintf(names[i], sizeof(names[i]), "n%d", i);
		map_add_text(&texts, names[i], strlen(names[i]))->value += i;
	}
	ck_assert_int_eq(map_find_text(&texts, "n12345", 4)->value, 123);
	ck_assert_ptr_null(map_find_text(&texts, "n12345", 5));
	map_fini(&texts);
}
END_TEST

START_TEST(sizes)
{
	static const struct {
		const char *text;
		uint64_t unit, want;
		int err;
	} rows[] = {
		{ "512", 1024, 512, 0 },
		{ "10M", 1024, 10240, 0 },
		{ "1k", 1024, 1, 0 },
		{ "1KB", 1, 1024, 0 },
		{ "2GiB", 1, 1ULL << 31, 0 },
		{ "1k", 4096, 1, 0 },
		{ "", 1, 0, -EINVAL },
		{ "M", 1, 0, -EINVAL },
		{ "1x", 1, 0, -EINVAL },
		{ "-1", 1, 0, -EINVAL },
		{ "99999999999T", 1, 0, -ERANGE },
		{ "18014398509481983", 1024, (1ULL << 54) - 1, 0 },
		{ "18014398509481984", 1024, 0, -ERANGE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t got = 0;

		ck_assert_int_eq(parse_size(rows[i].text, rows[i].unit, &got), rows[i].err);
		if (!rows[i].err)
			ck_assert_uint_eq(got, rows[i].want);
	}
}
END_TEST

/* Nobody who types 0161 means an octal number. */
START_TEST(numbers)
{
	uint64_t n;
	int64_t m;

	ck_assert(!parse_u64("0161", &n) && n == 161);
	ck_assert(!parse_u64("0", &n) && n == 0);
	ck_assert(!parse_u64("0x1F", &n) && n == 31);
	ck_assert(!parse_s64("-007", &m) && m == -7);
	ck_assert(!parse_s64("+0x10", &m) && m == 16);
	ck_assert(!parse_size("010M", 1024, &n) && n == 10240);
	ck_assert_int_eq(parse_u64("0x", &n), -EINVAL);
	ck_assert_int_eq(parse_u64("08z", &n), -EINVAL);
	ck_assert_int_eq(parse_u64("-1", &n), -EINVAL);
	ck_assert_int_eq(parse_s64("- 1", &m), -EINVAL);
	ck_assert_int_eq(parse_u64("99999999999999999999", &n), -ERANGE);
}
END_TEST

START_TEST(visible)
{
	static const struct {
		const char *text, *want;
		bool lines;
	} rows[] = {
		{ "plain\ttext ~", "plain\ttext ~", false },
		{ "a\nb", "a\\nb", false },
		{ "a\nb\r", "a\nb\\r", true },
		{ "\x1b[31m\x07\x7f\x01", "\\x1b[31m\\x07\\x7f\\x01", false },
		{ "gr\xc3\xb6\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x98\x80", "gr\xc3\xb6\xc3\x9f, \xe2\x82\xac, \xf0\x9f\x98\x80", false },
		/* C1 controls, as a byte and as a character; overlong; a surrogate; cut off; beyond Unicode. */
		{ "\x9b"
		  "1m",
		  "\\x9b1m", false },
		{ "\xc2\x9b"
		  "1m\xc2\x85",
		  "\\u009b1m\\u0085", false },
		{ "\xc0\x9b\xe0\x80\x9b", "\\xc0\\x9b\\xe0\\x80\\x9b", false },
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80", false },
		{ "\xe2\x82", "\\xe2\\x82", false },
		{ "\xe2\x82z", "\\xe2\\x82z", false },
		{ "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", false },
		/* Directions, isolates, separators of lines, tags. */
		{ "\xe2\x80\xae"
		  "x\xe2\x81\xa6\xe2\x80\xa8",
		  "\\u202ex\\u2066\\u2028", false },
		{ "\xf3\xa0\x81\x81", "\\U000e0041", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct str s = { 0 };

		str_add(&s, "\x1b");
		str_add(&s, rows[i].text);
		visible_str(&s, 1, rows[i].lines);
		ck_assert_str_eq(str_text(&s) + 1, rows[i].want);
		ck_assert_int_eq(s.at[0], '\x1b');
		str_fini(&s);
	}
}
END_TEST

/* A character that comes in two parts. */
START_TEST(visible_parts)
{
	char out[64];
	size_t left;

	*visible_put(out, "a\xe2\x82", 3, true, &left) = '\0';
	ck_assert_str_eq(out, "a");
	ck_assert_uint_eq(left, 2);
	*visible_put(out, "a\xe2z", 3, true, &left) = '\0';
	ck_assert_str_eq(out, "a\\xe2z");
	ck_assert_uint_eq(left, 0);
}
END_TEST

START_TEST(times)
{
	static const struct {
		const char *text;
		uint64_t want;
		int err;
	} rows[] = {
		{ "1", 1000000000, 0 },
		{ "1.5", 1500000000, 0 },
		{ "0.000000001", 1, 0 },
		{ "10us", 10000, 0 },
		{ "2.5ms", 2500000, 0 },
		{ "1m", 60000000000, 0 },
		{ ".5s", 500000000, 0 },
		{ "1 s", 0, -EINVAL },
		{ "-1", 0, -EINVAL },
		{ "", 0, -EINVAL },
		{ "99999999999999999999", 0, -ERANGE },
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

START_TEST(globs)
{
	ck_assert(glob_match("vfs_*", "vfs_read") && !glob_match("vfs_*", "xvfs_read"));
	ck_assert(glob_match("a[bc]", "ab") && glob_match("a[bc]", "ac") && !glob_match("a[bc]", "ad"));
	/* A name with brackets means itself, too, and as a glob it still matches what it did. */
	ck_assert(glob_match("[no name]", "[no name]") && glob_match("[no name]", "n") && glob_match("operator[]", "operator[]") &&
		  glob_match("a[bc]", "a[bc]"));
	ck_assert(glob_match("vfs_read", "vfs_read") && !glob_match("vfs_read", "vfs_readv") && !glob_match("", "vfs_read"));
	ck_assert(glob_is("a*") && glob_is("a?") && glob_is("a[") && !glob_is("a]"));
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
	tcase_add_test(tc, durations);
	tcase_add_test(tc, names_of_files);
	tcase_add_test(tc, lists);
	tcase_add_test(tc, maps_of_numbers);
	tcase_add_test(tc, maps_of_others);
	tcase_add_test(tc, sizes);
	tcase_add_test(tc, times);
	tcase_add_test(tc, visible);
	tcase_add_test(tc, visible_parts);
	tcase_add_test(tc, numbers);
	tcase_add_test(tc, cpu_lists);
	tcase_add_test(tc, globs);
	tcase_add_test(tc, nearest);
	tcase_add_loop_test(tc, pool_runs_all, 1, 4);
	suite_add_tcase(suite, tc);
	return suite;
}

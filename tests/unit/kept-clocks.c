/* SPDX-License-Identifier: GPL-2.0 */
/* lib/record/kept-clocks: what is saved of another machine's clocks is what a file gets of them. */
#define _GNU_SOURCE
#include "lib/record/kept-clocks.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct spool folder;

static void set_up(void)
{
	char path[] = "/tmp/ringside-clocks.XXXXXX";

	ck_assert_ptr_nonnull(mkdtemp(path));
	folder = (struct spool){ .path = strdup(path), .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	ck_assert_int_ge(folder.fd, 0);
}

static void tear_down(void)
{
	unlinkat(folder.fd, "clocks", 0);
	ck_assert_int_eq(rmdir(folder.path), 0);
	spool_fini(&folder);
}

/* A clock that is 5 s ahead of ours, gains 100 ppm, and was asked ten times. */
static struct clocks ten_answers(int64_t ahead)
{
	struct clocks clocks = { 0 };

	for (int64_t i = 0; i < 10; i++) {
		const int64_t here = 1000000000 * i, there = here + ahead + i * 100000;

		clocks_add(&clocks, there, here - 500, here + 500, 1000);
	}
	return clocks;
}

static void save(struct kept_clocks *kept, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ck_assert_int_eq(vec_push(&kept->cpus, ten_answers((int64_t)(5 + i) * 1000000000)), 0);
	ck_assert_int_eq(kept_clocks_save(kept, &folder), 0);
	vec_fini(&kept->cpus);
}

/* By its option TIME_SHIFT, in ns: between two samples the offset is interpolated. */
static int64_t here_of(const struct metadata *meta, size_t cpu, int64_t there)
{
	const struct time_sample *a = meta->time_shift.cpus.at[cpu].samples.at, *b = a + 1;

	ck_assert_uint_eq(meta->time_shift.cpus.at[cpu].samples.n, 2);
	return there + a->offset + (int64_t)((__int128)(there - a->time) * (b->offset - a->offset) / (b->time - a->time));
}

START_TEST(of_a_host)
{
	struct kept_clocks kept = { .peer_id = 77, .date_us = 123456, .until = 20000000000, .host = (char *)"a host" };
	struct metadata meta = { .ncpus = 3, .has_date = true };

	save(&kept, 1);
	ck_assert_int_eq(kept_clocks_tell(&folder, &meta), 0);
	ck_assert(meta.time_shift.present);
	ck_assert_uint_eq(meta.time_shift.peer_id, 77);
	ck_assert_uint_eq(meta.time_shift.cpus.n, 3);
	ck_assert_int_eq(meta.date_us, 123456);
	for (size_t cpu = 0; cpu < 3; cpu++)
		for (int64_t s = 0; s < 15; s++)
			ck_assert_int_le(llabs(here_of(&meta, cpu, (5 + s) * 1000000000 + s * 100000) - s * 1000000000), 1000);
	ck_assert_uint_eq(meta.cpustat.n, 1);
	ck_assert_ptr_nonnull(strstr(meta.cpustat.at[0], "Host: a host\nclock: offset -"));
	ck_assert_ptr_nonnull(strstr(meta.cpustat.at[0], "drift 100.0"));
	metadata_fini(&meta);
}
END_TEST

/* The clock tai counts from 1970 on, so it reads 1.8e18. */
START_TEST(of_a_large_clock)
{
	const int64_t ahead = INT64_C(1800000000000000000);
	struct kept_clocks kept = { .peer_id = 3, .until = ahead + 20000000000, .host = (char *)"tai" };
	struct metadata meta = { .ncpus = 1 };

	ck_assert_int_eq(vec_push(&kept.cpus, ten_answers(ahead)), 0);
	save(&kept, 0);
	ck_assert_int_eq(kept_clocks_tell(&folder, &meta), 0);
	ck_assert(meta.time_shift.present);
	ck_assert_int_le(llabs(here_of(&meta, 0, ahead + 5000000000 + 500000) - 5000000000), 1000);
	metadata_fini(&meta);
}
END_TEST

/* Of an agent each CPU has its own; and one that had no answer has that of the first. */
START_TEST(of_cpus)
{
	struct kept_clocks kept = { .peer_id = 1 };
	struct metadata meta = { .ncpus = 3, .date_us = 42 };

	ck_assert_int_eq(vec_push(&kept.cpus, ten_answers(1000000000)), 0);
	ck_assert_int_eq(vec_push(&kept.cpus, ten_answers(2000000000)), 0);
	ck_assert_int_eq(vec_push(&kept.cpus, (struct clocks){ 0 }), 0);
	save(&kept, 0);
	ck_assert_int_eq(kept_clocks_tell(&folder, &meta), 0);
	ck_assert_uint_eq(meta.time_shift.cpus.n, 3);
	for (size_t cpu = 0; cpu < 3; cpu++)
		ck_assert_int_le(llabs(here_of(&meta, cpu, cpu == 1 ? 2000000000 : 1000000000)), 1000);
	ck_assert_uint_eq(meta.cpustat.n, 2);
	ck_assert_int_eq(meta.date_us, 42);
	metadata_fini(&meta);
}
END_TEST

START_TEST(of_nobody)
{
	struct metadata meta = { .ncpus = 1 };

	ck_assert_int_eq(kept_clocks_tell(&folder, &meta), 0);
	ck_assert(!meta.time_shift.present);
	metadata_fini(&meta);
}
END_TEST

/* clang-format off */
static const char *const damaged[] = {
	"", "end\n", "clock 1\n1 2 3\n", "clock 1\nend\n", "1 2 3\nend\n", "clock 1\n1 2\nend\n", "clock 1\n1 2 3 4\nend\n", "clock 1\n1 2 -3\nend\n",
	"clock 1\n9 2 3\n8 2 3\nend\n", "clock 1\n1 2 99999999999999999999\nend\n", "clock\n1 2 3\nend\n", "id x\nclock 1\n1 2 3\nend\n",
	"host a\nhost b\nclock 1\n1 2 3\nend\n", "clock 1\n\n1 2 3\nend\n",
	"clock 1\n9223372036854775807 2 3\nend\n", "clock 1\n1 -9223372036854775807 3\nend\n", "until 9223372036854775807\nclock 1\n1 2 3\nend\n",
};
/* clang-format on */

/* The file is made without it. */
START_TEST(is_damaged)
{
	struct metadata meta = { .ncpus = 1 };
	int fd = openat(folder.fd, "clocks", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	ck_assert_int_eq(write(fd, damaged[_i], strlen(damaged[_i])), (ssize_t)strlen(damaged[_i]));
	close(fd);
	ck_assert_int_eq(kept_clocks_tell(&folder, &meta), 0);
	ck_assert(!meta.time_shift.present);
	metadata_fini(&meta);
}
END_TEST

Suite *kept_clocks_suite(void)
{
	Suite *suite = suite_create("kept-clocks");
	TCase *tc = tcase_create("kept-clocks");

	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, of_a_host);
	tcase_add_test(tc, of_a_large_clock);
	tcase_add_test(tc, of_cpus);
	tcase_add_test(tc, of_nobody);
	tcase_add_loop_test(tc, is_damaged, 0, ARRAY_LEN(damaged));
	suite_add_tcase(suite, tc);
	return suite;
}

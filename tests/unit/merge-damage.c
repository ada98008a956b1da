/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/merge: damaged, large and empty files, and merges that are closed early. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "tests/unit/merging.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* A damaged page costs what is behind the damage, which is a loss; it is told where. */
START_TEST(damaged_page)
{
	struct merging t;
	struct datfile *file;
	struct run run;
	struct dat d;
	char where[64], *said;

	merging_init(&t, false, 1);
	d = t.like;
	for (int p = 0; p < 3; p++) {
		dat_page(&d, 1000ULL * (unsigned int)p);
		dat_record(&d, 1, 1, 314);
		if (p == 1) {
			dat_event(&d, 28, 1);
			dat_put32(&d, 0);
		}
		dat_page_end(&d, 0);
	}
	merging_add(&t, 0, &d);
	file = merging_open(&t, NULL);
	messages_begin();
	run = merging_run_file(file, (unsigned int)_i);
	said = messages_end();
	ck_assert_int_eq(run.err, 0);
	ck_assert(run.damaged);
	ck_assert_uint_eq(run.seen.n, 3);
	ck_assert_int_eq(run.seen.at[2].rec.lost, LOST_UNKNOWN);
	snprintf(where, sizeof(where), "offset %llu", (unsigned long long)file->buffers.at[0].cpus.at[0].offset + 4096 + 24);
	ck_assert_msg(strstr(said, where) != NULL, "%s not in %s", where, said);
	ck_assert_ptr_nonnull(strstr(said, file->path));
	free(said);
	merging_close(&run, file, &t);
}
END_TEST

/* One byte of a compressed chunk is wrong: the chunks around it are read. */
START_TEST(damaged_chunk)
{
	struct merging t;
	struct dat d;
	struct datfile *file;
	struct run run;
	size_t total, at;
	char *said;

	merging_init(&t, false, 1);
	d = t.like;
	total = merging_random(&d, 100, 1);
	merging_add(&t, 0, &d);
	d = t.like;
	dat7_file(&d, t.buffers, 1, "zlib", 10);
	file = merging_open(&t, "zlib");
	/* The second chunk begins behind the number of chunks and the first one. */
	at = file->buffers.at[0].cpus.at[0].offset + 4;
	at += 8 + get32(d.s.at + at, false);
	datfile_close(file);
	d.s.at[at + 8 + 1000] ^= 0x55;
	said = (char *)dat_save(&d);
	ck_assert_int_eq(datfile_open(&file, said), 0);
	unlink(said);
	messages_begin();
	run = merging_run_file(file, (unsigned int)_i);
	said = messages_end();
	ck_assert_int_eq(run.err, 0);
	ck_assert(run.damaged);
	ck_assert_ptr_nonnull(strstr(said, "chunk"));
	ck_assert_uint_eq(run.seen.n, total - 2000);
	free(said);
	str_fini(&d.s);
	merging_close(&run, file, &t);
}
END_TEST

/* Offsets have 64 bits: the same pages at 5 GiB of a file with a hole. */
START_TEST(large_file)
{
	const uint64_t far = 5ULL << 30;
	struct merging t;
	struct datfile *file;
	struct run run;
	struct dat d;
	size_t total, table;
	const char *path;
	int fd;

	merging_init(&t, false, 1);
	d = t.like;
	total = merging_random(&d, 40, 1);
	merging_add(&t, 0, &d);
	d = t.like;
	dat6_file(&d, t.buffers, 1);
	table = (size_t)((char *)memmem(d.s.at, d.s.len, "flyrecord", 10) - d.s.at) + 10;
	dat_patch64(&d, table, far);
	path = dat_save(&d);
	fd = open(path, O_WRONLY);
	ck_assert_int_eq(io_pwrite(fd, t.buffers[0].cpus.at[0].pages.at, t.buffers[0].cpus.at[0].pages.len, far), 0);
	close(fd);
	ck_assert_int_eq(datfile_open(&file, path), 0);
	unlink(path);
	ck_assert(!file->damaged);
	run = merging_run_file(file, (unsigned int)_i);
	ck_assert(!run.damaged);
	merging_check(&run, total);
	str_fini(&d.s);
	merging_close(&run, file, &t);
}
END_TEST

START_TEST(nothing)
{
	struct merging t;
	struct datfile *file;
	struct merge *merge;
	struct batch *batch;
	struct run run;

	merging_init(&t, false, 1);
	file = merging_open(&t, NULL);
	run = merging_run_file(file, (unsigned int)_i);
	ck_assert_int_eq(run.err, 0);
	ck_assert_uint_eq(run.seen.n, 0);
	ck_assert_int_eq(merge_open(&merge, NULL, 0, NULL), 0);
	ck_assert_int_eq(merge_next(merge, &batch), 0);
	merge_close(merge);
	merge_close(NULL);
	batch_put(NULL);
	merging_close(&run, file, &t);
}
END_TEST

/* Closed in the middle, with chunks under way. */
START_TEST(closed_early)
{
	struct merging t;
	struct datfile *file;
	struct merge_input input = { 0 };
	struct batch *batch;
	struct merge *merge;
	struct pool *pool;

	merging_init(&t, false, 1);
	for (uint32_t cpu = 0; cpu < 4; cpu++) {
		struct dat d = t.like;

		merging_random(&d, 300, cpu);
		merging_add(&t, 0, &d);
	}
	file = merging_open(&t, NULL);
	input.file = file;
	ck_assert_int_eq(pool_new(&pool, (unsigned int)_i), 0);
	for (int reads = 0; reads < 3; reads++) {
		ck_assert_int_eq(merge_open(&merge, &input, 1, pool), 0);
		for (int i = 0; i < reads; i++) {
			ck_assert_int_eq(merge_next(merge, &batch), 1);
			batch_put(batch);
		}
		merge_close(merge);
	}
	pool_free(pool);
	datfile_close(file);
	merging_fini(&t);
}
END_TEST

Suite *merge_damage_suite(void)
{
	Suite *suite = suite_create("merge-damage");
	TCase *tc = tcase_create("merge");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, damaged_page, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, damaged_chunk, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, large_file, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, nothing, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, closed_early, MERGING_FIRST, MERGING_LAST + 1);
	suite_add_tcase(suite, tc);
	return suite;
}

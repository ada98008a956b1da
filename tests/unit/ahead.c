/* SPDX-License-Identifier: GPL-2.0 */
/* lib/analysis/ahead: the batches of a merge, made by another thread. */
#include "lib/analysis/ahead.h"
#include "tests/unit/merging.h"

enum { CPUS = 5 };

/* A file of several CPUs; *@total becomes the number of its records. */
static struct datfile *make(struct merging *t, size_t *total)
{
	*total = 0;
	merging_init(t, false, 1);
	for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
		struct dat d = t->like;

		*total += merging_random(&d, 60 + 40 * cpu, cpu);
		merging_add(t, 0, &d);
	}
	return merging_open(t, NULL);
}

/* Takes up to @most batches, and holds one while the next ones are made. Returns how many records they have. */
static size_t take_batches(struct datfile *file, unsigned int threads, size_t most, int *err)
{
	const struct merge_input input = { .file = file, .graph = merging_graph };
	struct batch *batch, *held = NULL;
	struct ahead *ahead;
	struct merge *merge;
	struct pool *pool;
	uint64_t last = 0;
	size_t n = 0;

	ck_assert_int_eq(pool_new(&pool, threads), 0);
	ck_assert_int_eq(merge_open(&merge, &input, 1, pool), 0);
	ck_assert_int_eq(ahead_new(&ahead, merge, pool), 0);
	*err = 1;
	for (uint64_t seq = 0; seq < most && (*err = ahead_next(ahead, &batch)) > 0; seq++) {
		ck_assert_uint_eq(batch->seq, seq);
		for (size_t i = 0; i < batch->n; i++) {
			ck_assert_uint_ge(batch->records[i].ts, last);
			last = batch->records[i].ts;
		}
		n += batch->n;
		batch_put(held);
		held = batch;
	}
	/* What has ended stays so. */
	if (*err <= 0)
		ck_assert_int_eq(ahead_next(ahead, &batch), *err);
	batch_put(held);
	ahead_free(ahead);
	merge_close(merge);
	pool_free(pool);
	return n;
}

START_TEST(all)
{
	struct merging t;
	size_t total;
	struct datfile *file = make(&t, &total);
	int err;

	ck_assert_uint_eq(take_batches(file, (unsigned int)_i, SIZE_MAX, &err), total);
	ck_assert_int_eq(err, 0);
	datfile_close(file);
	merging_fini(&t);
}
END_TEST

/* Nobody takes the rest: it is given back, as a merge must have all when it is closed. */
START_TEST(left)
{
	struct merging t;
	size_t total;
	struct datfile *file = make(&t, &total);
	int err;

	for (size_t most = 0; most < 12; most++) {
		ck_assert_uint_le(take_batches(file, (unsigned int)_i, most, &err), total);
		ck_assert_int_eq(err, 1);
	}
	datfile_close(file);
	merging_fini(&t);
}
END_TEST

Suite *ahead_suite(void)
{
	Suite *s = suite_create("ahead");
	TCase *tc = tcase_create("ahead");

	tcase_add_loop_test(tc, all, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, left, MERGING_FIRST, MERGING_LAST + 1);
	suite_add_tcase(s, tc);
	return s;
}

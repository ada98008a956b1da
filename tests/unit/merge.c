/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/merge: order, losses and leaf calls over pages, chunks, CPUs and files. */
#include "lib/data/bytes.h"
#include "tests/unit/merging.h"

START_TEST(few_cpus)
{
	static const char *const codecs[] = { NULL, "none", "zlib", "zstd" };

	for (size_t c = 0; c < ARRAY_LEN(codecs); c++) {
		struct merging t;
		struct datfile *file;
		struct run run;
		size_t total = 0;

		merging_init(&t, c & 1, 1);
		for (uint32_t cpu = 0; cpu < 3; cpu++) {
			struct dat d = t.like;

			total += merging_random(&d, 40 + 30 * cpu, cpu);
			merging_add(&t, 0, &d);
		}
		file = merging_open(&t, codecs[c]);
		run = merging_run_file(file, (unsigned int)_i);
		ck_assert_int_eq(run.err, 0);
		ck_assert(!run.damaged);
		merging_check(&run, total);
		merging_close(&run, file, &t);
	}
}
END_TEST

START_TEST(many_cpus)
{
	struct merging t;
	struct datfile *file;
	struct run run;
	size_t total = 0;

	merging_init(&t, false, 1);
	for (uint32_t cpu = 0; cpu < 256; cpu++) {
		struct dat d = t.like;

		total += merging_random(&d, 1 + cpu % 23, cpu);
		merging_add(&t, 0, &d);
	}
	file = merging_open(&t, NULL);
	run = merging_run_file(file, (unsigned int)_i);
	ck_assert_int_eq(run.err, 0);
	merging_check(&run, total);
	merging_close(&run, file, &t);
}
END_TEST

/* Buffers and files come in between by time as well; equal times: the first file, its first buffer, the lower CPU. */
START_TEST(ties)
{
	struct merging t;
	struct datfile *files[2];
	struct merge_input inputs[2];
	struct run run;

	merging_init(&t, false, 2);
	for (size_t b = 0; b < 2; b++) {
		for (uint32_t cpu = 0; cpu < 2; cpu++) {
			struct dat d = t.like;

			dat_page(&d, 500);
			for (int i = 0; i < 3; i++)
				dat_record(&d, i == 2, 1, 314);
			dat_page_end(&d, 0);
			merging_add(&t, b, &d);
		}
	}
	for (int f = 0; f < 2; f++) {
		files[f] = merging_open(&t, NULL);
		inputs[f] = (struct merge_input){ .file = files[f] };
	}
	run = merging_run(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++) {
		const struct record *rec = &run.seen.at[i].rec;
		/* 16 records at 500, two of each stream, then 8 at 501. */
		size_t stream = i < 16 ? i / 2 : i - 16;

		ck_assert_uint_eq(rec->ts, i < 16 ? 500 : 501);
		ck_assert_uint_eq(rec->file, stream / 4);
		ck_assert_uint_eq(rec->buffer, stream / 2 % 2);
		ck_assert_uint_eq(rec->cpu, stream % 2);
	}
	vec_fini(&run.seen);
	/* The second file is shifted before the first one, its own times stay. */
	inputs[1].clock = &(struct clock){ .plain = true, .offset = -100 };
	run = merging_run(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_uint_eq(run.seen.at[i].rec.file, i < 12);
	ck_assert_uint_eq(run.seen.at[0].rec.ts, 500);
	vec_fini(&run.seen);
	/* Ticks of half a ns: 250 ns are before the 500 of the first file. */
	inputs[1].clock = &(struct clock){ .tsc = { .present = true, .mult = 1, .shift = 1 } };
	run = merging_run(inputs, 2, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 24);
	for (size_t i = 0; i < 24; i++)
		ck_assert_uint_eq(run.seen.at[i].rec.file, i < 12);
	datfile_close(files[1]);
	merging_close(&run, files[0], &t);
}
END_TEST

static bool only_other(void *ctx, const char *name)
{
	++*(int *)ctx;
	return strcmp(name, "other") == 0;
}

START_TEST(selection)
{
	struct merging t;
	struct datfile *file;
	struct merge_input input = { 0 };
	struct cpuset cpus = { 0 };
	struct run run;
	int asked = 0;

	merging_init(&t, false, 2);
	for (size_t b = 0; b < 2; b++) {
		for (uint32_t cpu = 0; cpu < 4; cpu++) {
			struct dat d = t.like;

			merging_random(&d, 2, cpu);
			/* What nobody wants is not even read: damage there is not found. */
			if (cpu == 3)
				memset(d.s.at + 16, 0, 100);
			merging_add(&t, b, &d);
		}
	}
	file = merging_open(&t, NULL);
	ck_assert_int_eq(parse_cpus("0,2", &cpus), 0);
	input = (struct merge_input){ .file = file, .cpus = &cpus };
	run = merging_run(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 2 * 400);
	ck_assert(!run.damaged);
	vec_each (&run.seen, s)
		ck_assert_uint_eq(s->rec.cpu % 2, 0);
	vec_fini(&run.seen);
	input.buffer_wanted = only_other;
	input.ctx = &asked;
	run = merging_run(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 400);
	vec_each (&run.seen, s)
		ck_assert_uint_eq(s->rec.buffer, 1);
	ck_assert_int_eq(asked, 2);
	cpuset_fini(&cpus);
	merging_close(&run, file, &t);
}
END_TEST

/* Without the exits that their entries tell: all the others of @all, in the same order. */
static void check_fold(const struct run *all, struct datfile *file, unsigned int threads)
{
	struct merge_input input = { .file = file, .graph = merging_graph, .fold = true };
	struct run run = merging_run(&input, 1, threads);
	size_t n = 0;

	vec_each (&all->seen, s) {
		if (s->rec.flags & RECORD_FOLDED)
			continue;
		ck_assert_uint_lt(n, run.seen.n);
		ck_assert_uint_eq(run.seen.at[n].rec.ts, s->rec.ts);
		ck_assert_uint_eq(run.seen.at[n].rec.flags, s->rec.flags);
		ck_assert_uint_eq(run.seen.at[n].exit_func, s->exit_func);
		n++;
	}
	ck_assert_uint_eq(n, run.seen.n);
	ck_assert_uint_lt(n, all->seen.n);
	vec_fini(&run.seen);
}

/* Pages of which each ends with an entry whose exit begins the next one, so that chunks are crossed as well. */
START_TEST(leaves)
{
	enum { PAGES = 200 };
	bool big = _i & 1;
	struct merging t;
	struct datfile *file;
	struct run run;
	struct dat d;

	merging_init(&t, big, 1);
	d = t.like;
	for (int p = 0; p < PAGES; p++) {
		dat_page(&d, 1000 + 100ULL * (unsigned int)p);
		if (p)
			dat_exit(&d, 1, 7, 0x1000 + (uint64_t)p - 1);
		dat_entry(&d, 1, 7, 0x99);
		dat_entry(&d, 1, 7, 0x98); /* the call that the one before made: that is no leaf */
		dat_exit(&d, 1, 7, 0x98);  /* a leaf within the page */
		dat_exit(&d, 1, 7, 0x99);
		dat_entry(&d, 1, 7, 0x97);
		dat_exit(&d, 1, 8, 0x97); /* another task */
		dat_entry(&d, 1, 7, 0x97);
		dat_exit(&d, 1, 7, 0x96); /* another function */
		dat_entry(&d, 1, 7, 0x97);
		dat_record(&d, 1, 6, 314); /* something in between */
		dat_exit(&d, 1, 7, 0x97);
		dat_entry(&d, 1, 7, 0x1000 + (uint64_t)p);
		dat_page_end(&d, 0);
	}
	merging_add(&t, 0, &d);
	file = merging_open(&t, _i & 2 ? "zlib" : NULL);
	run = merging_run_file(file, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, PAGES * 13 - 1);
	for (size_t i = 0; i < run.seen.n; i++) {
		size_t page = (i + 1) / 13, in_page = (i + 1) % 13;
		const struct seen *s = &run.seen.at[i];
		bool last = i + 1 == run.seen.n;
		int want = in_page == 2 || (in_page == 12 && !last) ? RECORD_LEAF : in_page == 3 || (in_page == 0 && page) ? RECORD_FOLDED : 0;

		ck_assert_msg((s->rec.flags & (RECORD_LEAF | RECORD_FOLDED)) == want, "record %zu, %zu in page %zu: flags %d", i, in_page, page, s->rec.flags);
		ck_assert_int_eq(s->rec.exit != NULL, want == RECORD_LEAF);
		if (want == RECORD_LEAF)
			ck_assert_uint_eq(s->exit_func, in_page == 2 ? 0x98 : 0x1000 + page);
	}
	check_fold(&run, file, (unsigned int)_i);
	merging_close(&run, file, &t);
}
END_TEST

/* A loss between entry and exit: they are not one call that is told. */
START_TEST(leaf_with_loss)
{
	struct merging t;
	struct datfile *file;
	struct run run;
	struct dat d;

	merging_init(&t, false, 1);
	d = t.like;
	dat_page(&d, 1000);
	dat_entry(&d, 1, 7, 0x99);
	dat_page_end(&d, 0);
	dat_page(&d, 2000);
	dat_exit(&d, 1, 7, 0x99);
	dat_page_end(&d, 5);
	run = merging_run_cpu(&t, &d, (unsigned int)_i, &file);
	ck_assert_uint_eq(run.seen.n, 2);
	ck_assert_uint_eq(run.seen.at[0].rec.flags, RECORD_PAGE | RECORD_GAP);
	ck_assert_uint_eq(run.seen.at[1].rec.flags, RECORD_PAGE | RECORD_LOST);
	ck_assert_int_eq(run.seen.at[1].rec.lost, 5);
	merging_close(&run, file, &t);
}
END_TEST

/* Losses of pages without events go to the next record, also over chunks, and to none at the end. */
START_TEST(losses)
{
	struct merging t;
	struct datfile *file;
	struct run run;
	struct dat d;

	merging_init(&t, false, 1);
	d = t.like;
	dat_page(&d, 1000);
	dat_record(&d, 1, 1, 314);
	dat_page_end(&d, 0);
	for (int p = 0; p < 100; p++) {
		dat_page(&d, 1500);
		dat_page_end(&d, p < 50 ? 2 : 0);
	}
	dat_page(&d, 2000);
	dat_record(&d, 1, 1, 314);
	dat_page_end(&d, 7);
	dat_page(&d, 2500);
	dat_page_end(&d, 3);
	dat_page(&d, 2500);
	dat_page_end(&d, LOST_UNKNOWN);
	run = merging_run_cpu(&t, &d, (unsigned int)_i, &file);
	ck_assert_uint_eq(run.seen.n, 3);
	ck_assert_int_eq(run.seen.at[1].rec.lost, 107);
	ck_assert(run.seen.at[1].rec.flags & RECORD_LOST);
	ck_assert_uint_eq(run.seen.at[2].rec.flags, RECORD_NODATA | RECORD_LOST);
	ck_assert_ptr_null(run.seen.at[2].rec.data);
	ck_assert_uint_eq(run.seen.at[2].rec.ts, 2001);
	ck_assert_int_eq(run.seen.at[2].rec.lost, LOST_UNKNOWN);
	ck_assert(!run.damaged);
	merging_close(&run, file, &t);
}
END_TEST

/*
 * In each of many chunks, pages that begin with a loss: what stands before it says so, also when that is an exit which is told with its
 * entry. What was lost in front of all is said before anything else.
 */
START_TEST(gaps)
{
	enum { PAGES = 200 };
	struct merging t;
	struct datfile *file;
	struct merge_input input;
	struct run run;
	struct dat d;
	bool gap = false;
	size_t lost = 0;

	merging_init(&t, false, 1);
	d = t.like;
	for (unsigned int p = 0; p < PAGES; p++) {
		dat_page(&d, 1000 * (p + 1));
		dat_record(&d, 1, 1, 314);
		dat_entry(&d, 1, 7, 0x99);
		dat_exit(&d, 1, 7, 0x99);
		dat_page_end(&d, p % 3 ? 0 : 5);
	}
	merging_add(&t, 0, &d);
	file = merging_open(&t, NULL);
	input = (struct merge_input){ .file = file, .graph = merging_graph, .fold = true };
	run = merging_run(&input, 1, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 1 + 2 * PAGES);
	ck_assert_uint_eq(run.seen.at[0].rec.flags, RECORD_NODATA | RECORD_GAP);
	vec_each (&run.seen, seen) {
		ck_assert_uint_eq(!!(seen->rec.flags & RECORD_LOST), gap);
		gap = seen->rec.flags & RECORD_GAP;
		lost += !!(seen->rec.flags & RECORD_LOST);
	}
	ck_assert(!gap);
	ck_assert_uint_eq(lost, (PAGES + 2) / 3);
	merging_close(&run, file, &t);
}
END_TEST

/* A clock that jumps back on one CPU: all is told, and the other CPU stays in order. */
START_TEST(backwards)
{
	struct merging t;
	struct datfile *file;
	struct run run;
	size_t n[2] = { 0 };

	merging_init(&t, false, 1);
	for (int cpu = 0; cpu < 2; cpu++) {
		struct dat d = t.like;

		for (int p = 0; p < 50; p++) {
			dat_page(&d, cpu || p != 20 ? 1000 + 100ULL * (unsigned int)p : 5);
			for (int i = 0; i < 90; i++)
				dat_record(&d, 1, 1, 314);
			dat_page_end(&d, 0);
		}
		merging_add(&t, 0, &d);
	}
	file = merging_open(&t, NULL);
	run = merging_run_file(file, (unsigned int)_i);
	ck_assert_uint_eq(run.seen.n, 2 * 50 * 90);
	vec_each (&run.seen, s)
		n[s->rec.cpu]++;
	ck_assert_uint_eq(n[0], n[1]);
	for (size_t i = 1, last = 0; i < run.seen.n; i++) {
		if (run.seen.at[i].rec.cpu != 1)
			continue;
		ck_assert_uint_ge(run.seen.at[i].rec.ts, last);
		last = run.seen.at[i].rec.ts;
	}
	merging_close(&run, file, &t);
}
END_TEST

Suite *merge_suite(void)
{
	Suite *suite = suite_create("merge");
	TCase *tc = tcase_create("merge");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, few_cpus, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, many_cpus, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, ties, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, selection, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, leaves, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, leaf_with_loss, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, losses, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, gaps, MERGING_FIRST, MERGING_LAST + 1);
	tcase_add_loop_test(tc, backwards, MERGING_FIRST, MERGING_LAST + 1);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/live: when records are due whose pages come while they are read, and which come too late. */
#include "lib/data/merge.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

enum { WINDOW = 10, ID = 314 };

static const struct graph_ids graph = {
	.entry = { 11, 8, 8 },
	.exit = { 10, 8, 8 },
	.type_offset = 0,
	.pid_offset = 4,
};

/* What a test has opened. */
static struct feed {
	struct datfile file;
	struct merge *merge;
	struct dat page; /* under construction */
	uint64_t now;
} f;

static void feed_open(unsigned int cpus)
{
	struct merge_input input = { .file = &f.file, .graph = graph };
	struct datbuf buf = { .name = (char *)"", .page_size = 4096 };

	f = (struct feed){ .page = { .long_size = 8, .page_size = 4096 } };
	f.file = (struct datfile){ .path = (char *)"test", .fd = -1, .meta = { .user_long_size = 8 } };
	for (uint32_t cpu = 0; cpu < cpus; cpu++)
		ck_assert_int_eq(vec_push(&buf.cpus, (struct datcpu){ .cpu = cpu }), 0);
	ck_assert_int_eq(vec_push(&f.file.buffers, buf), 0);
	ck_assert_int_eq(merge_open_live(&f.merge, &input, WINDOW), 0);
}

static void feed_close(void)
{
	merge_close(f.merge);
	vec_fini(&f.file.buffers.at[0].cpus);
	vec_fini(&f.file.buffers);
	str_fini(&f.page.s);
}

/* The pages made so far are those of @stream. */
static void feed_pages(size_t stream, bool drained)
{
	size_t size;
	void *room = merge_room(f.merge, stream, &size);

	ck_assert_ptr_nonnull(room);
	ck_assert_uint_ge(size, f.page.s.len);
	if (f.page.s.len)
		memcpy(room, f.page.s.at, f.page.s.len);
	ck_assert_int_eq(merge_feed(f.merge, stream, f.page.s.len, drained), 0);
	str_clear(&f.page.s);
	f.page.page = 0;
}

/* A page with records at @ts and the @n - 1 following times. */
static void feed_records(size_t stream, uint64_t ts, unsigned int n, bool drained)
{
	if (n)
		dat_page(&f.page, ts);
	for (unsigned int i = 0; i < n; i++)
		dat_record(&f.page, i > 0, 2, ID);
	if (n)
		dat_page_end(&f.page, 0);
	feed_pages(stream, drained);
}

/* A page with one entry into @func, or with its exit. */
static void feed_call(size_t stream, uint64_t ts, void (*side)(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func), uint64_t func, bool drained)
{
	dat_page(&f.page, ts);
	side(&f.page, 0, 7, func);
	dat_page_end(&f.page, 0);
	feed_pages(stream, drained);
}

/* A page behind a loss, with @n records. */
static void feed_loss(uint64_t ts, int64_t lost, unsigned int n)
{
	dat_page(&f.page, ts);
	for (unsigned int i = 0; i < n; i++)
		dat_record(&f.page, 0, 2, ID);
	dat_page_end(&f.page, lost);
	feed_pages(0, true);
}

/* The round ends now; the next one begins so much later. */
static bool feed_round(uint64_t pause)
{
	bool pending = merge_round(f.merge, f.now, f.now);

	f.now += pause;
	return pending;
}

/* A round that finds no more on both CPUs, so long before the next. */
static bool quiet_round(uint64_t pause)
{
	for (size_t i = 0; i < 2; i++)
		feed_records(i, 0, 0, true);
	return feed_round(pause);
}

/* Times, CPUs and flags of what is due, as text: "100@0 101@1L". */
static char *due(void)
{
	struct str s = { 0 };
	struct batch *batch;
	int got;

	while ((got = merge_next(f.merge, &batch)) > 0) {
		for (size_t i = 0; i < batch->n; i++) {
			const struct record *rec = &batch->records[i];

			str_addf(&s, "%s%d@%u", s.len ? " " : "", (int)rec->ts, rec->cpu);
			str_add(&s, rec->flags & RECORD_LATE ? "L" : "");
			str_add(&s, rec->flags & RECORD_LEAF ? "{}" : "");
			str_add(&s, rec->flags & RECORD_FOLDED ? "f" : "");
			if (rec->flags & RECORD_LOST)
				str_addf(&s, "-%d", (int)rec->lost);
			str_add(&s, rec->flags & RECORD_NODATA ? "." : "");
		}
		batch_put(batch);
	}
	ck_assert_int_eq(got, 0);
	return str_take(&s);
}

static void check_due(const char *want)
{
	char *got = due();

	ck_assert_str_eq(got ? got : "", want);
	free(got);
}

/* What a round has read is due when a round a window later has found no CPU with something before it. */
START_TEST(waits_for_others)
{
	feed_open(2);
	feed_records(0, 100, 2, true);
	feed_records(1, 0, 0, true);
	ck_assert(feed_round(WINDOW - 1));
	check_due("");
	/* Too early: somebody may still be writing. */
	ck_assert(quiet_round(1));
	check_due("");
	feed_records(0, 110, 1, true);
	feed_records(1, 99, 2, true);
	ck_assert(feed_round(WINDOW));
	check_due("99@1 100@0 100@1 101@0");
	ck_assert(!quiet_round(WINDOW));
	check_due("110@0");
}
END_TEST

/* What all have given something later than is due at once. */
START_TEST(all_have_later)
{
	feed_open(3);
	feed_records(0, 100, 10, true);
	feed_records(1, 103, 2, true);
	feed_records(2, 102, 20, true);
	ck_assert(feed_round(0));
	check_due("100@0 101@0 102@0 102@2 103@0 103@1 103@2 104@0 104@1 104@2");
}
END_TEST

/* A CPU that had more than was taken holds the others back, however long ago they came. */
START_TEST(undrained)
{
	feed_open(2);
	feed_records(0, 100, 2, false);
	feed_records(1, 200, 1, true);
	feed_round(100 * WINDOW);
	check_due("100@0 101@0");
	feed_records(0, 150, 1, false);
	feed_records(1, 0, 0, true);
	ck_assert(feed_round(100 * WINDOW));
	check_due("150@0");
	feed_records(0, 250, 1, true);
	feed_records(1, 0, 0, true);
	feed_round(100 * WINDOW);
	check_due("200@1");
	merge_flush(f.merge);
	check_due("250@0");
}
END_TEST

START_TEST(late)
{
	feed_open(2);
	feed_records(0, 100, 2, true);
	feed_round(WINDOW);
	feed_records(1, 0, 0, true);
	feed_round(WINDOW);
	check_due("100@0 101@0");
	/* One that is as late as it can be without being late; it is in its place among the marked ones. */
	feed_records(1, 99, 3, true);
	feed_records(0, 120, 1, true);
	feed_round(WINDOW);
	check_due("99@1L 100@1L 101@1");
	feed_round(WINDOW);
	check_due("120@0");
}
END_TEST

/* An entry waits for the exit behind it until it is due. */
START_TEST(leaves)
{
	feed_open(1);
	feed_call(0, 100, dat_entry, 0x99, false);
	dat_page(&f.page, 101);
	dat_exit(&f.page, 0, 7, 0x99);
	dat_entry(&f.page, 1, 7, 0x98);
	dat_page_end(&f.page, 0);
	feed_pages(0, true);
	feed_round(0);
	/* All CPUs have given it, and nothing behind it has come: it is due. */
	check_due("100@0{} 101@0f 102@0");
	feed_call(0, 103, dat_exit, 0x98, true);
	feed_round(0);
	check_due("103@0");
}
END_TEST

START_TEST(entry_waits)
{
	feed_open(2);
	feed_records(1, 50, 1, true);
	feed_call(0, 100, dat_entry, 0x99, true);
	ck_assert(feed_round(WINDOW - 1));
	check_due("50@1");
	feed_call(0, 130, dat_exit, 0x99, true);
	ck_assert(feed_round(1));
	check_due("");
	feed_round(WINDOW);
	check_due("100@0{}");
	merge_flush(f.merge);
	check_due("130@0f");
}
END_TEST

/* Losses come with the next record, and at the very end by themselves. */
START_TEST(losses)
{
	feed_open(1);
	feed_loss(100, 3, 0);
	feed_round(WINDOW);
	check_due("");
	feed_loss(200, 4, 1);
	feed_round(WINDOW);
	check_due("200@0-7");
	feed_loss(300, 5, 0);
	feed_round(WINDOW);
	check_due("");
	merge_flush(f.merge);
	check_due("200@0-5.");
}
END_TEST

Suite *live_suite(void)
{
	Suite *suite = suite_create("live");
	TCase *tc = tcase_create("due");

	tcase_add_checked_fixture(tc, NULL, feed_close);
	tcase_add_test(tc, waits_for_others);
	tcase_add_test(tc, all_have_later);
	tcase_add_test(tc, undrained);
	tcase_add_test(tc, late);
	tcase_add_test(tc, leaves);
	tcase_add_test(tc, entry_waits);
	tcase_add_test(tc, losses);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/split: which records come into which part. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/split.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static const struct graph_ids graph = {
	.entry = { 11, 8, 8 },
	.exit = { 10, 8, 8 },
	.type_offset = 0,
	.pid_offset = 4,
};

struct test {
	struct dat_buffer buffers[2];
	struct datfile *file;
	struct pool *pool;
	struct str told;
};

static struct dat *on(struct dat *d, uint64_t ts)
{
	*d = (struct dat){ .long_size = 8, .page_size = PAGE, .s = d->s };
	dat_page(d, ts);
	return d;
}

static void add_cpu(struct test *t, size_t buffer, uint32_t cpu, struct dat *d)
{
	ck_assert_int_eq(vec_push(&t->buffers[buffer].cpus, (struct dat_cpu){ .cpu = cpu, .pages = d->s }), 0);
}

/* Events at these times, up to a 0, on a page. */
static void page(struct dat *d, int64_t lost, const uint64_t *times)
{
	uint64_t last = times[0];

	for (on(d, last); *times; last = *times++)
		dat_record(d, (uint32_t)(*times - last), 2, 314);
	dat_page_end(d, lost);
}

/* CPU 0: 100 110 120, and behind a loss of four 200 210; CPU 1: 105 115, 205. In the other buffer: 300 on CPU 1. */
static void begin(struct test *t)
{
	struct dat first = { 0 }, second = { 0 }, empty = { 0 }, other = { 0 }, file = { .long_size = 8, .page_size = PAGE };
	const char *path;

	*t = (struct test){ .buffers = { { .name = "" }, { .name = "other" } } };
	page(&first, 0, (uint64_t[]){ 100, 110, 120, 0 });
	page(&first, 4, (uint64_t[]){ 200, 210, 0 });
	page(&second, 0, (uint64_t[]){ 105, 115, 0 });
	page(&second, 0, (uint64_t[]){ 205, 0 });
	page(&other, 0, (uint64_t[]){ 300, 0 });
	add_cpu(t, 0, 0, &first);
	add_cpu(t, 0, 1, &second);
	add_cpu(t, 1, 0, &empty);
	add_cpu(t, 1, 1, &other);
	dat6_file(&file, t->buffers, 2);
	path = dat_save(&file);
	ck_assert_int_eq(datfile_open(&t->file, path), 0);
	unlink(path);
	str_fini(&file.s);
	ck_assert_int_eq(pool_new(&t->pool, 1), 0);
}

static void end(struct test *t)
{
	for (size_t b = 0; b < 2; b++) {
		vec_each (&t->buffers[b].cpus, cpu)
			str_fini(&cpu->pages);
		vec_fini(&t->buffers[b].cpus);
	}
	str_fini(&t->told);
	datfile_close(t->file);
	pool_free(t->pool);
}

/* " CPU:TIME,TIME" of the pages of a CPU; a loss stands in front of its event. */
static void tell_cpu(struct test *t, const struct page_format *format, const struct write_cpu *cpu)
{
	recordvec_t recs = { 0 };

	str_addf(&t->told, " %u:", cpu->cpu);
	ck_assert_uint_eq(cpu->size % PAGE, 0);
	for (uint64_t at = 0; at < cpu->size; at += PAGE) {
		char page[PAGE] __attribute__((aligned(8)));
		struct page_info info;
		size_t bad;

		ck_assert_int_eq(io_pread(cpu->fd, page, PAGE, cpu->offset + at), PAGE);
		ck_assert_int_eq(page_decode(format, page, PAGE, &info, &recs, &bad), 0);
		vec_each (&recs, rec) {
			if (rec->flags & RECORD_LOST)
				str_addf(&t->told, "[%d]", (int)rec->lost);
			str_addf(&t->told, "%d,", (int)rec->ts);
		}
		recs.n = 0;
	}
	vec_fini(&recs);
}

/* A part to a line: how many events, then of each buffer its CPUs, with / between buffers. */
static void check(struct test *t, const struct split_options *how, const char *want)
{
	const struct text header = t->file->meta.header_page;
	struct split_options mine = *how;
	const struct split_part *part;
	struct page_format format;
	struct split *split;
	int spool = memfd_create("spool", MFD_CLOEXEC), got;

	ck_assert_int_eq(page_format_parse(&format, &header, false, 8), 0);
	mine.clock.plain = true;
	mine.graph = graph;
	mine.pool = t->pool;
	mine.end = mine.end ? mine.end : UINT64_MAX;
	ck_assert_int_eq(split_new(&split, t->file, spool, &mine), 0);
	str_clear(&t->told);
	while ((got = split_next(split, &part)) == 1) {
		str_addf(&t->told, "%d", (int)part->events);
		vec_each (&part->buffers, buffer) {
			str_add(&t->told, buffer == part->buffers.at ? "" : " /");
			vec_each (&buffer->cpus, cpu)
				tell_cpu(t, &format, cpu);
		}
		str_addc(&t->told, '\n');
	}
	ck_assert_int_eq(got, 0);
	ck_assert(!split_damaged(split));
	ck_assert_str_eq(str_text(&t->told), want);
	split_free(split);
	close(spool);
}

static bool is_top(__unused void *ctx, const char *name)
{
	return !name[0];
}

static bool is_other(__unused void *ctx, const char *name)
{
	return name[0];
}

static const struct {
	struct split_options how;
	const char *want;
} cuts[] = {
	{ { .by = SPLIT_WHOLE, .buffer_wanted = is_top }, "8 0:100,110,120,[4]200,210, 1:105,115,205,\n" },
	{ { .by = SPLIT_WHOLE }, "9 0:100,110,120,[4]200,210, 1:105,115,205, / 1:300,\n" },
	{ { .by = SPLIT_WHOLE, .buffer_wanted = is_other }, "1 1:300,\n" },
	{ { .by = SPLIT_EVENTS, .limit = 3, .buffer_wanted = is_top }, "3 0:100,110, 1:105,\n3 0:120,[4]200, 1:115,\n2 0:210, 1:205,\n" },
	{ { .by = SPLIT_EVENTS, .limit = 8 }, "8 0:100,110,120,[4]200,210, 1:105,115,205, /\n1 / 1:300,\n" },
	{ { .by = SPLIT_EVENTS, .limit = 2, .per_cpu = true, .buffer_wanted = is_top }, "4 0:100,110, 1:105,115,\n3 0:120,[4]200, 1:205,\n1 0:210,\n" },
	{ { .by = SPLIT_PAGES, .limit = 1, .buffer_wanted = is_top }, "5 0:100,110,120, 1:105,115,\n3 0:[4]200,210, 1:205,\n" },
	{ { .by = SPLIT_PAGES, .limit = 2, .buffer_wanted = is_top }, "8 0:100,110,120,[4]200,210, 1:105,115,205,\n" },
	/* A time in which nothing happened is no part. */
	{ { .by = SPLIT_TIME, .limit = 20, .buffer_wanted = is_top }, "4 0:100,110, 1:105,115,\n1 0:120,\n3 0:[4]200,210, 1:205,\n" },
	{ { .by = SPLIT_TIME, .limit = UINT64_MAX, .buffer_wanted = is_top }, "8 0:100,110,120,[4]200,210, 1:105,115,205,\n" },
	/* Both ends are included. */
	{ { .by = SPLIT_WHOLE, .start = 110, .end = 120 }, "3 0:110,120, 1:115, /\n" },
	{ { .by = SPLIT_WHOLE, .start = 111, .end = 119 }, "1 1:115, /\n" },
	{ { .by = SPLIT_WHOLE, .start = 110, .end = 120, .unit = 10 }, "4 0:110,120, 1:105,115, /\n" },
	{ { .by = SPLIT_EVENTS, .limit = 2, .start = 110, .end = 120 }, "2 0:110, 1:115, /\n1 0:120, /\n" },
	{ { .by = SPLIT_WHOLE, .start = 130, .end = 190 }, "" },
};

START_TEST(parts)
{
	struct test t;

	begin(&t);
	check(&t, &cuts[_i].how, cuts[_i].want);
	end(&t);
}
END_TEST

START_TEST(some_cpus)
{
	struct cpuset cpus = { 0 };
	struct test t;

	begin(&t);
	ck_assert_int_eq(parse_cpus("1", &cpus), 0);
	check(&t, &(struct split_options){ .by = SPLIT_EVENTS, .limit = 2, .cpus = &cpus }, "2 1:105,115, /\n2 1:205, / 1:300,\n");
	cpuset_fini(&cpus);
	end(&t);
}
END_TEST

/* A call whose entry and exit stand together is not torn apart, wherever a part would end. */
START_TEST(calls_stay_together)
{
	static const struct {
		struct split_options how;
		const char *want;
	} rows[] = {
		{ { .by = SPLIT_TIME, .limit = 10 }, "2 0:100,110,\n1 0:120,\n" },
		{ { .by = SPLIT_WHOLE, .end = 105 }, "2 0:100,110,\n" },
	};
	struct dat d = { 0 }, file = { .long_size = 8, .page_size = PAGE };
	struct test t = { .buffers = { { .name = "" } } };
	const char *path;

	on(&d, 100);
	dat_entry(&d, 0, 7, 0x1000);
	dat_exit(&d, 10, 7, 0x1000);
	dat_record(&d, 10, 2, 314);
	dat_page_end(&d, 0);
	add_cpu(&t, 0, 0, &d);
	dat6_file(&file, t.buffers, 1);
	path = dat_save(&file);
	ck_assert_int_eq(datfile_open(&t.file, path), 0);
	unlink(path);
	str_fini(&file.s);
	ck_assert_int_eq(pool_new(&t.pool, 1), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check(&t, &rows[i].how, rows[i].want);
	for (int per_cpu = 0; per_cpu < 2; per_cpu++)
		check(&t, &(struct split_options){ .by = SPLIT_EVENTS, .limit = 1, .per_cpu = per_cpu }, "2 0:100,110,\n1 0:120,\n");
	end(&t);
}
END_TEST

Suite *split_suite(void)
{
	Suite *suite = suite_create("split");
	TCase *tc = tcase_create("parts");

	tcase_add_loop_test(tc, parts, 0, ARRAY_LEN(cuts));
	tcase_add_test(tc, some_cpus);
	tcase_add_test(tc, calls_stay_together);
	suite_add_tcase(suite, tc);
	return suite;
}

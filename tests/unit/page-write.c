/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/page-write: records out of pages made by hand, written again and read: the same records. */
#include "lib/data/bytes.h"
#include "lib/data/page-write.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

enum { LAYOUTS = 4, EXTEND = 30, STAMP = 31, DISCARDED = 29 };

struct fixture {
	struct dat d;
	struct page_format format;
	recordvec_t before, after;
	struct str pages; /* as written */
};

/* What a loop number stands for: both byte orders and both sizes of a long. */
static void set_up(struct fixture *f, int i)
{
	struct text text;

	*f = (struct fixture){ .d = { .big = i & 1, .long_size = i & 2 ? 4 : 8, .page_size = 4096 } };
	text = (struct text){ (char *)header_page_text(&f->d), strlen(header_page_text(&f->d)) };
	ck_assert_int_eq(page_format_parse(&f->format, &text, f->d.big, 8), 0);
}

static void tear_down(struct fixture *f)
{
	str_fini(&f->d.s);
	str_fini(&f->pages);
	vec_fini(&f->before);
	vec_fini(&f->after);
}

static void decode(const struct fixture *f, const struct str *pages, recordvec_t *out)
{
	for (size_t at = 0; at < pages->len; at += 4096) {
		struct page_info info;
		size_t bad;

		ck_assert_int_eq(page_decode(&f->format, pages->at + at, 4096, &info, out, &bad), 0);
	}
}

static void end_page(struct fixture *f, struct page_writer *writer)
{
	page_writer_end(writer);
	str_addn(&f->pages, writer->page, 4096);
}

/* f->d to f->before to f->pages to f->after. */
static void rewrite(struct fixture *f)
{
	struct page_writer writer;

	decode(f, &f->d.s, &f->before);
	ck_assert_int_eq(page_writer_init(&writer, &f->format), 0);
	vec_each (&f->before, rec) {
		if (page_writer_add(&writer, rec))
			continue;
		end_page(f, &writer);
		ck_assert(page_writer_add(&writer, rec));
	}
	end_page(f, &writer);
	page_writer_fini(&writer);
	decode(f, &f->pages, &f->after);
}

static void same_records(const struct fixture *f)
{
	ck_assert_uint_eq(f->before.n, f->after.n);
	for (size_t i = 0; i < f->before.n; i++) {
		const struct record *x = &f->before.at[i], *y = &f->after.at[i];

		ck_assert_uint_eq(x->ts, y->ts);
		ck_assert_uint_eq(x->size, y->size);
		ck_assert_int_eq(memcmp(x->data, y->data, x->size), 0);
		ck_assert_int_eq(x->flags & RECORD_LOST, y->flags & RECORD_LOST);
		if (x->flags & RECORD_LOST)
			ck_assert_int_eq(x->lost, y->lost);
	}
}

/* A record of @size bytes with its length in front. */
static void long_record(struct dat *d, uint32_t delta, uint32_t size)
{
	dat_event(d, 0, delta);
	dat_put32(d, size + 4);
	for (uint32_t i = 0; i < (size + 3) / 4; i++)
		dat_put32(d, i * 0x01020304);
}

START_TEST(kinds_of_events)
{
	struct fixture f;

	set_up(&f, _i);
	dat_page(&f.d, 0xfedcba9876543210);
	dat_record(&f.d, 5, 1, 7);
	dat_record(&f.d, (1U << 27) - 1, 28, 8);
	dat_event(&f.d, EXTEND, 1); /* the next one is 2^27 + 1 later */
	dat_put32(&f.d, 1);
	dat_record(&f.d, 0, 3, 9);
	dat_event(&f.d, DISCARDED, 1000);
	dat_put32(&f.d, 4 + 8);
	dat_put64(&f.d, 0);
	dat_event(&f.d, EXTEND, 77); /* the longest time */
	dat_put32(&f.d, UINT32_MAX);
	dat_record(&f.d, 3, 2, 10);
	long_record(&f.d, 4, 29 * 4);
	long_record(&f.d, 4, 13);  /* not whole words */
	long_record(&f.d, 4, 8);   /* shorter than it need be */
	dat_event(&f.d, STAMP, 5); /* back in time */
	dat_put32(&f.d, 1);
	dat_record(&f.d, 1, 2, 11);
	dat_page_end(&f.d, 0);
	rewrite(&f);
	ck_assert_uint_eq(f.before.n, 8);
	same_records(&f);
	/* Only where time goes back a new page is needed. */
	ck_assert_uint_eq(f.pages.len, 2 * 4096);
	ck_assert_uint_eq(get64(f.pages.at, f.d.big), 0xfedcba9876543215);
	tear_down(&f);
}
END_TEST

START_TEST(losses)
{
	static const int64_t lost[] = { 0, LOST_UNKNOWN, 1, 0x7ffffffe };
	struct fixture f;

	set_up(&f, _i);
	for (size_t i = 0; i < ARRAY_LEN(lost); i++) {
		dat_page(&f.d, 1000 * i);
		dat_record(&f.d, 1, 2, 7);
		dat_record(&f.d, 1, 2, 8);
		dat_page_end(&f.d, lost[i]);
	}
	rewrite(&f);
	same_records(&f);
	/* A loss begins a page. */
	ck_assert_uint_eq(f.pages.len, 4 * 4096);
	tear_down(&f);
}
END_TEST

/* A page with no byte free, with and without a place for the loss, is written as it was. */
START_TEST(full_page)
{
	struct fixture f;
	size_t room;

	set_up(&f, _i);
	room = 4096 - f.format.data_offset;
	for (int64_t lost = 0; lost < 2; lost++) {
		size_t used = room - (lost ? f.format.commit_size : 0);

		dat_page(&f.d, 5);
		for (size_t i = 0; i < 150 + used % 8 / 4; i++)
			dat_record(&f.d, 3, 2, 7);
		while (f.d.s.len < f.d.page + f.format.data_offset + used)
			dat_record(&f.d, 0, 1, 9);
		dat_page_end(&f.d, lost ? 99 : 0);
	}
	rewrite(&f);
	same_records(&f);
	ck_assert_uint_eq(f.pages.len, 2 * 4096);
	tear_down(&f);
}
END_TEST

/* A loss that is added to a page that has no place for its number is told without. */
START_TEST(no_place_for_the_loss)
{
	struct fixture f;
	struct page_writer writer;
	struct record rec;

	set_up(&f, _i);
	dat_page(&f.d, 5);
	long_record(&f.d, 0, 4096 - f.format.data_offset - 8);
	dat_page_end(&f.d, 0);
	decode(&f, &f.d.s, &f.before);
	rec = f.before.at[0];
	rec.flags |= RECORD_LOST;
	rec.lost = 12;
	ck_assert_int_eq(page_writer_init(&writer, &f.format), 0);
	ck_assert(page_writer_add(&writer, &rec));
	end_page(&f, &writer);
	decode(&f, &f.pages, &f.after);
	ck_assert_uint_eq(f.after.n, 1);
	ck_assert_int_eq(f.after.at[0].lost, LOST_UNKNOWN);
	/* A loss behind all records is a page of its own. */
	str_clear(&f.pages);
	rec.flags |= RECORD_NODATA;
	ck_assert(page_writer_add(&writer, &rec));
	end_page(&f, &writer);
	{
		struct page_info info;
		size_t bad;

		ck_assert_int_eq(page_decode(&f.format, f.pages.at, 4096, &info, &f.after, &bad), 0);
		ck_assert_uint_eq(f.after.n, 1);
		ck_assert_int_eq(info.lost, 12);
	}
	page_writer_fini(&writer);
	tear_down(&f);
}
END_TEST

Suite *page_write_suite(void)
{
	Suite *suite = suite_create("page-write");
	TCase *tcase = tcase_create("pages");

	tcase_add_loop_test(tcase, kinds_of_events, 0, LAYOUTS);
	tcase_add_loop_test(tcase, losses, 0, LAYOUTS);
	tcase_add_loop_test(tcase, full_page, 0, LAYOUTS);
	tcase_add_loop_test(tcase, no_place_for_the_loss, 0, LAYOUTS);
	suite_add_tcase(suite, tcase);
	return suite;
}

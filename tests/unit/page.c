/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/page: pages made by hand, in both byte orders and both sizes of a long. */
#include "lib/data/page.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

/* What a loop number stands for. */
static struct dat layout(int i)
{
	return (struct dat){ .big = i & 1, .long_size = i & 2 ? 4 : 8, .page_size = 4096 };
}
enum { LAYOUTS = 4 };

static struct page_format format_of(const struct dat *d)
{
	struct text text = { (char *)header_page_text(d), strlen(header_page_text(d)) };
	struct page_format format;

	ck_assert_int_eq(page_format_parse(&format, &text, d->big, 8), 0);
	return format;
}

struct decoded {
	struct page_info info;
	recordvec_t records;
	size_t bad;
	int err;
};

static struct decoded decode(struct dat *d, size_t size)
{
	struct page_format format = format_of(d);
	struct decoded out = { 0 };

	ck_assert_int_eq(str_ok(&d->s), 0);
	out.err = page_decode(&format, d->s.at, size, &out.info, &out.records, &out.bad);
	return out;
}

static void done(struct dat *d, struct decoded *out)
{
	vec_fini(&out->records);
	str_fini(&d->s);
}

static size_t offset_of(const struct dat *d, const struct record *rec)
{
	return (size_t)((const char *)rec->data - d->s.at);
}

START_TEST(formats)
{
	static const struct {
		const char *text;
		int err;
		uint16_t commit_size, data_offset;
		uint32_t page_size;
	} rows[] = {
		{ "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		  "\tfield: char data;\toffset:16;\tsize:65520;\tsigned:0;\n",
		  0, 8, 16, 65536 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
		  "\tfield: char data;\toffset:12;\tsize:4084;\n",
		  0, 4, 12, 4096 },
		{ "", 0, 8, 16, 4096 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n", -EINVAL, 0, 0, 0 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:3;\n\tfield: char data;\toffset:16;\tsize:8;\n", -EINVAL, 0, 0, 0 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:8;\n\tfield: char data;\toffset:12;\tsize:8;\n", -EINVAL, 0, 0, 0 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:8;\n\tfield: char data;\toffset:70000;\tsize:8;\n", -EINVAL, 0, 0, 0 },
		{ "commit; data;\n", -EINVAL, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text text = { (char *)rows[i].text, strlen(rows[i].text) };
		struct page_format format;
		char *said;

		messages_begin();
		ck_assert_int_eq(page_format_parse(&format, &text, false, 8), rows[i].err);
		said = messages_end();
		ck_assert_int_eq(said[0] != '\0', rows[i].err != 0);
		free(said);
		if (rows[i].err)
			continue;
		ck_assert_uint_eq(format.commit_size, rows[i].commit_size);
		ck_assert_uint_eq(format.data_offset, rows[i].data_offset);
		ck_assert_uint_eq(format.page_size, rows[i].page_size);
	}
}
END_TEST

START_TEST(every_length)
{
	struct dat d = layout(_i);
	struct decoded got;
	size_t at = 8 + d.long_size;

	dat_page(&d, 1000);
	for (unsigned int words = 1; words <= 28; words++)
		dat_record(&d, words, words, 7);
	dat_page_end(&d, 0);
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, 0);
	ck_assert_uint_eq(got.records.n, 28);
	ck_assert_uint_eq(got.info.ts, 1000);
	ck_assert_int_eq(got.info.lost, 0);
	for (unsigned int words = 1, ts = 1000; words <= 28; words++) {
		const struct record *rec = &got.records.at[words - 1];

		ts += words;
		ck_assert_uint_eq(rec->ts, ts);
		ck_assert_uint_eq(rec->size, 4 * words);
		ck_assert_uint_eq(offset_of(&d, rec), at + 4);
		ck_assert_uint_eq(rec->flags, words == 1 ? RECORD_PAGE : 0);
		ck_assert_ptr_null(rec->exit);
		at += 4 + 4 * words;
	}
	ck_assert_uint_eq(got.info.used, at - 8 - d.long_size);
	done(&d, &got);
}
END_TEST

/* type_len 0: the length is in the next word and counts it. */
START_TEST(long_lengths)
{
	static const uint32_t sizes[] = { 0, 4, 5, 116, 200, 1001 };
	struct dat d = layout(_i);
	struct decoded got;
	size_t at = 8 + d.long_size;

	dat_page(&d, 0);
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		dat_event(&d, 0, 10);
		dat_put32(&d, sizes[i] + 4);
		for (uint32_t n = 0; n < sizes[i]; n++)
			dat_put8(&d, 0xee);
		dat_align(&d, 4);
	}
	dat_page_end(&d, 0);
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, 0);
	ck_assert_uint_eq(got.records.n, ARRAY_LEN(sizes));
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		ck_assert_uint_eq(got.records.at[i].size, sizes[i]);
		ck_assert_uint_eq(got.records.at[i].ts, 10 * (i + 1));
		ck_assert_uint_eq(offset_of(&d, &got.records.at[i]), at + 8);
		at += 8 + (sizes[i] + 3) / 4 * 4;
	}
	done(&d, &got);
}
END_TEST

START_TEST(times)
{
	const uint64_t top = 3ULL << 59;
	struct dat d = layout(_i);
	struct decoded got;

	dat_page(&d, top + 5);
	dat_event(&d, 30, 9); /* extend, first of all */
	dat_put32(&d, 2);
	dat_record(&d, 1, 1, 7);
	dat_event(&d, 31, 77); /* absolute */
	dat_put32(&d, 123456);
	dat_record(&d, 2, 1, 8);
	dat_event(&d, 29, 100); /* discarded: 12 bytes in all, its time counts */
	dat_put32(&d, 8);
	dat_put32(&d, 0xdddddddd);
	dat_record(&d, 3, 1, 9);
	dat_event(&d, 29, 0); /* the rest is unused, whatever it says */
	dat_put32(&d, 0xffffffff);
	dat_record(&d, 3, 1, 10);
	dat_page_end(&d, 0);
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, 0);
	ck_assert_uint_eq(got.records.n, 3);
	ck_assert_uint_eq(got.records.at[0].ts, top + 5 + (2ULL << 27) + 9 + 1);
	ck_assert_uint_eq(got.records.at[1].ts, top + (123456ULL << 27) + 77 + 2);
	ck_assert_uint_eq(got.records.at[2].ts, top + (123456ULL << 27) + 77 + 2 + 100 + 3);
	done(&d, &got);
}
END_TEST

START_TEST(losses)
{
	static const struct {
		int64_t lost; /* as dat_page_end() takes it */
		size_t words; /* payload that leaves 4 bytes of the page for a count, 0: little */
		int64_t want;
	} rows[] = {
		{ 0, 0, 0 },
		{ LOST_UNKNOWN, 0, LOST_UNKNOWN },
		{ 123, 0, 123 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = layout(_i);
		struct decoded got;

		dat_page(&d, 5);
		dat_event(&d, 30, 0); /* a time extend before the first event hides no loss */
		dat_put32(&d, 1);
		dat_record(&d, 1, 2, 7);
		dat_record(&d, 1, 2, 7);
		dat_page_end(&d, rows[i].lost);
		got = decode(&d, d.s.len);
		ck_assert_int_eq(got.err, 0);
		ck_assert_int_eq(got.info.lost, rows[i].want);
		ck_assert_uint_eq(got.records.n, 2);
		ck_assert_int_eq(got.records.at[0].lost, rows[i].want);
		ck_assert_uint_eq(got.records.at[0].flags, RECORD_PAGE | (rows[i].want ? RECORD_LOST : 0));
		ck_assert_uint_eq(got.records.at[1].flags, 0);
		done(&d, &got);
	}
}
END_TEST

/* The page says that a number is stored, but there is no room for it. */
START_TEST(loss_without_room)
{
	struct dat d = layout(_i);
	struct decoded got;

	dat_page(&d, 5);
	dat_event(&d, 0, 1);
	dat_put32(&d, 4096 - 8 - d.long_size - 4);
	while (d.s.len < 4096)
		dat_put8(&d, 1);
	dat_page_end(&d, LOST_UNKNOWN);
	d.s.at[8 + (d.big ? d.long_size - 4 : 3)] = (char)0xc0;
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, 0);
	ck_assert_int_eq(got.info.lost, LOST_UNKNOWN);
	ck_assert_uint_eq(got.records.n, 1);
	done(&d, &got);
}
END_TEST

START_TEST(loss_without_events)
{
	struct dat d = layout(_i);
	struct decoded got;

	dat_page(&d, 5);
	dat_page_end(&d, 77);
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, 0);
	ck_assert_int_eq(got.info.lost, 77);
	ck_assert_uint_eq(got.records.n, 0);
	done(&d, &got);
}
END_TEST

/* An event, then @words of damage: the event is kept, and the damage is found where it is. */
START_TEST(damages)
{
	static const struct {
		unsigned int type_len, delta;
		uint32_t word;
		bool has_word;
	} rows[] = {
		{ 28, 1, 0, true },				/* a payload beyond the data */
		{ 0, 1, 3, true },				/* a length that does not even count itself */
		{ 0, 1, 0, true },	    { 0, 1, 9, true },	/* one byte too long */
		{ 0, 1, 0xffffffff, true }, { 0, 1, 0, false }, /* no word behind it */
		{ 29, 1, 0, true },	    { 29, 1, 12, true }, { 29, 1, 0xfffffffc, true }, { 30, 1, 0, false }, { 31, 1, 0, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = layout(_i);
		struct decoded got;

		dat_page(&d, 5);
		dat_record(&d, 1, 2, 7);
		dat_event(&d, rows[i].type_len, rows[i].delta);
		if (rows[i].has_word) {
			dat_put32(&d, rows[i].word);
			dat_put32(&d, 0);
		}
		dat_page_end(&d, 0);
		got = decode(&d, d.s.len);
		ck_assert_msg(got.err == -EINVAL, "row %zu: %d", i, got.err);
		ck_assert_uint_eq(got.records.n, 1);
		ck_assert_uint_eq(got.bad, 8 + d.long_size + 12);
		done(&d, &got);
	}
}
END_TEST

START_TEST(impossible_commit)
{
	struct dat d = layout(_i);
	struct decoded got;

	dat_page(&d, 5);
	dat_record(&d, 1, 2, 7);
	dat_page_end(&d, 0);
	if (d.long_size == 8)
		dat_patch64(&d, 8, 4096 - 15);
	else
		dat_patch32(&d, 8, 4096 - 11);
	got = decode(&d, d.s.len);
	ck_assert_int_eq(got.err, -EINVAL);
	ck_assert_uint_eq(got.records.n, 0);
	ck_assert_uint_eq(got.bad, 8);
	done(&d, &got);
}
END_TEST

/* Whatever the length that is left, what is whole is read and nothing behind it is touched. */
START_TEST(cut_pages)
{
	struct dat d = layout(_i);
	size_t begin = 8 + d.long_size;

	dat_page(&d, 5);
	for (int i = 0; i < 100; i++)
		dat_record(&d, 1, 3, 7);
	dat_page_end(&d, 0);
	for (size_t size = 0; size < begin + 1600; size += 3) {
		char *copy = malloc(size + !size);
		struct dat cut = d;
		struct decoded got;

		memcpy(copy, d.s.at, size);
		cut.s.at = copy;
		got = decode(&cut, size);
		ck_assert_int_eq(got.err, -EINVAL);
		ck_assert_uint_eq(got.records.n, size < begin ? 0 : (size - begin) / 16);
		vec_fini(&got.records);
		free(copy);
	}
	str_fini(&d.s);
}
END_TEST

/* Pages decoded into the same array are appended. */
START_TEST(appends)
{
	struct dat d = layout(_i);
	struct page_format format = format_of(&d);
	recordvec_t records = { 0 };
	struct page_info info;
	size_t bad;

	for (int p = 0; p < 3; p++) {
		dat_page(&d, (uint64_t)p * 1000);
		dat_record(&d, 1, 2, 7);
		dat_record(&d, 1, 2, 7);
		dat_page_end(&d, 0);
	}
	for (size_t p = 0; p < 3; p++)
		ck_assert_int_eq(page_decode(&format, d.s.at + p * 4096, 4096, &info, &records, &bad), 0);
	ck_assert_uint_eq(records.n, 6);
	for (size_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(records.at[i].ts, i / 2 * 1000 + 1 + i % 2);
		ck_assert_uint_eq(records.at[i].flags, i % 2 ? 0 : RECORD_PAGE);
	}
	vec_fini(&records);
	str_fini(&d.s);
}
END_TEST

Suite *page_suite(void)
{
	Suite *suite = suite_create("page");
	TCase *tc = tcase_create("page");

	tcase_add_test(tc, formats);
	tcase_add_loop_test(tc, every_length, 0, LAYOUTS);
	tcase_add_loop_test(tc, long_lengths, 0, LAYOUTS);
	tcase_add_loop_test(tc, times, 0, LAYOUTS);
	tcase_add_loop_test(tc, losses, 0, LAYOUTS);
	tcase_add_loop_test(tc, loss_without_room, 0, LAYOUTS);
	tcase_add_loop_test(tc, loss_without_events, 0, LAYOUTS);
	tcase_add_loop_test(tc, damages, 0, LAYOUTS);
	tcase_add_loop_test(tc, impossible_commit, 0, LAYOUTS);
	tcase_add_loop_test(tc, cut_pages, 0, LAYOUTS);
	tcase_add_loop_test(tc, appends, 0, LAYOUTS);
	suite_add_tcase(suite, tc);
	return suite;
}

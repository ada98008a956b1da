/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/reader: the options of a file of version 7. */
#include "lib/data/format.h"
#include "tests/unit/dat-open.h"

/* A version 6 file with these options; no data. */
static void options_file(struct dat *d, const struct dat *options)
{
	static const struct dat_buffer none = { .name = "" };
	size_t at;

	dat6_file(d, &none, 1);
	/* The list ends with two zero bytes before "flyrecord", the clock's size and name. */
	at = d->s.len - 10 - 8 - strlen("[local]") - 2;
	d->s.len = at;
	str_addn(&d->s, options->s.at, options->s.len);
	dat_put16(d, 0);
	str_addn(&d->s, "flyrecord", 10);
	dat_sized(d, 8, "[local]");
}

static void option(struct dat *d, uint16_t id, uint32_t size)
{
	dat_put16(d, id);
	dat_put32(d, size);
}

static void text_option(struct dat *d, uint16_t id, const char *text)
{
	option(d, id, (uint32_t)strlen(text) + 1);
	dat_text(d, text);
}

START_TEST(options)
{
	struct dat d = dat_layout(_i), o = dat_layout(_i);
	struct datfile *file;
	struct metadata *meta;

	text_option(&o, DAT_DATE, "0x16f8a2");
	text_option(&o, DAT_CPUSTAT, "CPU: 0\nentries: 5\n");
	text_option(&o, DAT_CPUSTAT, "CPU: 1\nentries: 6\n");
	text_option(&o, DAT_UNAME, "Linux host 6.1.0 x86_64");
	text_option(&o, DAT_HOOK, "sched_wakeup,pid/sched_switch,next_pid");
	text_option(&o, DAT_OFFSET, "-12345");
	text_option(&o, DAT_VERSION, "3.4.0 abc");
	text_option(&o, DAT_PROCMAPS, "2a 0 /bin/true\n");
	option(&o, DAT_TRACEID, 8);
	dat_put64(&o, 0x1122334455667788);
	option(&o, DAT_TSC2NSEC, 16);
	dat_put32(&o, 3);
	dat_put32(&o, 4);
	dat_put64(&o, 5);
	option(&o, DAT_GUEST, 4 + 8 + 4 + 16);
	dat_text(&o, "vm1");
	dat_put64(&o, 99);
	dat_put32(&o, 2);
	dat_put32(&o, 0);
	dat_put32(&o, 700);
	dat_put32(&o, 1);
	dat_put32(&o, 701);
	text_option(&o, DAT_LAST_BOOT_INFO, "top:0 kernel");
	options_file(&d, &o);
	file = dat_open_whole(&d);
	meta = &file->meta;
	ck_assert(meta->has_date);
	ck_assert_int_eq(meta->date_us, 0x16f8a2);
	ck_assert_uint_eq(meta->cpustat.n, 2);
	ck_assert_str_eq(meta->cpustat.at[1], "CPU: 1\nentries: 6\n");
	ck_assert_str_eq(meta->uname.at, "Linux host 6.1.0 x86_64");
	ck_assert_uint_eq(meta->uname.size, strlen("Linux host 6.1.0 x86_64"));
	ck_assert_str_eq(meta->hooks.at[0], "sched_wakeup,pid/sched_switch,next_pid");
	ck_assert_int_eq(meta->ts_offset, -12345);
	ck_assert_str_eq(meta->version.at, "3.4.0 abc");
	ck_assert_str_eq(meta->procmaps.at[0], "2a 0 /bin/true\n");
	ck_assert_uint_eq(meta->trace_id, 0x1122334455667788);
	ck_assert(meta->tsc2nsec.present && meta->tsc2nsec.mult == 3 && meta->tsc2nsec.shift == 4 && meta->tsc2nsec.offset == 5);
	ck_assert_uint_eq(meta->guests.n, 1);
	ck_assert_str_eq(meta->guests.at[0].name, "vm1");
	ck_assert_uint_eq(meta->guests.at[0].trace_id, 99);
	ck_assert_uint_eq(meta->guests.at[0].cpus.n, 2);
	ck_assert_int_eq(meta->guests.at[0].cpus.at[1].pid, 701);
	ck_assert_str_eq(meta->last_boot.at, "top:0 kernel");
	dat_done(file, NULL, &d, &o);
}
END_TEST

static void put_samples(struct dat *o, const struct time_sample *s, uint32_t n)
{
	dat_put32(o, n);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].time);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].offset);
	for (uint32_t i = 0; i < n; i++)
		dat_put64(o, (uint64_t)s[i].scaling);
}

/* The samples are sorted by time, of equal times one is kept, and the fractions follow them. */
START_TEST(time_shift)
{
	static const struct time_sample cpu0[] = {
		{ 300, -3, 1, 13 }, { 100, -1, 1, 11 }, { 200, -2, 1, 12 }, { 100, -1, 1, 11 },
	}, cpu1[] = { { 7, 8, 9, 10 } };
	bool fractions = _i & 4;
	struct dat d = dat_layout(_i & 3), o = dat_layout(_i & 3);
	uint32_t size = 16 + 4 + 4 * 24 + 4 + 24 + (fractions ? 5 * 8 : 0);
	struct datfile *file;
	struct time_shift *shift;

	option(&o, DAT_TIME_SHIFT, size);
	dat_put64(&o, 77);
	dat_put32(&o, 1);
	dat_put32(&o, 2);
	put_samples(&o, cpu0, 4);
	put_samples(&o, cpu1, 1);
	for (int i = 0; fractions && i < 4; i++)
		dat_put64(&o, (uint64_t)cpu0[i].fraction);
	if (fractions)
		dat_put64(&o, 10);
	options_file(&d, &o);
	file = dat_open_whole(&d);
	shift = &file->meta.time_shift;
	ck_assert(shift->present);
	ck_assert_uint_eq(shift->peer_id, 77);
	ck_assert_uint_eq(shift->flags, 1);
	ck_assert_uint_eq(shift->cpus.n, 2);
	ck_assert_uint_eq(shift->cpus.at[0].samples.n, 3);
	for (int i = 0; i < 3; i++) {
		const struct time_sample *sample = &shift->cpus.at[0].samples.at[i];

		ck_assert_int_eq(sample->time, 100 * (i + 1));
		ck_assert_int_eq(sample->offset, -(i + 1));
		ck_assert_int_eq(sample->fraction, fractions ? 11 + i : 0);
	}
	ck_assert_int_eq(shift->cpus.at[1].samples.at[0].scaling, 9);
	ck_assert_int_eq(shift->cpus.at[1].samples.at[0].fraction, fractions ? 10 : 0);
	dat_done(file, NULL, &d, &o);
}
END_TEST

START_TEST(unknown_options)
{
	struct dat d = dat_layout(_i), o = dat_layout(_i);
	struct datfile *file;
	char *said;

	text_option(&o, 4711, "future");
	text_option(&o, 4711, "future again");
	text_option(&o, DAT_UNAME, "after it");
	options_file(&d, &o);
	ck_assert_int_eq(dat_open(&d, &file, &said), 0);
	ck_assert(!file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "unknown option 4711"));
	ck_assert_ptr_null(strstr(strstr(said, "4711") + 1, "4711"));
	ck_assert_uint_eq(file->meta.unknown.n, 2);
	ck_assert_uint_eq(file->meta.unknown.at[1].data.size, strlen("future again") + 1);
	ck_assert_str_eq(file->meta.uname.at, "after it");
	dat_done(file, said, &d, &o);
}
END_TEST

/* Damage inside an option costs that option and no other. */
START_TEST(bad_options)
{
	static const struct {
		uint16_t id;
		uint32_t size;
		uint32_t words[8];
		const char *says;
	} rows[] = {
		{ DAT_TRACEID, 4, { 1 }, "option TRACEID" },
		{ DAT_DATE, 4, { 0x21212121 }, "should be a number" },
		{ DAT_TSC2NSEC, 16, { 1, 64 }, "shift" },
		{ DAT_TIME_SHIFT, 20, { 0, 0, 0, 1, 1000000 }, "more samples" },
		{ DAT_TIME_SHIFT, 16, { 0, 0, 0, 1 }, "TIME_SHIFT" },
		{ DAT_GUEST, 24, { 0, 0, 0, 0xffffffff }, "GUEST" },
		{ DAT_CPUCOUNT, 4, { 0x00ffff00 }, "so many CPUs" },
		{ DAT_BUFFER, 4, { 0 }, "option BUFFER" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = dat_layout(_i), o = dat_layout(_i);
		struct datfile *file;
		char *said;

		option(&o, rows[i].id, rows[i].size);
		for (uint32_t w = 0; w < rows[i].size / 4; w++)
			dat_put32(&o, rows[i].words[w]);
		text_option(&o, DAT_UNAME, "after it");
		options_file(&d, &o);
		ck_assert_int_eq(dat_open(&d, &file, &said), 0);
		ck_assert_msg(file->damaged, "row %zu", i);
		ck_assert_msg(strstr(said, rows[i].says) != NULL, "row %zu: %s", i, said);
		ck_assert_msg(strchr(said, '\n') == said + strlen(said) - 1, "row %zu: %s", i, said);
		ck_assert_str_eq(file->meta.uname.at, "after it");
		dat_done(file, said, &d, &o);
	}
}
END_TEST

Suite *reader_options_suite(void)
{
	Suite *suite = suite_create("reader-options");
	TCase *tc = tcase_create("reader");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, options, 0, DAT_LAYOUTS);
	tcase_add_loop_test(tc, time_shift, 0, 8);
	tcase_add_loop_test(tc, unknown_options, 0, DAT_LAYOUTS);
	tcase_add_loop_test(tc, bad_options, 0, DAT_LAYOUTS);
	suite_add_tcase(suite, tc);
	return suite;
}

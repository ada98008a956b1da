/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/reader: files made by hand, whole, cut off and damaged. */
#include "lib/data/format.h"
#include "tests/unit/dat-open.h"

#include <unistd.h>

static void check_metadata(const struct datfile *file, const struct dat *d)
{
	const struct metadata *meta = &file->meta;
	static const struct {
		const char *system, *first;
	} formats[] = {
		{ "ftrace", "name: funcgraph_entry\n" }, { "ftrace", "name: funcgraph_exit\n" }, { "sched", "name: sched_switch\n" },
		{ "sched", "name: sched_waking\n" },	 { "irq", "name: irq_handler_entry\n" },
	};

	ck_assert_int_eq(meta->big_endian, d->big);
	ck_assert_uint_eq(meta->user_long_size, d->long_size);
	ck_assert_uint_eq(meta->page_size, 4096);
	ck_assert_str_eq(meta->header_page.at, header_page_text(d));
	ck_assert_str_eq(meta->header_event.at, "# compressed entry header\n");
	ck_assert_uint_eq(meta->formats.n, ARRAY_LEN(formats));
	for (size_t i = 0; i < ARRAY_LEN(formats); i++) {
		ck_assert_str_eq(meta->formats.at[i].system, formats[i].system);
		ck_assert(str_starts(meta->formats.at[i].format.at, formats[i].first));
	}
	ck_assert_str_eq(meta->kallsyms.at, "ffffffff81000000 T _text\n");
	ck_assert_str_eq(meta->printk_formats.at, "0xffffffff82000000 : \"hello\"\n");
	ck_assert_str_eq(meta->cmdlines.at, "1 init\n42 answer\n");
	ck_assert_uint_eq(meta->cmdlines.size, strlen("1 init\n42 answer\n"));
	ck_assert_str_eq(meta->trace_clock.at, "[local] global boot");
}

static void check_buffers(const struct datfile *file)
{
	static const uint64_t top[] = { 8192, 4096 }, alpha[] = { 0, 4096, 8192 };

	ck_assert_uint_eq(file->buffers.n, 2);
	ck_assert_str_eq(file->buffers.at[0].name, "");
	ck_assert_str_eq(file->buffers.at[1].name, "alpha");
	ck_assert_uint_eq(file->buffers.at[0].cpus.n, 2);
	ck_assert_uint_eq(file->buffers.at[1].cpus.n, 3);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(file->buffers.at[0].cpus.at[i].size, top[i]);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].size, alpha[i]);
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].cpu, i);
		ck_assert_uint_eq(file->buffers.at[1].cpus.at[i].offset % 4096, 0);
	}
	for (size_t b = 0; b < 2; b++) {
		ck_assert_str_eq(file->buffers.at[b].clock, "local");
		ck_assert_uint_eq(file->buffers.at[b].page_size, 4096);
	}
}

START_TEST(version6)
{
	struct dat d = dat_sample(_i, NULL);
	struct datfile *file;

	file = dat_open_whole(&d);
	ck_assert_uint_eq(file->version, 6);
	ck_assert_uint_eq(file->meta.ncpus, 3);
	check_metadata(file, &d);
	check_buffers(file);
	dat_done(file, NULL, &d, NULL);
}
END_TEST

START_TEST(version7)
{
	static const char *const codecs[] = { "none", "zlib", "zstd" };
	const char *codec = codecs[_i / DAT_LAYOUTS];
	struct dat d = dat_sample(_i % DAT_LAYOUTS, codec);
	struct datfile *file;

	file = dat_open_whole(&d);
	ck_assert_uint_eq(file->version, 7);
	check_metadata(file, &d);
	if (_i / DAT_LAYOUTS == 0)
		check_buffers(file);
	ck_assert_uint_eq(file->buffers.n, 2);
	ck_assert_int_eq(file->buffers.at[1].compressed, _i / DAT_LAYOUTS != 0);
	ck_assert_str_eq(file->codec ? file->codec->name : "none", codec);
	dat_done(file, NULL, &d, NULL);
}
END_TEST

/* Every part, in order and without a gap, for dump. */
START_TEST(section_list)
{
	struct dat d = dat_sample(0, "zlib");
	uint64_t next = 0;
	struct datfile *file;
	size_t n = 0;

	file = dat_open_whole(&d);
	vec_each (&file->sections, section) {
		if (str_starts(section->name, "option "))
			continue;
		ck_assert(!next || section->offset == next);
		next = section->offset + DAT_SECTION_HEADER + section->size;
		n++;
	}
	ck_assert_uint_eq(next, d.s.len);
	ck_assert_uint_eq(n, 6 + 3 + 2); /* texts, options, buffers */
	dat_done(file, NULL, &d, NULL);
}
END_TEST

/* Cut off at any place: opens as far as it goes, says so, and never fails once the header is there. */
START_TEST(cut_off)
{
	bool v7 = _i & 4;
	struct dat whole = dat_sample(_i & 3, v7 ? _i & 1 ? "zlib" : "none" : NULL);

	for (size_t size = 1; size < whole.s.len; size += size < 3000 ? 3 : 501) {
		struct dat cut = whole;
		struct datfile *file;
		char *said;
		int err;

		cut.s.len = size;
		err = dat_open(&cut, &file, &said);
		ck_assert_msg(err == 0 || err == -EINVAL, "%zu bytes: %d", size, err);
		ck_assert_msg(size < 40 || err == 0, "%zu bytes: %d, %s", size, err, said);
		ck_assert_msg(strstr(said, "ringside: ") == said, "%zu bytes: '%s'", size, said);
		if (!err) {
			ck_assert_msg(file->damaged, "%zu bytes", size);
			ck_assert(strstr(said, "truncated"));
			vec_each (&file->buffers, buf)
				vec_each (&buf->cpus, cpu)
					ck_assert_uint_le(cpu->offset + cpu->size, size);
			datfile_close(file);
		}
		free(said);
	}
	str_fini(&whole.s);
}
END_TEST

/* Bytes that are overwritten in a good file, and what is said. */
START_TEST(refused)
{
	static const struct {
		size_t at;
		const char *bytes;
		size_t n;
		const char *says;
	} rows[] = {
		{ 0, "x", 1, "not a trace.dat file" }, { 10, "5", 1, "version 5" }, { 10, "77", 2, "version" },
		{ 13, "\x05", 1, "long of 5 bytes" },  { 18, "lz4", 3, "'lz4b'" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat d = dat_sample(0, "zlib");
		struct datfile *file;
		char *said;

		memcpy(d.s.at + rows[i].at, rows[i].bytes, rows[i].n);
		ck_assert_int_eq(dat_open(&d, &file, &said), -EINVAL);
		ck_assert_msg(strstr(said, rows[i].says) != NULL, "row %zu: %s", i, said);
		free(said);
		str_fini(&d.s);
	}
}
END_TEST

START_TEST(option_loop)
{
	struct dat d = dat_sample(0, "none");
	size_t last = 0;
	struct datfile *file;
	char *said;

	file = dat_open_whole(&d);
	vec_each (&file->sections, section)
		if (section->id == DAT_OPTIONS && str_starts(section->name, "options"))
			last = section->offset + DAT_SECTION_HEADER + section->size - 8;
	datfile_close(file);
	/* The last one is followed by the first, whose offset is behind "none" and its empty version. */
	memcpy(d.s.at + last, d.s.at + 18 + 5 + 1, 8);
	ck_assert_int_eq(dat_open(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "follow themselves"));
	check_metadata(file, &d);
	check_buffers(file);
	dat_done(file, said, &d, NULL);
}
END_TEST

/* Without any option the texts are found by walking along the sections. */
START_TEST(lost_options)
{
	struct dat d = dat_sample(0, "zlib");
	struct datfile *file;
	char *said;

	/* The offset of the first options follows "zlib" and its version. */
	dat_patch64(&d, 18 + 5 + strlen(codec_find("zlib")->version()) + 1, 0);
	ck_assert_int_eq(dat_open(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_uint_eq(file->meta.formats.n, 5);
	ck_assert_str_eq(file->meta.cmdlines.at, "1 init\n42 answer\n");
	dat_done(file, said, &d, NULL);
}
END_TEST

/* A section that claims to unpack to gigabytes is not believed. */
START_TEST(bomb)
{
	struct dat d = dat_sample(0, "zlib");
	struct datfile *file;
	uint64_t at = 0;
	char *said;

	file = dat_open_whole(&d);
	vec_each (&file->sections, section)
		if (section->id == DAT_KALLSYMS && section->flags)
			at = section->offset + DAT_SECTION_HEADER + 4;
	datfile_close(file);
	dat_patch32(&d, at, 0xf0000000);
	ck_assert_int_eq(dat_open(&d, &file, &said), 0);
	ck_assert(file->damaged);
	ck_assert_ptr_nonnull(strstr(said, "kallsyms"));
	ck_assert_uint_eq(file->meta.kallsyms.size, 0);
	ck_assert_str_eq(file->meta.cmdlines.at, "1 init\n42 answer\n");
	dat_done(file, said, &d, NULL);
}
END_TEST

START_TEST(latency6)
{
	static const char text[] = "# tracer: irqsoff\n#\n ls-1 0d... 1us : x <-y\n";
	static const struct dat_buffer none = { .name = "" };
	struct dat d = dat_layout(_i);
	struct datfile *file;

	dat6_file(&d, &none, 1);
	d.s.len -= 10 + 8 + strlen("[local]");
	str_addn(&d.s, "latency  ", 10);
	str_add(&d.s, text);
	file = dat_open_whole(&d);
	ck_assert_uint_eq(file->buffers.n, 1);
	ck_assert(file->buffers.at[0].latency);
	ck_assert_str_eq(file->buffers.at[0].text.at, text);
	dat_done(file, NULL, &d, NULL);
}
END_TEST

START_TEST(no_file)
{
	struct datfile *file;
	char *said;

	messages_begin();
	ck_assert_int_eq(datfile_open(&file, "/nonexistent/trace.dat"), -ENOENT);
	ck_assert_int_eq(datfile_open(&file, "/"), -EISDIR);
	ck_assert_int_eq(datfile_open(&file, "/dev/null"), -EINVAL);
	said = messages_end();
	ck_assert_ptr_nonnull(strstr(said, "/nonexistent/trace.dat"));
	free(said);
}
END_TEST

Suite *reader_suite(void)
{
	Suite *suite = suite_create("reader");
	TCase *tc = tcase_create("reader");

	tcase_set_timeout(tc, 60);
	tcase_add_loop_test(tc, version6, 0, DAT_LAYOUTS);
	tcase_add_loop_test(tc, version7, 0, 3 * DAT_LAYOUTS);
	tcase_add_test(tc, section_list);
	tcase_add_loop_test(tc, cut_off, 0, 8);
	tcase_add_test(tc, refused);
	tcase_add_test(tc, option_loop);
	tcase_add_test(tc, lost_options);
	tcase_add_test(tc, bomb);
	tcase_add_loop_test(tc, latency6, 0, DAT_LAYOUTS);
	tcase_add_test(tc, no_file);
	suite_add_tcase(suite, tc);
	return suite;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/salvage: version 7 files that end before the options behind their data. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/data/reader.h"
#include "lib/data/writer.h"
#include "tests/unit/dat.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

/*
 * CPU 1 of the top buffer has two pages, CPU 2 one that begins after those have begun and ends after them, CPU 0 none; the instance has
 * CPU 3 alone. All that was recorded says so.
 */
static const char *const stat[] = {
	"CPU: 0\nentries: 0\nread events: 0\n", "CPU: 1\nentries: 0\nread events: 4\n", "CPU: 2\nentries: 2\nread events: 0\n", "\nBuffer: inst\n\n",
	"CPU: 3\nentries: 0\nread events: 2\n",
};
static const uint64_t begins[] = { 1000, 2000, 1500, 1200 };

struct fixture {
	struct metadata meta;
	struct dat pages;
	struct write_buffer buffers[2];
	int data, file;
	char path[32];
};

static void set_up(struct fixture *f)
{
	*f = (struct fixture){ .pages = { .long_size = 8, .page_size = PAGE }, .data = memfd_create("data", MFD_CLOEXEC) };
	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		dat_page(&f->pages, begins[i]);
		dat_record(&f->pages, 1, 3, 7);
		dat_record(&f->pages, 900, 3, 7);
		dat_page_end(&f->pages, 0);
	}
	ck_assert_int_eq(io_write(f->data, f->pages.s.at, f->pages.s.len), 0);
	f->meta.page_size = PAGE;
	f->meta.ncpus = 4;
	f->meta.user_long_size = 8;
	f->meta.header_page.at = strdup(header_page_text(&f->pages));
	f->meta.header_page.size = strlen(f->meta.header_page.at);
	for (size_t i = 0; i < ARRAY_LEN(stat); i++)
		ck_assert_int_eq(strv_add(&f->meta.cpustat, stat[i]), 0);
	f->buffers[0] = (struct write_buffer){ .name = "", .page_size = PAGE };
	f->buffers[1] = (struct write_buffer){ .name = "inst", .page_size = PAGE };
	vec_push(&f->buffers[0].cpus, (struct write_cpu){ 1, f->data, 0, 2 * PAGE });
	vec_push(&f->buffers[0].cpus, (struct write_cpu){ 2, f->data, 2 * PAGE, PAGE });
	vec_push(&f->buffers[1].cpus, (struct write_cpu){ 3, f->data, 3 * PAGE, PAGE });
}

static void tear_down(struct fixture *f)
{
	for (size_t i = 0; i < ARRAY_LEN(f->buffers); i++)
		vec_fini(&f->buffers[i].cpus);
	metadata_fini(&f->meta);
	str_fini(&f->pages.s);
	close(f->data);
	close(f->file);
}

static void write_file(struct fixture *f, const char *codec)
{
	const struct write_options how = { .version = 7, .codec = codec_find(codec) };

	f->file = memfd_create("file", MFD_CLOEXEC);
	ck_assert_int_eq(datfile_write(f->file, "test", &f->meta, f->buffers, 2, &how), 0);
	snprintf(f->path, sizeof(f->path), "/proc/self/fd/%d", f->file);
}

/* Cut before the @nth section of options (1: the first that tells of a buffer): as it is then read. */
static struct datfile *cut(struct fixture *f, int nth, char **said)
{
	struct datfile *file;
	uint64_t size = 0;

	ck_assert_int_eq(datfile_open(&file, f->path), 0);
	vec_each (&file->sections, section)
		if (section->id == DAT_OPTIONS && strcmp(section->name, "options") == 0 && nth-- == 0)
			size = section->offset;
	datfile_close(file);
	ck_assert_uint_gt(size, 0);
	ck_assert_int_eq(ftruncate(f->file, (off_t)size), 0);
	messages_begin();
	ck_assert_int_eq(datfile_open(&file, f->path), 0);
	*said = messages_end();
	ck_assert(file->damaged);
	return file;
}

static void expect_cpu(const struct datbuf *buf, size_t i, uint32_t cpu, uint64_t plain)
{
	ck_assert_uint_lt(i, buf->cpus.n);
	ck_assert_uint_eq(buf->cpus.at[i].cpu, cpu);
	if (!buf->compressed)
		ck_assert_uint_eq(buf->cpus.at[i].size, plain);
}

static const char *const codecs[] = { "none", "zlib", "zstd" };

START_TEST(all_buffers)
{
	struct fixture f;
	struct datfile *file;
	char *said;

	set_up(&f);
	write_file(&f, codecs[_i]);
	file = cut(&f, 1, &said);
	ck_assert_uint_eq(file->buffers.n, 1);
	ck_assert_str_eq(file->buffers.at[0].name, "");
	ck_assert_uint_eq(file->buffers.at[0].cpus.n, 2);
	expect_cpu(&file->buffers.at[0], 0, 1, 2 * PAGE);
	expect_cpu(&file->buffers.at[0], 1, 2, PAGE);
	ck_assert(strstr(said, "the list of what is in buffer '' is missing; found in its data") && !strstr(said, "numbered"));
	datfile_close(file);
	free(said);
	tear_down(&f);
}
END_TEST

START_TEST(last_buffer)
{
	struct fixture f;
	struct datfile *file;
	char *said;

	set_up(&f);
	write_file(&f, codecs[_i]);
	file = cut(&f, 2, &said);
	ck_assert_uint_eq(file->buffers.n, 2);
	ck_assert_str_eq(file->buffers.at[1].name, "inst");
	ck_assert_uint_eq(file->buffers.at[0].cpus.n, 3); /* as the writer lists them, CPU 0 without data */
	ck_assert_uint_eq(file->buffers.at[1].cpus.n, 1);
	expect_cpu(&file->buffers.at[1], 0, 3, PAGE);
	datfile_close(file);
	free(said);
	tear_down(&f);
}
END_TEST

/* Without the counts there is nothing to tell the numbers by. */
START_TEST(guessed)
{
	struct fixture f;
	struct datfile *file;
	char *said;

	set_up(&f);
	strv_fini(&f.meta.cpustat);
	write_file(&f, codecs[_i]);
	file = cut(&f, 1, &said);
	ck_assert_uint_eq(file->buffers.at[0].cpus.n, 2);
	expect_cpu(&file->buffers.at[0], 0, 0, 2 * PAGE);
	expect_cpu(&file->buffers.at[0], 1, 1, PAGE);
	ck_assert(strstr(said, "2 CPUs, numbered as they follow each other"));
	datfile_close(file);
	free(said);
	tear_down(&f);
}
END_TEST

Suite *salvage_suite(void)
{
	Suite *s = suite_create("salvage");
	TCase *tc = tcase_create("salvage");

	tcase_add_loop_test(tc, all_buffers, 0, ARRAY_LEN(codecs));
	tcase_add_loop_test(tc, last_buffer, 0, ARRAY_LEN(codecs));
	tcase_add_loop_test(tc, guessed, 0, ARRAY_LEN(codecs));
	suite_add_tcase(s, tc);
	return s;
}

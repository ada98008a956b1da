/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of a file that are made apart: a section that was packed before (lib/data/writer), and the two parts in which a file is sent (lib/data/sequel). */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/format.h"
#include "lib/data/reader.h"
#include "lib/data/sequel.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static char text_of_symbols[] = "ffff T x\n", text_of_names[] = "1 init\n", text_of_clock[] = "local [mono]\n";

/* Borrows all texts. */
static struct metadata metadata(bool big_endian)
{
	return (struct metadata){
		.big_endian = big_endian,
		.user_long_size = 8,
		.page_size = 4096,
		.ncpus = 2,
		.kallsyms = { text_of_symbols, strlen(text_of_symbols) },
		.cmdlines = { text_of_names, strlen(text_of_names) },
		.trace_clock = { text_of_clock, strlen(text_of_clock) },
	};
}

static ssize_t fail_to_pack(__unused void *work, __unused const void *in, __unused size_t size, __unused void *out, __unused size_t room, __unused int level)
{
	return -ENOMEM;
}

/* There is no section to write, and nothing to free. */
START_TEST(not_packed)
{
	struct codec codec = *codec_find("zstd");
	struct packed_section symbols = { 0 };
	const struct metadata meta = metadata(false);

	codec.pack = fail_to_pack;
	ck_assert_int_eq(section_pack(&symbols, DAT_KALLSYMS, &meta, &codec), -ENOMEM);
	ck_assert_ptr_null(symbols.chunk.at);
	ck_assert_uint_eq(symbols.chunk.size, 0);
}
END_TEST

/* The names of tasks are those of the second part. */
static void open_and_expect(int fd, bool big_endian, const char *names)
{
	struct datfile *file;
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	ck_assert_int_eq(datfile_open(&file, path), 0);
	ck_assert(file->meta.big_endian == big_endian);
	ck_assert(!file->damaged);
	ck_assert_uint_eq(file->meta.kallsyms.size, strlen(text_of_symbols));
	ck_assert_mem_eq(file->meta.kallsyms.at, text_of_symbols, strlen(text_of_symbols));
	ck_assert_uint_eq(file->meta.cmdlines.size, strlen(names));
	ck_assert_mem_eq(file->meta.cmdlines.at, names, strlen(names));
	datfile_close(file);
}

/* Before the second part comes, and with it; in the order of the machine that sends it. */
START_TEST(in_two_parts)
{
	const bool big_endian = _i;
	const struct metadata meta = metadata(big_endian);
	struct str second = { 0 };
	struct text first = { 0 };
	int fd = memfd_create("file", MFD_CLOEXEC);

	ck_assert_int_eq(sequel_begin(&first, &meta, codec_find("zstd")), 0);
	ck_assert_int_eq(io_write(fd, first.at, first.size), 0);
	ck_assert_int_eq(sequel_none(fd, first.size), 0);
	ck_assert_int_eq(lseek(fd, 0, SEEK_CUR), (off_t)first.size);
	open_and_expect(fd, big_endian, "");
	ck_assert_int_eq(sequel_end(&second, first.size, &meta), 0);
	ck_assert_int_eq(io_write(fd, second.at, second.len), 0);
	open_and_expect(fd, big_endian, text_of_names);
	str_fini(&second);
	free(first.at);
	close(fd);
}
END_TEST

Suite *writer_parts_suite(void)
{
	Suite *suite = suite_create("writer-parts");
	TCase *tests = tcase_create("writer-parts");

	tcase_add_test(tests, not_packed);
	tcase_add_loop_test(tests, in_two_parts, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}

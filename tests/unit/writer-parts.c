/* SPDX-License-Identifier: GPL-2.0 */
/* Parts of a file that are made apart: a section that was packed before (lib/data/writer). */
#include "lib/data/format.h"
#include "lib/data/writer.h"
#include "tests/unit/unit.h"

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

Suite *writer_parts_suite(void)
{
	Suite *suite = suite_create("writer-parts");
	TCase *tests = tcase_create("writer-parts");

	tcase_add_test(tests, not_packed);
	suite_add_tcase(suite, tests);
	return suite;
}

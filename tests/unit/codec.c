/* SPDX-License-Identifier: GPL-2.0 */
/* lib/data/codec, and the small helpers of lib/data/metadata */
#include "lib/data/codec.h"
#include "lib/data/metadata.h"
#include "tests/unit/unit.h"

#include <zlib.h>
#include <zstd.h>

enum { PLAIN = 40960 };

/* Half compressible, half not. */
static void fill(unsigned char *plain)
{
	uint32_t x = 1;

	for (size_t i = 0; i < PLAIN; i++) {
		x = x * 1103515245 + 12345;
		plain[i] = i < PLAIN / 2 ? (unsigned char)(i / 64) : (unsigned char)(x >> 24);
	}
}

START_TEST(there_and_back)
{
	static unsigned char plain[PLAIN], again[PLAIN];

	fill(plain);
	for (size_t i = 0; codec_all()[i]; i++) {
		const struct codec *codec = codec_all()[i];
		size_t room = codec->bound(PLAIN);
		unsigned char *packed = malloc(room);
		ssize_t n = codec->pack(NULL, plain, PLAIN, packed, room, codec->default_level);

		ck_assert_ptr_eq(codec_find(codec->name), codec);
		ck_assert_msg(n > 0 && (size_t)n <= room, "%s: %zd", codec->name, n);
		ck_assert_int_eq(codec->unpack(packed, (size_t)n, again, PLAIN), 0);
		ck_assert_mem_eq(plain, again, PLAIN);
		if (codec_packs(codec))
			ck_assert_int_lt(n, PLAIN);
		free(packed);
	}
}
END_TEST

/* A chunk that is cut, longer or shorter than said, or not compressed at all is refused. */
START_TEST(wrong_sizes)
{
	static unsigned char plain[PLAIN], again[PLAIN + 1];

	fill(plain);
	for (size_t i = 0; codec_all()[i]; i++) {
		const struct codec *codec = codec_all()[i];
		size_t room = codec->bound(PLAIN);
		unsigned char *packed = malloc(room);
		ssize_t n = codec->pack(NULL, plain, PLAIN, packed, room, codec->default_level);

		ck_assert_int_gt(n, 0);
		ck_assert_int_eq(codec->unpack(packed, (size_t)n - 1, again, PLAIN), -EINVAL);
		ck_assert_int_eq(codec->unpack(packed, (size_t)n, again, PLAIN - 1), -EINVAL);
		ck_assert_int_eq(codec->unpack(packed, (size_t)n, again, PLAIN + 1), -EINVAL);
		ck_assert_int_eq(codec->unpack(packed, 0, again, PLAIN), -EINVAL);
		ck_assert_int_lt(codec->pack(NULL, plain, PLAIN, packed, 16, codec->default_level), 0);
		if (codec_packs(codec))
			ck_assert_int_eq(codec->unpack(plain, PLAIN, again, PLAIN), -EINVAL);
		free(packed);
	}
}
END_TEST

START_TEST(names)
{
	ck_assert_ptr_null(codec_find("lzma"));
	ck_assert(!codec_packs(NULL));
	ck_assert(!codec_packs(codec_find("none")));
	ck_assert_str_eq(codec_find("none")->version(), "");
	ck_assert_str_eq(codec_find("zlib")->version(), zlibVersion());
	ck_assert_str_eq(codec_find("zstd")->version(), ZSTD_versionString());
}
END_TEST

/* trace-cmd's frames do not tell their size, and its reader is only tried with such. */
START_TEST(zstd_frame)
{
	static unsigned char plain[PLAIN], packed[2 * PLAIN];
	const struct codec *zstd = codec_find("zstd");
	ssize_t n = zstd->pack(NULL, plain, PLAIN, packed, sizeof(packed), zstd->default_level);

	ck_assert_int_gt(n, 0);
	ck_assert_uint_eq(ZSTD_getFrameContentSize(packed, (size_t)n), ZSTD_CONTENTSIZE_UNKNOWN);
	ck_assert_uint_eq(ZSTD_findFrameCompressedSize(packed, (size_t)n), (size_t)n);
}
END_TEST

START_TEST(clocks)
{
	static const struct {
		const char *text, *name;
		bool ns;
	} rows[] = {
		{ "[local] global counter\n", "local", true },
		{ "local global [counter] uptime", "counter", false },
		{ "local [mono_raw] boot\n", "mono_raw", true },
		{ "[boot]", "boot", true },
		{ "[uptime]", "uptime", false },
		{ "x86-tsc\n", "x86-tsc", false },
		{ "[tsc2nsec", "[tsc2nsec", false },
		{ "", "local", true },
		{ "\n", "local", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct text text = { (char *)rows[i].text, strlen(rows[i].text) };
		char *name = clock_name(&text);

		ck_assert_str_eq(name, rows[i].name);
		ck_assert_msg(clock_is_ns(name) == rows[i].ns, "%s", name);
		ck_assert_msg(clock_in_seconds(name) == (rows[i].ns || strcmp(name, "uptime") == 0), "%s", name);
		free(name);
	}
}
END_TEST

Suite *codec_suite(void)
{
	Suite *suite = suite_create("codec");
	TCase *tests = tcase_create("codec");

	tcase_add_test(tests, there_and_back);
	tcase_add_test(tests, wrong_sizes);
	tcase_add_test(tests, names);
	tcase_add_test(tests, zstd_frame);
	tcase_add_test(tests, clocks);
	suite_add_tcase(suite, tests);
	return suite;
}

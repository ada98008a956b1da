/* SPDX-License-Identifier: GPL-2.0 */
/* Protocol buffers, byte by byte, with the examples of their documentation. */
#include "tests/unit/unit.h"
#include "lib/export/protobuf.h"

static void check_bytes(struct str *out, const char *want, size_t n)
{
	ck_assert_int_eq(str_ok(out), 0);
	ck_assert_uint_eq(out->len, n);
	ck_assert_mem_eq(str_text(out), want, n);
	str_clear(out);
}

START_TEST(protobuf_numbers)
{
	struct str out = { 0 };

	pb_uint(&out, 1, 150);
	check_bytes(&out, "\x08\x96\x01", 3);
	pb_uint(&out, 1, 0);
	check_bytes(&out, "\x08\x00", 2);
	pb_uint(&out, 16, 127);
	check_bytes(&out, "\x80\x01\x7f", 3);
	pb_uint(&out, 1, (uint64_t)-2);
	check_bytes(&out, "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11);
	str_fini(&out);
}
END_TEST

START_TEST(protobuf_messages)
{
	struct str out = { 0 };
	size_t outer, inner;
	char want[600];

	pb_bytes(&out, 2, "testing", 7);
	check_bytes(&out, "\x12\x07testing", 9);
	pb_text(&out, 2, "a\xff", 2);
	check_bytes(&out,
		    "\x12\x05"
		    "a\\xff",
		    7);
	outer = pb_begin(&out, 3);
	pb_uint(&out, 1, 150);
	pb_end(&out, outer);
	check_bytes(&out, "\x1a\x03\x08\x96\x01", 5);
	outer = pb_begin(&out, 3);
	pb_end(&out, outer);
	check_bytes(&out, "\x1a\x00", 2);

	/* Lengths of more than one byte, inside of each other. */
	memset(want, 'x', sizeof(want));
	outer = pb_begin(&out, 1);
	inner = pb_begin(&out, 2);
	str_addn(&out, want, 127);
	pb_end(&out, inner);
	inner = pb_begin(&out, 2);
	str_addn(&out, want, 300);
	pb_end(&out, inner);
	pb_end(&out, outer);
	memcpy(want, "\x0a\xb0\x03\x12\x7f", 5);
	memcpy(want + 5 + 127, "\x12\xac\x02", 3);
	check_bytes(&out, want, 3 + 2 + 127 + 3 + 300);
	str_fini(&out);
}
END_TEST

Suite *protobuf_suite(void)
{
	Suite *suite = suite_create("protobuf");
	TCase *tc = tcase_create("protobuf");

	tcase_add_test(tc, protobuf_numbers);
	tcase_add_test(tc, protobuf_messages);
	suite_add_tcase(suite, tc);
	return suite;
}

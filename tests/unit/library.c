/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/library.h"
#include "lib/base/base.h"
#include "tests/unit/unit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

struct calls {
	__typeof__(&floor) floor;
	__typeof__(&hypot) hypot;
};

static const struct library_call rows[] = {
	{ "floor", offsetof(struct calls, floor) },
	{ "hypot", offsetof(struct calls, hypot) },
	{ NULL },
};

START_TEST(loaded)
{
	struct calls calls = { 0 };
	char why[LIBRARY_WHY];

	ck_assert_int_eq(library_load("libm.so.6", rows, &calls, why), 0);
	ck_assert(calls.floor(2.5) == 2 && calls.hypot(3, 4) == 5);
}
END_TEST

START_TEST(no_library)
{
	struct calls calls = { 0 };
	char why[LIBRARY_WHY];

	ck_assert_int_eq(library_load("libnosuch.so.9", rows, &calls, why), -ENOENT);
	ck_assert_msg(strncmp(why, "libnosuch.so.9 cannot be loaded: ", 33) == 0, "%s", why);
}
END_TEST

START_TEST(no_function)
{
	static const struct library_call lacking[] = { { "floor", offsetof(struct calls, floor) }, { "nosuch", offsetof(struct calls, hypot) }, { NULL } };
	struct calls calls = { 0 };
	char why[LIBRARY_WHY];

	ck_assert_int_eq(library_load("libm.so.6", lacking, &calls, why), -ENOENT);
	ck_assert_str_eq(why, "libm.so.6 has no nosuch");
}
END_TEST

Suite *library_suite(void)
{
	Suite *s = suite_create("library");
	TCase *c = tcase_create("load");

	tcase_add_test(c, loaded);
	tcase_add_test(c, no_library);
	tcase_add_test(c, no_function);
	suite_add_tcase(s, c);
	return s;
}

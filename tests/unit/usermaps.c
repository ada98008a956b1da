/* SPDX-License-Identifier: GPL-2.0 */
/* Functions of this program by address, process and time, through blocks as record --ustack writes them. */
#include "lib/base/io.h"
#include "lib/elf/names.h"
#include "lib/event/usermaps.h"
#include "tests/unit/unit.h"

#include <inttypes.h>
#include <stdio.h>

int usermaps_me(int n);

__attribute__((noinline)) int usermaps_me(int n)
{
	__asm__ volatile("");
	return n * 3;
}

enum { SECOND = 100000000 }; /* far more than clocks may differ */

static char *self, *stamp;
static uint64_t start, end, offset; /* of this program's code */

static void find_self(void)
{
	struct text all, rest, line;

	self = realpath("/proc/self/exe", NULL);
	stamp = elf_stamp(self);
	ck_assert(self && stamp && *stamp);
	ck_assert_int_eq(io_slurp("/proc/self/maps", &all), 0);
	rest = all;
	while (text_line(&rest, &line)) {
		uint64_t s, e, o;
		char mode[8];

		if (sscanf(line.at, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64, &s, &e, mode, &o) == 4 && (uintptr_t)usermaps_me >= s &&
		    (uintptr_t)usermaps_me < e) {
			start = s;
			end = e;
			offset = o;
		}
	}
	free(all.at);
	ck_assert(start);
}

static void expect(struct usermaps *maps, int pid, uint64_t ts, uint64_t addr, bool returns, const char *want)
{
	struct str got = { 0 };

	usermaps_text(maps, pid, ts, addr, returns, &got);
	ck_assert_str_eq(str_text(&got), want);
	str_fini(&got);
}

START_TEST(by_process_and_time)
{
	uint64_t me = (uintptr_t)usermaps_me;
	__cleanup(free_ptr) char *name = NULL, *place = NULL, *other = NULL, *bare = str_printf("%" PRIx64, me);
	struct usermaps *maps;
	struct str got = { 0 };
	strv_t blocks = { 0 };

	find_self();
	name = str_printf("usermaps_me+0x1 (%s)", self);
	place = str_printf("%" PRIx64 " (%s+0x%" PRIx64 ")", me, self, me - start + offset);
	other = str_printf("%" PRIx64 " (/a b+0x%" PRIx64 ")", me, me - start + 0x1000);

	/* Trace-cmd's own form is passed over. */
	strv_own(&blocks, str_printf("4d 1 %s\n%" PRIx64 " %" PRIx64 " %s\n", self, start, end, self));
	ck_assert_int_eq(usermaps_new(&maps, &blocks, false), 0);
	ck_assert_ptr_null(maps);

	strv_own(&blocks, str_printf("4d 1 /later\t%d\n1000 2000 /later\t0 %d \n", 3 * SECOND - 1, 3 * SECOND - 1));
	strv_own(&blocks, str_printf("4d 2 %s\t%d\n%" PRIx64 " %" PRIx64 " %s\t%" PRIx64 " %d %s\n%" PRIx64 " %" PRIx64 " /a b\t1000 %d ff\n", self, SECOND,
				     start, end, self, offset, SECOND, stamp, start, end, 2 * SECOND));
	strv_own(&blocks, str_printf("4e 1 %s\t0\n%" PRIx64 " %" PRIx64 " %s\t%" PRIx64 " 0 abcdef\nbroken\t\n1 2\t3\n", self, start, end, self, offset));
	ck_assert_int_eq(usermaps_new(&maps, &blocks, false), 0);
	ck_assert_ptr_nonnull(maps);

	expect(maps, 77, SECOND + SECOND / 2, me + 1, false, name);
	expect(maps, 77, SECOND / 2, me, false, bare);		      /* it does not run yet */
	expect(maps, 77, 2 * (uint64_t)SECOND + 1, me, false, other); /* something else is there now */
	expect(maps, 77, 4 * (uint64_t)SECOND, me, false, bare);      /* another program */
	expect(maps, 77, 4 * (uint64_t)SECOND, 0x1234, false, "1234 (/later+0x234)");
	expect(maps, 78, SECOND, me, false, place); /* another file then: no names */
	expect(maps, 79, SECOND, me, false, bare);  /* nothing is known */

	/* What returns to the first byte behind a function was called from that, not from the next one. */
	usermaps_text(maps, 77, SECOND, me, true, &got);
	ck_assert_ptr_null(strstr(str_text(&got), "usermaps_me"));
	str_clear(&got);
	usermaps_text(maps, 77, SECOND, me + 1, true, &got);
	ck_assert_str_eq(str_text(&got), name);
	str_fini(&got);
	usermaps_free(maps);
	strv_fini(&blocks);
	free(self);
	free(stamp);
}
END_TEST

/* What a process maps later takes the place of what was known, and a new program's maps hold from its time on. */
START_TEST(as_it_happens)
{
	struct usermaps *maps;
	strv_t blocks = { 0 };

	ck_assert_int_eq(usermaps_new(&maps, &blocks, true), 0);
	ck_assert_ptr_nonnull(maps);
	expect(maps, 77, SECOND, 0x1010, false, "1010");
	strv_own(&blocks, str_printf("4d 1 /one\t%d\n1000 2000 /one\t0 %d \n", SECOND, SECOND));
	ck_assert_int_eq(usermaps_add(maps, &blocks), 0);
	expect(maps, 77, SECOND, 0x1010, false, "1010 (/one+0x10)");
	expect(maps, 77, SECOND, 0x5020, false, "5020");
	strv_fini(&blocks);
	strv_own(&blocks, str_printf("4d 2 /one\t%d\n1000 2000 /one\t0 %d \n5000 6000 /lib\t0 %d \n", SECOND, SECOND, SECOND));
	strv_own(&blocks, str_printf("4c 1 /first\t0\n1000 2000 /first\t0 0 \n"));
	strv_own(&blocks, str_printf("4d 1 /two\t%d\n1000 2000 /two\t0 %d \n", 3 * SECOND, 3 * SECOND));
	ck_assert_int_eq(usermaps_add(maps, &blocks), 0);
	expect(maps, 77, SECOND, 0x1010, false, "1010 (/one+0x10)");
	expect(maps, 77, SECOND, 0x5020, false, "5020 (/lib+0x20)");
	expect(maps, 77, 4 * (uint64_t)SECOND, 0x1010, false, "1010 (/two+0x10)");
	expect(maps, 77, 4 * (uint64_t)SECOND, 0x5020, false, "5020");
	expect(maps, 76, SECOND, 0x1010, false, "1010 (/first+0x10)");
	strv_fini(&blocks);
	usermaps_free(maps);
}
END_TEST

Suite *usermaps_suite(void)
{
	Suite *suite = suite_create("usermaps");
	TCase *tc = tcase_create("find");

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, by_process_and_time);
	tcase_add_test(tc, as_it_happens);
	suite_add_tcase(suite, tc);
	return suite;
}

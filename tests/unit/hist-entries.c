/* SPDX-License-Identifier: GPL-2.0 */
/* lib/tracefs/hist: entries of histograms as the kernel prints them, with stacks among their keys and the fields of the longest. */
#include "lib/tracefs/hist.h"
#include "tests/unit/unit.h"

/* As Linux 6.1 printed it, but for names that look like what stands behind keys. */
static char stacks[] = "# trigger info: hist:keys=common_pid.execname,stacktrace:vals=hitcount:sort=hitcount:size=2048 [active]\n"
		       "#\n\n"
		       "{ common_pid: a} hitcount: 7  [       132], stacktrace:\n"
		       "         p9_fcall_init+0x2f/0x80 [9pnet]\n"
		       "         do_sys_openat2+0xaf/0x170\n"
		       "         0xffffffffc0a01234\n"
		       "} hitcount:          3\n"
		       "{ common_pid: bash            [       133], stacktrace:\n"
		       "} hitcount:         12\n"
		       "\nTotals:\n    Hits: 15\n    Entries: 2\n    Dropped: 4\n";

static char longest[] = "# trigger info: hist:keys=next_pid:vals=hitcount:rs_lat=...\n"
			"#\n\n"
			"{ next_pid:         15 } hitcount:          2\n"
			"\tmax:      60429  prev_comm: ksoftirqd/1     prev_pid:         21\n"
			"\nTotals:\n    Hits: 2\n    Entries: 1\n    Dropped: 0\n";

static void next_is(struct text *stack, const char *name)
{
	struct text function;

	ck_assert(hist_stack_next(stack, &function));
	ck_assert_uint_eq(function.size, strlen(name));
	ck_assert_mem_eq(function.at, name, function.size);
}

START_TEST(stack_keys)
{
	static const char *const names[] = { "common_pid", "stacktrace" };
	struct text rest = { stacks, strlen(stacks) }, none, comm;
	struct hist_entry entry;
	uint64_t pid;

	ck_assert(hist_next(&rest, names, 2, &entry));
	ck_assert_uint_eq(entry.hits, 3);
	ck_assert(hist_task(&entry.keys[0], &comm, &pid));
	ck_assert_uint_eq(pid, 132);
	next_is(&entry.keys[1], "p9_fcall_init");
	next_is(&entry.keys[1], "do_sys_openat2");
	next_is(&entry.keys[1], "0xffffffffc0a01234");
	ck_assert(!hist_stack_next(&entry.keys[1], &none));
	ck_assert(hist_next(&rest, names, 2, &entry));
	ck_assert_uint_eq(entry.hits, 12);
	ck_assert(!hist_stack_next(&entry.keys[1], &none));
	ck_assert(!hist_next(&rest, names, 2, &entry));
	ck_assert_uint_eq(hist_dropped(&(struct text){ stacks, strlen(stacks) }), 4);
}
END_TEST

START_TEST(fields_of_the_longest)
{
	static const char *const names[] = { "next_pid" };
	struct text rest = { longest, strlen(longest) }, kept;
	struct hist_entry entry;
	uint64_t max;

	ck_assert(hist_next(&rest, names, 1, &entry));
	ck_assert(hist_number(&entry, "max", &max));
	ck_assert_uint_eq(max, 60429);
	ck_assert(hist_kept(&entry, "prev_comm", &kept));
	ck_assert_uint_eq(kept.size, strlen("ksoftirqd/1"));
	ck_assert_mem_eq(kept.at, "ksoftirqd/1", kept.size);
	ck_assert(hist_kept(&entry, "prev_pid", &kept));
	ck_assert_mem_eq(kept.at, "21", 2);
	ck_assert(!hist_kept(&entry, "next_comm", &kept));
	ck_assert(!hist_next(&rest, names, 1, &entry));
}
END_TEST

Suite *hist_entries_suite(void)
{
	Suite *suite = suite_create("hist-entries");
	TCase *tc = tcase_create("hist-entries");

	tcase_add_test(tc, stack_keys);
	tcase_add_test(tc, fields_of_the_longest);
	suite_add_tcase(suite, tc);
	return suite;
}

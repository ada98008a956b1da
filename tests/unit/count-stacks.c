/* SPDX-License-Identifier: GPL-2.0 */
/* The paths by which `count --by stack` counts. */
#include "lib/analysis/count-stacks.h"
#include "tests/unit/unit.h"

/* Innermost first, with spaces between, as the kernel writes a stack. */
static const struct {
	const char *stack, *path;
} stacks[] = {
	{ "vfs_read ksys_read do_syscall_64", "do_syscall_64;ksys_read;vfs_read" },
	{ "ftrace_trampoline vfs_read ksys_read", "ksys_read;vfs_read" },
	{ "trace_event_raw_event_sched_switch __traceiter_sched_switch __schedule schedule", "schedule;__schedule" },
	{ "ftrace_syscall_enter __traceiter_sys_enter syscall_trace_enter do_syscall_64", "do_syscall_64;syscall_trace_enter" },
	{ "ftrace_syscall_exit syscall_exit_work do_syscall_64", "do_syscall_64;syscall_exit_work" },
	{ "0xffffffffc0307083 vfs_read ksys_read", "ksys_read;vfs_read" }, /* a trampoline that is gone */
	{ "0xffffffffc0307083 ftrace_caller vfs_read 0xffffffffc0400010 ksys_read", "ksys_read;0xffffffffc0400010;vfs_read" },
	{ "vfs_read 0xffffffffc0307083", "0xffffffffc0307083;vfs_read" },
	{ "0x1 0x2", "0x2;0x1" },
	{ "", "" },
};

START_TEST(paths)
{
	strv_t names = { 0 };
	struct str path = { 0 };

	ck_assert_int_eq(strv_split(&names, stacks[_i].stack, " "), 0);
	count_stack_path(&names, &path);
	ck_assert_str_eq(str_text(&path), stacks[_i].path);
	strv_fini(&names);
	str_fini(&path);
}
END_TEST

Suite *count_stacks_suite(void)
{
	Suite *suite = suite_create("count-stacks");
	TCase *tc = tcase_create("count-stacks");

	tcase_add_loop_test(tc, paths, 0, ARRAY_LEN(stacks));
	suite_add_tcase(suite, tc);
	return suite;
}

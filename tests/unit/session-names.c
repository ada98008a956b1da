/* SPDX-License-Identifier: GPL-2.0 */
/* lib/tracefs on a plain folder: names of functions, tracers, options, clocks and events, and what the kernel says of a fault. */
#define _GNU_SOURCE
#include "lib/tracefs/funcommand.h"
#include "lib/tracefs/select.h"
#include "tests/unit/folder.h"

START_TEST(names)
{
	static const struct {
		const char *option;
		const char *pattern;
		int ret;
		const char *said;
	} functions[] = {
		{ "-g", "do_sys_openat2", 0, "" },
		{ "-l", "sched*", 0, "" },
		{ "-l", "ext4_*:mod:ext4", 0, "" },
		{ "-l", ":mod:ext4", 0, "" },
		{ "-l", "ext4_open", 0, "" },
		{ "-g", "do_sys_open", -ENOENT, "; nearest: do_sys_openat2" },
		{ "-g", "do_sys_opan", -ENOENT, "ringside: there is no function 'do_sys_opan' to trace in this kernel; nearest: do_sys_openat2" },
		{ "-l", "xfs_*", -ENOENT, "no function to trace matches 'xfs_*'" },
		{ "-l", ":mod:xfs", -ENOENT, "no module 'xfs'" },
		{ "-l", "vfs_read:mod:ext4", -ENOENT, "no function 'vfs_read:mod:ext4'" },
		{ "-g", "schedule:traceoff", -EINVAL, "belongs to -l" },
		{ "-g", "*:mod:ext4", -EINVAL, "module" },
		{ "-n", "", -EINVAL, "-n" },
	};
	struct tracedir his = TRACEDIR_NONE;

	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		strv_t patterns = { 0 };

		strv_add(&patterns, functions[i].pattern);
		mentions(functions_check(&folder.top, &(struct functions_asked){ functions[i].option, &patterns }, 1), functions[i].ret, functions[i].said);
		strv_fini(&patterns);
	}
	ck_assert_int_eq(tracer_check(&folder.top, "function"), 0);
	mentions(tracer_check(&folder.top, "wakeup"), -ENOENT, "CONFIG_SCHED_TRACER", "function_graph, function or nop");
	mentions(tracer_check(&folder.top, "functoin"), -ENOENT, "'functoin'", "function");
	folder_put("instances/his/available_tracers", "wakeup wakeup_rt wakeup_dl irqsoff preemptoff osnoise timerlat function_graph function nop\n");
	ck_assert_int_eq(tracedir_open_at(&his, &folder.top, "instances/his"), 0);
	mentions(tracer_check(&his, "functoin"), -ENOENT, "trace instances; nearest: function");
	mentions(tracer_check(&his, "mmiotrace"), -ENOENT, "trace instances; there is wakeup", "function or nop");
	tracedir_fini(&his);
	ck_assert_int_eq(option_check(&folder.top, "nostacktrace"), 0);
	mentions(option_check(&folder.top, "stactrace"), -ENOENT, "nearest: stacktrace");
	mentions(option_check(&folder.top, "noovrwrite"), -ENOENT, "nearest: overwrite");
	ck_assert_int_eq(clock_check(&folder.top, "mono"), 0);
	mentions(clock_check(&folder.top, "globl"), -ENOENT, "nearest: global");
	mentions(buffer_check(1ULL << 40, 0, 4), -ENOMEM, "each of 4 CPUs", "a tenth is left to others");
	ck_assert_int_eq(buffer_check(64, 0, 4), 0);
}
END_TEST

/* The patterns of several options are looked for in one reading of the list, and each option is judged by itself. */
START_TEST(several_options)
{
	strv_t trace = { 0 }, not_trace = { 0 }, graph = { 0 }, none = { 0 };
	const struct functions_asked asked[] = { { "-l", &trace }, { "-n", &not_trace }, { "-g", &graph }, { "-x", &none } };

	ck_assert_int_eq(strv_add(&trace, "ext4_open") | strv_add(&trace, "nosuch") | strv_add(&trace, "schedule"), 0);
	ck_assert_int_eq(strv_add(&not_trace, "vfs_read") | strv_add(&graph, "do_sys_*"), 0);
	mentions(functions_check(&folder.top, asked, ARRAY_LEN(asked)), 0, "ringside: there is no function 'nosuch'", "left out");
	ck_assert_uint_eq(trace.n, 2);
	ck_assert_str_eq(trace.at[0], "ext4_open");
	ck_assert_str_eq(trace.at[1], "schedule");
	ck_assert_uint_eq(not_trace.n, 1);
	ck_assert_uint_eq(graph.n, 1);
	ck_assert_int_eq(strv_add(&not_trace, "vfs_reed"), 0);
	mentions(functions_check(&folder.top, &asked[1], 1), 0, "'vfs_reed'", "left out");
	free(not_trace.at[0]);
	not_trace.at[0] = strdup("vfs_raed");
	mentions(functions_check(&folder.top, asked, ARRAY_LEN(asked)), -ENOENT, "ringside: there is no function 'vfs_raed'", "nearest: vfs_read");
	ck_assert(functions_have(&folder.top, "vfs_read") && functions_have(&folder.top, "ext4_open"));
	ck_assert(!functions_have(&folder.top, "vfs_rea") && !functions_have(&folder.top, "vfs_reads") && !functions_have(&folder.top, "vfs_*"));
	strv_fini(&trace);
	strv_fini(&not_trace);
	strv_fini(&graph);
}
END_TEST

/* A function command is left out together with its function. */
START_TEST(function_commands)
{
	strv_t commands = { 0 };

	ck_assert_int_eq(strv_add(&commands, "nosuch:traceoff") | strv_add(&commands, "schedule:traceoff") | strv_add(&commands, "sched:traceon"), 0);
	ck_assert_int_eq(strv_add(&commands, "schedule:traceon:3") | strv_add(&commands, "do_sys_*:stacktrace"), 0);
	mentions(funcommands_check(&folder.top, "-l", &commands), 0, "'nosuch'", "'sched'", "left out");
	ck_assert_uint_eq(commands.n, 3);
	ck_assert_str_eq(commands.at[0], "schedule:traceoff");
	ck_assert_str_eq(commands.at[1], "schedule:traceon:3");
	ck_assert_str_eq(commands.at[2], "do_sys_*:stacktrace");
	strv_fini(&commands);
	ck_assert_int_eq(strv_add(&commands, "nosuch:traceoff"), 0);
	mentions(funcommands_check(&folder.top, "-l", &commands), -ENOENT, "'nosuch'");
	ck_assert_uint_eq(commands.n, 1);
	strv_fini(&commands);
}
END_TEST

START_TEST(event_patterns)
{
	static const struct {
		const char *pattern;
		const char *found;
	} rows[] = {
		{ "all", "sched:sched_switch sched:sched_wakeup sched:sched_waking syscalls:sys_enter_read "
			 "syscalls:sys_exit_read irq:irq_handler_entry" },
		{ "sched", "sched:sched_switch sched:sched_wakeup sched:sched_waking" },
		{ "sched:", "sched:sched_switch sched:sched_wakeup sched:sched_waking" },
		{ "sched:sched_switch", "sched:sched_switch" },
		{ "sched/sched_switch", "sched:sched_switch" },
		{ "sched_wak*", "sched:sched_wakeup sched:sched_waking" },
		{ "*:sys_enter_*", "syscalls:sys_enter_read" },
		{ "sys_*", "syscalls:sys_enter_read syscalls:sys_exit_read" },
		{ "irq_handler_entry", "irq:irq_handler_entry" },
	};
	strv_t twice = { 0 }, none = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		strv_t found = { 0 };
		struct str s = { 0 };

		ck_assert_int_eq(events_find(&folder.top, rows[i].pattern, &found), 0);
		vec_each (&found, event)
			str_addf(&s, "%s%s", s.len ? " " : "", *event);
		ck_assert_str_eq(str_text(&s), rows[i].found);
		str_fini(&s);
		strv_fini(&found);
	}
	ck_assert_int_eq(events_find(&folder.top, "sched_switch", &twice), 0);
	ck_assert_int_eq(events_find(&folder.top, "sched", &twice), 0);
	ck_assert_uint_eq(twice.n, 3);
	mentions(events_find(&folder.top, "sched:sched_swich", &none), -ENOENT, "'sched:sched_swich'", "nearest: sched:sched_switch");
	mentions(events_find(&folder.top, "sched_swich", &none), -ENOENT, "nearest: sched_switch");
	mentions(events_find(&folder.top, "nothing_like_it", &none), -ENOENT, "'nothing_like_it'");
	ck_assert_uint_eq(none.n, 0);
	strv_fini(&twice);
}
END_TEST

/* The kernel's words, with the caret where it put it, though the log quotes only a part of the command. */
START_TEST(error_log)
{
	char *what = NULL;
	size_t at = 0;

	folder_put("error_log", "[    1.5] trace_kprobe: error: Invalid argument name\n  Command: p foo $x\n                 ^\n"
				"[    2.5] event filter parse error: error: Field not found\n  Command: a == 1 && prev_pd==0\n"
				"                            ^\n");
	ck_assert(tracedir_error(&folder.top, "stacktrace if a == 1 && prev_pd==0", &what, &at));
	ck_assert_str_eq(what, "Field not found");
	ck_assert_uint_eq(at, strlen("stacktrace if ") + 17);
	free(what);
	/* An entry about another command is not ours. */
	ck_assert(!tracedir_error(&folder.top, "next_pid==0", &what, &at));
	folder_put("error_log", "");
	ck_assert(!tracedir_error(&folder.top, "next_pid==0", &what, &at));
}
END_TEST

START_TEST(no_tracing)
{
	struct session *s;

	folder.opts.tracing_dir = folder.state;
	mentions(session_open(&s, &folder.opts), -ENOENT, "is no tracing directory");
	folder.opts.tracing_dir = "/nonexistent";
	mentions(session_open(&s, &folder.opts), -ENOENT, "/nonexistent");
}
END_TEST

Suite *session_names_suite(void)
{
	Suite *s = suite_create("session-names");
	TCase *c = tcase_create("names");

	tcase_add_checked_fixture(c, folder_set_up, folder_tear_down);
	tcase_add_test(c, names);
	tcase_add_test(c, several_options);
	tcase_add_test(c, function_commands);
	tcase_add_test(c, event_patterns);
	tcase_add_test(c, error_log);
	tcase_add_test(c, no_tracing);
	suite_add_tcase(s, c);
	return s;
}

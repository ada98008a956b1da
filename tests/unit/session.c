/* SPDX-License-Identifier: GPL-2.0 */
/* lib/tracefs on a plain folder: what a session sets, and what is as before when it has ended. */
#define _GNU_SOURCE
#include "lib/base/parse.h"
#include "lib/tracefs/busy.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/stays.h"
#include "lib/tracefs/trigger.h"
#include "tests/unit/folder.h"

#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* --- sessions ----------------------------------------------------------------------------------------------- */

START_TEST(all_comes_back)
{
	struct session *s;

	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_gt(session_guard(s), 0);
	folder_arm(s);
	folder_reads("set_graph_function", "do_sys_openat2\nsched*");
	folder_reads("set_ftrace_pid", "99\n100");
	folder_reads("set_ftrace_filter", "");
	folder_reads("set_event_pid", "");
	folder_reads("current_tracer", "function_graph");
	folder_reads("options/overwrite", "0");
	folder_reads("tracing_on", "1");
	/* A system of which all events are meant is one write, and its events' left-over filters are gone. */
	folder_reads("events/sched/enable", "1");
	folder_reads("events/sched/sched_switch/filter", "0");
	folder_reads("events/sched/sched_wakeup/filter", "pid > 2");
	folder_reads("events/syscalls/enable", "0");
	folder_reads("events/syscalls/sys_enter_read/enable", "1");
	folder_reads("events/syscalls/sys_exit_read/enable", "0");
	ck_assert_int_eq(session_close(s), 0);
	folder_is_as_before();
	/* Nor is there a journal left. */
	ck_assert_ptr_null(journals_stale(folder.state));
}
END_TEST

START_TEST(kept_as_it_is)
{
	struct session *s;
	struct instance *top, *made;

	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	folder_arm(s);
	ck_assert(!session_top(s, &(struct session_want){ 0 }, &top, NULL) && !session_instance(s, "his", false, &made));
	/* Settings of our own do not stay, neither where the session found the instance nor where it has made it. */
	folder_put("instances/his/buffer_percent", "50\n");
	made->created = true;
	session_own(s, true);
	ck_assert(!session_set(top, "buffer_percent", "30") && !session_set(made, "buffer_percent", "30"));
	ck_assert(!session_add_list(top, "set_ftrace_pid", "12") && !session_add_list(top, "set_ftrace_pid", "13"));
	session_own(s, false);
	folder_reads("buffer_percent", "30");
	folder_reads("instances/his/buffer_percent", "30");
	session_keep(s);
	ck_assert_int_eq(session_close(s), 0);
	folder_reads("buffer_percent", "50");
	folder_reads("instances/his/buffer_percent", "50");
	folder_reads("set_ftrace_pid", "99\n100");
	folder_reads("current_tracer", "function_graph");
	folder_reads("trace_clock", "mono");
	ck_assert_ptr_null(journals_stale(folder.state));
}
END_TEST

/* A filter's file that can be read and not be written, for another reason than the filter: it is said. */
START_TEST(filter_not_written)
{
	char path[256];
	struct session *s;
	struct instance *top;

	snprintf(path, sizeof(path), "%s/events/sched/sched_wakeup/filter", folder.dir);
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_top(s, &(struct session_want){ 0 }, &top, NULL), 0);
	/* A program that runs: ETXTBSY. */
	ck_assert(!unlink(path) && !symlink("/proc/self/exe", path));
	mentions(session_filter(top, "sched:sched_wakeup", "pid > 2"), -ETXTBSY, "ringside: ", "events/sched/sched_wakeup/filter");
	ck_assert(!unlink(path));
	folder_put("events/sched/sched_wakeup/filter", "none\n");
	ck_assert_int_eq(session_close(s), 0);
}
END_TEST

/* What `start` does, in a process of its own: @top and @his say in which instances. */
static void start(const char *depth, bool top, bool his)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct session *s;
		struct instance *inst;

		ck_assert_int_eq(session_open(&s, &folder.opts), 0);
		ck_assert(!top || !session_join(s, "", JOIN_START, &inst, NULL));
		ck_assert(!top || !session_set(inst, "max_graph_depth", depth));
		ck_assert(!top || !session_set(inst, "options/overwrite", "0"));
		ck_assert(!his || !session_join(s, "his", JOIN_ADD, &inst, NULL));
		ck_assert(!his || !session_set(inst, "trace_clock", "local"));
		session_stay(s);
		ck_assert_int_eq(session_close(s), 0);
		_exit(0);
	}
	ck_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static void put_back(const char *name, size_t want)
{
	size_t n;

	ck_assert_int_eq(stays_put_back(folder.state, &folder.top, name, &n), 0);
	ck_assert_uint_eq(n, want);
}

/* A start is neither alive nor dead; the newest is undone first, and each instance by itself. */
START_TEST(stays_until_put_back)
{
	journals_t all = { 0 };
	const struct journal_info *owner;

	start("3", true, true);
	start("5", true, false);
	ck_assert_ptr_null(journals_stale(folder.state));
	folder_reads("max_graph_depth", "5");
	folder_reads("set_event_pid", "");
	folder_reads("set_ftrace_filter", "schedule\next4_open:mod:ext4");
	ck_assert_int_eq(journals_find(folder.state, &all), 0);
	ck_assert_uint_eq(all.n, 2);
	ck_assert(all.at[0].stays && !all.at[0].alive && !journal_is_stale(&all.at[0]));
	ck_assert_ptr_null(busy_recording(&all, folder.dir, ""));
	owner = journals_owner(&all, folder.dir, "max_graph_depth");
	ck_assert_ptr_eq(owner, &all.at[1]);
	ck_assert_ptr_eq(journals_owner(&all, folder.dir, "instances/his/trace_clock"), &all.at[0]);
	ck_assert_ptr_null(journals_owner(&all, folder.dir, "buffer_percent"));
	journals_fini(&all);
	put_back("nosuch", 0);
	put_back("", 2);
	folder_reads("max_graph_depth", "7");
	folder_reads("set_event_pid", "12\n34");
	folder_reads("instances/his/trace_clock", "local");
	put_back("", 0);
	put_back("his", 1);
	put_back("his", 0);
	folder_is_as_before();
}
END_TEST

START_TEST(pointers_in_filters)
{
	static const struct {
		const char *filter, *pointer;
	} rows[] = {
		{ "name == \"/etc/passwd\"", "name" },
		{ "dfd > 2 && (name~'*x' || comm == 'a')", "name" },
		{ "name.ustring == \"/etc/passwd\"", NULL },
		{ "name == 0", NULL },
		{ "filename == \"x\" && comm == \"name\"", NULL },
	};

	folder_put("events/sched/opened/format", "name: opened\nformat:\n\tfield:int dfd;\toffset:8;\n\tfield:char comm[16];\toffset:16;\n"
						 "\tfield:const char * name;\toffset:32;\n\nprint fmt: \"\"\n");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *pointer = event_filter_pointer(&folder.top, "sched:opened", rows[i].filter);

		ck_assert_pstr_eq(pointer, rows[i].pointer);
		free(pointer);
	}
	ck_assert_ptr_null(event_filter_pointer(&folder.top, "sched:nosuch", "name == \"a\""));
}
END_TEST

START_TEST(same_values)
{
	ck_assert(setting_same("tracing_cpumask", "00000000,0000000f", "f"));
	ck_assert(setting_same("instances/his/tracing_cpumask", "0,00000000", "0"));
	ck_assert(!setting_same("tracing_cpumask", "10", "16"));
	ck_assert(setting_same("buffer_size_kb", "7 (expanded: 1408)", "1408"));
	ck_assert(setting_same("buffer_percent", "050", "50"));
	ck_assert(setting_same("events/sched/sched_switch/enable", "1*", "1"));
	ck_assert(setting_same("events/sched/sched_switch/filter", "none", "0"));
	ck_assert(!setting_same("current_tracer", "nop", "0"));
}
END_TEST

START_TEST(writes_only_what_changes)
{
	static const struct {
		const char *file;
		const char *value;
	} same[] = {
		{ "trace_clock", "local" },
		{ "buffer_size_kb", "1408" },
		{ "per_cpu/cpu0/buffer_size_kb", "1408" },
		{ "options/overwrite", "1" },
		{ "max_graph_depth", "0x0" },
		{ "events/irq/irq_handler_entry/filter", "0" },
		{ "current_tracer", "nop" },
		{ "events/sched/sched_switch/enable", "0" },
	};
	const struct timespec then[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	const struct session_want want = { 0 };
	struct instance *top;
	struct session *s;
	struct stat st;

	folder.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		ck_assert_int_eq(utimensat(folder.top.fd, same[i].file, then, 0), 0);
		ck_assert_int_eq(session_set(top, same[i].file, same[i].value), 0);
		ck_assert_int_eq(fstatat(folder.top.fd, same[i].file, &st, 0), 0);
		ck_assert_msg(st.st_mtime == 1000, "%s was written", same[i].file);
	}
	session_close(s);
}
END_TEST

#define FTRACE_ENABLED "/proc/sys/kernel/ftrace_enabled"

/* A function tracer that is set already traces nothing, either, as long as ftrace is off as a whole. A plain file stands for the kernel's. */
START_TEST(ftrace_is_turned_on)
{
	__cleanup(free_ptr) char *file = str_printf("%s/ftrace_enabled", folder.dir);
	struct instance *inst;
	struct session *s;

	if (access(FTRACE_ENABLED, F_OK) || !folder_own_mounts())
		return;
	folder_put("ftrace_enabled", "0\n");
	folder_put("current_tracer", _i ? "function\n" : "nop\n");
	ck_assert_int_eq(mount(file, FTRACE_ENABLED, NULL, MS_BIND, NULL), 0);
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_join(s, "", JOIN_ADD, &inst, NULL), 0);
	ck_assert_int_eq(session_set(inst, "current_tracer", "function"), 0);
	folder_reads("ftrace_enabled", "1");
	ck_assert_int_eq(session_close(s), 0);
	folder_reads("ftrace_enabled", "0");
	folder_reads("current_tracer", _i ? "function" : "nop");
}
END_TEST

/* Sizes that differ from CPU to CPU come back one by one. */
START_TEST(sizes_of_each_cpu)
{
	const struct session_want want = { 0 };
	struct instance *top;
	struct session *s;

	folder_put("buffer_size_kb", "X\n");
	folder_put("per_cpu/cpu1/buffer_size_kb", "64\n");
	folder.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	ck_assert_int_eq(session_set(top, "buffer_size_kb", "512"), 0);
	/* What the kernel does then. */
	folder_put("per_cpu/cpu0/buffer_size_kb", "512\n");
	folder_put("per_cpu/cpu1/buffer_size_kb", "512\n");
	ck_assert_int_eq(session_close(s), 0);
	folder_reads("per_cpu/cpu0/buffer_size_kb", "1408");
	folder_reads("per_cpu/cpu1/buffer_size_kb", "64");
}
END_TEST

/* --- who is there ------------------------------------------------------------------------------------------- */

START_TEST(busy)
{
	static const struct {
		const char *file;
		const char *text;
		const char *why;
	} rows[] = {
		{ "current_tracer", "function\n", "tracer function is set" },
		{ "per_cpu/cpu1/stats", "entries: 3\n", "its buffer holds 3 entries" },
	};
	const struct session_want want = { .force = true };
	struct instance *top;
	struct session *s;
	char *why;

	ck_assert_ptr_null(busy_tracing(&folder.top));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *old = NULL;

		ck_assert_int_eq(tracedir_read(&folder.top, rows[i].file, &old), 0);
		folder_put(rows[i].file, rows[i].text);
		why = busy_tracing(&folder.top);
		ck_assert_str_eq(why, rows[i].why);
		free(why);
		folder_put(rows[i].file, old);
		free(old);
	}
	/* One event that a trigger holds, which is a setting, and one that is enabled. */
	folder_put("events/enable", "X\n");
	folder_put("events/sched/enable", "X\n");
	folder_put("set_event", "sched:sched_switch\nsched:sched_wakeup\n");
	ck_assert_ptr_null(busy_tracing(&folder.top));
	folder_put("events/sched/sched_wakeup/enable", "1\n");
	why = busy_tracing(&folder.top);
	ck_assert_str_eq(why, "event sched:sched_wakeup is enabled");
	free(why);
	folder_put("instances/his/current_tracer", "function\n");
	folder.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	mentions(session_instance(s, "his", false, &top), -EBUSY, "'his' is in use", "tracer function is set", "--force");
	mentions(session_instance(s, "a/b", false, &top), -EINVAL, "'a/b' is no name");
	folder_put("current_tracer", "function\n");
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	folder_reads("current_tracer", "nop");
	folder_reads("events/sched/sched_wakeup/enable", "0");
	ck_assert_int_eq(session_close(s), 0);
	folder_reads("current_tracer", "function");
	folder_reads("events/sched/sched_wakeup/enable", "1");
	folder_reads("events/sched/sched_switch/enable", "0");
}
END_TEST

static void reads_whole(const char *file, const char *want)
{
	char *text = NULL;

	ck_assert_int_eq(tracedir_read(&folder.top, file, &text), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

/* What the kernel lists, and what is to be added: of one kind an event can have one. */
START_TEST(triggers_of_a_kind)
{
	static const struct {
		const char *text, *trigger;
		enum trigger_there want;
	} rows[] = {
		{ "# Available triggers:\n# traceon traceoff stacktrace\n", "stacktrace", TRIGGER_NOT_THERE },
		{ "stacktrace:unlimited\n", "stacktrace", TRIGGER_THERE },
		{ "stacktrace:unlimited\n", "stacktrace if prev_pid > 1", TRIGGER_OTHER },
		{ "traceoff:count=5\nstacktrace:unlimited if prev_pid > 1\n", "stacktrace if prev_pid > 1", TRIGGER_THERE },
		{ "stacktrace:unlimited if prev_pid > 1\n", "stacktrace if prev_pid > 10", TRIGGER_OTHER },
		{ "stacktrace:unlimited if prev_pid > 1\n", "stacktrace if prev_pid > 1 ", TRIGGER_THERE },
		{ "stacktrace:unlimited if prev_pid > 1\n", "stacktrace", TRIGGER_OTHER },
		{ "enable_event:sched:sched_switch:unlimited\n", "enable_event:sched:sched_switch", TRIGGER_THERE },
		{ "enable_event:sched:sched_switch:unlimited\n", "enable_event:sched:sched_wakeup", TRIGGER_NOT_THERE },
		{ "hist:keys=pid:vals=hitcount:sort=hitcount:size=2048 [active]\n", "hist:keys=pid", TRIGGER_NOT_THERE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ck_assert_msg(trigger_is_there(rows[i].text, rows[i].trigger) == rows[i].want, "%s", rows[i].trigger);
}
END_TEST

/* The event that a trigger switches on or off is put back, whatever it was; no other event is. */
START_TEST(switched_events)
{
	static const struct {
		const char *trigger, *want;
	} rows[] = {
		{ "enable_event:irq:irq_handler_entry", "irq:irq_handler_entry" },
		{ "disable_event:irq:irq_handler_entry:1", "irq:irq_handler_entry" },
		{ "enable_event:irq:irq_handler_entry:3 if prev_pid > 1", "irq:irq_handler_entry" },
		{ "disable_event:irq:irq_handler_entry if prev_pid > 1", "irq:irq_handler_entry" },
		{ "stacktrace", NULL },
		{ "enable_hist:irq:irq_handler_entry", NULL },
	};
	static const char enable[] = "events/irq/irq_handler_entry/enable";
	const char *const values[] = { "0\n", "1\n" };
	char *text = (char *)"vfs_open:enable_event:irq:irq_handler_entry:1";
	const strv_t commands = { .at = &text, .n = 1 };
	struct instance *top;
	struct session *s;
	char *event;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ck_assert_int_eq(trigger_switches(rows[i].trigger, &event), 0);
		ck_assert_pstr_eq(event, rows[i].want);
		free(event);
	}
	folder.opts.no_guard = true;
	for (int i = 0; i < 4; i++) {
		folder_put("events/sched/sched_switch/trigger", "");
		folder_put(enable, values[i / 2]);
		ck_assert_int_eq(session_open(&s, &folder.opts), 0);
		ck_assert_int_eq(session_join(s, "", JOIN_ADD, &top, NULL), 0);
		ck_assert_int_eq(i % 2 ? session_trigger(top, "sched:sched_switch", rows[0].trigger) : session_funcommands(top, &commands), 0);
		folder_put(enable, values[1 - i / 2]);
		ck_assert_int_eq(session_close(s), 0);
		folder_reads(enable, i / 2 ? "1" : "0");
	}
	folder_put(enable, "0\n");
	folder_put("set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\n");
}
END_TEST

/* A plain file keeps what is written; the kernel's form of it is put in between. */
START_TEST(function_commands)
{
	char *texts[] = { (char *)"vfs_open:stacktrace", (char *)"do_exit:traceoff:3" };
	strv_t commands = { .at = texts, .n = ARRAY_LEN(texts) };
	struct instance *top;
	struct session *s;

	folder.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_join(s, "", JOIN_ADD, &top, NULL), 0);
	ck_assert_int_eq(session_funcommands(top, &commands), 0);
	reads_whole("set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\nvfs_open:stacktrace\ndo_exit:traceoff:3");
	/* Ours, one of which has been carried out; the user's is gone meanwhile, and was there before. */
	folder_put("set_ftrace_filter", "schedule\nvfs_open:stacktrace:unlimited\ndo_exit:traceoff:count=2\n");
	ck_assert_int_eq(session_close(s), 0);
	reads_whole("set_ftrace_filter", "schedule\nvfs_open:stacktrace:unlimited\ndo_exit:traceoff:count=2\n"
					 "!vfs_open:stacktrace\n!do_exit:traceoff:0\nvfs_read:traceoff");
	folder_put("set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\n");
}
END_TEST

Suite *session_suite(void)
{
	Suite *s = suite_create("session");
	TCase *c = tcase_create("undo");

	tcase_add_checked_fixture(c, folder_set_up, folder_tear_down);
	tcase_add_test(c, all_comes_back);
	tcase_add_test(c, kept_as_it_is);
	tcase_add_test(c, stays_until_put_back);
	tcase_add_test(c, same_values);
	tcase_add_test(c, pointers_in_filters);
	tcase_add_test(c, filter_not_written);
	tcase_add_test(c, writes_only_what_changes);
	tcase_add_test(c, sizes_of_each_cpu);
	tcase_add_loop_test(c, ftrace_is_turned_on, 0, 2);
	suite_add_tcase(s, c);
	c = tcase_create("others");
	tcase_add_checked_fixture(c, folder_set_up, folder_tear_down);
	tcase_set_timeout(c, 120);
	tcase_add_test(c, busy);
	tcase_add_test(c, triggers_of_a_kind);
	tcase_add_test(c, switched_events);
	tcase_add_test(c, function_commands);
	suite_add_tcase(s, c);
	return s;
}

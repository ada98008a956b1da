/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "tests/unit/folder.h"
#include "lib/base/parse.h"
#include "lib/tracefs/select.h"

#include <ftw.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>

struct folder folder;

/* A top directory as somebody has left it who cares about his settings, and an instance of his. */
static const struct {
	const char *file;
	const char *text;
} files[] = {
	{ "README", "tracing mini-HOWTO:\n" },
	{ "available_events", "sched:sched_switch\nsched:sched_wakeup\nsched:sched_waking\nsyscalls:sys_enter_read\n"
			      "syscalls:sys_exit_read\nirq:irq_handler_entry\n" },
	{ "available_filter_functions", "do_sys_openat2\ndo_sys_poll\nschedule\nschedule_timeout\nvfs_read\n"
					"ext4_readdir [ext4]\next4_open [ext4]\n__x64_sys_openat\n" },
	{ "available_tracers", "function_graph function nop\n" },
	{ "buffer_percent", "50\n" },
	{ "buffer_size_kb", "7 (expanded: 1408)\n" },
	{ "current_tracer", "nop\n" },
	{ "error_log", "" },
	{ "events/enable", "0\n" },
	{ "events/irq/enable", "0\n" },
	{ "events/irq/irq_handler_entry/enable", "0\n" },
	{ "events/irq/irq_handler_entry/filter", "none\n" },
	{ "events/sched/enable", "0\n" },
	{ "events/sched/sched_switch/enable", "0*\n" },
	{ "events/sched/sched_switch/filter", "prev_pid == 1\n" },
	{ "events/sched/sched_switch/format", "name: sched_switch\nformat:\n\tfield:char prev_comm[16];\toffset:8;\n"
					      "\tfield:pid_t prev_pid;\toffset:24;\n" },
	{ "events/sched/sched_wakeup/enable", "0\n" },
	{ "events/sched/sched_wakeup/filter", "none\n" },
	{ "events/sched/sched_waking/enable", "0\n" },
	{ "events/sched/sched_waking/filter", "none\n" },
	{ "events/syscalls/enable", "0\n" },
	{ "events/syscalls/sys_enter_read/enable", "0\n" },
	{ "events/syscalls/sys_enter_read/filter", "none\n" },
	{ "events/syscalls/sys_exit_read/enable", "0\n" },
	{ "events/syscalls/sys_exit_read/filter", "none\n" },
	{ "max_graph_depth", "7\n" },
	{ "options/overwrite", "1\n" },
	{ "options/stacktrace", "0\n" },
	{ "per_cpu/cpu0/buffer_size_kb", "1408\n" },
	{ "per_cpu/cpu0/stats", "entries: 0\noverrun: 7\n" },
	{ "per_cpu/cpu1/buffer_size_kb", "1408\n" },
	{ "per_cpu/cpu1/stats", "entries: 0\noverrun: 0\n" },
	{ "set_event_pid", "12\n34\n" },
	{ "set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\n" },
	{ "set_ftrace_notrace", "#### no functions disabled ####\n" },
	{ "set_ftrace_pid", "no pid\n" },
	{ "set_graph_function", "#### all functions enabled ####\n" },
	{ "trace", "" },
	{ "trace_clock", "[local] global counter mono\n" },
	{ "tracing_cpumask", "" },
	{ "tracing_on", "1\n" },
	{ "instances/his/available_tracers", "nop\n" },
	{ "instances/his/current_tracer", "nop\n" },
	{ "instances/his/events/enable", "0\n" },
	{ "instances/his/trace", "" },
	{ "instances/his/tracing_on", "1\n" },
	{ "instances/his/trace_clock", "local [mono]\n" },
};

void folder_put(const char *file, const char *text)
{
	char path[256];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", folder.dir, file);
	for (char *slash = path + strlen(folder.dir) + 1; (slash = strchr(slash, '/')); slash++) {
		*slash = '\0';
		mkdir(path, 0700);
		*slash = '/';
	}
	out = fopen(path, "w");
	ck_assert(out && fputs(text, out) >= 0);
	fclose(out);
}

/* What the file holds, lists as lists and values as values: a plain file does not read back in brackets. */
static char *state_of(const char *file)
{
	const char *name = strrchr(file, '/');
	strv_t lines = { 0 };
	char *text;

	if (strncmp(name ? name + 1 : file, "set_", 4) != 0) {
		ck_assert_int_eq(setting_read(&folder.top, file, &text), 0);
		return text;
	}
	ck_assert_int_eq(setting_lines(&folder.top, file, &lines), 0);
	text = join_lines(&lines);
	strv_fini(&lines);
	return text;
}

char *folder_state(void)
{
	struct str s = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = state_of(files[i].file);

		str_addf(&s, "%s: %s\n", files[i].file, text);
		free(text);
	}
	return str_take(&s);
}

void folder_set_up(void)
{
	char *mask;

	folder = (struct folder){ 0 };
	strcpy(folder.root, "/tmp/ringside-unit-XXXXXX");
	ck_assert(mkdtemp(folder.root));
	snprintf(folder.dir, sizeof(folder.dir), "%s/tracing", folder.root);
	snprintf(folder.state, sizeof(folder.state), "%s/state", folder.root);
	ck_assert(!mkdir(folder.dir, 0700) && !mkdir(folder.state, 0700));
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		folder_put(files[i].file, files[i].text);
	mask = setting_all_cpus();
	folder_put("tracing_cpumask", mask);
	free(mask);
	ck_assert_int_eq(tracedir_open(&folder.top, folder.dir), 0);
	folder.opts = (struct session_opts){ .tracing_dir = folder.dir, .state_dir = folder.state };
	folder.before = folder_state();
}

static int remove_one(const char *path, __unused const struct stat *st, __unused int type, __unused struct FTW *ftw)
{
	return remove(path);
}

void folder_tear_down(void)
{
	free(folder.before);
	tracedir_fini(&folder.top);
	nftw(folder.root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

bool folder_own_mounts(void)
{
	const char *fork = getenv("CK_FORK");

	if ((fork && strcmp(fork, "no") == 0) || (unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)))
		return false;
	return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
}

/* All that somebody may have set is as it was. */
void folder_is_as_before(void)
{
	char *after = folder_state();

	ck_assert_str_eq(folder.before, after);
	free(after);
}

void folder_reads(const char *file, const char *want)
{
	char *text = state_of(file);

	ck_assert_str_eq(text, want);
	free(text);
}

/* --- sessions ----------------------------------------------------------------------------------------------- */

void folder_reads_of(const struct instance *inst, const char *file, const char *want)
{
	char *text = NULL;

	ck_assert_int_eq(tracedir_read(&inst->dir, file, &text), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

void folder_arm(struct session *s)
{
	const struct session_want want = { .tracer = "function_graph" };
	strv_t functions = { 0 }, pids = { 0 }, events = { 0 };
	struct instance *top, *his;

	ck_assert(!strv_add(&functions, "do_sys_openat2") && !strv_add(&functions, "sched*"));
	ck_assert(!strv_add(&pids, "99"));
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	ck_assert_str_eq(top->name, "");
	ck_assert_int_eq(session_instance(s, "his", false, &his), 0);
	ck_assert_int_eq(session_set(top, "trace_clock", "mono"), 0);
	ck_assert_int_eq(session_set(his, "trace_clock", "local"), 0);
	ck_assert_int_eq(session_set(top, "buffer_size_kb", "64"), 0);
	ck_assert_int_eq(session_set(top, "tracing_cpumask", "2"), 0);
	folder_reads_of(top, "max_graph_depth", "0");
	ck_assert_int_eq(session_setf(top, "max_graph_depth", "%d", 5), 0);
	ck_assert_int_eq(session_option(top, "nooverwrite"), 0);
	ck_assert_int_eq(session_option(top, "stacktrace"), 0);
	ck_assert_int_eq(session_set_list(top, "set_graph_function", &functions), 0);
	ck_assert_int_eq(session_set_list(top, "set_ftrace_pid", &pids), 0);
	ck_assert_int_eq(session_add_list(top, "set_ftrace_pid", "100"), 0);
	ck_assert_int_eq(session_add_list(top, "set_ftrace_pid", "100"), 0);
	ck_assert_int_eq(events_find(session_dir(s), "sched", &events), 0);
	ck_assert_int_eq(events_find(session_dir(s), "*:sys_enter_*", &events), 0);
	ck_assert_int_eq(session_filter(top, "sched:sched_wakeup", "pid > 2"), 0);
	ck_assert_int_eq(session_set(top, "current_tracer", "function_graph"), 0);
	ck_assert_int_eq(session_events(top, &events, true), 0);
	ck_assert_int_eq(instance_on(top, true), 0);
	strv_fini(&functions);
	strv_fini(&pids);
	strv_fini(&events);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* lib/tracefs on a plain folder that looks like tracefs. What only a kernel does is tested in tests/live and tests/vm. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/tracefs/busy.h"
#include "lib/tracefs/select.h"
#include "lib/tracefs/session.h"
#include "lib/tracefs/setting.h"
#include "lib/tracefs/stays.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

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

/* Made anew for each test. */
static struct folder {
	char root[64];		/* of the two below */
	char dir[80];		/* the tracing directory */
	char state[80];		/* for journals */
	struct tracedir top;
	struct session_opts opts;
	char *before;		/* state() of the beginning */
} f;

static void put(const char *file, const char *text)
{
	char path[256];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", f.dir, file);
	for (char *slash = path + strlen(f.dir) + 1; (slash = strchr(slash, '/')); slash++) {
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
		ck_assert_int_eq(setting_read(&f.top, file, &text), 0);
		return text;
	}
	ck_assert_int_eq(setting_lines(&f.top, file, &lines), 0);
	text = join_lines(&lines);
	strv_fini(&lines);
	return text;
}

static char *state(void)
{
	struct str s = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = state_of(files[i].file);

		str_addf(&s, "%s: %s\n", files[i].file, text);
		free(text);
	}
	return str_take(&s);
}

static void set_up(void)
{
	char *mask;

	f = (struct folder){ 0 };
	strcpy(f.root, "/tmp/ringside-unit-XXXXXX");
	ck_assert(mkdtemp(f.root));
	snprintf(f.dir, sizeof(f.dir), "%s/tracing", f.root);
	snprintf(f.state, sizeof(f.state), "%s/state", f.root);
	ck_assert(!mkdir(f.dir, 0700) && !mkdir(f.state, 0700));
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		put(files[i].file, files[i].text);
	mask = setting_all_cpus();
	put("tracing_cpumask", mask);
	free(mask);
	ck_assert_int_eq(tracedir_open(&f.top, f.dir), 0);
	f.opts = (struct session_opts){ .tracing_dir = f.dir, .state_dir = f.state };
	f.before = state();
}

static int remove_one(const char *path, __unused const struct stat *st, __unused int type, __unused struct FTW *ftw)
{
	return remove(path);
}

static void tear_down(void)
{
	free(f.before);
	tracedir_fini(&f.top);
	nftw(f.root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* All that somebody may have set is as it was. */
static void is_as_before(void)
{
	char *after = state();

	ck_assert_str_eq(f.before, after);
	free(after);
}

static void reads(const char *file, const char *want)
{
	char *text = state_of(file);

	ck_assert_str_eq(text, want);
	free(text);
}

/* Messages of @run go to a file while it runs; it must contain each of the words. */
#define mentions(call, ret, ...)                                                                               \
	do {                                                                                               \
		const char *const words_[] = { __VA_ARGS__ };                                              \
		FILE *said_ = tmpfile();                                                                   \
		int stderr_ = dup(STDERR_FILENO), ret_;                                                    \
		char text_[4096] = "";                                                                     \
                                                                                                           \
		dup2(fileno(said_), STDERR_FILENO);                                                        \
		ret_ = call;                                                                               \
		dup2(stderr_, STDERR_FILENO);                                                              \
		close(stderr_);                                                                            \
		rewind(said_);                                                                             \
		ck_assert(fread(text_, 1, sizeof(text_) - 1, said_) < sizeof(text_));                      \
		fclose(said_);                                                                             \
		ck_assert_int_eq(ret_, ret);                                                               \
		for (size_t w_ = 0; w_ < ARRAY_LEN(words_); w_++)                                          \
			ck_assert_msg(strstr(text_, words_[w_]), "'%s' is not in: %s", words_[w_], text_); \
	} while (0)

/* --- sessions ----------------------------------------------------------------------------------------------- */

static void reads_text(const struct instance *inst, const char *file, const char *want)
{
	char *text = NULL;

	ck_assert_int_eq(tracedir_read(&inst->dir, file, &text), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

/* Everything that a recording sets, over everything that the user has set. */
static void arm(struct session *s)
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
	reads_text(top, "max_graph_depth", "0");
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

START_TEST(all_comes_back)
{
	struct session *s;

	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_gt(session_guard(s), 0);
	arm(s);
	reads("set_graph_function", "do_sys_openat2\nsched*");
	reads("set_ftrace_pid", "99\n100");
	reads("set_ftrace_filter", "");
	reads("set_event_pid", "");
	reads("current_tracer", "function_graph");
	reads("options/overwrite", "0");
	reads("tracing_on", "1");
	/* A system of which all events are meant is one write, and its events' left-over filters are gone. */
	reads("events/sched/enable", "1");
	reads("events/sched/sched_switch/filter", "0");
	reads("events/sched/sched_wakeup/filter", "pid > 2");
	reads("events/syscalls/enable", "0");
	reads("events/syscalls/sys_enter_read/enable", "1");
	reads("events/syscalls/sys_exit_read/enable", "0");
	ck_assert_int_eq(session_close(s), 0);
	is_as_before();
	/* Nor is there a journal left. */
	ck_assert_ptr_null(journals_stale(f.state));
}
END_TEST

START_TEST(kept_as_it_is)
{
	struct session *s;

	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	arm(s);
	session_keep(s);
	ck_assert_int_eq(session_close(s), 0);
	reads("current_tracer", "function_graph");
	reads("trace_clock", "mono");
	ck_assert_ptr_null(journals_stale(f.state));
}
END_TEST

/* A filter's file that can be read and not be written, for another reason than the filter: it is said. */
START_TEST(filter_not_written)
{
	char path[256];
	struct session *s;
	struct instance *top;

	snprintf(path, sizeof(path), "%s/events/sched/sched_wakeup/filter", f.dir);
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_eq(session_top(s, &(struct session_want){ 0 }, &top, NULL), 0);
	/* A program that runs: ETXTBSY. */
	ck_assert(!unlink(path) && !symlink("/proc/self/exe", path));
	mentions(session_filter(top, "sched:sched_wakeup", "pid > 2"), -ETXTBSY, "ringside: ", "events/sched/sched_wakeup/filter");
	ck_assert(!unlink(path));
	put("events/sched/sched_wakeup/filter", "none\n");
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

		ck_assert_int_eq(session_open(&s, &f.opts), 0);
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

	ck_assert_int_eq(stays_put_back(f.state, &f.top, name, &n), 0);
	ck_assert_uint_eq(n, want);
}

/* A start is neither alive nor dead; the newest is undone first, and each instance by itself. */
START_TEST(stays_until_put_back)
{
	journals_t all = { 0 };
	const struct journal_info *owner;

	start("3", true, true);
	start("5", true, false);
	ck_assert_ptr_null(journals_stale(f.state));
	reads("max_graph_depth", "5");
	reads("set_event_pid", "");
	reads("set_ftrace_filter", "schedule\next4_open:mod:ext4");
	ck_assert_int_eq(journals_find(f.state, &all), 0);
	ck_assert_uint_eq(all.n, 2);
	ck_assert(all.at[0].stays && !all.at[0].alive && !journal_is_stale(&all.at[0]));
	ck_assert_ptr_null(busy_recording(&all, f.dir, ""));
	owner = journals_owner(&all, f.dir, "max_graph_depth");
	ck_assert_ptr_eq(owner, &all.at[1]);
	ck_assert_ptr_eq(journals_owner(&all, f.dir, "instances/his/trace_clock"), &all.at[0]);
	ck_assert_ptr_null(journals_owner(&all, f.dir, "buffer_percent"));
	journals_fini(&all);
	put_back("nosuch", 0);
	put_back("", 2);
	reads("max_graph_depth", "7");
	reads("set_event_pid", "12\n34");
	reads("instances/his/trace_clock", "local");
	put_back("", 0);
	put_back("his", 1);
	put_back("his", 0);
	is_as_before();
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
		{ "trace_clock", "local" }, { "buffer_size_kb", "1408" },   { "per_cpu/cpu0/buffer_size_kb", "1408" },
		{ "options/overwrite", "1" }, { "max_graph_depth", "0x0" }, { "events/irq/irq_handler_entry/filter", "0" },
		{ "current_tracer", "nop" }, { "events/sched/sched_switch/enable", "0" },
	};
	const struct timespec then[2] = { { .tv_sec = 1000 }, { .tv_sec = 1000 } };
	const struct session_want want = { 0 };
	struct instance *top;
	struct session *s;
	struct stat st;

	f.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	for (size_t i = 0; i < ARRAY_LEN(same); i++) {
		ck_assert_int_eq(utimensat(f.top.fd, same[i].file, then, 0), 0);
		ck_assert_int_eq(session_set(top, same[i].file, same[i].value), 0);
		ck_assert_int_eq(fstatat(f.top.fd, same[i].file, &st, 0), 0);
		ck_assert_msg(st.st_mtime == 1000, "%s was written", same[i].file);
	}
	session_close(s);
}
END_TEST

/* Sizes that differ from CPU to CPU come back one by one. */
START_TEST(sizes_of_each_cpu)
{
	const struct session_want want = { 0 };
	struct instance *top;
	struct session *s;

	put("buffer_size_kb", "X\n");
	put("per_cpu/cpu1/buffer_size_kb", "64\n");
	f.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	ck_assert_int_eq(session_set(top, "buffer_size_kb", "512"), 0);
	/* What the kernel does then. */
	put("per_cpu/cpu0/buffer_size_kb", "512\n");
	put("per_cpu/cpu1/buffer_size_kb", "512\n");
	ck_assert_int_eq(session_close(s), 0);
	reads("per_cpu/cpu0/buffer_size_kb", "1408");
	reads("per_cpu/cpu1/buffer_size_kb", "64");
}
END_TEST

/* --- dying -------------------------------------------------------------------------------------------------- */

/* A child that arms and then waits to be killed; it stops before its change number @stop_at, if it gets there. */
static pid_t armed_child(unsigned int stop_at)
{
	char text[16];
	pid_t pid;

	snprintf(text, sizeof(text), "%u", stop_at);
	pid = fork();
	if (pid == 0) {
		struct session *s;

		setenv("RINGSIDE_TEST_STOP_AT", text, 1);
		if (session_open(&s, &f.opts))
			_exit(1);
		arm(s);
		_exit(raise(SIGSTOP));
	}
	return pid;
}

static void kill_stopped(pid_t pid)
{
	int status;

	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	ck_assert(WIFSTOPPED(status));
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
}

static size_t journals(bool *alive)
{
	journals_t found = { 0 };
	size_t n;

	ck_assert_int_eq(journals_find(f.state, &found), 0);
	n = found.n;
	*alive = n && found.at[0].alive;
	journals_fini(&found);
	return n;
}

/* How many changes arm() makes. */
enum { CHANGES = 22 };

START_TEST(guard_undoes)
{
	bool alive;
	pid_t pid;

	pid = armed_child((unsigned int)_i);
	kill_stopped(pid);
	for (int i = 0; i < 500 && journals(&alive); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	ck_assert_uint_eq(journals(&alive), 0);
	is_as_before();
}
END_TEST

START_TEST(changes_counted)
{
	int status;
	pid_t pid;

	/* guard_undoes() must have gone through all of them: with one more, arm() is not stopped within. */
	f.opts.no_guard = true;
	pid = armed_child(CHANGES);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	reads("events/syscalls/sys_enter_read/enable", "0");
	kill(pid, SIGCONT);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	reads("events/syscalls/sys_enter_read/enable", "1");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
}
END_TEST

static void one_info(journals_t *found)
{
	ck_assert_int_eq(journals_find(f.state, found), 0);
	ck_assert_uint_eq(found->n, 1);
}

/* The journal of one that died before it wrote a word goes, when that is a minute ago; the others stay. */
START_TEST(stillborn)
{
	pid_t pid = fork();
	bool alive;

	if (!pid)
		_exit(0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	for (int kind = 0; kind < 4; kind++) {
		const struct timespec then[2] = { { .tv_sec = kind == 1 ? time(NULL) : time(NULL) - 120 }, { .tv_sec = kind == 1 ? time(NULL) : time(NULL) - 120 } };
		__cleanup(free_ptr) char *path = str_printf("%s/journal-%d-abcdef", f.state, (int)(kind == 2 ? getpid() : pid));
		FILE *file = fopen(path, "w");

		ck_assert_ptr_nonnull(file);
		if (kind == 3)
			fputc('x', file);
		ck_assert_int_eq(fclose(file), 0);
		ck_assert_int_eq(utimensat(AT_FDCWD, path, then, 0), 0);
		ck_assert_uint_eq(journals(&alive), 0);
		ck_assert_int_eq(access(path, F_OK), kind ? 0 : -1);
		unlink(path);
	}
}
END_TEST

/* Both are dead: `reset --stale` finds the journal, wherever its last write ended. */
START_TEST(replay)
{
	f.opts.no_guard = true;
	for (off_t cut = 0; cut < 150; cut += 7) {
		char *hint, *path;
		journals_t found = { 0 };
		strv_t steps = { 0 };
		struct stat st;

		/* Which reads back without the other clocks once it was written. */
		put("trace_clock", "[local] global counter mono\n");
		put("instances/his/trace_clock", "local [mono]\n");
		kill_stopped(armed_child(CHANGES));
		hint = journals_stale(f.state);
		ck_assert_ptr_nonnull(hint);
		ck_assert(strstr(hint, "ringside reset --stale"));
		free(hint);
		one_info(&found);
		ck_assert(!found.at[0].alive);
		ck_assert_uint_eq(found.at[0].uses.n, 2);
		/* Without its last bytes the last change is one that never happened, and none is lost before it. */
		path = found.at[0].path;
		ck_assert_int_eq(stat(path, &st), 0);
		ck_assert_int_eq(truncate(path, st.st_size - MIN(cut, 50L)), 0);
		ck_assert_int_eq(journal_explain(&found.at[0], &steps), 0);
		ck_assert_uint_ge(steps.n, CHANGES - 1);
		ck_assert_str_eq(steps.at[steps.n - 1], "restore tracing_on: 1");
		ck_assert_int_eq(journal_replay(&found.at[0]), 0);
		ck_assert_int_ne(access(path, F_OK), 0);
		is_as_before();
		strv_fini(&steps);
		journals_fini(&found);
	}
}
END_TEST

START_TEST(foreign_journals)
{
	journals_t found = { 0 };
	char *path, *armed, *after;
	bool alive;

	f.opts.no_guard = true;
	kill_stopped(armed_child(CHANGES));
	one_info(&found);
	path = found.at[0].path;
	/* What others can write is not believed. */
	armed = state();
	ck_assert_int_eq(chmod(path, 0666), 0);
	ck_assert_uint_eq(journals(&alive), 0);
	ck_assert_int_eq(journal_replay(&found.at[0]), -EPERM);
	after = state();
	ck_assert_str_eq(armed, after);
	free(armed);
	free(after);
	journals_fini(&found);
}
END_TEST

START_TEST(journal_stays_inside)
{
	struct journal *j;
	char *text = NULL;

	put("../outside", "mine\n");
	ck_assert_int_eq(journal_new(&j, f.state, f.dir), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "../outside", "theirs"), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "instances/../../outside", "theirs"), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "instances/gone/trace_clock", "mono"), 0);
	ck_assert_int_eq(journal_undo(j, &f.top, 0, false), 0);
	ck_assert_int_eq(tracedir_read(&f.top, "../outside", &text), 0);
	ck_assert_str_eq(text, "mine");
	free(text);
	journal_remove(j);
	journal_free(j);
}
END_TEST

/* A journal with so many probes, whose dynamic_events is a plain file. */
static struct journal *journal_of_probes(size_t n)
{
	struct journal *j;

	put("dynamic_events", "");
	put("../rcu_expedited", "0\n");
	ck_assert_int_eq(journal_new(&j, f.state, f.dir), 0);
	for (size_t i = 0; i < n; i++) {
		char remove[32];

		snprintf(remove, sizeof(remove), "-:g/e%zu", i);
		ck_assert_int_eq(journal_add(j, JOURNAL_DYNEVENT, "dynamic_events", remove), 0);
	}
	return j;
}

static bool in_journal(const struct journal *j, const char *what)
{
	struct text all = { 0 };
	char path[64];
	bool found;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", journal_fd(j));
	ck_assert_int_eq(io_slurp(path, &all), 0);
	found = memmem(all.at, all.size, what, strlen(what));
	free(all.at);
	return found;
}

/* RCU is in a hurry while many probes are removed, and says so in the journal before; a few do not need it. */
START_TEST(many_probes)
{
	static const struct {
		size_t probes;
		const char *before;
		bool hurries;
	} cases[] = { { 40, "0\n", true }, { 3, "0\n", false }, { 40, "1\n", false } };
	__cleanup(free_ptr) char *removed = NULL, *after = NULL;
	struct journal *j;

	j = journal_of_probes(cases[_i].probes);
	put("../rcu_expedited", cases[_i].before);
	ck_assert_int_eq(journal_undo(j, &f.top, 0, false), 0);
	ck_assert(in_journal(j, "rcu_expedited") == cases[_i].hurries);
	ck_assert_int_eq(tracedir_read(&f.top, "../rcu_expedited", &after), 0);
	ck_assert_int_eq(after[0], cases[_i].before[0]);
	ck_assert_int_eq(tracedir_read(&f.top, "dynamic_events", &removed), 0);
	ck_assert(str_ends(removed, "-:g/e1\n-:g/e0"));
	journal_remove(j);
	journal_free(j);
}
END_TEST

/* Who hurried has died of it: the next one puts that back too. */
START_TEST(died_in_a_hurry)
{
	__cleanup(free_ptr) char *after = NULL;
	struct journal *j;

	j = journal_of_probes(40);
	ck_assert_int_eq(journal_add(j, JOURNAL_KERNEL, "rcu_expedited", "0"), 0);
	put("../rcu_expedited", "1\n");
	ck_assert_int_eq(journal_undo(j, &f.top, 0, false), 0);
	ck_assert_int_eq(tracedir_read(&f.top, "../rcu_expedited", &after), 0);
	ck_assert_str_eq(after, "0");
	journal_remove(j);
	journal_free(j);
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

	ck_assert_ptr_null(busy_tracing(&f.top));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *old = NULL;

		ck_assert_int_eq(tracedir_read(&f.top, rows[i].file, &old), 0);
		put(rows[i].file, rows[i].text);
		why = busy_tracing(&f.top);
		ck_assert_str_eq(why, rows[i].why);
		free(why);
		put(rows[i].file, old);
		free(old);
	}
	/* One event that a trigger holds, which is a setting, and one that is enabled. */
	put("events/enable", "X\n");
	put("events/sched/enable", "X\n");
	put("set_event", "sched:sched_switch\nsched:sched_wakeup\n");
	ck_assert_ptr_null(busy_tracing(&f.top));
	put("events/sched/sched_wakeup/enable", "1\n");
	why = busy_tracing(&f.top);
	ck_assert_str_eq(why, "event sched:sched_wakeup is enabled");
	free(why);
	put("instances/his/current_tracer", "function\n");
	f.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	mentions(session_instance(s, "his", false, &top), -EBUSY, "'his' is in use", "tracer function is set", "--force");
	mentions(session_instance(s, "a/b", false, &top), -EINVAL, "'a/b' is no name");
	put("current_tracer", "function\n");
	ck_assert_int_eq(session_top(s, &want, &top, NULL), 0);
	reads("current_tracer", "nop");
	reads("events/sched/sched_wakeup/enable", "0");
	ck_assert_int_eq(session_close(s), 0);
	reads("current_tracer", "function");
	reads("events/sched/sched_wakeup/enable", "1");
	reads("events/sched/sched_switch/enable", "0");
}
END_TEST

static void reads_whole(const char *file, const char *want)
{
	char *text = NULL;

	ck_assert_int_eq(tracedir_read(&f.top, file, &text), 0);
	ck_assert_str_eq(text, want);
	free(text);
}

/* A plain file keeps what is written; the kernel's form of it is put in between. */
START_TEST(function_commands)
{
	char *texts[] = { (char *)"vfs_open:stacktrace", (char *)"do_exit:traceoff:3" };
	strv_t commands = { .at = texts, .n = ARRAY_LEN(texts) };
	struct instance *top;
	struct session *s;

	f.opts.no_guard = true;
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_eq(session_join(s, "", JOIN_ADD, &top, NULL), 0);
	ck_assert_int_eq(session_funcommands(top, &commands), 0);
	reads_whole("set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\nvfs_open:stacktrace\ndo_exit:traceoff:3");
	/* Ours, one of which has been carried out; the user's is gone meanwhile, and was there before. */
	put("set_ftrace_filter", "schedule\nvfs_open:stacktrace:unlimited\ndo_exit:traceoff:count=2\n");
	ck_assert_int_eq(session_close(s), 0);
	reads_whole("set_ftrace_filter", "schedule\nvfs_open:stacktrace:unlimited\ndo_exit:traceoff:count=2\n"
				   "!vfs_open:stacktrace\n!do_exit:traceoff:0\nvfs_read:traceoff");
	put("set_ftrace_filter", "schedule\next4_open [ext4]\nvfs_read:traceoff:unlimited\n");
}
END_TEST

START_TEST(another_ringside)
{
	const struct session_want want = { .tracer = "function_graph", .force = true };
	struct instance *inst;
	struct session *s;
	char pid_text[32];
	pid_t pid;

	pid = armed_child(0);
	snprintf(pid_text, sizeof(pid_text), "pid %d", (int)pid);
	waitpid(pid, NULL, WUNTRACED);
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	mentions(session_instance(s, "his", true, &inst), -EBUSY, "'his' is in use", pid_text);
	ck_assert_int_eq(session_close(s), 0);
	/* That recording is as it was. */
	reads("current_tracer", "function_graph");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* And its guard is waited for. */
	ck_assert_int_eq(session_open(&s, &f.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &inst, NULL), 0);
	ck_assert_str_eq(inst->name, "");
	ck_assert_int_eq(session_close(s), 0);
	reads("current_tracer", "nop");
}
END_TEST

/* --- names -------------------------------------------------------------------------------------------------- */

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
		{ "-g", "do_sys_opan", -ENOENT, "-g: there is no function 'do_sys_opan' to trace in this kernel; nearest: do_sys_openat2" },
		{ "-l", "xfs_*", -ENOENT, "no function to trace matches 'xfs_*'" },
		{ "-l", ":mod:xfs", -ENOENT, "no module 'xfs'" },
		{ "-l", "vfs_read:mod:ext4", -ENOENT, "no function 'vfs_read:mod:ext4'" },
		{ "-g", "schedule:traceoff", -EINVAL, "belongs to -l" },
		{ "-g", "*:mod:ext4", -EINVAL, "module" },
		{ "-n", "", -EINVAL, "-n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(functions); i++) {
		strv_t patterns = { 0 };

		strv_add(&patterns, functions[i].pattern);
		mentions(functions_check(&f.top, functions[i].option, &patterns), functions[i].ret, functions[i].said);
		strv_fini(&patterns);
	}
	ck_assert_int_eq(tracer_check(&f.top, "function"), 0);
	mentions(tracer_check(&f.top, "wakeup"), -ENOENT, "CONFIG_SCHED_TRACER", "function_graph, function or nop");
	mentions(tracer_check(&f.top, "functoin"), -ENOENT, "'functoin'", "function");
	ck_assert_int_eq(option_check(&f.top, "nostacktrace"), 0);
	mentions(option_check(&f.top, "stactrace"), -ENOENT, "nearest: stacktrace");
	mentions(option_check(&f.top, "noovrwrite"), -ENOENT, "nearest: overwrite");
	ck_assert_int_eq(clock_check(&f.top, "mono"), 0);
	mentions(clock_check(&f.top, "globl"), -ENOENT, "nearest: global");
	mentions(buffer_check(1ULL << 40, 0, 4), -ENOMEM, "each of 4 CPUs", "available");
	ck_assert_int_eq(buffer_check(64, 0, 4), 0);
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

		ck_assert_int_eq(events_find(&f.top, rows[i].pattern, &found), 0);
		vec_each (&found, event)
			str_addf(&s, "%s%s", s.len ? " " : "", *event);
		ck_assert_str_eq(str_text(&s), rows[i].found);
		str_fini(&s);
		strv_fini(&found);
	}
	ck_assert_int_eq(events_find(&f.top, "sched_switch", &twice), 0);
	ck_assert_int_eq(events_find(&f.top, "sched", &twice), 0);
	ck_assert_uint_eq(twice.n, 3);
	mentions(events_find(&f.top, "sched:sched_swich", &none), -ENOENT, "'sched:sched_swich'", "nearest: sched:sched_switch");
	mentions(events_find(&f.top, "sched_swich", &none), -ENOENT, "nearest: sched_switch");
	mentions(events_find(&f.top, "nothing_like_it", &none), -ENOENT, "'nothing_like_it'");
	ck_assert_uint_eq(none.n, 0);
	strv_fini(&twice);
}
END_TEST

/* The kernel's words, with the caret where it put it, though the log quotes only a part of the command. */
START_TEST(error_log)
{
	char *what = NULL;
	size_t at = 0;

	put("error_log", "[    1.5] trace_kprobe: error: Invalid argument name\n  Command: p foo $x\n                 ^\n"
			     "[    2.5] event filter parse error: error: Field not found\n  Command: a == 1 && prev_pd==0\n"
			     "                            ^\n");
	ck_assert(tracedir_error(&f.top, "stacktrace if a == 1 && prev_pd==0", &what, &at));
	ck_assert_str_eq(what, "Field not found");
	ck_assert_uint_eq(at, strlen("stacktrace if ") + 17);
	free(what);
	/* An entry about another command is not ours. */
	ck_assert(!tracedir_error(&f.top, "next_pid==0", &what, &at));
	put("error_log", "");
	ck_assert(!tracedir_error(&f.top, "next_pid==0", &what, &at));
}
END_TEST

START_TEST(no_tracing)
{
	struct session *s;

	f.opts.tracing_dir = f.state;
	mentions(session_open(&s, &f.opts), -ENOENT, "is no tracing directory");
	f.opts.tracing_dir = "/nonexistent";
	mentions(session_open(&s, &f.opts), -ENOENT, "/nonexistent");
}
END_TEST

Suite *session_suite(void)
{
	Suite *s = suite_create("session");
	TCase *c = tcase_create("undo");

	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, all_comes_back);
	tcase_add_test(c, kept_as_it_is);
	tcase_add_test(c, stays_until_put_back);
	tcase_add_test(c, same_values);
	tcase_add_test(c, filter_not_written);
	tcase_add_test(c, writes_only_what_changes);
	tcase_add_test(c, sizes_of_each_cpu);
	suite_add_tcase(s, c);
	c = tcase_create("death");
	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_set_timeout(c, 30);
	tcase_add_loop_test(c, guard_undoes, 1, CHANGES + 2);
	tcase_add_test(c, changes_counted);
	tcase_add_test(c, stillborn);
	tcase_add_test(c, replay);
	tcase_add_test(c, foreign_journals);
	tcase_add_test(c, journal_stays_inside);
	tcase_add_loop_test(c, many_probes, 0, 3);
	tcase_add_test(c, died_in_a_hurry);
	suite_add_tcase(s, c);
	c = tcase_create("others");
	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_set_timeout(c, 30);
	tcase_add_test(c, busy);
	tcase_add_test(c, function_commands);
	tcase_add_test(c, another_ringside);
	suite_add_tcase(s, c);
	c = tcase_create("names");
	tcase_add_checked_fixture(c, set_up, tear_down);
	tcase_add_test(c, names);
	tcase_add_test(c, event_patterns);
	tcase_add_test(c, error_log);
	tcase_add_test(c, no_tracing);
	suite_add_tcase(s, c);
	return s;
}

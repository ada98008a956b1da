/* SPDX-License-Identifier: GPL-2.0 */
/* lib/tracefs on a plain folder: a session dies, and its guard or a later run puts back what it has set. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/tracefs/busy.h"
#include "lib/tracefs/journal.h"
#include "tests/unit/folder.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

/* How many changes folder_arm() makes. */
enum { CHANGES = 22 };

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
		if (session_open(&s, &folder.opts))
			_exit(1);
		folder_arm(s);
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

	ck_assert_int_eq(journals_find(folder.state, &found), 0);
	n = found.n;
	*alive = n && found.at[0].alive;
	journals_fini(&found);
	return n;
}

START_TEST(guard_undoes)
{
	bool alive;
	pid_t pid;

	pid = armed_child((unsigned int)_i);
	kill_stopped(pid);
	for (int i = 0; i < 6000 && journals(&alive); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	ck_assert_uint_eq(journals(&alive), 0);
	folder_is_as_before();
}
END_TEST

/* A child that has a pipe and a file in the kernel to be saved, puts into the pipe and waits to be killed. */
static pid_t child_with_pipe(const char *to)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct session *s;
		int ends[2];

		if (session_open(&s, &folder.opts) || pipe2(ends, O_CLOEXEC) || session_save(s, "", "saved", 0, 1000, to) ||
		    session_save_pipe(s, ends[0], to) || io_write(ends[1], "in the pipe, ", 13))
			_exit(1);
		_exit(raise(SIGSTOP));
	}
	return pid;
}

/* What was in the pipe comes before what is in the kernel; a file that is not ours gets nothing (@_i is 1), and is no reason to stay. */
START_TEST(pipe_is_saved)
{
	char to[128], got[64] = "", elsewhere[128];
	bool alive;
	int fd;

	snprintf(to, sizeof(to), "%s/rest", folder.root);
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", folder.root);
	fd = open(_i ? elsewhere : to, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	ck_assert_int_ge(fd, 0);
	if (_i)
		ck_assert_int_eq(symlink(elsewhere, to), 0);
	folder_put("saved", "in the kernel");
	kill_stopped(child_with_pipe(to));
	for (int i = 0; i < 6000 && journals(&alive); i++)
		nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	ck_assert_uint_eq(journals(&alive), 0);
	ck_assert_int_ge(io_pread(fd, got, sizeof(got) - 1, 0), 0);
	ck_assert_str_eq(got, _i ? "" : "in the pipe, in the kernel");
	close(fd);
}
END_TEST

/* What another user's dead recording has left cannot be seen, and that is said: neither in a folder that can be listed (@_i is 0), nor in one that cannot. */
START_TEST(journals_of_another_user)
{
	pid_t pid;
	int status;

	if (geteuid())
		return;
	folder.opts.no_guard = true;
	kill_stopped(armed_child(5));
	ck_assert_int_eq(journals_readable(folder.state), 0);
	ck_assert(!chmod(folder.root, 0755) && !chmod(folder.state, _i ? 0700 : 0755));
	pid = fork();
	if (pid == 0) {
		ck_assert_int_eq(setresuid(65534, 65534, 65534), 0);
		mentions(journals_readable(folder.state), -EACCES, folder.state, _i ? "journals of recordings" : "/journal-", "use sudo");
		ck_assert_int_eq(journals_readable("/nonexistent"), 0);
		_exit(0);
	}
	ck_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(changes_counted)
{
	int status;
	pid_t pid;

	/* guard_undoes() must have gone through all of them: with one more, folder_arm() is not stopped within. */
	folder.opts.no_guard = true;
	pid = armed_child(CHANGES);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	folder_reads("events/syscalls/sys_enter_read/enable", "0");
	kill(pid, SIGCONT);
	ck_assert_int_eq(waitpid(pid, &status, WUNTRACED), pid);
	folder_reads("events/syscalls/sys_enter_read/enable", "1");
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
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
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	mentions(session_instance(s, "his", true, &inst), -EBUSY, "'his' is in use", pid_text);
	ck_assert_int_eq(session_close(s), 0);
	/* That recording is as it was. */
	folder_reads("current_tracer", "function_graph");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* And its guard is waited for. */
	ck_assert_int_eq(session_open(&s, &folder.opts), 0);
	ck_assert_int_eq(session_top(s, &want, &inst, NULL), 0);
	ck_assert_str_eq(inst->name, "");
	ck_assert_int_eq(session_close(s), 0);
	folder_reads("current_tracer", "nop");
}
END_TEST

static void one_info(journals_t *found)
{
	ck_assert_int_eq(journals_find(folder.state, found), 0);
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
		const struct timespec then[2] = { { .tv_sec = kind == 1 ? time(NULL) : time(NULL) - 120 },
						  { .tv_sec = kind == 1 ? time(NULL) : time(NULL) - 120 } };
		__cleanup(free_ptr) char *path = str_printf("%s/journal-%d-abcdef", folder.state, (int)(kind == 2 ? getpid() : pid));
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

/* Killed before its guard was there, or before it changed anything: nothing is left behind, and the journal goes. */
START_TEST(changed_nothing)
{
	pid_t pid = fork();
	struct session *s;
	bool alive;
	char *hint;

	if (!pid) {
		folder.opts.no_guard = true;
		_exit(session_open(&s, &folder.opts) ? 1 : raise(SIGSTOP));
	}
	ck_assert_int_eq(waitpid(pid, NULL, WUNTRACED), pid);
	ck_assert_uint_eq(journals(&alive), 1);
	ck_assert(alive);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	hint = journals_stale(folder.state);
	ck_assert_ptr_null(hint);
	ck_assert_uint_eq(journals(&alive), 0);
}
END_TEST

/* Both are dead: `reset --stale` finds the journal, wherever its last write ended. */
START_TEST(replay)
{
	folder.opts.no_guard = true;
	for (off_t cut = 0; cut < 150; cut += 7) {
		char *hint, *path, *who;
		journals_t found = { 0 };
		strv_t steps = { 0 };
		struct stat st;

		/* Which reads back without the other clocks once it was written. */
		folder_put("trace_clock", "[local] global counter mono\n");
		folder_put("instances/his/trace_clock", "local [mono]\n");
		kill_stopped(armed_child(CHANGES));
		hint = journals_stale(folder.state);
		ck_assert_ptr_nonnull(hint);
		ck_assert(strstr(hint, "ringside reset --stale"));
		free(hint);
		one_info(&found);
		ck_assert(!found.at[0].alive);
		/* Who finds the tracer that is still set learns why. */
		hint = busy_traced(folder.state, &folder.top, &folder.top, "");
		ck_assert_ptr_nonnull(hint);
		who = str_printf("tracer function_graph is set, which a recording of pid %d left when it died", (int)found.at[0].pid);
		ck_assert_msg(str_starts(hint, who), "%s", hint);
		free(hint);
		free(who);
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
		folder_is_as_before();
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

	folder.opts.no_guard = true;
	kill_stopped(armed_child(CHANGES));
	one_info(&found);
	path = found.at[0].path;
	/* What others can write is not believed. */
	armed = folder_state();
	ck_assert_int_eq(chmod(path, 0666), 0);
	ck_assert_uint_eq(journals(&alive), 0);
	ck_assert_int_eq(journal_replay(&found.at[0]), -EPERM);
	after = folder_state();
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

	folder_put("../outside", "mine\n");
	ck_assert_int_eq(journal_new(&j, folder.state, folder.dir), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "../outside", "theirs"), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "instances/../../outside", "theirs"), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "instances/gone/trace_clock", "mono"), 0);
	ck_assert_int_eq(journal_undo(j, &folder.top, 0, false), 0);
	ck_assert_int_eq(tracedir_read(&folder.top, "../outside", &text), 0);
	ck_assert_str_eq(text, "mine");
	free(text);
	journal_remove(j);
	journal_free(j);
}
END_TEST

/*
 * When somebody holds an instance, the journal stays for another try, whatever else went wrong before. Here a mount point is what cannot be removed, and a
 * folder stands where a setting was.
 */
START_TEST(busy_behind_another_failure)
{
	__cleanup(free_ptr) char *held = str_printf("%s/instances/held", folder.dir);
	char fd[64], path[128] = "";
	struct journal *j;

	if (!folder_own_mounts())
		return;
	ck_assert_int_eq(mkdir(held, 0700), 0);
	ck_assert_int_eq(mount(held, held, NULL, MS_BIND, NULL), 0);
	ck_assert_int_eq(journal_new(&j, folder.state, folder.dir), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_USES, "held", NULL), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_MKDIR, "instances/held", NULL), 0);
	ck_assert_int_eq(journal_add(j, JOURNAL_SET, "events/sched", "1"), 0);
	snprintf(fd, sizeof(fd), "/proc/self/fd/%d", journal_fd(j));
	ck_assert_int_gt(readlink(fd, path, sizeof(path) - 1), 0);
	mentions(journal_undo(j, &folder.top, 0, false), -EBUSY, "instances/held", "events/sched");
	journal_free(j);
	mentions(journal_undo_instance(path, &folder.top, "held"), -EBUSY, "instances/held", "events/sched");
	ck_assert_int_eq(access(path, F_OK), 0);
	/* Nobody holds it any more. What fails without being busy would fail again, and keeps nothing. */
	ck_assert_int_eq(umount(held), 0);
	mentions(journal_undo_instance(path, &folder.top, "held"), -EISDIR, "events/sched");
	ck_assert_int_ne(access(path, F_OK), 0);
	ck_assert_int_ne(access(held, F_OK), 0);
}
END_TEST

/* A journal with so many probes, whose dynamic_events is a plain file. */
static struct journal *journal_of_probes(size_t n)
{
	struct journal *j;

	folder_put("dynamic_events", "");
	folder_put("../rcu_expedited", "0\n");
	ck_assert_int_eq(journal_new(&j, folder.state, folder.dir), 0);
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
	folder_put("../rcu_expedited", cases[_i].before);
	ck_assert_int_eq(journal_undo(j, &folder.top, 0, false), 0);
	ck_assert(in_journal(j, "rcu_expedited") == cases[_i].hurries);
	ck_assert_int_eq(tracedir_read(&folder.top, "../rcu_expedited", &after), 0);
	ck_assert_int_eq(after[0], cases[_i].before[0]);
	ck_assert_int_eq(tracedir_read(&folder.top, "dynamic_events", &removed), 0);
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
	folder_put("../rcu_expedited", "1\n");
	ck_assert_int_eq(journal_undo(j, &folder.top, 0, false), 0);
	ck_assert_int_eq(tracedir_read(&folder.top, "../rcu_expedited", &after), 0);
	ck_assert_str_eq(after, "0");
	journal_remove(j);
	journal_free(j);
}
END_TEST

Suite *session_dying_suite(void)
{
	Suite *s = suite_create("session-dying");
	TCase *c = tcase_create("death");

	tcase_add_checked_fixture(c, folder_set_up, folder_tear_down);
	tcase_set_timeout(c, 120);
	tcase_add_loop_test(c, guard_undoes, 1, CHANGES + 2);
	tcase_add_loop_test(c, pipe_is_saved, 0, 2);
	tcase_add_test(c, changes_counted);
	tcase_add_test(c, another_ringside);
	tcase_add_test(c, stillborn);
	tcase_add_test(c, changed_nothing);
	tcase_add_test(c, replay);
	tcase_add_test(c, foreign_journals);
	tcase_add_loop_test(c, journals_of_another_user, 0, 2);
	tcase_add_test(c, journal_stays_inside);
	tcase_add_test(c, busy_behind_another_failure);
	tcase_add_loop_test(c, many_probes, 0, 3);
	tcase_add_test(c, died_in_a_hurry);
	suite_add_tcase(s, c);
	return s;
}

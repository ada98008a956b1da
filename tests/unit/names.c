/* SPDX-License-Identifier: GPL-2.0 */
/* lib/record/names: what saved_cmdlines forgets is remembered, and stands in a file. */
#define _GNU_SOURCE
#include "lib/record/names.h"

#include "lib/base/io.h"
#include "tests/unit/unit.h"
#include <fcntl.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[32];
static struct tracedir top;
static struct names *names;

static void put(const char *file, const char *text)
{
	int fd = openat(top.fd, file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ck_assert(fd >= 0 && !io_write(fd, text, strlen(text)));
	close(fd);
}

static void look(const char *saved)
{
	put("saved_cmdlines", saved);
	names_look(names, &top, NULL, 0);
}

static void set_up(void)
{
	snprintf(dir, sizeof(dir), "/tmp/names-XXXXXX");
	ck_assert(mkdtemp(dir));
	top = (struct tracedir){ .fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), .path = dir };
	ck_assert(top.fd >= 0);
	ck_assert_int_eq(names_new(&names, openat(top.fd, "names", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)), 0);
}

static void tear_down(void)
{
	names_free(names);
	unlinkat(top.fd, "names", 0);
	unlinkat(top.fd, "saved_cmdlines", 0);
	close(top.fd);
	rmdir(dir);
}

static void ends_as(const char *last, const char *want)
{
	struct text lines = { strdup(last), strlen(last) };

	ck_assert_int_eq(names_join(names, &lines), 0);
	ck_assert_str_eq(lines.at, want);
	ck_assert_uint_eq(lines.size, strlen(want));
	free(lines.at);
}

START_TEST(gathers)
{
	const char *first = "12 sh\n5 a name of words\n";
	struct text file;

	look(first);
	/* The next look is due a hundred times as long after as this one took, which is long on a busy machine. */
	for (int i = 0; i < 300; i++) {
		usleep(300000);
		look("12 ls\n7 sixteen-and-more\nnonsense\n\n-3 x\n9\n");
		ck_assert_int_eq(io_slurp_at(top.fd, "names", &file), 0);
		if (strcmp(file.at, first))
			break;
		free(file.at);
		file.at = NULL;
	}
	ck_assert(file.at);
	ck_assert_str_eq(file.at, "12 sh\n5 a name of words\n12 ls\n7 sixteen-and-more\n");
	free(file.at);
	ends_as("5 new\n100000 late\n", "5 new\n7 sixteen-and-more\n12 ls\n100000 late\n");
}
END_TEST

START_TEST(looks_seldom)
{
	struct str many = { 0 };

	for (unsigned int pid = 1; pid < 30000; pid++)
		str_addf(&many, "%u task\n", pid);
	look(str_text(&many));
	str_fini(&many);
	look("30000 next\n");
	names_add(names, &(struct text){ (char *)"30001 added\n", 12 });
	{
		struct text lines = { strdup(""), 0 };

		ck_assert_int_eq(names_join(names, &lines), 0);
		ck_assert(strstr(lines.at, "\n29999 task\n30001 added\n"));
		free(lines.at);
	}
}
END_TEST

/* The list still has the name of an earlier task with this pid. It counts no more, until the line changes. */
START_TEST(tasks_tell)
{
	char own[PROCESS_NAME], want[64];
	pid_t pid = getpid(), absent = 0x7fffffff;
	pid_t pids[] = { pid, absent };

	ck_assert(process_name(pid, own) && !process_name(absent, want));
	snprintf(want, sizeof(want), "%d earlier\n", (int)pid);
	put("saved_cmdlines", want);
	names_look(names, &top, pids, 2);
	{
		struct text file;

		ck_assert_int_eq(io_slurp_at(top.fd, "names", &file), 0);
		snprintf(want, sizeof(want), "%d earlier\n%d %s\n", (int)pid, (int)pid, own);
		ck_assert_str_eq(file.at, want);
		free(file.at);
	}
	snprintf(want, sizeof(want), "%d %s\n", (int)pid, own);
	ends_as("", want);
	{
		char same[64], later[64];

		snprintf(same, sizeof(same), "%d earlier\n", (int)pid);
		ends_as(same, want);
		snprintf(later, sizeof(later), "%d later\n", (int)pid);
		ends_as(later, later);
		ck_assert_int_eq(names_add_task(names, pid, "told"), 0);
		snprintf(want, sizeof(want), "%d told\n", (int)pid);
		ends_as(later, want);
	}
}
END_TEST

/* Makes a child that sleeps. Its pid is @pid, if that is not 0. Returns the pid, or a negative errno. */
static pid_t child(pid_t pid, const char *name)
{
	struct clone_args how = { .exit_signal = SIGCHLD, .set_tid = pid ? (uintptr_t)&pid : 0, .set_tid_size = pid != 0 };
	pid_t got = (pid_t)syscall(SYS_clone3, &how, sizeof(how));

	if (got)
		return got < 0 ? -errno : got;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	prctl(PR_SET_NAME, name);
	for (;;)
		pause();
}

static void await_name(pid_t pid, const char *name)
{
	char now[PROCESS_NAME];

	while (process_name(pid, now) && strcmp(now, name) != 0)
		usleep(1000);
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* A later task with the pid of a task that has told its name is not asked. */
START_TEST(later_task)
{
	pid_t pid = child(0, "first"), later;
	char want[64];

	ck_assert_int_gt(pid, 0);
	await_name(pid, "first");
	ck_assert_int_eq(names_ask(names, &pid, 1), 0);
	end_child(pid);
	/* Times of beginning are counted in ticks of 10 ms. */
	usleep(50000);
	later = child(pid, "later");
	/* Only root can choose a pid, and another task may have it already. */
	if (later == pid) {
		await_name(pid, "later");
		ck_assert_int_eq(names_ask(names, &pid, 1), 0);
		end_child(pid);
	}
	snprintf(want, sizeof(want), "%d first\n", (int)pid);
	ends_as("", want);
}
END_TEST

START_TEST(nothing_there)
{
	names_look(names, &top, NULL, 0);
	ends_as("", "");
	ck_assert_int_eq(names_join(NULL, &(struct text){ 0 }), 0);
}
END_TEST

Suite *names_suite(void)
{
	Suite *s = suite_create("names");
	TCase *tc = tcase_create("names");

	tcase_set_timeout(tc, 120);
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, gathers);
	tcase_add_test(tc, looks_seldom);
	tcase_add_test(tc, tasks_tell);
	tcase_add_test(tc, later_task);
	tcase_add_test(tc, nothing_there);
	suite_add_tcase(s, tc);
	return s;
}

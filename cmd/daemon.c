/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "cmd/daemon.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/parse.h"
#include "lib/base/str.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int ending[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

/* Returns the number in the file, 0 if the file is empty, or a negative number if it has something else. */
static int64_t number_in(int fd)
{
	char text[32] = { 0 };
	ssize_t n = io_pread(fd, text, sizeof(text) - 1, 0);
	uint64_t pid = 0;

	if (n < 0 || (n && (parse_u64(str_trim(text), &pid) || pid > INT32_MAX)))
		return -1;
	return (int64_t)pid;
}

static int take_pidfile(struct daemon *d, const char *path)
{
	__cleanup(close_fd) int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	int64_t there = fd < 0 ? 0 : number_in(fd);
	char text[32];
	int n = snprintf(text, sizeof(text), "%d\n", (int)getpid());

	if (fd < 0)
		return fail(errno, "%s: %m; name another file for the process id with --pidfile", path);
	if (there < 0)
		return fail(EEXIST, "%s is not a file with a process id: name another one with --pidfile", path);
	if (flock(fd, LOCK_EX | LOCK_NB))
		return fail(EBUSY, "process %lld records in the background: end it with `kill %lld`, or name another file than %s with --pidfile",
			    (long long)there, (long long)there, path);
	if (ftruncate(fd, 0) || io_write(fd, text, (size_t)n))
		return fail(errno, "%s: %m", path);
	d->path = path;
	d->fd = fd;
	fd = -1;
	return 0;
}

/* Passes signals to the child until it is ready or has ended. Returns the exit status. */
static int wait_for(pid_t child, int ready, int signals)
{
	struct pollfd fds[] = { { .fd = ready, .events = POLLIN }, { .fd = signals, .events = POLLIN } };
	struct signalfd_siginfo info;
	int status;
	char byte;

	for (;;) {
		if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno != EINTR)
			break;
		if (fds[1].revents && read(signals, &info, sizeof(info)) == sizeof(info))
			kill(child, (int)info.ssi_signo);
		if (fds[0].revents)
			break;
	}
	if (read(ready, &byte, 1) == 1)
		return 0;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int daemon_begin(struct daemon *d, const char *pidfile, int *status)
{
	__cleanup(close_fd) int signals = -1;
	sigset_t set, before;
	int ends[2];
	pid_t child;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(ending); i++)
		sigaddset(&set, ending[i]);
	if (pipe2(ends, O_CLOEXEC))
		return fail(errno, "no pipe to the background: %m");
	sigprocmask(SIG_BLOCK, &set, &before);
	signals = signalfd(-1, &set, SFD_CLOEXEC);
	child = signals < 0 ? -1 : fork();
	if (child < 0) {
		int err = errno;

		close(ends[0]);
		close(ends[1]);
		sigprocmask(SIG_SETMASK, &before, NULL);
		return fail(err, "cannot go to the background: %s", strerror(err));
	}
	close(ends[child == 0 ? 0 : 1]);
	if (child) {
		*status = wait_for(child, ends[0], signals);
		close(ends[0]);
		return 1;
	}
	d->ready = ends[1];
	setsid();
	sigprocmask(SIG_SETMASK, &before, NULL);
	return take_pidfile(d, pidfile);
}

void daemon_ready(struct daemon *d, bool quiet)
{
	__cleanup(close_fd) int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct stat st;

	if (!quiet)
		note("recording in the background: `kill %d` ends it, and the file is written then", (int)getpid());
	fflush(NULL);
	for (int fd = 0; null >= 0 && fd <= STDERR_FILENO; fd++)
		if (fd == STDIN_FILENO || fstat(fd, &st) || !S_ISREG(st.st_mode))
			dup2(null, fd);
	io_write(d->ready, "", 1);
	close_fd(&d->ready);
}

void daemon_end(struct daemon *d)
{
	if (d->fd >= 0)
		unlink(d->path);
	close_fd(&d->fd);
	close_fd(&d->ready);
}

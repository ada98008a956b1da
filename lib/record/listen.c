/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/listen.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/vec.h"
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct listener {
	const struct listen_spec *spec;
	int fd, signals;
	sigset_t ending; /* the signals that end the listener; SIGCHLD is not among them */
	VEC(pid_t) serving;
};

/* Raises the limit of descriptors, for those of all CPUs. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* Serves one connection. Runs in a process of its own. */
static int serve(const struct listener *l, int fd)
{
	__cleanup(close_fd) int signals = signalfd(-1, &l->ending, SFD_CLOEXEC);

	raise_limit();
	if (signals < 0)
		return fail(errno, "cannot wait for signals: %m");
	return l->spec->serve(l->spec->ctx, fd, signals);
}

static void reap(struct listener *l, int options)
{
	pid_t pid;
	int status;

	while (l->serving.n && (pid = waitpid(-1, &status, options)) > 0) {
		if (WIFSIGNALED(status))
			warn("the process that served a %s was killed by signal %d%s", l->spec->who, WTERMSIG(status), l->spec->lost ? l->spec->lost : "");
		for (size_t i = 0; i < l->serving.n; i++)
			if (l->serving.at[i] == pid) {
				l->serving.at[i] = l->serving.at[--l->serving.n];
				break;
			}
	}
}

static int take_one(struct listener *l)
{
	__cleanup(close_fd) int fd = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
	pid_t child;

	if (fd < 0 || (l->spec->welcome && !l->spec->welcome(l->spec->ctx, fd)))
		return 0;
	reap(l, WNOHANG);
	if (l->serving.n >= l->spec->most) {
		warn("a %s was refused: there are %u already, as many as --max-clients allows", l->spec->who, l->spec->most);
		return 0;
	}
	if (vec_reserve(&l->serving, 1))
		return fail(ENOMEM, "no memory for another %s", l->spec->who);
	child = fork();
	if (child < 0) {
		warn("a %s was refused, as there is no process for it: %s", l->spec->who, strerror(errno));
		return 0;
	}
	if (!child) {
		close(l->fd);
		close(l->signals);
		_exit(serve(l, fd) ? 1 : 0);
	}
	vec_push(&l->serving, child);
	return 0;
}

/* Takes a signal. Returns 1 when it is time to end. */
static int take_signal(struct listener *l)
{
	struct signalfd_siginfo info;

	if (read(l->signals, &info, sizeof(info)) != sizeof(info))
		return 0;
	if (info.ssi_signo != SIGCHLD)
		return 1;
	reap(l, WNOHANG);
	return 0;
}

static int serve_all(struct listener *l)
{
	struct pollfd fds[] = { { .fd = l->fd, .events = POLLIN }, { .fd = l->signals, .events = POLLIN } };
	int ret = 0;

	if (l->spec->ready)
		l->spec->ready(l->spec->ctx, l->fd);
	while (!ret) {
		if (poll(fds, ARRAY_LEN(fds), -1) < 0 && errno != EINTR)
			return fail(errno, "cannot wait for recorders: %m");
		if (fds[1].revents)
			ret = take_signal(l);
		if (!ret && fds[0].revents)
			ret = take_one(l);
	}
	return ret < 0 ? ret : 0;
}

int listen_serve(const struct listen_spec *spec, int fd)
{
	struct listener l = { .spec = spec, .fd = fd };
	sigset_t all, before;
	int err;

	sigemptyset(&l.ending);
	sigaddset(&l.ending, SIGINT);
	sigaddset(&l.ending, SIGTERM);
	sigaddset(&l.ending, SIGHUP);
	all = l.ending;
	sigaddset(&all, SIGCHLD);
	sigprocmask(SIG_BLOCK, &all, &before);
	l.signals = signalfd(-1, &all, SFD_CLOEXEC);
	err = l.signals < 0 ? fail(errno, "cannot wait for signals: %m") : serve_all(&l);
	vec_each (&l.serving, pid)
		kill(*pid, SIGTERM);
	reap(&l, 0);
	close_fd(&l.signals);
	vec_fini(&l.serving);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return err;
}

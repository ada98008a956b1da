/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/watch.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/vec.h"
#include "lib/base/now.h"
#include "lib/tracefs/process.h"
#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <unistd.h>

void watch_expect(void)
{
	struct sigaction now;
	sigset_t set;

	/* If SIGINT is blocked, it is kept until we read it, although it is ignored. */
	if (sigaction(SIGINT, NULL, &now) || now.sa_handler != SIG_IGN)
		return;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

int watch_open(struct watch *w)
{
	static const int held[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD, SIGPIPE };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_LEN(held); i++)
		sigaddset(&set, held[i]);
	sigprocmask(SIG_BLOCK, &set, &w->before);
	w->blocked = true;
	/*
	 * Signals that are ignored stay ignored, as with nohup(1). SIGINT is an exception: shells make their background jobs ignore it, but scripts use it
	 * to end us.
	 */
	for (size_t i = 0; i < ARRAY_LEN(held); i++) {
		struct sigaction now;

		if (sigaction(held[i], NULL, &now) || now.sa_handler != SIG_IGN)
			continue;
		if (held[i] == SIGINT)
			w->background = true;
		else
			sigdelset(&set, held[i]);
	}
	sigaddset(&set, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	w->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return w->signals < 0 ? fail(errno, "cannot watch for signals: %m") : 0;
}

void watch_close(struct watch *w)
{
	close_fd(&w->signals);
	if (w->blocked)
		sigprocmask(SIG_SETMASK, &w->before, NULL);
	w->blocked = false;
}

static bool next_signal(const struct watch *w, struct signalfd_siginfo *info)
{
	return read(w->signals, info, sizeof(*info)) == sizeof(*info);
}

int watch_interrupted(const struct watch *w)
{
	struct signalfd_siginfo info;

	while (next_signal(w, &info))
		if (info.ssi_signo != SIGCHLD && info.ssi_signo != SIGPIPE)
			return (int)info.ssi_signo;
	return 0;
}

/*
 * Returns true if this SIGINT ends the recording while the command runs.
 * - Ctrl-C at a terminal also goes to the command, which ends or goes on as it likes. So Ctrl-C does not end the recording. There is one exception: in the
 *   background, a shell may have made the command ignore SIGINT.
 * - A SIGINT that only we got is passed on. It ends the recording if the command ignores it, or if it is the second one.
 */
static bool interrupts(const struct watch *w, const struct signalfd_siginfo *info, struct workload *command, bool *passed_on)
{
	bool before = *passed_on;

	if (!command)
		return true;
	if (info->ssi_code == SI_KERNEL)
		return w->background && workload_ignores(command, SIGINT);
	workload_signal(command, SIGINT);
	*passed_on = true;
	return before || workload_ignores(command, SIGINT);
}

/* Does this signal end the recording? */
static bool ends(const struct watch *w, const struct signalfd_siginfo *info, struct workload *command, bool *passed_on)
{
	switch (info->ssi_signo) {
	case SIGTERM:
	case SIGHUP:
	case SIGQUIT:
		return true;
	case SIGINT:
		return interrupts(w, info, command, passed_on);
	}
	return false;
}

typedef VEC(struct pollfd) pollfds_t;
enum { AT_SIGNALS, AT_RECORDER, AT_OUTPUT, AT_PIDS };

#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL /* since Linux 6.9 */
#endif

/* A descriptor that tells when the task has ended; -1 with errno: there is none, and ESRCH means that it has ended. */
static int task_fd(pid_t pid, bool whole)
{
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0 || errno == ESRCH || errno == ENOSYS)
		return fd;
	/* A thread that leads no process. Where the thread cannot be waited for, it is its process. */
	fd = whole ? -1 : (int)syscall(SYS_pidfd_open, pid, PIDFD_THREAD);
	if (fd >= 0 || (!whole && errno == ESRCH))
		return fd;
	pid = process_of_thread(pid);
	return pid ? (int)syscall(SYS_pidfd_open, pid, 0) : (errno = ESRCH, -1);
}

static int poll_for(const struct watch *w, const struct watch_for *what, pollfds_t *fds)
{
	int err = vec_push(fds, (struct pollfd){ .fd = w->signals, .events = POLLIN });

	if (!err)
		err = vec_push(fds, (struct pollfd){ .fd = what->recorder, .events = POLLIN });
	/* .events is 0, so poll() reports only errors. */
	if (!err)
		err = vec_push(fds, (struct pollfd){ .fd = what->output ? *what->output : -1 });
	for (size_t i = 0; i < what->npids && !what->command && !err; i++) {
		int fd = task_fd(what->pids[i], what->whole);

		/* On kernels without pidfd_open(), -P lasts until a signal. */
		if (fd < 0 && errno != ESRCH)
			break;
		err = vec_push(fds, (struct pollfd){ .fd = fd, .events = POLLIN });
	}
	return err ? fail(ENOMEM, "no memory for waiting") : 0;
}

/* Returns true when all pids have gone: poll() has reported the end of each, or it did not exist from the start. */
static bool all_gone(const pollfds_t *fds, const struct watch_for *what)
{
	if (what->command || !what->npids || fds->n != AT_PIDS + what->npids)
		return false;
	for (size_t i = AT_PIDS; i < fds->n; i++)
		if (fds->at[i].fd >= 0)
			return false;
	return true;
}

static void forget_ended(pollfds_t *fds)
{
	for (size_t i = AT_PIDS; i < fds->n; i++)
		if (fds->at[i].fd >= 0 && fds->at[i].revents)
			close_fd(&fds->at[i].fd);
}

static int wait_ms(const struct watch_for *what, uint64_t elapsed)
{
	uint64_t left = what->duration_ns ? what->duration_ns - elapsed : UINT64_MAX;
	uint64_t tick = what->tick ? NSEC_PER_SEC - elapsed % NSEC_PER_SEC : UINT64_MAX;
	uint64_t ns = MIN(left, tick);

	return ns == UINT64_MAX ? -1 : (int)MIN((ns + 999999) / 1000000, (uint64_t)3600000);
}

static int wait_loop(const struct watch *w, const struct watch_for *what, pollfds_t *fds, enum watch_end *end)
{
	uint64_t begin = now_ns(), elapsed = 0, ticked = 0;
	struct signalfd_siginfo info;
	bool passed_on = false;

	for (;; elapsed = now_ns() - begin) {
		*end = END_COMMAND;
		if (what->command && workload_ended(what->command)) {
			if (!what->outlasted)
				return 0;
			what->outlasted(what->ctx);
		}
		*end = END_PIDS;
		if (all_gone(fds, what))
			return 0;
		*end = END_DURATION;
		if (what->duration_ns && elapsed >= what->duration_ns)
			return 0;
		if (what->tick && elapsed - ticked >= NSEC_PER_SEC) {
			ticked = elapsed / NSEC_PER_SEC * NSEC_PER_SEC;
			what->tick(what->ctx, elapsed);
		}
		if (poll(fds->at, fds->n, wait_ms(what, elapsed)) < 0 && errno != EINTR)
			return fail(errno, "cannot wait: %m");
		*end = END_RECORDER;
		if (fds->at[AT_RECORDER].revents)
			return 0;
		*end = END_READER;
		if (fds->at[AT_OUTPUT].revents & POLLERR)
			return 0;
		*end = END_SIGNAL;
		while (next_signal(w, &info))
			if (ends(w, &info, what->command, &passed_on))
				return 0;
		forget_ended(fds);
	}
}

int watch_wait(const struct watch *w, const struct watch_for *what, enum watch_end *end)
{
	pollfds_t fds = { 0 };
	int err = poll_for(w, what, &fds);

	if (!err)
		err = wait_loop(w, what, &fds, end);
	for (size_t i = AT_PIDS; i < fds.n; i++)
		close_fd(&fds.at[i].fd);
	vec_fini(&fds);
	return err;
}

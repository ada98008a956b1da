/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/answerer.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/thread.h"
#include "lib/net/socket.h"
#include "lib/net/tsync.h"
#include "lib/record/aligner.h"
#include "lib/record/trace-now.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * ANSWER_S: the longest time that the other end may take for a message that it has begun. LAST_S: at the end, the thread is waited for until nothing was
 * asked for this time. ALL_S: the thread is waited for no longer than this.
 */
enum { ANSWER_S = 10, LAST_S = 20, ALL_S = 60 };

struct answerer {
	int waiting, peer, stats, wake, fd;
	bool readable; /* a program can read exactly the clock of the recording */
	clockid_t id;
	pthread_t thread;
	bool threaded;
	pid_t tid;	 /* atomic */
	uint32_t series; /* how many questions were answered; atomic */
};

static bool read_clock(void *ctx, int64_t *time)
{
	const struct answerer *a = ctx;
	struct timespec t;

	if (!a->readable)
		return trace_now_raw(a->stats, time);
	if (clock_gettime(a->id, &t))
		return false;
	*time = (int64_t)t.tv_sec * (int64_t)NSEC_PER_SEC + t.tv_nsec;
	return true;
}

/* If the thread may not run on that CPU, it stays where it is: most clocks are the same on all CPUs. */
static void run_on(unsigned int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	if (cpu < CPU_SETSIZE)
		CPU_SET(cpu, &set);
	(void)!sched_setaffinity(0, sizeof(set), &set);
}

/* Waits until there is something at @fd. Returns false when the thread is to end. */
static bool wait_at(const struct answerer *a, int fd)
{
	struct pollfd fds[] = { { .fd = a->wake, .events = POLLIN }, { .fd = fd, .events = POLLIN } };

	while (poll(fds, ARRAY_LEN(fds), -1) < 0)
		if (errno != EINTR)
			return false;
	return !fds[0].revents;
}

/* Waits for the peer's connection. A connection from any other host is closed. Returns false when the thread is to end. */
static bool let_in(struct answerer *a)
{
	const struct timeval patience = { .tv_sec = ANSWER_S };
	struct net_address who = { .size = sizeof(who.at) }, peer;

	while (wait_at(a, a->waiting)) {
		__cleanup(close_fd) int fd = accept4(a->waiting, (struct sockaddr *)&who.at, &who.size, SOCK_CLOEXEC);

		if (fd >= 0 && !net_peer(a->peer, &peer) && net_same_host(&who, &peer)) {
			setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
			setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
			__atomic_store_n(&a->fd, take_fd(&fd), __ATOMIC_RELEASE);
			return true;
		}
		who.size = sizeof(who.at);
	}
	return false;
}

static void *answer_main(void *arg)
{
	struct answerer *a = arg;
	const struct tsync_clock clock = { read_clock, a };
	const char *wrong = "it has gone";
	int more = 1;

	__atomic_store_n(&a->tid, gettid(), __ATOMIC_RELEASE);
	if (!let_in(a))
		return NULL;
	while (more > 0 && wait_at(a, a->fd))
		more = tsync_reply(a->fd, __atomic_add_fetch(&a->series, 1, __ATOMIC_ACQ_REL), &clock, run_on, &wrong);
	if (more == -EAGAIN)
		wrong = "it took too long for a message";
	if (more == -EPROTO || more == -EAGAIN)
		warn("clocks are no longer compared with the recorder's: %s", wrong);
	/* Further questions are not answered. The other end can still send them, because trace-cmd would die if the connection were closed. */
	shutdown(a->fd, SHUT_WR);
	return NULL;
}

int answerer_start(struct answerer **out, int waiting, int peer, const char *stats, const char *clock, pid_t *tid)
{
	struct answerer *a = calloc(1, sizeof(*a));
	int err;

	*out = a;
	if (!a)
		return fail(ENOMEM, "no memory for clocks");
	*a = (struct answerer){ .waiting = waiting,
				.peer = peer,
				.fd = -1,
				.stats = open(stats, O_RDONLY | O_CLOEXEC),
				.wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK) };
	if (a->stats < 0)
		return fail(errno, "%s: %m", stats);
	if (a->wake < 0)
		return fail(errno, "cannot prepare to tell the time: %m");
	a->readable = aligner_clock(clock, &a->id);
	err = thread_start(&a->thread, answer_main, a);
	if (err)
		return fail(err, "cannot start a thread for clocks: %s", strerror(err));
	a->threaded = true;
	while (!(*tid = __atomic_load_n(&a->tid, __ATOMIC_ACQUIRE)))
		usleep(100);
	return 0;
}

/* Waits for the thread as long as questions still come. Returns true if the thread has ended by itself. */
static bool ends_itself(struct answerer *a)
{
	const uint64_t begin = now_ns();
	struct timespec until;
	uint32_t before;

	do {
		before = __atomic_load_n(&a->series, __ATOMIC_ACQUIRE);
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_sec += LAST_S;
		if (pthread_clockjoin_np(a->thread, NULL, CLOCK_MONOTONIC, &until) == 0)
			return true;
	} while (before != __atomic_load_n(&a->series, __ATOMIC_ACQUIRE) && now_ns() - begin < ALL_S * NSEC_PER_SEC);
	warn("the recorder has not ended the comparison of clocks after %u s; its file may lack the comparison at the end",
	     (unsigned int)((now_ns() - begin) / NSEC_PER_SEC));
	return false;
}

void answerer_end(struct answerer *a, bool told)
{
	int fd;

	if (!a || !a->threaded)
		return;
	fd = __atomic_load_n(&a->fd, __ATOMIC_ACQUIRE);
	if (fd < 0 || !told || !ends_itself(a)) {
		eventfd_write(a->wake, 1);
		fd = __atomic_load_n(&a->fd, __ATOMIC_ACQUIRE);
		if (fd >= 0)
			shutdown(fd, SHUT_RDWR);
		pthread_join(a->thread, NULL);
	}
	a->threaded = false;
	close_fd(&a->stats);
}

void answerer_free(struct answerer *a)
{
	if (!a)
		return;
	answerer_end(a, false);
	close_fd(&a->fd);
	close_fd(&a->stats);
	close_fd(&a->wake);
	free(a);
}

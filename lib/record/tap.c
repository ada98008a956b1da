/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/tap.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/thread.h"
#include "lib/record/backlog.h"
#include "lib/record/lane.h"
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* The longest time between two rounds, even when nothing happens. */
#define IDLE_MS 1000

/* A CPU may fill its sub-buffer while we read it. After this many reads of partly filled sub-buffers, the CPU is left until the next round. */
enum { MOST_PARTLY = 2 };

/* The size of a block of the backlog, unless a sub-buffer is larger. */
enum { BLOCK = 128 << 10 };

enum { AT_STOP, AT_OUT, AT_LANES };

struct tap {
	const struct tap_reader *reader;
	taplanes_t lanes;
	struct pollfd *fds; /* AT_STOP, AT_OUT, and all lanes */
	pthread_t thread;
	pid_t tid;
	int stop, event; /* eventfds: the thread is to end; it has given up */
	struct backlog *backlog;
	size_t block;	/* the size of the backlog's blocks */
	bool at_a_lane; /* the thread reads from a lane, or is about to */
	bool running, abandoned;
	int result;
};

/* How long, in ms, the thread is waited for when it was told to end at once. */
enum { PATIENCE_MS = 500 };

/* What a round has found on all CPUs. */
struct found {
	bool full; /* a block was used up */
	bool few;  /* no sub-buffer looks full */
};

/* Reads what there is on a CPU into the block @to. Returns how many bytes, or -errno after a message. */
static ssize_t read_pages(const struct tap *tap, size_t i, char *to, bool *drained, struct found *found)
{
	const struct tap_lane *lane = &tap->lanes.at[i];
	size_t n = 0, partly = 0;

	while (n + lane->page_size <= tap->block && partly < MOST_PARTLY) {
		ssize_t got = lane_read_page(lane->in, to + n, lane->page_size);
		bool looks_full = got > 0 && lane_looks_full(to + n, lane->page_size);

		if (got < 0)
			return fail((int)-got, "cannot read the trace of CPU lane %zu: %s", i, strerror((int)-got));
		*drained = !got;
		if (!got)
			break;
		partly += !looks_full;
		found->few &= !looks_full;
		n += lane->page_size;
	}
	found->full |= n + lane->page_size > tap->block;
	return (ssize_t)n;
}

/* Reads one lane. While .at_a_lane is not set, tap_abandon() may close the lanes. */
static int read_lane(struct tap *tap, size_t i, struct found *found)
{
	char *to = backlog_block(tap->backlog);
	bool drained = false;
	ssize_t n;

	if (!to)
		return -ENOMEM;
	__atomic_store_n(&tap->at_a_lane, true, __ATOMIC_SEQ_CST);
	n = __atomic_load_n(&tap->abandoned, __ATOMIC_SEQ_CST) ? -ECANCELED : read_pages(tap, i, to, &drained, found);
	__atomic_store_n(&tap->at_a_lane, false, __ATOMIC_SEQ_CST);
	return n < 0 ? (int)n : backlog_add(tap->backlog, i, (size_t)n, drained);
}

/* Reads all lanes once. *@full becomes true if a block was used up, so that there may be more to read. */
static int go_round(struct tap *tap, bool *full, bool *pending)
{
	struct found found = { .few = true };
	uint64_t begin = now_ns();
	int err = 0;

	for (size_t i = 0; i < tap->lanes.n && !err; i++)
		err = read_lane(tap, i, &found);
	if (err)
		return err;
	*full = found.full;
	return backlog_round(tap->backlog, begin, now_ns(), found.few, pending);
}

/* Waits for one of the first @n descriptors, @ns at most. Returns 0, 1 when it is time to end, or -EPIPE when the reader of the output has gone. */
static int wait_for(struct tap *tap, size_t n, uint64_t ns)
{
	struct timespec time = { (time_t)(ns / NSEC_PER_SEC), (long)(ns % NSEC_PER_SEC) };

	for (size_t i = 0; i < n; i++)
		tap->fds[i].revents = 0;
	ppoll(tap->fds, n, &time, NULL);
	if (tap->fds[AT_STOP].revents)
		return 1;
	return tap->fds[AT_OUT].revents & (POLLERR | POLLHUP | POLLNVAL) ? -EPIPE : 0;
}

static int drain(struct tap *tap)
{
	bool full = true, pending;
	int err = 0;

	while (full && !err)
		err = go_round(tap, &full, &pending);
	err = err ? err : backlog_wait(tap->backlog);
	return err ? err : tap->reader->end(tap->reader->ctx);
}

static int work(struct tap *tap)
{
	bool full = false, pending = false, woken = false;
	int ret;

	for (;;) {
		/* After a wake-up there is always a pause. Otherwise events that we cause ourselves would wake us again and again. */
		if (full)
			ret = wait_for(tap, AT_LANES, 0);
		else if (tap->reader->interval_ns)
			ret = wait_for(tap, AT_LANES, tap->reader->interval_ns);
		else if (pending || woken)
			ret = wait_for(tap, AT_LANES, tap->reader->pause_ns);
		else
			ret = wait_for(tap, AT_LANES + tap->lanes.n, IDLE_MS * 1000000ULL);
		woken = !full && !pending && !woken;
		if (ret)
			break;
		ret = go_round(tap, &full, &pending);
		if (ret)
			break;
	}
	if (ret < 0)
		return ret;
	return __atomic_load_n(&tap->abandoned, __ATOMIC_ACQUIRE) ? 0 : drain(tap);
}

static void *thread_main(void *arg)
{
	struct tap *tap = arg;

	pthread_setname_np(pthread_self(), "ringside/tap");
	__atomic_store_n(&tap->tid, gettid(), __ATOMIC_RELEASE);
	tap->result = work(tap);
	if (tap->result)
		backlog_abandon(tap->backlog);
	backlog_end(tap->backlog);
	eventfd_write(tap->event, 1);
	return NULL;
}

static int start_thread(struct tap *tap)
{
	int err = thread_start(&tap->thread, thread_main, tap);

	if (err)
		return fail(err, "cannot start the reading thread: %s", strerror(err));
	tap->running = true;
	while (!__atomic_load_n(&tap->tid, __ATOMIC_ACQUIRE))
		sched_yield();
	return lane_priority(tap->thread, tap->reader->rt_priority);
}

int tap_open(struct tap **out, taplanes_t *lanes, const struct tap_reader *reader)
{
	struct tap *tap = calloc(1, sizeof(*tap));
	int err = 0;

	*out = NULL;
	if (!tap) {
		vec_each (lanes, lane)
			close_fd(&lane->in);
		vec_fini(lanes);
		return fail(ENOMEM, "no memory for reading the trace");
	}
	memcpy(&tap->lanes, lanes, sizeof(*lanes));
	*lanes = (taplanes_t){ 0 };
	tap->reader = reader;
	tap->stop = eventfd(0, EFD_CLOEXEC);
	tap->event = eventfd(0, EFD_CLOEXEC);
	tap->fds = calloc(AT_LANES + tap->lanes.n, sizeof(*tap->fds));
	if (tap->stop < 0 || tap->event < 0 || !tap->fds)
		err = fail(ENOMEM, "cannot prepare the reading thread: %m");
	if (!err) {
		tap->fds[AT_STOP] = (struct pollfd){ .fd = tap->stop, .events = POLLIN };
		tap->fds[AT_OUT] = (struct pollfd){ .fd = reader->out };
		for (size_t i = 0; i < tap->lanes.n; i++)
			tap->fds[AT_LANES + i] = (struct pollfd){ .fd = tap->lanes.at[i].in, .events = POLLIN };
		tap->block = BLOCK;
		vec_each (&tap->lanes, lane)
			tap->block = MAX(tap->block, (size_t)lane->page_size);
		err = backlog_new(&tap->backlog, reader, tap->block);
		err = err ? err : start_thread(tap);
	}
	if (err)
		tap_close(tap);
	else
		*out = tap;
	return err;
}

pid_t tap_tid(const struct tap *tap)
{
	return tap->tid;
}

int tap_event(const struct tap *tap)
{
	return tap->event;
}

void tap_ask(struct tap *tap)
{
	eventfd_write(tap->stop, 1);
}

static void close_lanes(struct tap *tap)
{
	vec_each (&tap->lanes, lane)
		close_fd(&lane->in);
}

/* Stops all reading. What was read already is not given to the reader. */
static void give_up(struct tap *tap)
{
	__atomic_store_n(&tap->abandoned, true, __ATOMIC_SEQ_CST);
	if (tap->backlog)
		backlog_abandon(tap->backlog);
}

bool tap_abandon(struct tap *tap)
{
	struct pollfd end = { .fd = tap->event, .events = POLLIN };

	give_up(tap);
	tap_ask(tap);
	if (poll(&end, 1, PATIENCE_MS) > 0) {
		tap_stop(tap);
		return true;
	}
	while (__atomic_load_n(&tap->at_a_lane, __ATOMIC_SEQ_CST))
		sched_yield();
	close_lanes(tap);
	return false;
}

int tap_stop(struct tap *tap)
{
	if (tap->running) {
		tap_ask(tap);
		pthread_join(tap->thread, NULL);
		tap->running = false;
	}
	close_lanes(tap);
	return tap->result;
}

void tap_close(struct tap *tap)
{
	if (!tap)
		return;
	give_up(tap);
	tap_stop(tap);
	backlog_free(tap->backlog);
	close_fd(&tap->stop);
	close_fd(&tap->event);
	vec_fini(&tap->lanes);
	free(tap->fds);
	free(tap);
}

/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/recorder.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/base/thread.h"
#include "lib/record/lane.h"
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* How often, at least, the contents of the buffers are spooled, even if few events come. So less than a second of them is lost when everything is killed. */
#define FLUSH_NS (800 * NSEC_PER_MSEC)
/* How long a thread waits after the kernel woke it for nothing. Some kernels' poll() ignores buffer_percent. */
#define PAUSE_MS 10
/* Free space is checked each time this many bytes were moved, or more often when there is little. */
#define SPACE_STEP (4u << 20)

struct worker {
	struct recorder *rec;
	struct lane lane;
	pthread_t thread;
	bool running;
	int err;
	uint64_t space_next; /* the value of lane.end at which free space is checked next */
	uint64_t flush_ns;   /* when to flush the next time */
};

struct recorder {
	struct recorder_config config;
	struct worker *workers;
	size_t n;
	pid_t *tids;
	int go, stop, event;		    /* eventfds. go: the threads may read; stop: they have to end; event: one has failed */
	uint64_t packed_plain, packed_size; /* the sums of what recorder_packed() was told; atomic */
	bool started;			    /* set by recorder_start(), so that the threads see what was written before it; atomic */
	bool stopped;
	int result;
};

/* Tells that a thread has failed. Closes the gates (the files "tracing_on"), so that the trace ends here and the other threads do not fail, too. */
static void give_alarm(struct recorder *rec)
{
	for (size_t i = 0; i < rec->config.ngates; i++)
		io_pwrite(rec->config.gates[i], "0", 1, 0);
	eventfd_write(rec->event, 1);
}

void recorder_packed(struct recorder *rec, uint64_t plain, uint64_t size)
{
	__atomic_fetch_add(&rec->packed_plain, plain, __ATOMIC_RELAXED);
	__atomic_fetch_add(&rec->packed_size, size, __ATOMIC_RELAXED);
}

int64_t recorder_spare(const struct recorder *rec, int fd, unsigned int times)
{
	uint64_t packed = __atomic_load_n(&rec->packed_plain, __ATOMIC_RELAXED), all = recorder_bytes(rec);
	uint64_t need = rec->config.reserve_bytes + (all - MIN(all, packed)) / 100 * rec->config.reserve_percent +
			__atomic_load_n(&rec->packed_size, __ATOMIC_RELAXED);
	uint64_t space = io_space(fd);

	return space == UINT64_MAX ? INT64_MAX : (int64_t)space - (int64_t)(need * times);
}

static int check_space(struct worker *w)
{
	uint64_t moved = w->lane.end;
	int64_t spare;

	if (moved < w->space_next)
		return 0;
	/*
	 * The recorded data need space for the spool, and then space for the file. All CPUs take it at once, so each may take only a part before the next
	 * check.
	 */
	spare = recorder_spare(w->rec, w->lane.spec.out, 1);
	w->space_next = moved + MIN((uint64_t)SPACE_STEP, (uint64_t)MAX(spare, (int64_t)0) / 4 / w->rec->n);
	return spare < 0 ? -ENOSPC : 0;
}

/* Waits for @ms. Returns true when it is time to end. */
static bool pause_ms(struct recorder *rec, int ms)
{
	struct pollfd fd = { .fd = rec->stop, .events = POLLIN };

	return poll(&fd, 1, ms) > 0;
}

/* Waits until the buffer fills, or for the interval. Returns false when it is time to end. */
static bool wait_for_data(struct worker *w, bool woken_for_nothing)
{
	struct recorder *rec = w->rec;
	struct pollfd fds[] = {
		{ .fd = rec->stop, .events = POLLIN },
		{ .fd = w->lane.spec.in, .events = POLLIN },
	};
	uint64_t ns = rec->config.interval_ns, now = now_ns(), left = w->flush_ns > now ? w->flush_ns - now : 0;
	struct timespec time = { 0 };
	int n;

	if (!ns && woken_for_nothing && pause_ms(rec, PAUSE_MS))
		return false;
	left = ns ? MIN(ns, left) : left;
	time.tv_nsec = (long)left;
	do
		n = ppoll(fds, ns ? 1 : 2, &time, NULL);
	while (n < 0 && errno == EINTR);
	return !(fds[0].revents & POLLIN);
}

/* Now and then, moves a sub-buffer that is not yet full, too. Returns 0 or -errno. */
static int flush(struct worker *w)
{
	uint64_t now = now_ns(), end = w->lane.end;
	int err;

	if (now < w->flush_ns)
		return 0;
	w->flush_ns = now + FLUSH_NS;
	err = lane_flush(&w->lane);
	if (w->lane.end != end && w->rec->config.moved)
		w->rec->config.moved(w->rec->config.ctx);
	return err;
}

static int record(struct worker *w)
{
	bool nothing = false;

	while (wait_for_data(w, nothing)) {
		ssize_t got;

		__atomic_fetch_add(&w->lane.wakeups, 1, __ATOMIC_RELAXED);
		nothing = true;
		do {
			got = lane_move(&w->lane);
			if (got <= 0)
				break;
			nothing = false;
			if (check_space(w))
				return -ENOSPC;
			if (w->rec->config.moved)
				w->rec->config.moved(w->rec->config.ctx);
		} while (got == (ssize_t)w->lane.room);
		if (got >= 0)
			got = flush(w);
		if (got < 0)
			return (int)got;
	}
	return lane_drain(&w->lane);
}

static void *thread_main(void *arg)
{
	struct worker *w = arg;
	struct recorder *rec = w->rec;
	struct pollfd go = { .fd = rec->go, .events = POLLIN };
	char name[16];
	size_t i = (size_t)(w - rec->workers);

	snprintf(name, sizeof(name), "ringside/%u", w->lane.spec.cpu);
	pthread_setname_np(pthread_self(), name);
	__atomic_store_n(&rec->tids[i], gettid(), __ATOMIC_RELEASE);
	while (poll(&go, 1, -1) < 0 && errno == EINTR)
		;
	(void)__atomic_load_n(&rec->started, __ATOMIC_ACQUIRE);
	w->err = record(w);
	if (w->err)
		give_alarm(rec);
	return NULL;
}

static int start_threads(struct recorder *rec)
{
	int err = 0;

	for (size_t i = 0; i < rec->n && !err; i++) {
		err = -thread_start(&rec->workers[i].thread, thread_main, &rec->workers[i]);
		rec->workers[i].running = !err;
	}
	if (err)
		return fail(-err, "cannot start the recording threads: %s", strerror(-err));
	for (size_t i = 0; i < rec->n && !err; i++)
		err = lane_priority(rec->workers[i].thread, rec->config.rt_priority);
	for (size_t i = 0; i < rec->n; i++)
		while (!__atomic_load_n(&rec->tids[i], __ATOMIC_ACQUIRE))
			sched_yield();
	return err;
}

void lane_spec_fini(struct lane_spec *spec)
{
	close_fd(&spec->in);
	close_fd(&spec->out);
	close_fd(&spec->handover);
	free(spec->path);
}

static void drop_specs(lanespecs_t *lanes, size_t from)
{
	for (size_t i = from; i < lanes->n; i++)
		lane_spec_fini(&lanes->at[i]);
	vec_fini(lanes);
}

static struct recorder *make(size_t n, const struct recorder_config *config)
{
	struct recorder *rec = calloc(1, sizeof(*rec));

	if (!rec)
		return NULL;
	rec->config = *config;
	rec->go = eventfd(0, EFD_CLOEXEC);
	rec->stop = eventfd(0, EFD_CLOEXEC);
	rec->event = eventfd(0, EFD_CLOEXEC);
	rec->workers = calloc(n ? n : 1, sizeof(*rec->workers));
	rec->tids = calloc(n ? n : 1, sizeof(*rec->tids));
	if (rec->go >= 0 && rec->stop >= 0 && rec->event >= 0 && rec->workers && rec->tids)
		return rec;
	recorder_close(rec);
	return NULL;
}

int recorder_open(struct recorder **out, lanespecs_t *lanes, const struct recorder_config *config)
{
	struct recorder *rec = make(lanes->n, config);
	struct recorder_config each = *config;
	int err = 0;

	*out = NULL;
	if (!rec) {
		drop_specs(lanes, 0);
		return fail(ENOMEM, "cannot prepare the recording threads: %m");
	}
	each.handover_bytes /= MAX(lanes->n, (size_t)1);
	while (!err && rec->n < lanes->n) {
		struct worker *w = &rec->workers[rec->n];

		err = lane_init(&w->lane, &lanes->at[rec->n], &each);
		w->rec = rec;
		rec->n++;
	}
	drop_specs(lanes, rec->n);
	if (!err)
		err = start_threads(rec);
	if (err) {
		recorder_close(rec);
		return err;
	}
	*out = rec;
	return 0;
}

const pid_t *recorder_tids(const struct recorder *rec)
{
	return rec->tids;
}

size_t recorder_lanes(const struct recorder *rec)
{
	return rec->n;
}

void recorder_start(struct recorder *rec)
{
	__atomic_store_n(&rec->started, true, __ATOMIC_RELEASE);
	eventfd_write(rec->go, 1);
}

int recorder_event(const struct recorder *rec)
{
	return rec->event;
}

static int explain(const struct worker *w)
{
	const char *path = w->lane.spec.path;

	if (w->err == -ENOSPC)
		return fail(ENOSPC, "%s: the disk is full (but for the room that the file needs): recording ended early", path);
	if (w->err == -EOPNOTSUPP && w->lane.max_bytes)
		return fail(EOPNOTSUPP,
			    "%s: this file system cannot give back the oldest part of a file, which "
			    "-m needs; choose another with --temp",
			    path);
	return fail(-w->err, "%s: %s: recording ended early", path, strerror(-w->err));
}

int recorder_stop(struct recorder *rec)
{
	const struct worker *failed = NULL;

	if (rec->stopped)
		return rec->result;
	rec->stopped = true;
	eventfd_write(rec->stop, 1);
	eventfd_write(rec->go, 1);
	for (size_t i = 0; i < rec->n; i++) {
		struct worker *w = &rec->workers[i];

		if (w->running)
			pthread_join(w->thread, NULL);
		if (w->err && !failed)
			failed = w;
		close_fd(&w->lane.spec.in);
	}
	rec->result = failed ? explain(failed) : 0;
	return rec->result;
}

void recorder_result(const struct recorder *rec, size_t lane, struct lane_result *out)
{
	const struct lane *l = &rec->workers[lane].lane;

	out->buffer = l->spec.buffer;
	out->cpu = l->spec.cpu;
	out->fd = l->spec.out;
	out->offset = __atomic_load_n(&l->start, __ATOMIC_RELAXED);
	out->size = __atomic_load_n(&l->end, __ATOMIC_ACQUIRE) - out->offset;
	out->dropped = out->offset;
	out->wakeups = __atomic_load_n(&l->wakeups, __ATOMIC_RELAXED);
	out->moves = __atomic_load_n(&l->moves, __ATOMIC_RELAXED);
}

const char *recorder_path(const struct recorder *rec, size_t lane)
{
	return rec->workers[lane].lane.spec.path;
}

int recorder_pipe(const struct recorder *rec, size_t lane)
{
	return rec->workers[lane].lane.pipe[0];
}

struct handover *recorder_handover(const struct recorder *rec, size_t lane)
{
	return rec->workers[lane].lane.handover;
}

uint64_t recorder_bytes(const struct recorder *rec)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < rec->n; i++) {
		struct lane_result one;

		recorder_result(rec, i, &one);
		bytes += one.size;
	}
	return bytes;
}

void recorder_close(struct recorder *rec)
{
	if (!rec)
		return;
	if (rec->n)
		recorder_stop(rec);
	for (size_t i = 0; i < rec->n; i++)
		lane_fini(&rec->workers[i].lane);
	close_fd(&rec->go);
	close_fd(&rec->stop);
	close_fd(&rec->event);
	free(rec->workers);
	free(rec->tids);
	free(rec);
}

/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/aligner.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/net/clocks.h"
#include "lib/net/tsync.h"
#include "lib/record/kept-clocks.h"
#include "lib/record/shift.h"
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* ANSWER_S: the longest time that an agent may take for a message. LAST_NS: when the last round has taken this long, no further CPU is asked. */
enum { ANSWER_S = 10 };
#define LAST_NS (3 * NSEC_PER_SEC)

struct aligner {
	struct aligner_spec spec;
	int fd, wake;
	pthread_t thread;
	bool threaded;
	struct clocks *cpus;
	const char *wrong; /* what went wrong; NULL: nothing */
};

bool aligner_clock(const char *name, clockid_t *id)
{
	static const struct {
		const char *name;
		clockid_t id;
	} clocks[] = { { "mono", CLOCK_MONOTONIC }, { "mono_raw", CLOCK_MONOTONIC_RAW }, { "boot", CLOCK_BOOTTIME }, { "tai", CLOCK_TAI } };

	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (strcmp(name, clocks[i].name) == 0) {
			*id = clocks[i].id;
			return true;
		}
	return false;
}

static bool read_clock(void *ctx, int64_t *time)
{
	const struct aligner *a = ctx;
	struct timespec t;

	if (clock_gettime(a->spec.clock, &t))
		return false;
	*time = (int64_t)t.tv_sec * (int64_t)NSEC_PER_SEC + t.tv_nsec;
	return true;
}

/* Asks the agent for the time once on each CPU. After the time @until, no further CPU is asked. */
static int ask_all(struct aligner *a, uint64_t until)
{
	const struct tsync_clock clock = { read_clock, a };
	struct tsync_answer answer;
	int err = 0;

	for (uint32_t cpu = 0; cpu < a->spec.cpus && !err && (!cpu || now_ns() < until); cpu++) {
		err = tsync_ask(a->fd, cpu, &clock, &answer, &a->wrong);
		if (!err)
			clocks_add(&a->cpus[cpu], answer.time, answer.time + answer.offset - answer.error, answer.time + answer.offset + answer.error,
				   answer.round);
	}
	return err;
}

/* Returns 0, -ENODATA when nothing is known yet, or -errno without a message. */
static int save(const struct aligner *a)
{
	struct kept_clocks kept = { .date_us = shift_date_us(a->spec.clock) };
	int err = a->cpus[0].n ? 0 : -ENODATA;

	for (uint32_t cpu = 0; cpu < a->spec.cpus && !err; cpu++)
		err = vec_push(&kept.cpus, a->cpus[cpu]) ? -ENOMEM : 0;
	err = err ? err : kept_clocks_save(&kept, a->spec.spool);
	kept_clocks_fini(&kept);
	return err;
}

static void *align_main(void *arg)
{
	struct aligner *a = arg;
	struct pollfd wake = { .fd = a->wake, .events = POLLIN };
	uint64_t ms = a->spec.interval_ns / 1000000;
	const int wait = !a->spec.interval_ns ? -1 : (int)MIN(MAX(ms, (uint64_t)1), (uint64_t)INT32_MAX);
	int err = 0, n = 0;

	while (!err && n <= 0) {
		err = ask_all(a, UINT64_MAX);
		/* The file is written now in case we are killed. If that fails, there is another try at the end. */
		save(a);
		n = err ? 0 : poll(&wake, 1, wait);
	}
	if (!err)
		err = ask_all(a, now_ns() + LAST_NS);
	if (!err)
		a->wrong = NULL;
	if (!err)
		tsync_stop(a->fd);
	return NULL;
}

int aligner_start(struct aligner **out, int fd, const struct aligner_spec *spec)
{
	const struct timeval patience = { .tv_sec = ANSWER_S };
	struct aligner *a = calloc(1, sizeof(*a));
	int err;

	*out = a;
	if (!a) {
		close(fd);
		return fail(ENOMEM, "no memory for clocks");
	}
	*a = (struct aligner){ .spec = *spec, .fd = fd, .wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), .cpus = calloc(spec->cpus, sizeof(*a->cpus)) };
	if (!a->cpus || a->wake < 0)
		return fail(ENOMEM, "no memory for clocks");
	fcntl(fd, F_SETFL, 0);
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
	err = pthread_create(&a->thread, NULL, align_main, a);
	if (err)
		return fail(err, "cannot start a thread for clocks: %s", strerror(err));
	a->threaded = true;
	return 0;
}

void aligner_end(struct aligner *a)
{
	struct timespec until;

	if (!a || !a->threaded)
		return;
	eventfd_write(a->wake, 1);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += ANSWER_S;
	/* We do not wait for a slower agent. shutdown() makes the thread's read return, so that the thread ends. */
	if (pthread_clockjoin_np(a->thread, NULL, CLOCK_MONOTONIC, &until)) {
		shutdown(a->fd, SHUT_RDWR);
		pthread_join(a->thread, NULL);
	}
	a->threaded = false;
}

int aligner_keep(const struct aligner *a, const char **why)
{
	int err = save(a);

	*why = a->wrong ? a->wrong : "it does not answer";
	if (err && err != -ENODATA)
		return fail(-err, "%s: cannot save what is known of its clocks: %s", a->spec.spool->path, strerror(-err));
	return !err;
}

void aligner_free(struct aligner *a)
{
	if (!a)
		return;
	aligner_end(a);
	close_fd(&a->fd);
	close_fd(&a->wake);
	free(a->cpus);
	free(a);
}

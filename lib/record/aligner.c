/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/record/aligner.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/now.h"
#include "lib/net/clocks.h"
#include "lib/net/tsync.h"
#include "lib/record/shift.h"
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

/* So long an agent may take for a message; and so long the last round may take, after which no further CPU is asked. */
enum { ANSWER_S = 10 };
#define LAST_NS (3 * NSEC_PER_SEC)

struct aligner {
	struct aligner_spec spec;
	int fd, wake;
	pthread_t thread;
	bool threaded;
	struct clocks *cpus;
	const char *wrong;	/* what went wrong; NULL: nothing */
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

/* One time of all CPUs, or of as many as there is time for. */
static int ask_all(struct aligner *a, uint64_t until)
{
	const struct tsync_clock clock = { read_clock, a };
	struct tsync_answer answer;
	int err = 0;

	for (uint32_t cpu = 0; cpu < a->spec.cpus && !err && (!cpu || now_ns() < until); cpu++) {
		err = tsync_ask(a->fd, cpu, &clock, &answer, &a->wrong);
		if (!err)
			clocks_add(&a->cpus[cpu], answer.time, answer.time + answer.offset - answer.error, answer.time + answer.offset + answer.error, answer.round);
	}
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
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ANSWER_S;
	/* Who is slower is not waited for: its connection ends, and so does what waits for it. */
	if (pthread_timedjoin_np(a->thread, NULL, &until)) {
		shutdown(a->fd, SHUT_RDWR);
		pthread_join(a->thread, NULL);
	}
	a->threaded = false;
}

/* A line for who reads the statistics. */
static int tell_clock(const struct aligner *a, const struct clocks_line *line, uint32_t cpu, struct metadata *meta)
{
	const struct clocks *clocks = &a->cpus[cpu];
	const struct clocks_sample *last = &clocks->at[clocks->n - 1];
	struct str s = { 0 };

	str_addf(&s, "Clock of CPU %u: offset %" PRId64 " ns at %" PRId64 ", error %" PRId64 " ns", cpu, clocks_here(line, last->time) - last->time, last->time, line->error);
	if (line->has_drift)
		str_addf(&s, ", drift %.3f ppm, error %.3f ppm", line->drift_ppm, line->drift_error_ppm);
	str_addf(&s, ", round trip %" PRIu64 " ns\n", clocks->round_ns);
	return str_ok(&s) || strv_own(&meta->cpustat, str_take(&s)) ? fail(ENOMEM, "no memory for the clock of a CPU") : 0;
}

int aligner_tell(const struct aligner *a, struct metadata *meta, const char **why)
{
	const struct clocks *first = &a->cpus[0];
	struct clocks_line line;
	int err = 0;

	*why = a->wrong ? a->wrong : "it does not answer";
	if (!first->n)
		return 0;
	shift_begin(meta, 0);
	for (uint32_t cpu = 0; cpu < a->spec.cpus && !err; cpu++) {
		/* One that could not be asked is taken to go as the first. */
		const struct clocks *clocks = a->cpus[cpu].n ? &a->cpus[cpu] : first;

		clocks_fit(clocks, clocks->at[clocks->n - 1].time, &line);
		err = shift_add(meta, &line);
		if (!err && clocks == &a->cpus[cpu])
			err = tell_clock(a, &line, cpu, meta);
	}
	if (meta->has_date)
		meta->date_us = shift_date_us(a->spec.clock);
	return err ? err : 1;
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

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures the time from an event to its line in the output of `ringside stream`. It writes markers, each with the time at which it is written, to the
 * instance of the stream, reads the output of the stream from standard input, and notes when each marker arrives.
 *	ringside stream -B NAME -e sched_switch | delay .../instances/NAME/trace_marker SECONDS
 * Prints how many markers were written and how many came back, and the median, the 99th percentile and the maximum in ms. The exit status is 0 if all
 * came back.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MARK "ringside-delay "

/* How long the instance of the stream, then its first event, and at last the last markers are waited for. */
#define MOST_SECONDS 60

static struct {
	const char *marker;
	double seconds;
	unsigned int written;
	uint64_t done; /* when the last marker had been written for a while; 0: not yet */
} job;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Has the stream enabled sched_switch in the instance of the marker? A new instance is on, too, until the stream has switched it off. */
static int is_enabled(void)
{
	char path[PATH_MAX], value = 0;
	int fd;

	snprintf(path, sizeof(path), "%.*s/events/sched/sched_switch/enable", (int)(strrchr(job.marker, '/') - job.marker), job.marker);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 0;
	if (read(fd, &value, 1) != 1)
		value = 0;
	close(fd);
	return value == '1';
}

/* Writes the markers at random intervals, so that their times are independent of the rounds in which the stream reads. */
static void *write_marks(void *arg)
{
	unsigned int seed = 1;
	uint64_t end;
	int fd;

	/* The stream makes its instance first. */
	for (int i = 0; i < MOST_SECONDS * 10 && !is_enabled(); i++)
		usleep(100000);
	fd = open(job.marker, O_WRONLY);
	/* Its event is enabled now. No marker can be written before the stream has switched tracing on. */
	end = now_ns() + MOST_SECONDS * 1000000000ull;
	while (fd >= 0 && now_ns() < end) {
		char text[64];
		int n = snprintf(text, sizeof(text), MARK "%" PRIu64 "\n", now_ns());

		if (write(fd, text, (size_t)n) == n && !job.written++)
			end = now_ns() + (uint64_t)(job.seconds * 1e9);
		usleep(3000 + (useconds_t)(rand_r(&seed) % 40000));
	}
	usleep(500000);
	__atomic_store_n(&job.done, now_ns(), __ATOMIC_RELEASE);
	return arg;
}

/* Are there markers to wait for, when @n have come back? */
static int awaits(size_t n)
{
	uint64_t done = __atomic_load_n(&job.done, __ATOMIC_ACQUIRE);

	return !done || (n < job.written && now_ns() - done < MOST_SECONDS * 1000000000ull);
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Takes the whole lines out of @buf and leaves the rest. */
static size_t look(char *buf, size_t len, uint64_t now, uint64_t *delays, size_t *n, size_t most)
{
	char *line = buf, *end;

	while ((end = memchr(line, '\n', (size_t)(buf + len - line)))) {
		char *mark;

		*end = '\0';
		mark = strstr(line, MARK);
		if (mark && *n < most)
			delays[(*n)++] = now - strtoull(mark + strlen(MARK), NULL, 10);
		line = end + 1;
	}
	len = (size_t)(buf + len - line);
	memmove(buf, line, len);
	return len;
}

int main(int argc, char **argv)
{
	enum { MOST = 100000 };
	static uint64_t delays[MOST];
	static char buf[1 << 20];
	size_t n = 0, len = 0;
	pthread_t writer;

	if (argc != 3) {
		fprintf(stderr, "usage: delay TRACE_MARKER SECONDS < STREAM\n");
		return 2;
	}
	job.marker = argv[1];
	job.seconds = atof(argv[2]);
	if (pthread_create(&writer, NULL, write_marks, NULL))
		return 2;
	while (awaits(n)) {
		struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
		ssize_t got;

		if (poll(&in, 1, 100) <= 0)
			continue;
		got = read(STDIN_FILENO, buf + len, sizeof(buf) - len);
		if (got <= 0)
			break;
		len = look(buf, len + (size_t)got, now_ns(), delays, &n, MOST);
	}
	pthread_join(writer, NULL);
	if (!n) {
		printf("none of %u markers came back\n", job.written);
		return 1;
	}
	qsort(delays, n, sizeof(delays[0]), compare);
	printf("%zu of %u markers: median %.1f ms, p99 %.1f ms, most %.1f ms\n", n, job.written, (double)delays[n / 2] / 1e6,
	       (double)delays[n * 99 / 100] / 1e6, (double)delays[n - 1] / 1e6);
	return n != job.written;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares three ways to bring the kernel's sub-buffers into our memory: read(2); splice(2) into a pipe and read(2) from it; and a copy from the mapped
 * ring buffer (Linux 6.10 and later; it has to be copied because the kernel changes it while it is read). It also compares three ways to bring them into a
 * file: read(2) and write(2); splice(2) through a pipe; and write(2) from the mapping. All ways alternate in one run, on an instance of our own, with
 * different numbers of events at a time: from one, as a live reader finds them, to full buffers.
 *	pages [TRACEFS [FOLDER]]		FOLDER gets the file; the default is /var/tmp
 * Prints the ns that an event takes, in the best of several rounds. Documentation/DESIGN.md says what follows from the figures.
 */
#define _GNU_SOURCE
#include "lib/base/base.h"
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, EVENTS = 200000, ROUNDS = 7, EVENT_BYTES = 36 };

/* include/uapi/linux/trace_mmap.h */
struct meta_page {
	uint32_t meta_page_size, meta_struct_len, subbuf_size, nr_subbufs;
	struct {
		uint64_t lost_events;
		uint32_t id, read;
	} reader;
};
#define TRACE_MMAP_IOCTL_GET_READER _IO('R', 0x20)

struct bench {
	int marker, raw, pipe[2], file;
	const struct meta_page *meta; /* NULL: not mapped */
	const char *pages;
	uint32_t id, done; /* the page that is being read, and how many bytes of it have been read */
	char to[1 << 20];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void by_read(struct bench *b)
{
	while (read(b->raw, b->to, PAGE) > 0)
		;
}

static void by_splice(struct bench *b)
{
	ssize_t got;

	while ((got = splice(b->raw, NULL, b->pipe[1], NULL, sizeof(b->to), SPLICE_F_NONBLOCK | SPLICE_F_MOVE)) > 0)
		while (got > 0)
			got -= read(b->pipe[0], b->to, (size_t)got);
	/* A sub-buffer that is not full cannot be spliced. */
	by_read(b);
}

static void by_mapping(struct bench *b)
{
	while (!ioctl(b->raw, TRACE_MMAP_IOCTL_GET_READER)) {
		const char *page = b->pages + (size_t)b->meta->reader.id * PAGE;
		uint32_t used;

		memcpy(&used, page + 8, sizeof(used));
		used &= (1u << 27) - 1;
		if (b->meta->reader.id != b->id)
			b->done = 0;
		b->id = b->meta->reader.id;
		if (used == b->done)
			break;
		memcpy(b->to, page + 16 + b->done, used - b->done);
		b->done = used;
	}
}

static void put(struct bench *b, const void *at, size_t n)
{
	if (write(b->file, at, n) != (ssize_t)n)
		perror("writing the file");
}

/* Splices as lib/record/lane.c does. */
static void read_to_file(struct bench *b)
{
	size_t n = 0;

	while (read(b->raw, b->to + n, PAGE) > 0) {
		n += PAGE;
		if (n == sizeof(b->to)) {
			put(b, b->to, n);
			n = 0;
		}
	}
	put(b, b->to, n);
}

static void splice_to_file(struct bench *b)
{
	ssize_t got;

	while ((got = splice(b->raw, NULL, b->pipe[1], NULL, sizeof(b->to), SPLICE_F_NONBLOCK | SPLICE_F_MOVE)) > 0)
		while (got > 0)
			got -= splice(b->pipe[0], NULL, b->file, NULL, (size_t)got, SPLICE_F_MOVE);
	read_to_file(b);
}

static void map_to_file(struct bench *b)
{
	while (!ioctl(b->raw, TRACE_MMAP_IOCTL_GET_READER)) {
		const char *page = b->pages + (size_t)b->meta->reader.id * PAGE;
		uint32_t used;

		memcpy(&used, page + 8, sizeof(used));
		used &= (1u << 27) - 1;
		if (b->meta->reader.id == b->id && used == b->done)
			break;
		put(b, page, PAGE);
		b->id = b->meta->reader.id;
		b->done = used;
	}
}

static bool map(struct bench *b)
{
	void *meta = mmap(NULL, PAGE, PROT_READ, MAP_SHARED, b->raw, 0), *pages;

	if (meta == MAP_FAILED)
		return false;
	b->meta = meta;
	pages = mmap(NULL, (size_t)b->meta->subbuf_size * b->meta->nr_subbufs, PROT_READ, MAP_SHARED, b->raw, b->meta->meta_page_size);
	b->pages = pages;
	b->id = UINT32_MAX;
	return pages != MAP_FAILED && b->meta->subbuf_size == PAGE;
}

/* Returns the ns for each event when there are @step events to read at a time. */
static double measure(struct bench *b, void (*way)(struct bench *b), unsigned int step)
{
	const char event[EVENT_BYTES] = { 1 };
	double took = 0;

	for (unsigned int i = 0; i < EVENTS / step; i++) {
		double begin;

		for (unsigned int k = 0; k < step; k++)
			if (write(b->marker, event, sizeof(event)) < 0)
				return -1;
		begin = now();
		way(b);
		took += now() - begin;
	}
	return took / EVENTS;
}

static int open_in(const char *dir, const char *file, int flags)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	return open(path, flags);
}

static double once(const char *dir, const char *folder, void (*way)(struct bench *b), unsigned int step)
{
	static struct bench b;
	double ns = -1;

	b.marker = open_in(dir, "trace_marker_raw", O_WRONLY);
	b.raw = open_in(dir, "per_cpu/cpu0/trace_pipe_raw", O_RDONLY | O_NONBLOCK);
	b.file = open(folder, O_TMPFILE | O_RDWR, 0600);
	if (b.marker >= 0 && b.raw >= 0 && b.file >= 0 && !pipe(b.pipe)) {
		fcntl(b.pipe[1], F_SETPIPE_SZ, (int)sizeof(b.to));
		if ((way != by_mapping && way != map_to_file) || map(&b))
			ns = measure(&b, way, step);
		close(b.pipe[0]);
		close(b.pipe[1]);
	}
	if (b.meta) {
		munmap((void *)b.pages, (size_t)b.meta->subbuf_size * b.meta->nr_subbufs);
		munmap((void *)b.meta, PAGE);
		b.meta = NULL;
	}
	close(b.marker);
	close(b.raw);
	close(b.file);
	return ns;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*way)(struct bench *b);
	} ways[] = { { "read", by_read },	    { "splice", by_splice },	       { "mapped", by_mapping },
		     { "read>file", read_to_file }, { "splice>file", splice_to_file }, { "mapped>file", map_to_file } };
	static const unsigned int steps[] = { 1, 20, 1000, EVENTS };
	const char *folder = argc > 2 ? argv[2] : "/var/tmp";
	char dir[256];
	cpu_set_t cpu;
	int fd;

	CPU_ZERO(&cpu);
	CPU_SET(0, &cpu);
	snprintf(dir, sizeof(dir), "%s/instances/pages-%d", argc > 1 ? argv[1] : "/sys/kernel/tracing", getpid());
	if (sched_setaffinity(0, sizeof(cpu), &cpu) || mkdir(dir, 0755)) {
		perror(dir);
		return 1;
	}
	fd = open_in(dir, "buffer_size_kb", O_WRONLY);
	if (write(fd, "16384", 5) < 0)
		perror("buffer_size_kb");
	close(fd);
	printf("ns an event of %d bytes, the best of %d rounds\nevents at a time", EVENT_BYTES, ROUNDS);
	for (size_t w = 0; w < ARRAY_LEN(ways); w++)
		printf("%12s", ways[w].name);
	for (size_t s = 0; s < ARRAY_LEN(steps); s++) {
		double best[ARRAY_LEN(ways)] = { 0 };

		for (int round = 0; round < ROUNDS; round++)
			for (size_t w = 0; w < ARRAY_LEN(ways); w++) {
				double ns = once(dir, folder, ways[w].way, steps[s]);

				best[w] = !round || ns < best[w] ? ns : best[w];
			}
		printf("\n%16u", steps[s]);
		for (size_t w = 0; w < ARRAY_LEN(ways); w++)
			printf(best[w] < 0 ? "           -" : "%12.1f", best[w]);
	}
	putchar('\n');
	rmdir(dir);
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Measures where the time of a report goes, on one thread. Prints a row of a table, in nanoseconds of CPU time for each record.
 *
 *	phases LABEL FILE
 *
 * Reading, inflating and decoding are measured for one CPU after the other. Merging is the time by which it takes longer to read all CPUs in the order of
 * time than to read one after the other. Formatting is the time that making the text adds. Writing is the time by which a file takes longer than /dev/null.
 * Each figure is the median of five rounds.
 */
#define _GNU_SOURCE
#include "lib/analysis/pass.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/bytes.h"
#include "lib/data/format.h"
#include "lib/data/source.h"
#include "lib/output/lines.h"

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 5, SPAN = 128 << 10 };
enum { OPEN, READ, INFLATE, DECODE, MERGE, FORMAT, WRITE, PHASES };

struct work {
	const char *path;
	struct datfile *file;
	struct trace *trace;
	struct trace_options opt;
	struct pool *pool;
	int null, scratch;
	uint64_t records;
	double took[PHASES][ROUNDS];
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int unpack(const struct datfile *file, const uint8_t *at, size_t size, uint8_t *out)
{
	while (size >= DAT_CHUNK_HEADER) {
		uint32_t packed = get32(at, file->meta.big_endian), plain = get32(at + 4, file->meta.big_endian);

		if (packed > size - DAT_CHUNK_HEADER || file->codec->unpack(at + DAT_CHUNK_HEADER, packed, out, plain))
			return -EINVAL;
		at += DAT_CHUNK_HEADER + packed;
		size -= DAT_CHUNK_HEADER + packed;
		out += plain;
	}
	return 0;
}

/* Reads and unpacks all data of one CPU, and adds the times to *@read and *@inflate. */
static int fetch(const struct work *w, const struct datbuf *buffer, const struct datcpu *cpu, double *read, double *inflate)
{
	__cleanup(free_ptr) uint8_t *packed = NULL, *plain = NULL;
	struct source source;
	struct span span;
	int got, err = source_open(&source, w->file, buffer, cpu);

	while (!err && (got = source_next(&source, SPAN, &span)) > 0) {
		double t0 = now(), t1;
		uint8_t *room = realloc(packed, span.size + 1);

		packed = room ? room : packed;
		if (!room || io_pread(w->file->fd, packed, span.size, span.offset) != (ssize_t)span.size)
			return -EIO;
		t1 = now();
		*read += t1 - t0;
		if (!buffer->compressed)
			continue;
		room = realloc(plain, span.plain_size + 1);
		plain = room ? room : plain;
		err = room ? unpack(w->file, packed, span.size, plain) : -ENOMEM;
		*inflate += now() - t1;
	}
	return err;
}

/* Merges the records of @cpus (NULL: all), and does nothing with them. */
static int merge_only(struct work *w, const struct cpuset *cpus)
{
	struct merge_input input = { .file = w->file, .graph = w->trace->graph, .cpus = cpus };
	struct merge *merge = NULL;
	struct batch *batch;
	int err = merge_open(&merge, &input, 1, w->pool);

	w->records = cpus ? w->records : 0;
	while (!err && (err = merge_next(merge, &batch)) > 0) {
		w->records += cpus ? 0 : batch->n;
		batch_put(batch);
		err = 0;
	}
	merge_close(merge);
	return err;
}

static int lines(struct work *w, int fd)
{
	struct merge_input input = { .file = w->file, .graph = w->trace->graph, .fold = lines_analysis.folds(w->trace) };
	struct input in = { .trace = w->trace, .file = w->file };
	const inputs_t inputs = { .at = &in, .n = 1 };
	struct clock_options how = { 0 };
	struct lines_options opt = { 0 };
	struct handler *handler;
	struct pass pass = { 0 };
	int err = merge_open(&pass.merge, &input, 1, w->pool);

	clock_init(&in.clock, &w->file->meta, &how);
	if (!err)
		err = lines_new(&handler, &inputs, &opt, w->pool, fd);
	if (!err)
		err = pass_add_handler(&pass, handler);
	if (!err)
		err = pass_run(&pass);
	pass_fini(&pass);
	merge_close(pass.merge);
	return err;
}

static int one_cpu(struct work *w, const struct datbuf *buffer, const struct datcpu *cpu, double *took)
{
	struct cpuset only = { 0 };
	char text[16];
	double t0;
	int err;

	snprintf(text, sizeof(text), "%u", cpu->cpu);
	err = fetch(w, buffer, cpu, &took[READ], &took[INFLATE]) ?: parse_cpus(text, &only);
	t0 = now();
	err = err ?: merge_only(w, &only);
	took[DECODE] += now() - t0;
	cpuset_fini(&only);
	return err;
}

static int one_round(struct work *w, int round)
{
	double took[PHASES] = { 0 }, t[4], t0 = now();
	int err = datfile_open(&w->file, w->path) ?: trace_open(&w->trace, &w->file->meta, &w->opt, 0);

	took[OPEN] = now() - t0;
	for (size_t b = 0; !err && b < MIN(w->file->buffers.n, (size_t)1); b++)
		vec_each (&w->file->buffers.at[b].cpus, cpu)
			err = err ?: one_cpu(w, &w->file->buffers.at[b], cpu, took);
	t[0] = now();
	err = err ?: merge_only(w, NULL);
	t[1] = now();
	err = err ?: lines(w, w->null);
	t[2] = now();
	err = err ?: ftruncate(w->scratch, 0) ?: lines(w, w->scratch);
	t[3] = now();
	took[MERGE] = t[1] - t[0] - took[DECODE];
	took[DECODE] -= took[READ] + took[INFLATE];
	took[FORMAT] = t[2] - t[1] - (t[1] - t[0]);
	took[WRITE] = t[3] - t[2] - (t[2] - t[1]);
	for (int i = 0; i < PHASES; i++)
		w->took[i][round] = took[i];
	trace_close(w->trace);
	datfile_close(w->file);
	w->trace = NULL;
	w->file = NULL;
	return err;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct work w = { .null = open("/dev/null", O_WRONLY) };
	char scratch[] = "/var/tmp/ringside-phases-XXXXXX";
	int err = 0;

	if (argc != 3) {
		fprintf(stderr, "usage: phases LABEL FILE\n");
		return 2;
	}
	w.path = argv[2];
	w.scratch = mkstemp(scratch);
	if (w.null < 0 || w.scratch < 0 || pool_new(&w.pool, 1))
		return fail(errno, "%s: %m", scratch) != 0;
	unlink(scratch);
	for (int i = 0; !err && i < ROUNDS; i++)
		err = one_round(&w, i);
	pool_free(w.pool);
	if (err || !w.records)
		return fail(err ? -err : ENODATA, "%s: no times of it", w.path) != 0;
	printf("| %-44s |", argv[1]);
	for (int i = 0; i < PHASES; i++) {
		qsort(w.took[i], ROUNDS, sizeof(w.took[i][0]), by_value);
		printf(" %7.1f |", i == OPEN ? w.took[i][ROUNDS / 2] / 1e6 : w.took[i][ROUNDS / 2] / (double)w.records);
	}
	printf(" %llu |\n", (unsigned long long)w.records);
	return 0;
}

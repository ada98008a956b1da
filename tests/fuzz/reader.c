/* SPDX-License-Identifier: GPL-2.0 */
/* A whole trace.dat: opened, merged to its end, every byte of every record looked at; and the middle of its time once more. */
#define _GNU_SOURCE
#include "lib/base/io.h"
#include "lib/data/clock.h"
#include "lib/data/merge.h"
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <sys/mman.h>

static uint64_t sum_bytes(const void *data, size_t n)
{
	const uint8_t *at = data;
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += at[i];
	return sum;
}

static uint64_t sum_batch(const struct batch *batch, const struct clock *clock)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < batch->n; i++) {
		const struct record *rec = &batch->records[i];

		if (rec->flags & RECORD_NODATA)
			continue;
		if (!(rec->flags & RECORD_LEAF) != !rec->exit)
			abort();
		sum += sum_bytes(rec->data, rec->size) + sum_bytes(rec->exit, rec->exit ? rec->exit_size : 0) + clock_time(clock, rec->cpu, rec->ts);
	}
	return sum;
}

static void add_end(void *ctx, const struct merge_end *end)
{
	struct merge_end *all = ctx;

	all->first = MIN(all->first, end->first);
	all->last = MAX(all->last, end->last);
}

/* Leaves the middle third of its time. */
static int narrow(struct merge *merge, const struct clock *clock)
{
	struct merge_end all = { .first = UINT64_MAX };
	uint64_t third;
	int err = merge_ends(merge, add_end, &all);

	third = all.last > all.first ? (all.last - all.first) / 3 : 0;
	all.first = clock_time(clock, 0, all.first + third);
	all.last = clock_time(clock, 0, all.last - third);
	return err ? err : merge_narrow(merge, all.first, all.last, true);
}

static uint64_t read_all(struct datfile *file, bool middle)
{
	struct clock clock;
	struct merge_input input = {
		.file = file,
		.graph = { .entry = { 11, 8, 8 }, .exit = { 10, 8, 8 }, .pid_offset = 4 },
		.clock = &clock,
	};
	struct merge *merge;
	struct batch *batch;
	uint64_t sum = 0;
	int err;

	clock_init(&clock, &file->meta, &(struct clock_options){ 0 });
	if (merge_open(&merge, &input, 1, NULL))
		return 0;
	err = middle ? narrow(merge, &clock) : 0;
	while (!err && merge_next(merge, &batch) > 0) {
		sum += sum_batch(batch, &clock);
		batch_put(batch);
	}
	merge_close(merge);
	return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	__cleanup(close_fd) int fd = memfd_create("fuzz", MFD_CLOEXEC);
	static volatile uint64_t sum;
	struct datfile *file;
	char path[32];

	if (fd < 0 || io_write(fd, data, size))
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (datfile_open(&file, path))
		return 0;
	sum += read_all(file, false) + read_all(file, true);
	datfile_close(file);
	return 0;
}

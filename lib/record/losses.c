/* SPDX-License-Identifier: GPL-2.0 */
/* When events were lost: what would have prevented it. After the file is there, as it reads the spools again. */
#include "lib/record/run.h"

#include "lib/base/err.h"
#include "lib/base/io.h"

/* Of each lane so many pages are looked into, spread over all of it. */
enum { SAMPLES = 64 };

/* The header, which tells whether events were lost before the page; then the page, which tells how many. */
static bool page_info_at(const struct page_format *format, int fd, uint64_t offset, struct str *page, uint32_t size,
			 struct page_info *info)
{
	size_t want = format->data_offset;

	for (;;) {
		if (io_pread(fd, page->at, want, offset) != (ssize_t)want)
			return false;
		page_info_read(format, (const uint8_t *)page->at, want, info);
		if (!info->lost || want == size)
			return true;
		want = size;
	}
}

/* The most events that were lost in one stretch. */
static uint64_t longest_gap(const struct page_format *format, const struct lane_result *lane, struct str *page, uint32_t size,
			    const struct cpu_outcome *cpu)
{
	struct gaps gaps = { .ring = cpu->buffer_kb * 1024, .since = UINT64_MAX / 2 };
	struct page_info info;
	uint64_t told = 0;

	for (uint64_t at = 0; at < lane->size && page_info_at(format, lane->fd, lane->offset + at, page, size, &info); at += size) {
		gaps_page(&gaps, info.lost, info.used);
		told += info.lost > 0 ? (uint64_t)info.lost : 0;
	}
	/* What no page tells of was lost behind the last, or the kernel did not say how many it was: then it may have been at once. */
	return MAX(gaps.longest, cpu->lost - MIN(told, cpu->lost));
}

static int sample(struct tally *t, const struct lane_result *lane, struct str *page, uint32_t size)
{
	uint64_t pages = lane->size / size, step = MAX(pages / SAMPLES, (uint64_t)1);
	int err = 0;

	for (uint64_t i = 0; i < pages && !err; i += step)
		if (io_pread(lane->fd, page->at, size, lane->offset + i * size) == (ssize_t)size)
			err = tally_page(t, page->at, size);
	return err;
}

static int look(struct run *run, struct tally *t, uint64_t *kept, uint64_t *lost)
{
	struct page_format format;
	struct str page = { 0 };
	int err = page_format_parse(&format, &run->meta.header_page, run->meta.big_endian, run->meta.user_long_size);

	for (size_t i = 0; i < run->out->cpus.n && !err; i++) {
		struct cpu_outcome *cpu = &run->out->cpus.at[i];
		uint32_t size = run->buffers.at[run->lanes.at[i].buffer].page_size;
		struct lane_result lane;

		if (!cpu->lost)
			continue;
		*kept += cpu->events;
		*lost += cpu->lost;
		recorder_result(run->recorder, i, &lane);
		err = str_room(&page, size) ? 0 : -ENOMEM;
		if (!err)
			cpu->gap = longest_gap(&format, &lane, &page, size, cpu);
		if (!err && t->nkinds)
			err = sample(t, &lane, &page, size);
	}
	str_fini(&page);
	return err;
}

void run_explain_losses(struct run *run)
{
	uint64_t kept = 0, lost = 0;
	struct tally t = { 0 };

	if (!run->recorder || run->out->cpus.n != recorder_lanes(run->recorder))
		return;
	tally_init(&t, &run->meta);
	if (look(run, &t, &kept, &lost) == 0 && lost && t.events)
		tally_advice(&t, &run->meta.kallsyms, (unsigned int)((double)kept * 100 / (double)(kept + lost)), &run->out->advice);
	tally_fini(&t);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Explains what would have prevented the loss of events. Runs when the file has been made, because it reads all pages again. */
#include "lib/record/run.h"

#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/record/packed.h"

/* About how many pages of each lane are tallied. They are spread over the whole lane. */
enum { SAMPLES = 64 };
/* Bytes read from a spool at once. */
#define PIECE (128u << 10)

/* The pages of one lane. */
struct look {
	const struct page_format *format;
	uint32_t size; /* the size of a page */
	struct gaps gaps;
	uint64_t told; /* how many events were lost according to the pages */
	struct tally *t;
	uint64_t seen, step; /* how many pages were seen; every step-th page goes into the tally */
	struct str piece;
};

static int look_at(void *ctx, __unused uint64_t at, const char *pages, size_t size)
{
	struct look *look = ctx;
	int err = 0;

	for (size_t i = 0; i + look->size <= size && !err; i += look->size) {
		struct page_info info;

		page_info_read(look->format, (const uint8_t *)pages + i, look->size, &info);
		gaps_page(&look->gaps, info.lost, info.used);
		look->told += info.lost > 0 ? (uint64_t)info.lost : 0;
		if (look->t->nkinds && look->seen % look->step == 0)
			err = tally_page(look->t, pages + i, look->size);
		look->seen++;
	}
	return err;
}

/* Looks at the recorded data in the spool from @at to @end. */
static int look_at_spool(struct look *look, const struct lane_result *lane, uint64_t at, uint64_t end)
{
	uint64_t most = MAX(PIECE / look->size, 1u) * look->size;
	int err = str_room(&look->piece, most) ? 0 : -ENOMEM;

	for (; at < end && !err; at += most) {
		ssize_t got = io_pread(lane->fd, look->piece.at, MIN(most, end - at), lane->offset + at);

		err = got < 0 ? (int)got : look_at(look, at, look->piece.at, (size_t)got);
	}
	return err;
}

static int look_at_lane(struct look *look, const struct lane_result *lane, const struct packed_part *part, const struct codec *codec)
{
	const struct packed_part none = { 0 };
	uint64_t done = 0;
	int err = 0;

	part = part ? part : &none;
	vec_each (&part->runs, run) {
		if (!err)
			err = look_at_spool(look, lane, done, run->at);
		if (!err)
			err = packed_pages(part->fd, run, codec, look_at, look);
		done = run->at + run->plain;
	}
	return err ? err : look_at_spool(look, lane, done, lane->size);
}

static int look(struct run *run, struct tally *t, uint64_t *kept, uint64_t *lost)
{
	const struct codec *codec = codec_find(run->spec->compression);
	struct page_format format;
	int err = page_format_parse(&format, &run->meta.header_page, run->meta.big_endian, run->meta.user_long_size);

	for (size_t i = 0; i < run->out->cpus.n && !err; i++) {
		struct cpu_outcome *cpu = &run->out->cpus.at[i];
		struct look look = {
			.format = &format,
			.size = run->buffers.at[run->lanes.at[i].buffer].page_size,
			.t = t,
			.gaps = { .ring = cpu->buffer_kb * 1024, .since = UINT64_MAX / 2 },
		};
		struct lane_result lane;

		if (!cpu->lost)
			continue;
		*kept += cpu->events;
		*lost += cpu->lost;
		recorder_result(run->recorder, i, &lane);
		look.step = MAX(lane.size / look.size / SAMPLES, (uint64_t)1);
		err = look_at_lane(&look, &lane, packer_part(run->packer, i), codec);
		/*
		 * Some lost events are not noted in any page: they were lost behind the last page, or the kernel did not say how many were lost. All these
		 * may have been lost at once.
		 */
		if (!err)
			cpu->gap = MAX(look.gaps.longest, cpu->lost - MIN(look.told, cpu->lost));
		str_fini(&look.piece);
	}
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

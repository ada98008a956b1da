/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Splits a file into parts. Each CPU of each buffer is a lane. A lane has its own merge, so that a part can be written lane by lane. Each lane finds out by
 * itself how many of its records belong to a part. The exception are parts that have a given number of events of all CPUs together. For such parts, a pass
 * over all lanes in the order of time counts the records first.
 */
#include "lib/data/split.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/data/page-write.h"

#include <stdio.h>
#include <unistd.h>

struct lane {
	const struct datbuf *buf;
	const struct datcpu *cpu;
	struct merge *merge;
	struct batch *batch;
	size_t at; /* the index of the next record in the batch */
	bool ended;
	bool took; /* the lane's last record was written to the present part */
	struct page_writer writer;
	uint64_t last; /* in the pass that counts: the number of the part that has the lane's last record */
};

struct split {
	struct datfile *file;
	struct split_options how;
	int spool;
	VEC(struct lane) lanes;
	VEC(uint64_t) counts; /* for SPLIT_EVENTS of all CPUs: the number of records of each lane, for one part after the other */
	size_t parts;	      /* how many parts were given so far */
	struct split_part part;
	uint64_t written; /* how many bytes are in the spool */
	uint64_t window;  /* for SPLIT_TIME: the end of the part, for all CPUs together */
	bool damaged;
};

static bool buffer_wanted(const struct split *split, const struct datbuf *buf)
{
	return !buf->latency && (!split->how.buffer_wanted || split->how.buffer_wanted(split->how.ctx, buf->name));
}

static bool cpu_wanted(const struct split *split, const struct datcpu *cpu)
{
	return cpu->size && cpuset_wants(split->how.cpus, cpu->cpu);
}

/* Makes a merge take only one buffer. */
static bool is_buffer(void *ctx, const char *name)
{
	return ctx == name;
}

static int lane_open(struct split *split, struct lane *lane, const struct page_format *header)
{
	struct cpuset only = { 0 };
	struct page_format format = *header;
	char number[16];
	int err;

	snprintf(number, sizeof(number), "%u", lane->cpu->cpu);
	err = parse_cpus(number, &only);
	if (!err) {
		struct merge_input input = {
			.file = split->file,
			.graph = split->how.graph,
			.cpus = &only,
			.buffer_wanted = is_buffer,
			.ctx = lane->buf->name,
		};

		/* The merge has no threads, because they would decode ahead for each of hundreds of lanes. */
		err = merge_open(&lane->merge, &input, 1, NULL);
	}
	cpuset_fini(&only);
	format.page_size = lane->buf->page_size;
	return err ? err : page_writer_init(&lane->writer, &format);
}

static int open_lanes(struct split *split)
{
	const struct metadata *meta = &split->file->meta;
	struct page_format format;
	int err = page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size);

	vec_each (&split->file->buffers, buf) {
		if (!buffer_wanted(split, buf))
			continue;
		vec_each (&buf->cpus, cpu)
			if (!err && cpu_wanted(split, cpu))
				err = vec_push(&split->lanes, (struct lane){ .buf = buf, .cpu = cpu });
	}
	vec_each (&split->lanes, lane)
		err = err ? err : lane_open(split, lane, &format);
	return err;
}

static uint64_t rounded(const struct split *split, uint64_t ts)
{
	return split->how.unit > 1 ? (ts + split->how.unit / 2) / split->how.unit * split->how.unit : ts;
}

static uint64_t time_of(const struct split *split, const struct lane *lane, const struct record *rec)
{
	return clock_time(&split->how.clock, lane->cpu->cpu, rec->ts);
}

/* *@out becomes the lane's next record, which need not belong to the present part. Returns 1, 0 at the end of the lane, or -errno. */
static int lane_peek(struct split *split, struct lane *lane, const struct record **out)
{
	while (!lane->ended) {
		uint64_t ts;
		int got;

		if (!lane->batch || lane->at == lane->batch->n) {
			batch_put(take(lane->batch));
			got = merge_next(lane->merge, &lane->batch);
			split->damaged |= merge_damaged(lane->merge);
			lane->at = 0;
			lane->ended = got <= 0;
			if (got <= 0)
				return got;
		}
		*out = &lane->batch->records[lane->at];
		ts = rounded(split, time_of(split, lane, *out));
		if (ts >= split->how.start && ts <= split->how.end)
			return 1;
		/* This is the exit of a call whose entry is in the part. */
		if (lane->took && ((*out)->flags & RECORD_FOLDED))
			return 1;
		lane->ended = ts > split->how.end;
		lane->at++;
	}
	return 0;
}

/* --- parts of so many events of all CPUs ------------------------------------------------------------------ */

static int end_of_count(struct split *split, uint64_t *events)
{
	vec_each (&split->lanes, lane)
		if (vec_push(&split->counts, 0))
			return fail(ENOMEM, "no memory for so many parts");
	*events = 0;
	return 0;
}

static struct lane *lane_of(const struct split *split, const struct record *rec)
{
	const struct datbuf *buf = &split->file->buffers.at[rec->buffer];

	vec_each (&split->lanes, lane)
		if (lane->buf == buf && lane->cpu->cpu == rec->cpu)
			return lane;
	return NULL;
}

static int count_record(struct split *split, const struct record *rec, uint64_t *events)
{
	const size_t lanes = split->lanes.n;
	struct lane *lane = lane_of(split, rec);
	uint64_t ts = rounded(split, time_of(split, lane, rec)), part;
	int err = 0;

	if (lane->took && (rec->flags & RECORD_FOLDED)) {
		split->counts.at[lane->last * lanes + (size_t)(lane - split->lanes.at)]++;
		*events += lane->last == split->counts.n / lanes - 1;
		return 0;
	}
	lane->took = ts >= split->how.start && ts <= split->how.end;
	if (!lane->took)
		return 0;
	if (!split->counts.n || *events >= split->how.limit)
		err = end_of_count(split, events);
	if (err)
		return err;
	part = split->counts.n / lanes - 1;
	lane->last = part;
	split->counts.at[part * lanes + (size_t)(lane - split->lanes.at)]++;
	*events += !(rec->flags & RECORD_NODATA);
	return 0;
}

static int count_events(struct split *split)
{
	struct merge_input input = {
		.file = split->file,
		.graph = split->how.graph,
		.cpus = split->how.cpus,
		.clock = &split->how.clock,
		.buffer_wanted = split->how.buffer_wanted,
		.ctx = split->how.ctx,
	};
	struct merge *merge;
	struct batch *batch;
	uint64_t events = 0;
	int got, err = merge_open(&merge, &input, 1, split->how.pool);

	if (err)
		return err;
	while (!err && (got = merge_next(merge, &batch)) != 0) {
		err = MIN(got, 0);
		for (size_t i = 0; !err && i < batch->n; i++)
			err = count_record(split, &batch->records[i], &events);
		if (got > 0)
			batch_put(batch);
	}
	merge_close(merge);
	vec_each (&split->lanes, lane)
		lane->took = false;
	return err;
}

/* --- one part ----------------------------------------------------------------------------------------------- */

/* This tells how much of a lane is in the present part so far. */
struct so_far {
	uint64_t records, events, pages;
	uint64_t end; /* for SPLIT_TIME: the end of the part for this lane */
};

/* Returns how many records of the lane belong to the present part, as counted before. Returns UINT64_MAX if this was not counted. */
static uint64_t counted(const struct split *split, const struct lane *lane)
{
	size_t at = split->parts * split->lanes.n + (size_t)(lane - split->lanes.at);

	return at < split->counts.n ? split->counts.at[at] : UINT64_MAX;
}

/* Does the present part end for this lane before @rec? */
static bool is_full(const struct split *split, const struct lane *lane, const struct so_far *at, const struct record *rec)
{
	switch (split->how.by) {
	case SPLIT_WHOLE:
		break;
	case SPLIT_TIME:
		return time_of(split, lane, rec) >= at->end;
	case SPLIT_EVENTS:
		if (split->how.per_cpu)
			return at->events >= split->how.limit;
		return at->records >= counted(split, lane);
	case SPLIT_PAGES:
		return at->pages >= split->how.limit && (rec->flags & RECORD_PAGE);
	}
	return false;
}

static int flush_page(struct split *split, struct lane *lane, struct write_cpu *row)
{
	int err;

	if (!lane->writer.begun)
		return 0;
	page_writer_end(&lane->writer);
	err = io_pwrite(split->spool, lane->writer.page, lane->buf->page_size, split->written);
	if (err)
		return fail(-err, "cannot write the pages of CPU %u: %s", row->cpu, strerror(-err));
	split->written += lane->buf->page_size;
	row->size += lane->buf->page_size;
	return 0;
}

static int write_record(struct split *split, struct lane *lane, struct write_cpu *row, const struct record *rec)
{
	int err;

	if (page_writer_add(&lane->writer, rec))
		return 0;
	err = flush_page(split, lane, row);
	if (!err && !page_writer_add(&lane->writer, rec))
		err = fail(E2BIG, "%s: an event of %u bytes on CPU %u does not fit into a sub-buffer", split->file->path, rec->size, row->cpu);
	return err;
}

static uint64_t window_from(const struct split *split, uint64_t ts)
{
	return ts > UINT64_MAX - split->how.limit ? UINT64_MAX : ts + split->how.limit;
}

/* Writes the lane's records of the present part into the spool. Returns 0 or -errno. */
static int write_lane(struct split *split, struct lane *lane, struct write_cpu *row)
{
	struct so_far at = { .end = split->window };
	const struct record *rec;
	int got, err = 0;

	*row = (struct write_cpu){ .cpu = lane->cpu->cpu, .fd = split->spool, .offset = split->written };
	lane->took = false;
	while (!err && (got = lane_peek(split, lane, &rec)) != 0) {
		bool folded = lane->took && (rec->flags & RECORD_FOLDED);

		if (got < 0)
			return got;
		if (!at.records && split->how.by == SPLIT_TIME && split->how.per_cpu)
			at.end = window_from(split, time_of(split, lane, rec));
		if (!folded && is_full(split, lane, &at, rec))
			break;
		err = write_record(split, lane, row, rec);
		at.records++;
		at.events += !(rec->flags & RECORD_NODATA);
		at.pages += !!(rec->flags & RECORD_PAGE);
		lane->took = true;
		lane->at++;
	}
	split->part.events += at.events;
	return err ? err : flush_page(split, lane, row);
}

static void clear_part(struct split *split)
{
	vec_each (&split->part.buffers, buffer)
		vec_fini(&buffer->cpus);
	split->part.buffers.n = 0;
	split->part.events = 0;
	split->written = 0;
}

static int add_buffers(struct split *split)
{
	vec_each (&split->file->buffers, buf)
		if (buffer_wanted(split, buf) &&
		    vec_push(&split->part.buffers, (struct write_buffer){ .name = buf->name, .clock = buf->clock, .page_size = buf->page_size }))
			return -ENOMEM;
	return 0;
}

/* Writes all lanes. They are in the order of buffers and CPUs. Returns 0 or -errno. */
static int write_lanes(struct split *split)
{
	struct write_buffer *to = split->part.buffers.at;

	vec_each (&split->lanes, lane) {
		struct write_cpu row;
		int err = write_lane(split, lane, &row);

		while (to->name != lane->buf->name)
			to++;
		if (!err && row.size)
			err = vec_push(&to->cpus, row);
		if (err)
			return err;
	}
	return 0;
}

/* Returns 1 if any record is left, 0 if not, or -errno. Finds the window of the next part from the earliest record. */
static int look_ahead(struct split *split)
{
	uint64_t first = UINT64_MAX;
	const struct record *rec;
	bool any = false;

	vec_each (&split->lanes, lane) {
		int got;

		lane->took = false;
		got = lane_peek(split, lane, &rec);
		if (got < 0)
			return got;
		if (!got)
			continue;
		any = true;
		first = MIN(first, time_of(split, lane, rec));
	}
	if (any)
		split->window = window_from(split, first);
	return any;
}

static int said(const struct split *split, int err)
{
	return err == -ENOMEM ? fail(ENOMEM, "%s: out of memory", split->file->path) : err;
}

int split_next(struct split *split, const struct split_part **out)
{
	int err;

	do {
		int got = look_ahead(split);

		if (got <= 0)
			return said(split, got);
		clear_part(split);
		err = ftruncate(split->spool, 0) ? -errno : add_buffers(split);
		if (err)
			return fail(-err, "cannot begin a part: %s", strerror(-err));
		err = write_lanes(split);
		split->parts++;
	} while (!err && !split->part.events);
	*out = &split->part;
	return err ? said(split, err) : 1;
}

bool split_damaged(const struct split *split)
{
	return split->damaged;
}

int split_new(struct split **out, struct datfile *file, int spool, const struct split_options *how)
{
	struct split *split = calloc(1, sizeof(*split));
	int err;

	if (!split)
		return fail(ENOMEM, "%s: %m", file->path);
	split->file = file;
	split->how = *how;
	split->how.per_cpu |= how->by == SPLIT_PAGES;
	split->spool = spool;
	err = open_lanes(split);
	if (!err && split->how.by == SPLIT_EVENTS && !split->how.per_cpu)
		err = count_events(split);
	if (err) {
		said(split, err);
		split_free(split);
		return err;
	}
	*out = split;
	return 0;
}

void split_free(struct split *split)
{
	if (!split)
		return;
	vec_each (&split->lanes, lane) {
		batch_put(lane->batch);
		merge_close(lane->merge);
		page_writer_fini(&lane->writer);
	}
	vec_fini(&split->lanes);
	vec_fini(&split->counts);
	clear_part(split);
	vec_fini(&split->part.buffers);
	free(split);
}

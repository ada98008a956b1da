/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/stream.h"
#include "lib/base/err.h"
#include "lib/data/leaf.h"

#include <stdio.h>

/* At most this many places of damage are reported for each file. */
enum { MOST_REPORTED = 10 };

int stream_open(struct stream *stream, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu, const struct page_format *format,
		const struct graph_ids *graph)
{
	stream->how = (struct decoding){
		.file = file,
		.format = *format,
		.leaf = { graph, leaf_clock_of(file, buf), format->big_endian },
		.compressed = buf->compressed,
	};
	stream->how.format.page_size = buf->page_size;
	stream->last = &stream->first;
	return source_open(&stream->source, file, buf, cpu);
}

void stream_close(struct stream *stream)
{
	while (stream->first) {
		struct chunk *chunk = stream->first;

		stream->first = chunk->next;
		if (!stream->shared->live)
			pool_wait(stream->shared->pool, &chunk->job);
		chunk_put(chunk);
	}
	stream->last = &stream->first;
	chunk_put(stream->chunk);
	chunk_put(stream->after);
	stream->chunk = stream->after = NULL;
}

/* *@out becomes a chunk for the next span, which is not decoded yet. Returns 1, 0 at the end, or -errno. */
static int next_chunk(struct stream *stream, struct chunk **out)
{
	struct span span;
	int err = source_next(&stream->source, stream->shared->span_size, &span);

	if (err <= 0)
		return err;
	*out = chunk_get(&stream->shared->shelf);
	if (!*out)
		return -ENOMEM;
	(*out)->span = span;
	(*out)->how = &stream->how;
	return 1;
}

int stream_start(struct stream *stream)
{
	while (!stream->ended && stream->queued < stream->shared->ahead) {
		struct chunk *chunk;
		int err = next_chunk(stream, &chunk);

		if (err < 0)
			return err;
		if (!err) {
			stream->ended = true;
			break;
		}
		*stream->last = chunk;
		stream->last = &chunk->next;
		stream->queued++;
		pool_submit(stream->shared->pool, &chunk->job);
	}
	return 0;
}

void stream_feed(struct stream *stream, struct chunk *chunk)
{
	chunk->next = NULL;
	*stream->last = chunk;
	stream->last = &chunk->next;
	stream->queued++;
}

/* *@out becomes the next chunk, decoded. Returns 1, 0 at the end, or -errno. */
static int take_chunk(struct stream *stream, struct chunk **out)
{
	struct chunk *chunk = stream->first;
	int err;

	if (!stream->shared->ahead && !stream->shared->live) {
		err = next_chunk(stream, out);
		if (err > 0)
			chunk_decode(&(*out)->job);
		return err;
	}
	if (!chunk)
		return 0;
	if (!stream->shared->live)
		pool_wait(stream->shared->pool, &chunk->job);
	stream->first = chunk->next;
	if (!stream->first)
		stream->last = &stream->first;
	stream->queued--;
	*out = chunk;
	return 1;
}

static void report(struct stream *stream, const struct damage *damage)
{
	const struct datfile *file = stream->source.file;
	const char *name = file->buffers.at[stream->buffer].name;
	char byte[64] = "";
	unsigned int reported;

	if (damage->unpacked)
		snprintf(byte, sizeof(byte), " (byte %llu of the unpacked chunk)", (unsigned long long)damage->byte);
	stream->shared->damages++;
	if (stream->shared->hushed)
		return;
	reported = ++stream->shared->reported[stream->file];
	if (reported <= MOST_REPORTED)
		fail(EINVAL, "%s: the data of CPU %u%s%s are damaged at offset %llu%s: %s", file->path, stream->cpu, *name ? " of instance " : "", name,
		     (unsigned long long)damage->offset, byte, damage->what);
	else if (reported == MOST_REPORTED + 1)
		fail(EINVAL, "%s: more of it is damaged; further places are not listed", file->path);
}

/* *@out becomes the next chunk that has records, or NULL at the end. Returns 0 or -errno. */
static int take_records(struct stream *stream, struct chunk **out)
{
	struct chunk *chunk;
	int got;

	*out = NULL;
	while ((got = take_chunk(stream, &chunk)) > 0) {
		int err = chunk->err ?: stream_start(stream);

		vec_each (&chunk->damages, damage)
			report(stream, damage);
		if (err) {
			chunk_put(chunk);
			return err;
		}
		if (chunk->records.n) {
			record_add_lost(&chunk->records.at[0], stream->lost);
			stream->lost = chunk->lost;
			*out = chunk;
			return 0;
		}
		stream->lost = lost_sum(stream->lost, chunk->lost);
		chunk_put(chunk);
	}
	return got;
}

/*
 * Ends the chunk. Its last record was kept back, because its exit may be the first record of the next chunk. Returns 1, 0 if it has to wait for that chunk,
 * or -errno.
 */
static int finish_chunk(struct stream *stream)
{
	recordvec_t *records = &stream->chunk->records;
	const struct streaming *shared = stream->shared;
	int err;

	if (shared->live && !stream->first && records->at[records->n - 1].ts > shared->due)
		return 0;
	err = take_records(stream, &stream->after);
	if (err)
		return err;
	if (stream->after)
		leaf_pair(&stream->how.leaf, records, &stream->after->records);
	stream->end = records->at + records->n;
	return 1;
}

/* After the last chunk, the stream may still have a loss. Returns 1 if it has one, and makes a record for it. Otherwise returns 0. */
static int finish_stream(struct stream *stream)
{
	if (!stream->lost || (stream->shared->live && stream->shared->due != UINT64_MAX))
		return 0;
	stream->tail = (struct record){
		.ts = stream->last_ts,
		.lost = stream->lost,
		.flags = RECORD_LOST | RECORD_NODATA,
	};
	stream->lost = 0;
	stream->at = &stream->tail;
	stream->end = stream->at + 1;
	return 1;
}

static int next_run(struct stream *stream)
{
	recordvec_t *records;
	bool waits;
	int err;

	if (stream->chunk) {
		records = &stream->chunk->records;
		if (stream->end < records->at + records->n)
			return finish_chunk(stream);
		stream->last_ts = records->at[records->n - 1].ts;
		chunk_put(take(stream->chunk));
	}
	stream->chunk = take(stream->after);
	if (!stream->chunk) {
		err = take_records(stream, &stream->chunk);
		if (err)
			return err;
	}
	if (!stream->chunk)
		return finish_stream(stream);
	records = &stream->chunk->records;
	waits = leaf_is_entry(&stream->how.leaf, &records->at[records->n - 1]);
	stream->at = records->at;
	stream->end = records->at + records->n - waits;
	return stream->at < stream->end ? 1 : finish_chunk(stream);
}

/* The last record of the run is a leaf. Is its exit after the end of the window? */
static bool ends_outside(const struct stream *stream)
{
	return stream->over || (stream->after && stream->after->records.at[0].ts > stream->to);
}

/*
 * Removes the records outside of the window from the run. A loss after the last record is kept only if that record is. If the window has only one of the two
 * records of a leaf, this record stands for itself, and is marked so that nobody puts the leaf together.
 */
static void trim(struct stream *stream)
{
	while (stream->at < stream->end && stream->at->ts < stream->from)
		stream->at++;
	if (stream->whole && !stream->begun && stream->at < stream->end && stream->at->flags & RECORD_FOLDED)
		stream->at->flags |= RECORD_TAIL | RECORD_LONG;
	stream->begun |= stream->at < stream->end;
	while (stream->end > stream->at && stream->end[-1].ts > stream->to) {
		stream->end--;
		stream->over = true;
	}
	if (stream->end > stream->at && stream->end[-1].flags & RECORD_LEAF && ends_outside(stream))
		stream->end[-1].flags |= RECORD_LONG;
}

int stream_run(struct stream *stream)
{
	while (!stream->over) {
		int got = next_run(stream);

		if (got <= 0 || !stream->windowed)
			return got;
		trim(stream);
		if (stream->at < stream->end)
			return 1;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/data/narrow.h"

/* These are the pages of a stream, or its compressed chunks, numbered from 0. */
struct pieces {
	struct stream *stream;
	struct source source;	 /* the stream's source at its beginning */
	VEC(struct span) chunks; /* the chunks of a compressed stream */
	size_t n;
	struct chunk *chunk; /* the piece that was decoded last */
};

static void pieces_fini(struct pieces *p)
{
	vec_fini(&p->chunks);
	chunk_put(p->chunk);
}

static int list_chunks(struct pieces *p)
{
	struct source source = p->source;
	struct span span;
	int got;

	while ((got = source_next(&source, 1, &span)) > 0 && span.size)
		if (vec_push(&p->chunks, span))
			return -ENOMEM;
	p->n = p->chunks.n;
	return MIN(got, 0);
}

static int pieces_init(struct pieces *p, struct stream *stream)
{
	*p = (struct pieces){ .stream = stream, .source = stream->source };
	p->chunk = chunk_get(&stream->shared->shelf);
	if (!p->chunk)
		return -ENOMEM;
	p->chunk->how = &stream->how;
	if (p->source.compressed)
		return list_chunks(p);
	p->n = (size_t)((p->source.end - p->source.at + p->source.page_size - 1) / p->source.page_size);
	return 0;
}

static struct span piece_span(const struct pieces *p, size_t i)
{
	struct span span;

	if (p->source.compressed)
		return p->chunks.at[i];
	span = (struct span){ .offset = p->source.at + (uint64_t)i * p->source.page_size };
	span.size = MIN(p->source.end - span.offset, (uint64_t)p->source.page_size);
	span.plain_size = (size_t)span.size;
	return span;
}

static int piece_decode(struct pieces *p, size_t i)
{
	p->chunk->records.n = 0;
	p->chunk->damages.n = 0; /* damage is reported when the stream reads the piece */
	p->chunk->span = piece_span(p, i);
	chunk_decode(&p->chunk->job);
	return p->chunk->err;
}

/*
 * *@ts becomes the time of the first record in the pieces from @i up to, but not including, @end. It becomes UINT64_MAX if there is none. Returns 0 or
 * -errno.
 */
static int piece_time(struct pieces *p, size_t i, size_t end, uint64_t *ts)
{
	*ts = UINT64_MAX;
	for (; i < end; i++) {
		int err = piece_decode(p, i);

		if (err)
			return err;
		if (p->chunk->records.n) {
			*ts = p->chunk->records.at[0].ts;
			return 0;
		}
	}
	return 0;
}

/* *@out becomes the first piece that begins at @ts or later, or p->n if there is none. Returns 0 or -errno. */
static int piece_search(struct pieces *p, uint64_t ts, size_t *out)
{
	size_t low = 0, high = p->n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;
		uint64_t begins;
		int err = piece_time(p, mid, high, &begins);

		if (err)
			return err;
		if (begins < ts)
			low = mid + 1;
		else
			high = mid;
	}
	*out = low;
	return 0;
}

static int pieces_ends(struct pieces *p, uint64_t *first, uint64_t *last)
{
	int err = piece_time(p, 0, p->n, first);

	if (err || *first == UINT64_MAX)
		return err;
	for (size_t i = p->n; i-- > 0;) {
		const recordvec_t *records = &p->chunk->records;

		err = piece_decode(p, i);
		if (err)
			return err;
		if (!records->n)
			continue;
		*last = records->at[records->n - 1].ts;
		return 1;
	}
	return 0;
}

int stream_ends(struct stream *stream, uint64_t *first, uint64_t *last)
{
	struct pieces pieces;
	int err = pieces_init(&pieces, stream);

	if (!err)
		err = pieces_ends(&pieces, first, last);
	pieces_fini(&pieces);
	return err;
}

/*
 * Narrows the stream's source to the pieces of the window. The piece before the first one that begins in the window is also taken, because records of the
 * window may be at its end. The first piece after the window is taken, too, because the exit of a leaf call may be in it. Returns 0 or -errno.
 */
static int narrow(struct pieces *p)
{
	struct stream *stream = p->stream;
	struct source *source = &stream->source;
	size_t first, end = p->n;
	int err = piece_search(p, stream->from, &first);

	if (!err && stream->to < UINT64_MAX)
		err = piece_search(p, stream->to + 1, &end);
	if (err || !p->n)
		return err;
	first -= first > 0;
	end = MAX(first, end); /* @end may be smaller if the CPU is damaged and its time goes back */
	if (end + 1 < p->n) {
		if (source->compressed)
			source->left = (uint32_t)(end + 1);
		else
			source->end = piece_span(p, end + 1).offset;
	}
	source->at = piece_span(p, first).offset;
	if (source->compressed)
		source->left -= (uint32_t)first;
	return 0;
}

int stream_narrow(struct stream *stream, const struct clock *clock, uint64_t from, uint64_t to, bool whole)
{
	uint64_t first, last;
	struct pieces pieces;
	int err = pieces_init(&pieces, stream);

	if (!err)
		err = pieces_ends(&pieces, &first, &last);
	if (err > 0) {
		from = clock_raw(clock, stream->cpu, from, first, last);
		to = to == UINT64_MAX ? to : clock_raw(clock, stream->cpu, to + 1, first, last);
		stream->over |= to <= from;
		to -= to != UINT64_MAX;
		if (!stream->windowed || from > stream->from) {
			stream->from = from;
			stream->whole = whole;
		}
		stream->to = stream->windowed ? MIN(stream->to, to) : to;
		stream->windowed = true;
		stream->over |= stream->to < stream->from;
		err = stream->over ? 0 : narrow(&pieces);
	}
	pieces_fini(&pieces);
	return MIN(err, 0);
}

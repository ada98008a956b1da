/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of one CPU of one buffer, in chunks that a pool decodes ahead. Used by one thread.
 *
 * A run is what can be taken from the present chunk now: records whose flags are final. The last record of a
 * chunk may be the entry of a leaf call whose exit begins the next chunk, so it waits for that one.
 */
#ifndef RINGSIDE_STREAM_H
#define RINGSIDE_STREAM_H

#include "lib/data/chunk.h"

/* What all streams of a merge share. */
struct streaming {
	struct pool *pool;	/* NULL, or of one thread: each chunk is decoded when it is needed */
	struct shelf shelf;
	size_t span_size;	/* bytes of pages in a chunk, about */
	unsigned int ahead;	/* chunks of each stream that are decoded ahead, 0 without a pool */
	unsigned int damages;	/* places so far; the first ones were reported */
	bool hushed;		/* none is */
	bool live;		/* chunks are handed in by stream_feed(), decoded */
	uint64_t due;		/* live: what is later may still be joined by what comes; UINT64_MAX: nothing comes any more */
};

struct stream {
	/* The run: records [at, end) of *chunk. */
	const struct record *at, *end;
	struct chunk *chunk;	/* NULL: the run is .tail */
	struct chunk *after;	/* the next chunk, if .chunk's last record is a leaf or waited to be known */

	/* Set by who opens it. */
	uint64_t ts_shift;		/* added to times before they are compared, where there is no .clock */
	const struct clock *clock;	/* NULL, or not .plain: compares what it makes of them */
	uint16_t cpu, buffer;
	uint8_t file;
	uint16_t unwanted;		/* records with one of these flags are not wanted */
	struct streaming *shared;

	struct source source;
	struct decoding how;
	struct chunk *first, **last;	/* given to the pool, in order */
	unsigned int queued;
	bool ended;		/* the source is at its end */
	int64_t lost;		/* a loss without a record yet */
	uint64_t last_ts;
	bool windowed;		/* only records from .from to .to (raw) are wanted */
	bool begun, over;	/* the first of them has been taken; all of them */
	uint64_t from, to;
	struct record tail;	/* carries the loss at the stream's end */
};

/* @stream is zero but for what its opener sets, and does not move any more. 0 or -errno after a message. */
int stream_open(struct stream *stream, const struct datfile *file, const struct datbuf *buf,
		const struct datcpu *cpu, const struct page_format *format,
		const struct graph_ids *graph);

/* Waits for what is under way, and gives the chunks back. */
void stream_close(struct stream *stream);

/* Begins to decode ahead. 0 or -errno after a message. */
int stream_start(struct stream *stream);

/* Live: appends a decoded chunk, whose reference it takes over. */
void stream_feed(struct stream *stream, struct chunk *chunk);

/*
 * The next run, when the last one is used up (at == end): 1, 0 at the end of the stream (live: when nothing more has
 * come, and an entry whose exit may come is not due), -errno.
 */
int stream_run(struct stream *stream);

#endif

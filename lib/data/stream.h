/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives the records of one CPU of one buffer, in chunks that a pool decodes ahead. A chunk holds successive pages of the CPU, and the records that were
 * decoded from these pages (lib/data/chunk.h). Only one thread may use a stream.
 *
 * The records are given in runs. A run is a series of records of one chunk. The flags of the records in a run are final. The last record of a chunk may be the
 * entry of a leaf call (RECORD_LEAF in lib/data/record.h). The exit of this call may then be the first record of the next chunk. So if the last record of a
 * chunk is an entry, this entry waits until the next chunk has been decoded.
 */
#ifndef RINGSIDE_STREAM_H
#define RINGSIDE_STREAM_H

#include "lib/data/chunk.h"

/* What all streams of a merge share. */
struct streaming {
	struct pool *pool;    /* It decodes chunks ahead. If it is NULL or has only one thread, each chunk is decoded when it is needed. */
	struct shelf shelf;   /* the free chunks, which are used again */
	size_t span_size;     /* about how many bytes of pages a chunk has */
	unsigned int ahead;   /* how many chunks of each stream are decoded ahead; 0 if .pool is NULL or has one thread */
	unsigned int damages; /* how many damaged places have been found so far, in all files */
	/*
	 * Element i: how many damaged places have been found so far in file number i (stream.file). Messages name the first few places of each file. Places
	 * that are found while .hushed is true are not counted here.
	 */
	unsigned int reported[UINT8_MAX + 1];
	bool hushed;  /* messages about damage are not printed (merge_hush() in lib/data/merge.h) */
	bool live;    /* chunks are decoded already and are handed in by stream_feed() */
	uint64_t due; /* used if .live is true: an entry up to this raw time does not wait for its exit; UINT64_MAX: no more pages will come */
};

struct stream {
	/* The run: records [at, end) of *chunk. */
	struct record *at, *end;
	struct chunk *chunk; /* NULL: the run is .tail */
	struct chunk *after; /* the next chunk, if the last record of .chunk had to wait for this chunk */

	/* The caller of stream_open() sets these, from .ts_shift to .shared. */
	uint64_t ts_shift;	   /* used if .clock is NULL: this shift is added to times before they are compared */
	const struct clock *clock; /* times are compared as this clock converts them; NULL: only .ts_shift is added */
	uint16_t cpu, buffer;
	uint8_t file;
	bool fold; /* merge.c leaves out records that have RECORD_FOLDED and not RECORD_LONG (lib/data/record.h) */
	struct streaming *shared;

	struct source source;
	struct decoding how;
	struct chunk *first; /* The list of later chunks, in order. The pool decodes these chunks. For a live stream, stream_feed() has added them. */
	/* where the address of the next chunk in this list will be stored: .next of the last chunk, or .first if the list is empty */
	struct chunk **last;
	unsigned int queued; /* the number of chunks in the list .first */
	bool ended;	     /* the source is at its end */
	int64_t lost;	     /* how many events were lost before the next record, or LOST_UNKNOWN; 0: none */
	uint64_t last_ts;    /* the time of the last record of the chunk that was used up last; .tail gets this time */
	bool windowed;	     /* only records of the window are wanted; the window is the raw times from .from to .to */
	bool whole;	     /* an exit with RECORD_FOLDED gets RECORD_TAIL (lib/data/record.h) if its entry is before .from */
	bool begun;	     /* a record with the time .from or a later time has been met */
	bool over;	     /* a record with a time after .to has been met, or no record is in the window */
	uint64_t from, to;
	struct record tail; /* a record without data that reports the loss at the end of the stream */
};

/*
 * Opens a stream. The stream borrows @file. The caller has set the members from .ts_shift to .shared, and all others to zero. Until another function
 * below is called, *@stream may be moved. After a move, .last must be set to &.first again. Returns 0, or -errno after a message.
 */
int stream_open(struct stream *stream, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu, const struct page_format *format,
		const struct graph_ids *graph);

/* Waits for the chunks that are being decoded, and drops the stream's references to all its chunks. */
void stream_close(struct stream *stream);

/* Begins to decode ahead. Returns 0, -ENOMEM, or another -errno after a message. */
int stream_start(struct stream *stream);

/* Appends a decoded chunk to a live stream. The stream takes over the caller's reference. */
void stream_feed(struct stream *stream, struct chunk *chunk);

/*
 * Gives the next run. The caller must have used up the previous run (.at == .end). Returns 1 if there is a run, 0 at the end of the stream, -ENOMEM,
 * or another -errno after a message. For a live stream, 0 has one of two meanings: no further record has come, or the only further record is an
 * entry that waits for its exit.
 */
int stream_run(struct stream *stream);

#endif

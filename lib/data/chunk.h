/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A span of one CPU's pages in memory, and the records in it. Chunks are counted: the stream holds one
 * reference, each batch with a record of it another; the last one gives it back to the shelf, which hands
 * it out again, so that memory stays what was once needed at the same time.
 */
#ifndef RINGSIDE_CHUNK_H
#define RINGSIDE_CHUNK_H

#include "lib/base/pool.h"
#include "lib/data/merge.h"
#include "lib/data/page.h"
#include "lib/data/source.h"

#include <pthread.h>

/* Free chunks. */
struct shelf {
	pthread_mutex_t lock;
	struct chunk *free;
};

void shelf_init(struct shelf *shelf);
void shelf_fini(struct shelf *shelf);

/* What a chunk has to know of its stream to be decoded on any thread. */
struct decoding {
	const struct datfile *file;
	struct page_format format;
	const struct graph_ids *graph;
	bool compressed;
};

struct damage {
	uint64_t offset;	/* in the file */
	bool unpacked;		/* it is at .byte of what the compressed chunk there unpacks to */
	uint64_t byte;
	const char *what;	/* is wrong */
};

struct chunk {
	struct job job;		/* decodes it */
	struct chunk *next;	/* in the shelf, or in the queue of its stream */
	struct shelf *shelf;
	int refs;		/* atomic */
	uint64_t batch;		/* the last batch that took a reference, its seq + 1; the merging thread's */
	const struct decoding *how;
	struct span span;
	uint8_t *packed;	/* scratch */
	size_t packed_cap;
	uint8_t *pages;
	size_t pages_cap;
	recordvec_t records;	/* ts, data, size and the flags that neighbours in the chunk decide */
	int64_t lost;		/* behind the last record */
	int err;		/* -ENOMEM, or -errno of read */
	VEC(struct damage) damages;
};

/* An empty chunk with one reference; NULL: no memory. */
struct chunk *chunk_get(struct shelf *shelf);
void chunk_ref(struct chunk *chunk);
/* Accepts NULL. */
void chunk_put(struct chunk *chunk);

/* Room for @size bytes of pages at chunk->pages, with the slack that decoding wants behind them. 0 or -ENOMEM. */
int chunk_room(struct chunk *chunk, size_t size);

/*
 * Reads, unpacks and decodes chunk->span as chunk->how says; job.run. A span of no bytes in the file: its plain_size
 * bytes are in chunk->pages already.
 */
void chunk_decode(struct job *job);

/* Adds up losses, each 0, a number or LOST_UNKNOWN. */
static inline int64_t lost_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum))
		return LOST_UNKNOWN;
	return sum;
}

/* Adds a loss of @lost events in front of @rec. */
static inline void record_add_lost(struct record *rec, int64_t lost)
{
	if (!lost)
		return;
	rec->lost = rec->flags & RECORD_LOST ? lost_sum(rec->lost, lost) : lost;
	rec->flags |= RECORD_LOST;
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines a chunk: successive pages of one CPU in memory, and the records that were decoded from these pages. The compressed chunks of a trace.dat of
 * version 7 are something else. The pages of one struct chunk may come from several compressed chunks. References to a chunk are counted. The stream that
 * reads the CPU's pages (lib/data/stream.h) holds one reference. Each batch (lib/data/record.h) that has a record of the chunk also holds one reference.
 * When the last reference is given back, the chunk goes onto the shelf. The shelf is a list of free chunks, which are used again.
 */
#ifndef RINGSIDE_CHUNK_H
#define RINGSIDE_CHUNK_H

#include "lib/base/pool.h"
#include "lib/data/leaf.h"
#include "lib/data/page.h"
#include "lib/data/source.h"

#include <pthread.h>

/* Holds the chunks that are free. */
struct shelf {
	pthread_mutex_t lock;
	struct chunk *free;
};

void shelf_init(struct shelf *shelf);
void shelf_fini(struct shelf *shelf);

/* Tells how the chunks of a stream are decoded. All chunks of a stream point to the same struct decoding. */
struct decoding {
	const struct datfile *file;
	struct page_format format;
	struct leaf_how leaf;
	bool compressed;
};

/* A damaged place of the file. */
struct damage {
	uint64_t offset; /* in the file */
	bool unpacked;	 /* true: .offset is the offset of a compressed chunk, and the damage is at byte .byte of the unpacked data */
	uint64_t byte;
	const char *what; /* what is wrong; a static text */
};

struct chunk {
	struct job job;	    /* decodes the chunk: chunk_decode() */
	struct chunk *next; /* the next chunk in the shelf, or in the queue of the stream */
	struct shelf *shelf;
	int refs; /* atomic */
	/* 1 + the .seq of the last batch that took a reference; 0: no batch has taken a reference. Only the merging thread uses this. */
	uint64_t batch;
	const struct decoding *how;
	struct span span; /* where the pages are in the file (lib/data/source.h) */
	uint8_t *packed;  /* the compressed bytes of .span while they are being unpacked */
	size_t packed_cap;
	uint8_t *pages; /* the pages of .span; a compressed span is unpacked to here */
	size_t pages_cap;
	recordvec_t records; /* The decoded records. Their .cpu, .buffer and .file are set later, and so are members that depend on other chunks. */
	int64_t lost;	     /* how many events were lost after the last record, or LOST_UNKNOWN */
	int err;	     /* 0 or -ENOMEM; if .span could not be read, another -errno, after a message */
	VEC(struct damage) damages;
};

/* Returns an empty chunk with one reference, or NULL when memory runs out. */
struct chunk *chunk_get(struct shelf *shelf);
/* Takes one more reference. */
void chunk_ref(struct chunk *chunk);
/* Gives a reference back, from any thread. Accepts NULL. */
void chunk_put(struct chunk *chunk);

/* Makes room for @size bytes of pages at chunk->pages, and for the LEAF_SLACK bytes that decoding may read behind these pages. Returns 0 or -ENOMEM. */
int chunk_room(struct chunk *chunk, size_t size);

/*
 * Reads, unpacks and decodes chunk->span as chunk->how says. This is the run() of chunk->job. If span.size is 0, nothing is read, because chunk->pages already
 * has the pages of the span. These pages have span.plain_size bytes in all. The function fills in chunk->records, .lost, .damages and .err.
 */
void chunk_decode(struct job *job);

/* Returns the sum of two losses, each of which is 0, a number or LOST_UNKNOWN. */
static inline int64_t lost_sum(int64_t a, int64_t b)
{
	int64_t sum;

	if (a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum))
		return LOST_UNKNOWN;
	return sum;
}

/* Notes in @rec that @lost more events were lost in front of it. @lost is a number or LOST_UNKNOWN. */
static inline void record_add_lost(struct record *rec, int64_t lost)
{
	if (!lost)
		return;
	rec->lost = rec->flags & RECORD_LOST ? lost_sum(rec->lost, lost) : lost;
	rec->flags |= RECORD_LOST;
}

#endif

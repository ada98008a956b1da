/* SPDX-License-Identifier: GPL-2.0 */
/* Takes the pages of one CPU from the file, in their order, in spans of about the same size. */
#ifndef RINGSIDE_SOURCE_H
#define RINGSIDE_SOURCE_H

#include "lib/data/reader.h"

struct source {
	const struct datfile *file; /* borrowed */
	uint32_t page_size;
	bool compressed;
	uint64_t at, end; /* bytes [at, end) of the file have not been taken yet */
	uint32_t left;	  /* how many compressed chunks have not been taken yet; used when .compressed is true */
};

/*
 * A part of a source: whole pages, or whole compressed chunks with their headers. When the data of the CPU end in the middle of a page, the last span
 * has the part of this page that is there.
 */
struct span {
	uint64_t offset, size;	/* in the file; size 0: the span only reports damage, or its pages are in memory already (chunk_decode()) */
	size_t plain_size;	/* bytes when unpacked */
	const char *damage;	/* what is damaged behind the span, a static text; NULL: nothing */
	uint64_t damage_offset; /* the offset of the damage in the file */
};

/*
 * Makes a source of the pages of @cpu of @buf. When source_open() finds damage, the first span reports the damage. Returns 0, or -errno after a
 * message when the file cannot be read.
 */
int source_open(struct source *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu);

/*
 * Takes the next span, which has about @want bytes when unpacked. A span has at least one page or one chunk, unless it only reports damage. All chunks
 * of a span together unpack to at most dat_max_chunk() bytes, which is also the limit for one chunk. Returns 1, 0 at the end, or -errno after a message.
 */
int source_next(struct source *source, size_t want, struct span *out);

/*
 * Adds up the unpacked bytes of all pages up to the first damage. *@last becomes the last span, which reports the damage if there is any. *@source is
 * not changed. Returns 0, or -errno after a message.
 */
int source_plain_size(const struct source *source, uint64_t *out, struct span *last);

/* A compressed chunk in memory. */
struct packed_chunk {
	uint64_t offset; /* of its header in the file */
	const uint8_t *at;
	uint32_t size, plain_size;
};

/*
 * Finds the chunk at *@at in @packed, and moves *@at behind this chunk. @packed has the bytes of @span, which must be a compressed span. @room is how many
 * bytes this chunk may unpack to. Returns false when there is no chunk at *@at, or when the chunk does not fit because the file has changed since
 * source_next().
 */
bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at, struct packed_chunk *out);

#endif

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
	uint32_t left;	  /* used if .compressed is true: how many compressed chunks have not been taken yet */
};

/*
 * This is a part of a source. It has whole pages, or whole compressed chunks with their headers. If the data of the CPU end in the middle of a page,
 * the last span has the beginning of this page.
 */
struct span {
	/* Where the span is in the file. If .size is 0, the span only reports damage, or its pages are in memory already (chunk_decode()). */
	uint64_t offset, size;
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
 * Takes the next span. It has about @want bytes when unpacked. A span has at least one page or one chunk, or it only reports damage. All chunks of a
 * span together unpack to at most dat_max_chunk() bytes. A chunk whose header gives a larger size counts as damage. Returns 1 if there is a span, 0 at
 * the end, or -errno after a message.
 */
int source_next(struct source *source, size_t want, struct span *out);

/*
 * Sets *@out to the number of unpacked bytes of all pages up to the first damage. *@last becomes the last span. If there is damage, *@last reports
 * it. *@source is not changed. Returns 0, or -errno after a message.
 */
int source_plain_size(const struct source *source, uint64_t *out, struct span *last);

/* A compressed chunk in memory. */
struct packed_chunk {
	uint64_t offset; /* of its header in the file */
	const uint8_t *at;
	uint32_t size, plain_size;
};

/*
 * Finds the chunk at *@at in @packed, and moves *@at behind this chunk. @packed has the bytes of @span. @span must be a compressed span. The chunk
 * may unpack to at most @room bytes. Returns false when there is no chunk at *@at. If the file has changed since source_next(), the chunk may not
 * fit, and false is returned, too.
 */
bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at, struct packed_chunk *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cuts the data that a trace.dat has for one CPU into spans, and gives the spans in order. A span is a series of pages, or of compressed chunks, that
 * follow each other in the file.
 */
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
 * This is a span of the data of a CPU. A span has whole pages, or whole compressed chunks with their headers. If the data of the CPU end in the middle of a
 * page, the last span has the beginning of this page.
 */
struct span {
	/* Where the span is in the file. .size is 0 in two cases: the pages are in memory already (chunk_decode()), or the span only reports damage. */
	uint64_t offset, size;
	size_t plain_size;	/* how many bytes the span has when unpacked */
	const char *damage;	/* what is damaged behind the span, a static text; NULL: nothing */
	uint64_t damage_offset; /* the offset of the damage in the file */
};

/*
 * Makes a source for the pages of @cpu, a CPU of the buffer @buf. When source_open() finds damage, the first span reports the damage. Returns 0, or -errno
 * after a message when the file cannot be read.
 */
int source_open(struct source *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu);

/*
 * Takes the next span. The span has about @want bytes when unpacked. If the span has neither pages nor chunks, it is there only to report damage. All chunks
 * of a span together unpack to at most dat_max_chunk() bytes. A chunk whose header gives a larger size is reported as damage. Returns 1 if there is a span, 0
 * at the end, or -errno after a message.
 */
int source_next(struct source *source, size_t want, struct span *out);

/*
 * Sets *@out to the number of unpacked bytes of all pages up to the first damage. *@last becomes the last span. If there is damage, *@last reports
 * it. *@source is not changed. Returns 0, or -errno after a message.
 */
int source_plain_size(const struct source *source, uint64_t *out, struct span *last);

/* A compressed chunk in memory. */
struct packed_chunk {
	uint64_t offset; /* where the chunk's header is in the file */
	const uint8_t *at;
	uint32_t size, plain_size;
};

/*
 * Finds the chunk at *@at in @packed, and moves *@at behind this chunk. @packed has the bytes of @span, which must be a compressed span. Returns false when the
 * span has no further chunk at *@at. Also returns false when the chunk reaches beyond the end of the span or unpacks to more than @room bytes. Such a chunk is
 * found only if the file has changed since source_next().
 */
bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at, struct packed_chunk *out);

#endif

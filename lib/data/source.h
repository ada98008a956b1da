/* SPDX-License-Identifier: GPL-2.0 */
/* Takes the pages of one CPU, as they lie in the file, in spans of about the same size. */
#ifndef RINGSIDE_SOURCE_H
#define RINGSIDE_SOURCE_H

#include "lib/data/reader.h"

struct source {
	const struct datfile *file; /* borrowed */
	uint32_t page_size;
	bool compressed;
	uint64_t at, end; /* in the file */
	uint32_t left;	  /* compressed: how many chunks follow */
};

/* A part of a source: whole pages, or whole compressed chunks with their headers. */
struct span {
	uint64_t offset, size;	/* in the file; size 0: the span only reports damage */
	size_t plain_size;	/* bytes when unpacked */
	const char *damage;	/* what is wrong behind the span, a static text; NULL: nothing */
	uint64_t damage_offset; /* where in the file that is */
};

/*
 * Makes a source of the pages of @cpu of @buf. Damage that is found here is reported by the first span. Returns 0, or the -errno of read() after a
 * message.
 */
int source_open(struct source *out, const struct datfile *file, const struct datbuf *buf, const struct datcpu *cpu);

/*
 * Takes the next span of about @want bytes when unpacked. A span is at least a page or a chunk. The chunks of a span together unpack to at most
 * dat_max_chunk() bytes, which is also the limit for one chunk. Returns 1, 0 at the end, or -errno.
 */
int source_next(struct source *source, size_t want, struct span *out);

/*
 * Adds up the unpacked bytes of all pages up to the first damage. *@last becomes the last span, which reports the damage.
 * *@source does not move. Returns 0 or -errno.
 */
int source_plain_size(const struct source *source, uint64_t *out, struct span *last);

/* A compressed chunk in memory. */
struct packed_chunk {
	uint64_t offset; /* of its header in the file */
	const uint8_t *at;
	uint32_t size, plain_size;
};

/*
 * Finds the chunk at *@at in the bytes @packed of a compressed span and moves *@at behind it. @room is how many unpacked bytes the span still may
 * have. Returns false when there is no chunk, or when it does not fit because the file has changed since source_next().
 */
bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at, struct packed_chunk *out);

#endif

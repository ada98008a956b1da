/* SPDX-License-Identifier: GPL-2.0 */
/* One CPU's pages as they lie in the file, taken off in spans of about the same size. */
#ifndef RINGSIDE_SOURCE_H
#define RINGSIDE_SOURCE_H

#include "lib/data/reader.h"

struct source {
	const struct datfile *file;	/* borrowed */
	uint32_t page_size;
	bool compressed;
	uint64_t at, end;		/* in the file */
	uint32_t left;			/* compressed: chunks that follow */
};

/* A part of a source: whole pages, or whole compressed chunks with their headers. */
struct span {
	uint64_t offset, size;		/* in the file; size 0: nothing but the damage */
	size_t plain_size;		/* bytes when unpacked */
	const char *damage;		/* what is wrong behind it, at: */
	uint64_t damage_offset;
};

/* @cpu of @buf. What is damaged is told by the first span. 0 or -errno of read after a message. */
int source_open(struct source *out, const struct datfile *file, const struct datbuf *buf,
		const struct datcpu *cpu);

/*
 * The next span of about @want bytes when unpacked (at least a page or a chunk, and of several chunks no more than
 * one chunk can have): 1, 0 at the end, -errno.
 */
int source_next(struct source *source, size_t want, struct span *out);

/*
 * The bytes of all of its pages when unpacked, up to the first damage, which is told in the last span.
 * *@source stays where it is. 0 or -errno.
 */
int source_plain_size(const struct source *source, uint64_t *out, struct span *last);

/* A compressed chunk in memory. */
struct packed_chunk {
	uint64_t offset;		/* of its header in the file */
	const uint8_t *at;
	uint32_t size, plain_size;
};

/*
 * The chunk at *@at of the bytes @packed of a compressed span, of which @room bytes are still to be unpacked; *@at
 * moves behind it. False: there is none, or it does not fit (the file has changed since source_next()).
 */
bool span_chunk(const struct span *span, const uint8_t *packed, bool big_endian, size_t room, uint64_t *at,
		struct packed_chunk *out);

#endif

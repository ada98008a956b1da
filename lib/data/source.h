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

/* The next span of about @want bytes when unpacked, at least a page or a chunk: 1, 0 at the end, -errno. */
int source_next(struct source *source, size_t want, struct span *out);

#endif

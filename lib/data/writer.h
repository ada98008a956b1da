/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat in one go, when everything is known: metadata, buffers and where their pages are. */
#ifndef RINGSIDE_WRITER_H
#define RINGSIDE_WRITER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"
#include "lib/data/source.h"

/* One CPU's pages: @size bytes (whole sub-buffers) of @fd from @offset on, or what the chunks of another file unpack to. */
struct write_cpu {
	uint32_t cpu;
	int fd;			/* borrowed */
	uint64_t offset, size;
	const struct source *packed;	/* borrowed; not NULL: these chunks, which unpack to @size bytes; without fd and offset */
};

struct write_buffer {
	const char *name;	/* "" for the top buffer */
	const char *clock;	/* the clock's name; NULL: that of the metadata */
	uint32_t page_size;
	VEC(struct write_cpu) cpus;	/* ascending; those without data may be missing */
	const struct text *latency;	/* not NULL: a latency tracer's text instead of pages */
};

struct write_options {
	unsigned int version;		/* 6 or 7 */
	const struct codec *codec;	/* NULL: none. Version 6 is never compressed */
	int level;			/* 0: the codec's default */
	struct pool *pool;		/* compresses with all its threads; NULL: here */
	/* Called now and then with bytes of trace data done and in all; NULL: not. A -errno ends the writing. */
	int (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Modules and BTF are left out of files that are not compressed: trace-cmd 3.4 cannot open such.
 * Version 6 has one size of sub-buffers, and no place for a latency trace beside other buffers (-EINVAL).
 *
 * Writes the file to @fd (positioned at its start, seekable). @path is for messages. 0, or -errno after a
 * message; what was written then is no trace.dat, and the caller removes it.
 * What trace-cmd 3.1.6 and 3.4 can read: version 6; version 7 with none, zstd (and zlib where built in).
 */
int datfile_write(int fd, const char *path, const struct metadata *meta,
		  const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how);

#endif

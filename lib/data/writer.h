/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat in one go, when everything is known: metadata, buffers and where their pages are. */
#ifndef RINGSIDE_WRITER_H
#define RINGSIDE_WRITER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"
#include "lib/data/source.h"

/* Pages of a CPU that were packed before the file is written: @chunks of them by chunk_pack(), one behind the other. */
struct packed_run {
	uint64_t at, plain;	/* what they unpack to: so many of the CPU's bytes, from there on */
	uint64_t offset, size;	/* in the file that they are in */
	uint32_t chunks;
};

/*
 * All of them. The four bytes before those at the CPU's begin are room for their number, so that the whole is laid out as in the trace file, where
 * it begins at a block: file systems that can will share the blocks.
 */
struct packed_part {
	int fd;				/* borrowed */
	VEC(struct packed_run) runs;	/* ascending */
};
#define PACKED_RUN_ROOM 4

/* How many of the CPU's bytes they are. NULL: none. */
uint64_t packed_part_plain(const struct packed_part *part);

/* One CPU's pages: @size bytes (whole sub-buffers) of @fd from @offset on, or what the chunks of another file unpack to. */
struct write_cpu {
	uint32_t cpu;
	int fd;			/* borrowed */
	uint64_t offset, size;
	const struct source *packed;	/* borrowed; not NULL: these chunks, which unpack to @size bytes; without fd and offset */
	struct text tail;	/* borrowed: the last of the pages, which are in memory and nowhere else; .size counts them */
	const struct packed_part *part;	/* borrowed; not NULL: what was packed already, with the file's codec. Version 6 has no use for it */
};

struct write_buffer {
	const char *name;	/* "" for the top buffer */
	const char *clock;	/* the clock's name; NULL: that of the metadata */
	uint32_t page_size;
	VEC(struct write_cpu) cpus;	/* ascending; those without data may be missing */
	const struct text *latency;	/* not NULL: a latency tracer's text instead of pages */
};

/* A part of the metadata that was packed before the file is written. */
struct packed_section {
	uint16_t id;		/* DAT_KALLSYMS or another one of lib/data/format.h */
	struct text chunk;	/* owned by who had it packed; .at is NULL: not done */
};

struct write_options {
	unsigned int version;		/* 6 or 7 */
	const struct codec *codec;	/* NULL: none. Version 6 is never compressed */
	int level;			/* 0: the codec's default */
	const struct packed_section *section;	/* borrowed; not NULL: packed already, with the codec. Version 6 has no use for it */
	bool no_names;			/* names of tasks come later (lib/data/sequel.h). Of version 7 */
	struct pool *pool;		/* compresses with all its threads; NULL: here */
	/* Called now and then with bytes of trace data done and in all; NULL: not. A -errno ends the writing. */
	int (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Packs a chunk as version 7 has them into the room of @to: its two sizes, then the packed bytes; how many bytes that is, or -errno. @level: 0
 * is the codec's default. @work: see codec_work().
 */
ssize_t chunk_pack(const struct codec *codec, int level, void **work, bool big_endian, const char *plain, size_t size,
		   struct str *to);

/* Packs what @meta has for the section @id, with the codec's default level. 0, -ENOMEM or another -errno, without a message. */
int section_pack(struct packed_section *out, uint16_t id, const struct metadata *meta, const struct codec *codec);

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

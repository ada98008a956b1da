/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat when everything is known: the metadata, the buffers, and where their pages are. */
#ifndef RINGSIDE_WRITER_H
#define RINGSIDE_WRITER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"
#include "lib/data/source.h"

/* Pages of a CPU that were packed before the file is written: the chunks that chunk_pack() has made of them lie one behind the other. */
struct packed_run {
	uint64_t at, plain;    /* the chunks unpack to .plain bytes of the CPU's data, from byte .at on */
	uint64_t offset, size; /* where the chunks are in the file .fd of the struct packed_part below */
	uint32_t chunks;
};

/*
 * Holds all packed runs of a CPU. In a trace file, the CPU's first chunk comes right after the number of chunks, whose four bytes are at the beginning of
 * a block of the file system. In the file .fd, the run whose .at is 0 comes right after four free bytes, which are at the beginning of a block as well.
 * So a file system that can share blocks between files shares them when this run is copied.
 */
struct packed_part {
	int fd;			     /* borrowed */
	VEC(struct packed_run) runs; /* in ascending order of .at */
};
#define PACKED_RUN_ROOM 4 /* how many free bytes are in front of the run whose .at is 0 */

/* Returns how many of the CPU's bytes are packed; 0 when @part is NULL. */
uint64_t packed_part_plain(const struct packed_part *part);

/* The pages of one CPU: .size bytes (whole sub-buffers) of .fd from .offset on, or what the chunks of another file unpack to. */
struct write_cpu {
	uint32_t cpu;
	int fd; /* borrowed */
	uint64_t offset, size;
	const struct source *packed;	/* borrowed; when not NULL, the pages are what the chunks of this source unpack to; .fd and .offset are not used */
	struct text tail;		/* borrowed: the last pages, if they are in memory and not in .fd; .size counts them, too */
	const struct packed_part *part; /* borrowed; when not NULL, those pages that were already packed with the file's codec. Version 6 does not use this */
};

struct write_buffer {
	const char *name;  /* "" for the top buffer */
	const char *clock; /* the clock's name; NULL: that of the metadata */
	uint32_t page_size;
	VEC(struct write_cpu) cpus; /* in ascending order of .cpu; CPUs without data may be missing */
	const struct text *latency; /* when not NULL, the text of a latency tracer, which is written instead of pages */
};

/* A part of the metadata that was packed before the file is written. */
struct packed_section {
	uint16_t id;	   /* DAT_KALLSYMS or another one of lib/data/format.h */
	struct text chunk; /* the caller of section_pack() owns it; .at is NULL when it was not packed */
};

struct write_options {
	unsigned int version;		      /* 6 or 7 */
	const struct codec *codec;	      /* NULL: none. Version 6 is never compressed */
	int level;			      /* 0: the codec's default */
	const struct packed_section *section; /* borrowed; when not NULL, a section that was already packed with the codec. Version 6 does not use this */
	bool no_names;			      /* version 7: names of tasks are left out; they come later (lib/data/sequel.h) */
	struct pool *pool;		      /* its threads compress; NULL: the caller's thread does */
	/*
	 * Is called now and then. @done is how many bytes of trace data have been written so far, and @total how many there are. If it returns -errno,
	 * the writing ends. NULL: nothing is called.
	 */
	int (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Packs @size bytes into a chunk of version 7: its two sizes and then the packed bytes. The chunk is put at the beginning of @to's memory, and to->len
 * stays as it is. @level 0 is the codec's default. @work is explained at codec_work() (lib/data/codec.h). Returns the size of the chunk in bytes, or
 * -errno.
 */
ssize_t chunk_pack(const struct codec *codec, int level, void **work, bool big_endian, const char *plain, size_t size, struct str *to);

/*
 * Packs what @meta has for the section @id, with the codec's default level. Returns 0 or -errno, without a message. After a failure, out->chunk is what it
 * was before.
 */
int section_pack(struct packed_section *out, uint16_t id, const struct metadata *meta, const struct codec *codec);

/*
 * Writes the file to @fd, which is seekable and at its start. @path is for messages. Returns 0, or -errno after a message. After a failure, what was
 * written is not a trace.dat, and the caller removes it.
 *
 * Modules and BTF are left out of files that are not compressed, because trace-cmd 3.4 cannot open a file that has them uncompressed. A file of version
 * 6 has one size of sub-buffers, and cannot have a latency trace and other buffers at the same time; -EINVAL is returned for @buffers that break one
 * of these two rules. trace-cmd 3.1.6 and 3.4 can read version 6, and version 7 without compression or with zstd (with zlib if they were built with it).
 */
int datfile_write(int fd, const char *path, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how);

#endif

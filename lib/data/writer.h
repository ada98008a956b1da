/* SPDX-License-Identifier: GPL-2.0 */
/* Writes a trace.dat. The metadata and the buffers must be complete, and it must be known where the pages of the buffers are. */
#ifndef RINGSIDE_WRITER_H
#define RINGSIDE_WRITER_H

#include "lib/base/pool.h"
#include "lib/data/codec.h"
#include "lib/data/metadata.h"
#include "lib/data/source.h"

/*
 * These are pages of a CPU that chunk_pack() has packed into chunks before the writing of the file began. The chunks lie one behind the other.
 */
struct packed_run {
	uint64_t at, plain;    /* the chunks unpack to .plain bytes of the CPU's data, from byte .at on */
	uint64_t offset, size; /* where the chunks are in the file .fd of the struct packed_part below */
	uint32_t chunks;
};

/*
 * Holds all packed runs of a CPU. In a trace file, the data of a CPU begin where a block of the
 * file system begins. The first four bytes of these data are the number of chunks. The first chunk
 * follows right behind, so it begins four bytes behind the beginning of a block. In the file .fd,
 * the first chunk of the run whose .at is 0 has the same distance from the beginning of a block.
 * Some file systems can share blocks between files. Such a file system can share the blocks of this
 * run when the run is copied.
 */
struct packed_part {
	int fd;			     /* borrowed */
	VEC(struct packed_run) runs; /* in ascending order of .at */
};
/*
 * The number of chunks is stored in this many bytes. When the run whose .at is 0 is copied, the PACKED_RUN_ROOM bytes in front of the run are copied, too.
 * In the copy, the number of chunks then overwrites these bytes.
 */
#define PACKED_RUN_ROOM 4

/* Returns how many bytes the runs of @part unpack to. Returns 0 when @part is NULL. */
uint64_t packed_part_plain(const struct packed_part *part);

/*
 * This tells where the pages of one CPU come from. The pages are whole sub-buffers and have .size bytes in all. If .packed is NULL, the pages are in .fd,
 * from .offset on. Otherwise the chunks of .packed unpack to the pages.
 */
struct write_cpu {
	uint32_t cpu;
	int fd; /* borrowed */
	uint64_t offset, size;
	const struct source *packed; /* the compressed chunks of a CPU in another file (lib/data/source.h), or NULL; borrowed */
	struct text tail;	     /* The last pages, if they are in memory instead of in .fd. .size includes these pages. Borrowed. */
	/* The pages that were already packed with the codec of struct write_options. NULL: there are none. Version 6 does not use this. Borrowed. */
	const struct packed_part *part;
};

struct write_buffer {
	const char *name;  /* "" for the top buffer */
	const char *clock; /* the name of the buffer's clock; NULL: the clock of the metadata */
	uint32_t page_size;
	VEC(struct write_cpu) cpus; /* in ascending order of .cpu; CPUs without data may be missing */
	const struct text *latency; /* NULL, or the text of a latency tracer; the text is written instead of pages */
};

/* This is a part of the metadata that was packed before the writing of the file began. */
struct packed_section {
	uint16_t id;	   /* DAT_KALLSYMS or another number of enum dat_section (lib/data/format.h) */
	struct text chunk; /* the packed section, owned by the caller of section_pack(); if nothing was packed, its .at is NULL */
};

struct write_options {
	unsigned int version;		      /* 6 or 7 */
	const struct codec *codec;	      /* NULL: none. Version 6 is never compressed */
	int level;			      /* 0: the codec's default */
	const struct packed_section *section; /* NULL, or a section that was already packed with the codec. Version 6 does not use this. Borrowed. */
	bool no_names;			      /* version 7: leave out the names of tasks; sequel_end() (lib/data/sequel.h) makes the section with these names */
	struct pool *pool;		      /* its threads compress; NULL: the caller's thread compresses */
	/*
	 * This is called now and then. @done is the number of bytes of trace data that have been written so far. @total is the number of all bytes of
	 * trace data. If the callback returns -errno, the writing ends. The callback may be NULL.
	 */
	int (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/*
 * Packs the @size bytes at @plain into a chunk of version 7. A chunk begins with its packed size and its plain size. The packed bytes follow. The chunk is put
 * at the beginning of the memory of @to. to->len is not changed. If @level is 0, the codec's default level is used. @work is explained at codec_work()
 * (lib/data/codec.h). Returns the size of the whole chunk in bytes, or -errno without a message.
 */
ssize_t chunk_pack(const struct codec *codec, int level, void **work, bool big_endian, const char *plain, size_t size, struct str *to);

/*
 * Packs what @meta has for the section @id, with the codec's default level. Returns 0 or -errno, without a message. After a failure, out->chunk has
 * not changed.
 */
int section_pack(struct packed_section *out, uint16_t id, const struct metadata *meta, const struct codec *codec);

/*
 * Writes the file to @fd. @fd must be seekable, and its position must be 0. @path is for messages. Returns 0, or -errno after a message. After a
 * failure, the written bytes are not a trace.dat, and the caller removes the file.
 *
 * trace-cmd 3.4 cannot open a file that has modules or BTF uncompressed. So modules and BTF are
 * left out of files that are not compressed. Two rules hold for version 6. All buffers of a file
 * have the same size of sub-buffers. A latency trace must be the only buffer of a file. If @buffers
 * break one of these rules, -EINVAL is returned. trace-cmd 3.1.6 and 3.4 can read version 6, and
 * version 7 without compression or with zstd. They can read version 7 with zlib if they were built
 * with zlib.
 */
int datfile_write(int fd, const char *path, const struct metadata *meta, const struct write_buffer *buffers, size_t nbuffers, const struct write_options *how);

#endif

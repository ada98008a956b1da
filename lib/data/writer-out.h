/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the trace.dat file that is being written, and declares the functions that write its parts. The file has version 6 or 7 of the format. Only writer*.c
 * and sequel.c use this header.
 */
#ifndef RINGSIDE_WRITER_OUT_H
#define RINGSIDE_WRITER_OUT_H

#include "lib/data/writer.h"

/* A part of the file that is put together in memory. Its integers have the byte order of the file. */
struct block {
	struct str bytes;
	bool big_endian;
};

void put_u16(struct block *b, uint16_t value);
void put_u32(struct block *b, uint32_t value);
void put_u64(struct block *b, uint64_t value);
/* put_string() appends a string and its NUL. put_text() appends the bytes of a text without a NUL. */
void put_string(struct block *b, const char *text);
void put_text(struct block *b, const struct text *text);
/* These functions append the size of the text as a u64 or a u32, and then the text. */
void put_sized64(struct block *b, const struct text *text);
void put_sized32(struct block *b, const struct text *text);
/* Overwrites the u64 at byte @at of the block. */
void block_set_u64(struct block *b, size_t at, uint64_t value);

struct out {
	int fd;
	const char *path;
	uint64_t pos; /* where the next byte goes: the position of fd */
	const struct metadata *meta;
	const struct write_buffer *buffers;
	size_t nbuffers;
	const struct write_options *how;
	uint32_t ncpus;	      /* how many CPUs the machine has; the numbers of all CPUs in the buffers are smaller than this */
	uint64_t done, total; /* how many bytes of trace data have been written, and how many there are in all; for .how->progress */
};

/* Each function whose name begins with out_ or write_ returns 0, or -errno after a message. */
int out_bytes(struct out *out, const void *bytes, size_t n);
/* Writes the block and empties it. Returns -ENOMEM when memory ran out while the block was put together. */
int out_block(struct out *out, struct block *b);
/* Writes zeros up to the next multiple of @to. */
int out_align(struct out *out, uint32_t to);
/* These functions overwrite the integer at offset @at of the file. An integer must have been written there before. */
int out_set_u64(struct out *out, uint64_t at, uint64_t value);
int out_set_u32(struct out *out, uint64_t at, uint32_t value);
/* Adds @bytes to out->done. If out->how->progress is not NULL, calls it and returns its result. Otherwise returns 0. */
int out_progress(struct out *out, uint64_t bytes);

/*
 * These functions are in writer-meta.c. Each of them appends the contents of one part of the metadata. These parts are the same in the versions 6 and 7.
 */
void put_header_info(struct block *b, const struct metadata *meta);
void put_ftrace_formats(struct block *b, const struct metadata *meta);
void put_event_formats(struct block *b, const struct metadata *meta);
void put_kallsyms(struct block *b, const struct metadata *meta);
void put_printk(struct block *b, const struct metadata *meta);
void put_cmdlines(struct block *b, const struct metadata *meta);

/*
 * These two functions are in writer-options.c. put_option() appends one option. put_options() appends the options for @meta, without CPUCOUNT and without
 * the options that tell where something is in the file.
 */
void put_option(struct block *b, uint16_t id, const struct block *data);
void put_options(struct block *b, const struct metadata *meta);

/*
 * Writes the pages of one CPU. Pages that are in a file are copied by the kernel if possible (io_copy() in lib/base/io.h). Pages that the kernel copies do not
 * pass through the memory of the process. Pages that come from compressed chunks are unpacked by all threads of the pool. out_pages(), out_packed() and
 * out_packed_text() are in writer-data.c.
 */
int out_pages(struct out *out, const struct write_buffer *buffer, const struct write_cpu *cpu);
/*
 * This tells where the data of a CPU are in the file. Compressed data begin with the number of chunks, which takes four bytes. .offset is
 * the offset of these four bytes, but .size does not count them.
 */
struct extent {
	uint64_t offset, size; /* in bytes */
};
/*
 * Writes the data of the CPUs of @buffer as compressed chunks, one CPU after the other. All threads of the pool compress. The data of each CPU begin at
 * a multiple of the page size. @where[i] then tells where the file has the data of buffer->cpus.at[i].
 */
int out_packed(struct out *out, const struct write_buffer *buffer, struct extent *where);
/* Writes a text as a list of compressed chunks. */
int out_packed_text(struct out *out, const struct text *text);

/* These write the whole file, in version 6 or 7. */
int write_v6(struct out *out);
int write_v7(struct out *out);

#endif

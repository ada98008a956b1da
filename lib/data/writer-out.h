/* SPDX-License-Identifier: GPL-2.0 */
/* Defines the file that is being written, and the pieces of which files of both versions consist. Only writer*.c use this. */
#ifndef RINGSIDE_WRITER_OUT_H
#define RINGSIDE_WRITER_OUT_H

#include "lib/data/writer.h"

/* Bytes that are put together in memory, with integers in the byte order of the file. */
struct block {
	struct str bytes;
	bool big_endian;
};

void put_u16(struct block *b, uint16_t value);
void put_u32(struct block *b, uint32_t value);
void put_u64(struct block *b, uint64_t value);
/* A string with its NUL. */
void put_string(struct block *b, const char *text);
void put_text(struct block *b, const struct text *text);
/* The size of the text as u64 or u32, and then the text. */
void put_sized64(struct block *b, const struct text *text);
void put_sized32(struct block *b, const struct text *text);
/* Overwrites the u64 at byte @at of the block, which was put there before. */
void block_set_u64(struct block *b, size_t at, uint64_t value);

struct out {
	int fd;
	const char *path;
	uint64_t pos; /* where the next byte goes: the position of fd */
	const struct metadata *meta;
	const struct write_buffer *buffers;
	size_t nbuffers;
	const struct write_options *how;
	uint32_t ncpus;	      /* how many CPUs the machine has; no buffer has more */
	uint64_t done, total; /* bytes of trace data, for progress */
};

/* Each of these functions returns 0, or -errno after a message. */
int out_bytes(struct out *out, const void *bytes, size_t n);
/* Writes the block and empties it. Returns -ENOMEM when there was no memory for all of the block. */
int out_block(struct out *out, struct block *b);
/* Writes zeros up to the next multiple of @to. */
int out_align(struct out *out, uint32_t to);
/* Overwrites an integer that was written before. */
int out_set_u64(struct out *out, uint64_t at, uint64_t value);
int out_set_u32(struct out *out, uint64_t at, uint32_t value);
int out_progress(struct out *out, uint64_t bytes);

/* Returns the name of the clock of @buffer, which the caller frees, or NULL when there is no memory. */
char *buffer_clock(const struct out *out, const struct write_buffer *buffer);

/* writer-meta.c: what the parts from header_page to saved_cmdlines consist of, in both versions. */
void put_header_info(struct block *b, const struct metadata *meta);
void put_ftrace_formats(struct block *b, const struct metadata *meta);
void put_event_formats(struct block *b, const struct metadata *meta);
void put_kallsyms(struct block *b, const struct metadata *meta);
void put_printk(struct block *b, const struct metadata *meta);
void put_cmdlines(struct block *b, const struct metadata *meta);

/* writer-options.c: the options that do not tell where something lies in the file. */
void put_option(struct block *b, uint16_t id, const struct block *data);
void put_options(struct block *b, const struct metadata *meta);

/*
 * writer-data.c: writes the pages of one CPU. They are moved inside the kernel; pages that come from compressed chunks are unpacked by all threads.
 */
int out_pages(struct out *out, const struct write_buffer *buffer, const struct write_cpu *cpu);
/*
 * Writes the data of the CPUs of @buffer as chunks, one CPU after the other. All threads pack. The data of each CPU begin at a multiple of the page
 * size. Puts their offsets and sizes into @where.
 */
struct extent {
	uint64_t offset, size;
};
int out_packed(struct out *out, const struct write_buffer *buffer, struct extent *where);
/* Writes a text as a list of chunks. */
int out_packed_text(struct out *out, const struct text *text);

int write_v6(struct out *out);
int write_v7(struct out *out);

#endif

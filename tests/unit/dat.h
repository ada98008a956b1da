/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes pages of the ring buffer and trace.dat files, for the tests of the code that reads them. The pages and files are made byte by byte, in either byte
 * order. The code follows the description of the format and does not use lib/data/writer. So a mistake of the writer cannot hide a mistake of the reader.
 */
#ifndef RINGSIDE_UNIT_DAT_H
#define RINGSIDE_UNIT_DAT_H

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/data/page.h"

struct dat {
	struct str s;		/* the bytes made so far */
	bool big;		/* in big-endian byte order */
	unsigned int long_size; /* 4 or 8 */
	size_t page;		/* where the page under construction begins */
	size_t page_size;
};

void dat_put8(struct dat *d, uint8_t v);
void dat_put16(struct dat *d, uint16_t v);
void dat_put32(struct dat *d, uint32_t v);
void dat_put64(struct dat *d, uint64_t v);
void dat_text(struct dat *d, const char *text);			     /* with its NUL */
void dat_sized(struct dat *d, unsigned int bytes, const char *text); /* the length of @text, stored in @bytes bytes; then @text without its NUL */
void dat_align(struct dat *d, size_t to);
void dat_patch32(struct dat *d, size_t at, uint32_t v);
void dat_patch64(struct dat *d, size_t at, uint64_t v);

/* Returns the text that the kernel's file events/header_page has for pages like those of @d. The text holds until the next call. */
const char *header_page_text(const struct dat *d);

/* Begins a page whose time stamp is @ts. */
void dat_page(struct dat *d, uint64_t ts);

/* Appends the 32-bit header of an event. */
void dat_event(struct dat *d, unsigned int type_len, uint32_t delta);

/* Appends a data event of @words words. Its first two bytes are @id, and the words after the first word have the values 1, 2 and so on. */
void dat_record(struct dat *d, uint32_t delta, unsigned int words, uint16_t id);

/* These append the entry and the exit of a function as function_graph records them on a 64-bit kernel. The ids of the events are 11 and 10. */
void dat_entry(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func);
void dat_exit(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func);

/* Ends the page: writes its commit field and fills it up. @lost is 0, LOST_UNKNOWN, or the number of lost events that the page shall have. */
void dat_page_end(struct dat *d, int64_t lost);

/* The pages of a CPU. */
struct dat_cpu {
	uint32_t cpu;
	struct str pages;
};
struct dat_buffer {
	const char *name;
	VEC(struct dat_cpu) cpus;
};

/*
 * Makes a file of version 6 in @d, and drops the bytes that were there before. The file has small metadata and the @n buffers. The CPUs of a buffer must
 * be numbered from 0 without a gap.
 */
void dat6_file(struct dat *d, const struct dat_buffer *buffers, size_t n);

/* Does what dat6_file() does, for version 7. The pages are compressed with @codec ("none" or "zlib"), and a compressed chunk has @chunk_pages pages. */
void dat7_file(struct dat *d, const struct dat_buffer *buffers, size_t n, const char *codec, size_t chunk_pages);

/* Writes the bytes to a file. Returns the name of the file. The name is valid until the next call. The caller unlinks the file. */
const char *dat_save(const struct dat *d);

/* From messages_begin() on, what is written to standard error is kept. messages_end() ends this and returns the kept text, which the caller frees. */
void messages_begin(void);
char *messages_end(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Pages and trace.dat files made by hand, byte by byte in either byte order, for the tests of the reading side.
 * Made from the format's description, not by our writer.
 */
#ifndef RINGSIDE_UNIT_DAT_H
#define RINGSIDE_UNIT_DAT_H

#include "lib/base/str.h"
#include "lib/base/vec.h"
#include "lib/data/page.h"

struct dat {
	struct str s;
	bool big;
	unsigned int long_size; /* 4 or 8 */
	size_t page;		/* where the page under construction begins */
	size_t page_size;
};

void dat_put8(struct dat *d, uint8_t v);
void dat_put16(struct dat *d, uint16_t v);
void dat_put32(struct dat *d, uint32_t v);
void dat_put64(struct dat *d, uint64_t v);
void dat_text(struct dat *d, const char *text);			     /* with its NUL */
void dat_sized(struct dat *d, unsigned int bytes, const char *text); /* size in 4 or 8 bytes, then text */
void dat_align(struct dat *d, size_t to);
void dat_patch32(struct dat *d, size_t at, uint32_t v);
void dat_patch64(struct dat *d, size_t at, uint64_t v);

/* What header_page says of such pages. */
const char *header_page_text(const struct dat *d);

void dat_page(struct dat *d, uint64_t ts);
/* The 32 bits in front of an event. */
void dat_event(struct dat *d, unsigned int type_len, uint32_t delta);
/* A data event of @words words; its first two bytes are @id, the others count up. */
void dat_record(struct dat *d, uint32_t delta, unsigned int words, uint16_t id);
/* Calls as function_graph records them in a 64-bit kernel: ids 11 and 10. */
void dat_entry(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func);
void dat_exit(struct dat *d, uint32_t delta, uint32_t pid, uint64_t func);
/* Writes the commit field and fills up the page. @lost: 0, LOST_UNKNOWN, or a number to be stored. */
void dat_page_end(struct dat *d, int64_t lost);

/* One CPU's pages, as a file is to have them. */
struct dat_cpu {
	uint32_t cpu;
	struct str pages;
};
struct dat_buffer {
	const char *name;
	VEC(struct dat_cpu) cpus;
};

/* A version 6 file: metadata of a few bytes, then these. @d gets it; the CPUs are numbered from 0. */
void dat6_file(struct dat *d, const struct dat_buffer *buffers, size_t n);

/* Version 7, pages compressed with @codec ("none", "zlib") in chunks of @chunk_pages. */
void dat7_file(struct dat *d, const struct dat_buffer *buffers, size_t n, const char *codec, size_t chunk_pages);

/* Writes it to a file of a name that holds until the next call; the test's end removes nothing: unlink it. */
const char *dat_save(const struct dat *d);

/* From here on what goes to stderr is kept; messages_end() gives it (the caller frees it). */
void messages_begin(void);
char *messages_end(void);

#endif

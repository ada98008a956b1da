/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file of what was packed of a CPU's pages while the recording runs (lib/record/packer.h): runs of chunks as version 7 has
 * them, ascending. Before each run stand 16 bytes: a u32 of 0, where a chunk has its packed size, a u32 of all ones, and a u64:
 * where the run begins in what was recorded on the CPU. The file begins with PACKED_MAGIC and the codec's name, 16 bytes each;
 * the chunks of the first run, at byte 4100. Integers have the machine's byte order.
 */
#ifndef RINGSIDE_PACKED_H
#define RINGSIDE_PACKED_H

#include "lib/data/writer.h"

#define PACKED_MAGIC "ringside packed"

struct packed {
	struct packed_part part; /* its fd is owned */
	const struct codec *codec;
	uint64_t end; /* of the file */
};

/*
 * Appends a chunk of chunk_pack(): @size bytes that unpack to @plain bytes, at @at of what was recorded. Not before the end of
 * the one before. Returns 0 or -errno: then nothing was added. p->part.fd and p->codec are set by the caller, the rest is 0 at first.
 */
int packed_add(struct packed *p, uint64_t at, const void *chunk, size_t size, uint64_t plain);

/* Takes over @fd, a file that packed_add() made, as far as it goes. Returns 0 or -errno (-EBADMSG: it is none), without a message. */
int packed_open(struct packed *p, int fd);

/*
 * Calls @each with the pages of each chunk of a run in @fd, unpacked; stops when that is not 0. That, or -errno (-EBADMSG: a
 * chunk is damaged).
 */
int packed_pages(int fd, const struct packed_run *run, const struct codec *codec, int (*each)(void *ctx, uint64_t at, const char *pages, size_t size),
		 void *ctx);

/* Closes the file. */
void packed_fini(struct packed *p);

#endif

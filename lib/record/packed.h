/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes and reads a file with packed (compressed) pages of a CPU. The pages are packed while the recording runs (lib/record/packer.h). A chunk is a number
 * of pages that were packed together. It has the same layout as in version 7 of trace.dat. The file has the chunks in the order in which their pages were
 * recorded. A run is a series of chunks with no gap between them in the CPU's recorded data. The file begins with PACKED_MAGIC and the codec's name, 16
 * bytes each. The chunks of the first run begin at byte 4100 (struct packed_part in lib/data/writer.h says why). In front of the chunks of each run there
 * are 16 bytes:
 *  - a u32 of 0, where a chunk would have its packed size;
 *  - a u32 of all ones;
 *  - a u64 with the offset of the run in the CPU's recorded data.
 * Integers have the machine's byte order.
 */
#ifndef RINGSIDE_PACKED_H
#define RINGSIDE_PACKED_H

#include "lib/data/writer.h"

#define PACKED_MAGIC "ringside packed"

struct packed {
	struct packed_part part; /* .fd is owned by this struct */
	const struct codec *codec;
	uint64_t end; /* where in the file the next chunk or run goes; 0: the file is empty */
};

/*
 * Appends a chunk that chunk_pack() has made. Its @size bytes unpack to @plain bytes. @at is the offset of these @plain bytes in the CPU's recorded data.
 * @at must not be before the end of the last chunk. Returns 0 or -errno. After a failure, no chunk was added, but there may be a new run without chunks.
 * Before the first call, the caller sets p->part.fd and p->codec, and all other members are 0.
 */
int packed_add(struct packed *p, uint64_t at, const void *chunk, size_t size, uint64_t plain);

/*
 * Finds the runs in the file @fd, which packed_add() has made. The function stops at the first chunk that is not whole. In this case, @p has only the chunks
 * before that chunk. @p owns @fd from now on, even after a failure. For an empty file, there are no runs, and p->codec is NULL. Returns 0 or -errno, without a
 * message. -EBADMSG means that packed_add() has not made the file, or that no codec has the name that is in the file.
 */
int packed_open(struct packed *p, int fd);

/*
 * Unpacks each chunk of a run in @fd and calls @each with its pages. The argument "at" of @each is the offset of these pages in the CPU's recorded data. When
 * @each does not return 0, the function stops and returns what @each returned. Otherwise the function returns 0, -EBADMSG when a chunk is damaged, or another
 * -errno.
 */
int packed_pages(int fd, const struct packed_run *run, const struct codec *codec, int (*each)(void *ctx, uint64_t at, const char *pages, size_t size),
		 void *ctx);

/* Closes the file. */
void packed_fini(struct packed *p);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Passes a CPU's recorded sub-buffers from one thread to another, in chunks. The giver is the thread that records the sub-buffers. The taker is the thread
 * that packs (compresses) them. Sub-buffers that are passed in this way need not be written to the spool. The spool is the file with the recorded data of the
 * CPU (lib/record/spool.h).
 *
 * The chunks are in another file, which both threads have mapped. After a recording was killed, handover_salvage() finds in this file the data that were
 * not packed. There is only one giver, and only one taker at a time. The giver and the taker never wait for each other.
 *
 * The file has a struct handover_head (handover.c) and then the chunks. The numbers in the file are in the machine's byte order. This is possible because only
 * the same program on the same machine reads the file.
 */
#ifndef RINGSIDE_HANDOVER_H
#define RINGSIDE_HANDOVER_H

#include "lib/base/base.h"

struct handover;

/* The greatest number of chunks. */
#define HANDOVER_MOST 256

/*
 * Makes a handover with room for @n chunks (1 to HANDOVER_MOST) of @chunk bytes each. @fd is an empty file, which is borrowed until handover_free(). The
 * file takes space on the disk only as it is used. Returns 0, or -errno without a message.
 */
int handover_new(struct handover **out, int fd, size_t chunk, size_t n);
void handover_free(struct handover *h);

/*
 * For the giver: returns where it may put the next bytes, and sets *@room to the number of bytes for which there is room. @at is the offset of the next
 * bytes in the CPU's recorded data. @at is used only when the chunk that is being filled is still empty. Returns NULL when all chunks are full, or when the
 * disk has no space.
 */
char *handover_room(struct handover *h, uint64_t at, size_t *room);
/*
 * For the giver: must be called before a read() of at most @n bytes to the place that handover_room() returned. The bytes are sub-buffers of @page bytes each.
 * The function overwrites with zeros the place of the time stamp in each sub-buffer. If the process is killed before it calls handover_put(),
 * handover_salvage() looks at these sub-buffers in their order. It takes the sub-buffers in front of the first sub-buffer whose time stamp is still 0. After
 * the read, the caller calls handover_put(), even when nothing was read.
 */
void handover_expect(struct handover *h, size_t n, size_t page);
/* For the giver: notes that @n bytes, which may be 0, are now at the place that handover_room() returned. Returns true when the chunk is full now. */
bool handover_put(struct handover *h, size_t n);
/*
 * For the giver: gives the taker the chunk that is being filled, even when this chunk is not full. Returns the chunk's size in bytes, or 0 when it
 * has no bytes.
 */
size_t handover_give(struct handover *h);

/* A chunk, as the taker sees it. */
struct handed {
	const char *bytes;
	uint64_t at; /* the offset of the chunk in the CPU's recorded data */
	size_t size;
};

/*
 * For the taker: handover_first() sets *@out to the oldest chunk and returns true. It returns false when there is no chunk. handover_drop() removes the chunk
 * that handover_first() has returned. Until then, the bytes of the chunk stay valid.
 */
bool handover_first(const struct handover *h, struct handed *out);
void handover_drop(struct handover *h);

/* Returns true if more than half of the chunks wait for the taker. Any thread may call this. */
bool handover_presses(const struct handover *h);

/* Returns true if the file @fd of a handover has bytes that the taker has not dropped. Also returns true if the file cannot be read. */
bool handover_holds(int fd);

/*
 * Calls @each for each chunk that is in the file @fd and that the taker has not dropped. The oldest chunk comes first. A chunk that was not full yet comes
 * last. When @each does not return 0, the function stops and returns that value. It returns -EBADMSG when the file does not belong to a handover, or
 * another -errno when the file cannot be read. An empty file holds no chunks.
 */
int handover_salvage(int fd, int (*each)(void *ctx, const struct handed *chunk), void *ctx);

#endif

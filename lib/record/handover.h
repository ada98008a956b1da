/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chunks of a CPU's pages on their way from the thread that records to the one that packs, without lying in the spool. They are in a file that
 * both have mapped: what was not packed when the recording was killed is still there (handover_salvage()). One thread gives, one at a
 * time takes; neither waits for the other.
 *
 * The file, in the machine's byte order, is read by the same program on the same machine only: struct handover_head in handover.c, then the chunks.
 */
#ifndef RINGSIDE_HANDOVER_H
#define RINGSIDE_HANDOVER_H

#include "lib/base/base.h"

struct handover;

/* At most so many chunks. */
#define HANDOVER_MOST 256

/*
 * For @n chunks (1 to HANDOVER_MOST) of @chunk bytes. @fd is an empty file; it is borrowed, and needed until handover_free(). Nothing of the file
 * takes space before it is used. 0 or -errno, without a message.
 */
int handover_new(struct handover **out, int fd, size_t chunk, size_t n);
void handover_free(struct handover *h);

/*
 * The giver: where the next bytes go, and *@room, how many of them at most. If they are the first of a chunk, that begins at @at of what is
 * recorded on the CPU. NULL: all chunks are full, or there is no space for one.
 */
char *handover_room(struct handover *h, uint64_t at, size_t *room);
/* @n bytes were put there; true: this was the rest of the chunk. */
bool handover_put(struct handover *h, size_t n);
/* Hands the chunk over, however full it is; how many bytes it has, 0 when there is none. */
size_t handover_give(struct handover *h);

/* A chunk, as the taker sees it. */
struct handed {
	const char *bytes;
	uint64_t at;		/* of what is recorded on the CPU */
	size_t size;
};

/* The taker: the oldest chunk; false: there is none. It stays until handover_drop(). */
bool handover_first(const struct handover *h, struct handed *out);
void handover_drop(struct handover *h);

/* Is more than half of the room taken? From any thread. */
bool handover_presses(const struct handover *h);

/* Is anything in the file @fd that was not taken? */
bool handover_holds(int fd);

/*
 * What was not taken, in order, and what was put last: calls @each. 0, what it returned when not 0, or -errno: the file cannot be read (-EBADMSG: it
 * is none of this kind). An empty file holds nothing.
 */
int handover_salvage(int fd, int (*each)(void *ctx, const struct handed *chunk), void *ctx);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps many sequences of bytes ("strands") that grow at the same time. Some formats need the data of each task in one piece, but in a recording, the records
 * of different tasks are interleaved. The strands are in one scratch file (lib/base/scratch.h). Only the last piece of each strand is in memory.
 *	struct strands all = STRANDS_NONE;
 *	struct strand one = { 0 };
 *	strand_add(&all, &one, bytes, n);
 */
#ifndef RINGSIDE_STRANDS_H
#define RINGSIDE_STRANDS_H

#include "lib/base/vec.h"

struct strands {
	int fd;		    /* the scratch file; -1: all strands are in memory */
	const char *folder; /* the folder of the file */
	uint64_t end;	    /* how many bytes the file has */
	bool failed;	    /* opening, reading or writing the file has failed, and a message has said so */
	char *read;	    /* the piece that was read last; NULL: none */
	uint64_t read_at;   /* the offset of that piece in the file */
};

#define STRANDS_NONE \
	(struct strands) \
	{ \
		.fd = -1 \
	}

struct strand {
	VEC(uint64_t) pieces; /* element i: the offset of the strand's full piece i in the file */
	char *last;	      /* the last piece, which is not full yet */
	uint64_t n;	      /* how many bytes the strand has */
};

/*
 * Appends @n bytes to @strand. Returns 0, -ENOMEM, or another -errno after a message. Once a call has failed with a message, strand_add() and strand_set() do
 * nothing and return -EIO without a further message.
 */
int strand_add(struct strands *all, struct strand *strand, const void *bytes, size_t n);

/*
 * strand_set() replaces @n bytes at the offset @at of @strand. strand_get() reads @n bytes at that offset. strand_get() keeps a copy of the piece that it has
 * read last, and strand_set() does not change this copy. So strand_set() must not be called for a strand from which strand_get() has read. Both functions
 * return 0, -ENOMEM, or another -errno after a message.
 */
int strand_set(struct strands *all, struct strand *strand, uint64_t at, const void *bytes, size_t n);
int strand_get(struct strands *all, const struct strand *strand, uint64_t at, void *bytes, size_t n);

void strand_fini(struct strand *strand);
void strands_fini(struct strands *all);

#endif

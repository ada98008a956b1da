/* SPDX-License-Identifier: GPL-2.0 */
/* Takes the files of CPUs that a recording has left, and describes them for the writer of a trace file. Only restore.c uses this. */
#ifndef RINGSIDE_GATHER_H
#define RINGSIDE_GATHER_H

#include "lib/data/reader.h"
#include "lib/record/packed.h"
#include "lib/record/restore.h"
#include "lib/record/spool.h"

/* A struct that is all zero is empty. */
struct gathered {
	VEC(struct write_buffer) buffers; /* the files of their CPUs are owned */
	VEC(struct packed *) packed;	  /* the packed parts of their CPUs */
};

void gathered_fini(struct gathered *g);

/* Returns the buffer of this name, or NULL when there is none. */
struct write_buffer *gathered_buffer(const struct gathered *g, const char *name);

/* Adds the buffers that @meta names, still without CPUs. They borrow from @meta. Returns 0 or -errno after a message. */
int gather_buffers(struct gathered *g, const struct datfile *meta);

/*
 * Adds the whole sub-buffers of @fd, which is taken over. When -m has given the oldest sub-buffers back to the disk, the file begins with a hole, and
 * those behind the hole are added. Counts them in @out. Returns 0 or -errno, without a message.
 */
int gather_file(struct write_buffer *buffer, unsigned int cpu, int fd, struct restored *out);

/*
 * Adds everything in the folder of a killed recording to the buffers that are there. What was packed by @codec stays packed. What was packed by
 * another codec (or by any, when @codec is NULL), and what was on its way to be packed, is unpacked into the spools. This may be done again after a
 * failure. Returns 0 or -errno after a message.
 */
int gather_spools(struct gathered *g, const struct spool *spool, const struct codec *codec, struct restored *out);

/* Sorts the CPUs of each buffer in ascending order. */
void gathered_sort(struct gathered *g);

#endif

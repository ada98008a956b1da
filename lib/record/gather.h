/* SPDX-License-Identifier: GPL-2.0 */
/* What lies in files of CPUs, as what a trace file is written of; for restore.c alone. */
#ifndef RINGSIDE_GATHER_H
#define RINGSIDE_GATHER_H

#include "lib/data/reader.h"
#include "lib/record/packed.h"
#include "lib/record/restore.h"
#include "lib/record/spool.h"

/* All zero: nothing. */
struct gathered {
	VEC(struct write_buffer) buffers; /* the files of their CPUs are owned */
	VEC(struct packed *) packed;	  /* what belongs to them */
};

void gathered_fini(struct gathered *g);

/* NULL: there is none of that name. */
struct write_buffer *gathered_buffer(const struct gathered *g, const char *name);

/* The buffers that @meta names, which they borrow, still without CPUs. Returns 0 or -errno after a message. */
int gather_buffers(struct gathered *g, const struct datfile *meta);

/*
 * The whole sub-buffers of @fd, which is taken over; where -m had the oldest given back, they begin behind the hole. Counts
 * them in @out. Returns 0 or -errno, without a message.
 */
int gather_file(struct write_buffer *buffer, unsigned int cpu, int fd, struct restored *out);

/*
 * All of a killed recording's folder, into the buffers that are there. What was packed already stays as it is if that is by
 * @codec (NULL: never), and else goes into the spools, like what was on its way to be packed. That may be done again. 0 or
 * -errno after a message.
 */
int gather_spools(struct gathered *g, const struct spool *spool, const struct codec *codec, struct restored *out);

/* CPUs in ascending order. */
void gathered_sort(struct gathered *g);

#endif

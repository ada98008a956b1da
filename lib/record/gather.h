/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Collects the files that a killed recording has left for each CPU. Describes these files in structs for the writer of a trace file (lib/data/writer.h). Only
 * restore.c uses this header.
 */
#ifndef RINGSIDE_GATHER_H
#define RINGSIDE_GATHER_H

#include "lib/data/reader.h"
#include "lib/record/packed.h"
#include "lib/record/restore.h"
#include "lib/record/spool.h"

/* A struct that is all zero is empty. */
struct gathered {
	VEC(struct write_buffer) buffers; /* the struct owns the files of the buffers' CPUs */
	VEC(struct packed *) packed;	  /* owned; the member .part of each write_cpu in .buffers points into one of these elements */
};

void gathered_fini(struct gathered *g);

/* Returns the buffer of this name, or NULL when there is none. */
struct write_buffer *gathered_buffer(const struct gathered *g, const char *name);

/* Adds the buffers that @meta names. They have no CPUs yet, and their names point into @meta. Returns 0 or -errno after a message. */
int gather_buffers(struct gathered *g, const struct datfile *meta);

/*
 * Adds the complete sub-buffers in the file @fd to @buffer, as data of the CPU @cpu. The function takes over @fd. If a recording with -m has freed the disk
 * space of its oldest sub-buffers, the file begins with a hole, and only the sub-buffers behind the hole are added. An incomplete sub-buffer at the end is left
 * out. Adds to the members of *@out how many bytes and CPUs were added, and how many bytes the incomplete sub-buffer has. Returns 0 or -errno, without a
 * message.
 */
int gather_file(struct write_buffer *buffer, unsigned int cpu, int fd, struct restored *out);

/*
 * Adds all recorded data in the folder of a killed recording to the buffers that gather_buffers() has added. Data that were packed (compressed) by @codec
 * stay packed. Data that were packed by another codec are unpacked into the spools, which are the files cpuN of the folder (lib/record/spool.h). If @codec
 * is NULL, all packed data are unpacked into the spools. Two kinds of data are copied into the spools:
 * - data that were waiting to be packed (lib/record/handover.h)
 * - data that were still in the recorder's pipe or in the kernel (lib/record/rest.h)
 *
 * After a failure, the caller can gather everything again, in a new struct gathered. Returns 0 or -errno after a message.
 */
int gather_spools(struct gathered *g, const struct spool *spool, const struct codec *codec, struct restored *out);

/* Sorts the CPUs of each buffer in ascending order. */
void gathered_sort(struct gathered *g);

#endif

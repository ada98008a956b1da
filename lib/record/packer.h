/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packs (compresses) recorded data while the recording runs. The packer's threads are SCHED_IDLE, so that traced tasks in the same control group run first. A
 * traced task in another control group has to share its CPU with the threads, by the weights of the two groups.
 *
 * While the threads keep up, they get the data of each CPU as chunks through a handover (lib/record/handover.h). When the threads fall behind, data go to the
 * CPU's spool instead. The spool is the file with the recorded data of the CPU (lib/record/spool.h). The threads also pack spooled data, in the order in which
 * the data were recorded. But they leave out spooled data, and go on with the next chunk of the handover, in two cases:
 *  - The disk is nearly full.
 *  - More than half of the chunks of the handover wait to be packed.
 * The data that were left out are packed when the trace file is written. The packed data are in files beside the spools (lib/record/packed.h).
 *
 * A lane is a CPU's spool and the thread that writes it (lib/record/recorder.h).
 */
#ifndef RINGSIDE_PACKER_H
#define RINGSIDE_PACKER_H

#include "lib/data/writer.h"
#include "lib/record/recorder.h"

struct packer;

struct packer_config {
	const struct codec *codec;
	struct recorder *recorder;   /* the data of this recorder are packed; it must outlive the packer */
	const uint32_t *page_sizes;  /* element i: the size of a sub-buffer of lane i, in bytes; borrowed until packer_open() returns */
	const struct metadata *meta; /* .kallsyms is packed, too, and must not change until packer_stop() */
	int *files;		     /* element i: a descriptor of an empty file for the packed data of lane i; < 0: the lane is not packed */
};

/* Starts the threads. Returns 0, or -errno after a message. The files are taken over in any case. */
int packer_open(struct packer **out, const struct packer_config *config);

/* Returns the ids of the packer's threads and sets *@n to their number. */
const pid_t *packer_tids(const struct packer *p, size_t *n);

/* Is called when spools have grown or chunks were handed over. Wakes the threads that wait for data. Any thread may call this function. It never waits. */
void packer_wake(struct packer *p);

/*
 * Is called after the recorder was stopped. The threads pack what has been handed over, and end. Data that were handed over and could not be packed are then
 * put into the spool. Returns 0. If these data cannot be put into the spool, returns -errno after a message, and these data are missing from the recording.
 * Accepts NULL.
 */
int packer_stop(struct packer *p);

/* Is called after packer_stop(). Returns the packed data of a lane, or NULL when none of its data were packed. The result is valid until packer_close(). */
const struct packed_part *packer_part(const struct packer *p, size_t lane);

/* Is called after packer_stop(). Returns the packed symbols, or NULL when they are not packed. The result is valid until packer_close(). */
const struct packed_section *packer_symbols(const struct packer *p);

/* Accepts NULL. */
void packer_close(struct packer *p);

#endif

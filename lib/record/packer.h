/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packs (compresses) what is recorded. This happens while the recording runs, on CPUs that are otherwise idle. The packer's threads are SCHED_IDLE, so
 * that traced tasks run first. (This does not hold for a traced task in another control group. Such a task and the packer's threads share a CPU by the
 * weights of their groups.)
 *
 * As long as the threads keep up, chunks come to them through lib/record/handover.h and are never written to a spool (lib/record/spool.h). (To write data
 * to a spool takes more than half of the CPU time that is needed to pack them.) When the threads fall behind, data go to the spools instead. The threads
 * pack spooled data, too, in the order in which the data were recorded. In two cases, the threads leave out the spooled data and go on with the next chunk
 * that was handed over. One case is that the disk is nearly full. The other case is that more than half of the chunks of a handover wait. The data that
 * were left out are packed at the end. At that time all other data are already packed, in files beside the spools (lib/record/packed.h).
 */
#ifndef RINGSIDE_PACKER_H
#define RINGSIDE_PACKER_H

#include "lib/data/writer.h"
#include "lib/record/recorder.h"

struct packer;

struct packer_config {
	const struct codec *codec;
	struct recorder *recorder;   /* the data of this recorder are packed; it must outlive the packer */
	const uint32_t *page_sizes;  /* element i: the size of a sub-buffer of lane i (lib/record/recorder.h); borrowed until packer_open() returns */
	const struct metadata *meta; /* .kallsyms is packed, too, and must not change until packer_stop() */
	int *files;		     /* element i: a descriptor of an empty file for the packed data of lane i; < 0: the lane is not packed */
};

/* Starts the threads. Returns 0, or -errno after a message. The files are taken over in any case. */
int packer_open(struct packer **out, const struct packer_config *config);

/* Returns the ids of the packer's threads and sets *@n to their number. */
const pid_t *packer_tids(const struct packer *p, size_t *n);

/* Is called when spools have grown or chunks were handed over. Wakes the threads that wait for data. Any thread may call this function, which never waits. */
void packer_wake(struct packer *p);

/*
 * Is called after the recorder was stopped. The threads pack what has been handed over, and end. Data that were handed over and could not be packed are
 * then put into the spool. Returns 0. If these data cannot be put into the spool, they are missing from the recording, and the function returns -errno
 * after a message. Accepts NULL.
 */
int packer_stop(struct packer *p);

/* Is called after packer_stop(). Returns what was packed of a lane, or NULL when nothing was packed. The result is valid until packer_close(). */
const struct packed_part *packer_part(const struct packer *p, size_t lane);

/* Is called after packer_stop(). Returns the packed symbols, or NULL when they are not packed. The result is valid until packer_close(). */
const struct packed_section *packer_symbols(const struct packer *p);

/* Accepts NULL. */
void packer_close(struct packer *p);

#endif

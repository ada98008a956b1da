/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packs what is recorded while the recording runs, on cores that have nothing else to do: its threads are SCHED_IDLE, so that
 * whoever is traced goes first (unless it runs in another control group, which then shares by its weight). As long as they keep
 * up, chunks come to them by way of lib/record/handover.h and never lie in a spool, which costs more than half of what packing
 * does. When they do not, they leave what was spooled for the end and go on with what is handed over. What is packed lies
 * beside the spools (lib/record/packed.h) and makes the end short: there only the rest is to be packed.
 */
#ifndef RINGSIDE_PACKER_H
#define RINGSIDE_PACKER_H

#include "lib/data/writer.h"
#include "lib/record/recorder.h"

struct packer;

struct packer_config {
	const struct codec *codec;
	struct recorder *recorder;   /* whose spools; must outlive it */
	const uint32_t *page_sizes;  /* of each lane; borrowed until packer_open() returns */
	const struct metadata *meta; /* its kallsyms are packed as well; to stay as they are until packer_stop() */
	int *files;		     /* an empty one for each lane (< 0: it is not packed), all owned by the packer from packer_open() on */
};

/* Starts the threads. Returns 0, or -errno after a message. The files are taken over in any case. */
int packer_open(struct packer **out, const struct packer_config *config);

/* The ids of its threads, *@n of them. */
const pid_t *packer_tids(const struct packer *p, size_t *n);

/* Tells that spools have grown. From any thread, never waits. */
void packer_wake(struct packer *p);

/*
 * To be called when the recorder was stopped: ends the threads. What has been handed over is packed, or else spooled. 0, or
 * -errno after a message: the spool lacks something then. Accepts NULL.
 */
int packer_stop(struct packer *p);

/* What became of a lane, after packer_stop(); NULL: nothing was packed. Valid until packer_close(). */
const struct packed_part *packer_part(const struct packer *p, size_t lane);

/* The symbols, after packer_stop(); NULL: they are not packed. Valid until packer_close(). */
const struct packed_section *packer_symbols(const struct packer *p);

/* Accepts NULL. */
void packer_close(struct packer *p);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Packs what lies in the spools while the recording runs, on cores that have nothing else to do: its threads are SCHED_IDLE, so that
 * whoever is traced goes first (unless it runs in another control group, which then shares by its weight). The spools stay as they are; what is
 * packed lies beside them in files without a name, and makes the end short: there only the rest is to be packed.
 */
#ifndef RINGSIDE_PACKER_H
#define RINGSIDE_PACKER_H

#include "lib/data/writer.h"
#include "lib/record/recorder.h"

struct packer;

struct packer_config {
	const struct codec *codec;
	struct recorder *recorder;	/* whose spools; must outlive it */
	const uint32_t *page_sizes;	/* of each lane; borrowed until packer_open() returns */
	const struct metadata *meta;	/* its kallsyms are packed as well; to stay as they are until packer_stop() */
	int folder;			/* for its files; borrowed until packer_open() returns */
};

/* Starts the threads. 0, or -errno after a message. */
int packer_open(struct packer **out, const struct packer_config *config);

/* The ids of its threads, *@n of them. */
const pid_t *packer_tids(const struct packer *p, size_t *n);

/* Tells that spools have grown. From any thread, never waits. */
void packer_wake(struct packer *p);

/* Ends the threads: nothing is packed any more. Accepts NULL. */
void packer_stop(struct packer *p);

/* What became of a lane, after packer_stop(); NULL: nothing was packed. Valid until packer_close(). */
const struct packed_part *packer_part(const struct packer *p, size_t lane);

/* The symbols, after packer_stop(); NULL: they are not packed. Valid until packer_close(). */
const struct packed_section *packer_symbols(const struct packer *p);

/* Accepts NULL. */
void packer_close(struct packer *p);

#endif

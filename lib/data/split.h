/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The records of a trace file in parts, each as pages for the writer. The parts come one after the other, each CPU is read
 * on from where the part before ended, and memory does not grow with the file. Where an entry and its exit stand together
 * (RECORD_LEAF) they stay in one part, the entry's.
 */
#ifndef RINGSIDE_SPLIT_H
#define RINGSIDE_SPLIT_H

#include "lib/data/clock.h"
#include "lib/data/merge.h"
#include "lib/data/writer.h"

enum split_by { SPLIT_WHOLE, SPLIT_TIME, SPLIT_EVENTS, SPLIT_PAGES };

struct split_options {
	enum split_by by;
	uint64_t limit;		/* of a part: ns, events, sub-buffers of a CPU */
	bool per_cpu;		/* each CPU of each buffer has this limit; SPLIT_PAGES always */
	/* Only records of these times, both included, as clock_time() gives them, rounded to units of @unit ns. */
	uint64_t start, end;	/* 0, UINT64_MAX: all */
	uint64_t unit;
	struct clock clock;
	struct graph_ids graph;
	const struct cpuset *cpus;	/* NULL: all */
	bool (*buffer_wanted)(void *ctx, const char *name);	/* NULL: all buffers */
	void *ctx;
	struct pool *pool;	/* borrowed */
};

struct split_part {
	VEC(struct write_buffer) buffers;	/* those wanted, also when they are empty; they borrow from the split */
	uint64_t events;
};

struct split;

/*
 * @spool: a file to read and write, borrowed, which holds the pages of one part at a time. @file and what @how points
 * at live as long as the split. 0, or -errno after a message.
 */
int split_new(struct split **out, struct datfile *file, int spool, const struct split_options *how);

/* The next part that has events, valid until the next call: 1, 0 at the end, -errno after a message. */
int split_next(struct split *split, const struct split_part **out);

/* Was something damaged (and told) among what has been read? */
bool split_damaged(const struct split *split);

/* Accepts NULL. */
void split_free(struct split *split);

#endif

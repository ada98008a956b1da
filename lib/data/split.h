/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cuts the records of a trace file into parts, and makes pages from the records of each part, for the writer. The parts are made one after the other. Each part
 * continues the data of each CPU where the previous part ended. The memory of a split does not grow with the file. The entry and the exit of a leaf call
 * (RECORD_LEAF in lib/data/record.h) are both put into the part of the entry.
 */
#ifndef RINGSIDE_SPLIT_H
#define RINGSIDE_SPLIT_H

#include "lib/data/clock.h"
#include "lib/data/merge.h"
#include "lib/data/writer.h"

enum split_by { SPLIT_WHOLE, SPLIT_TIME, SPLIT_EVENTS, SPLIT_PAGES };

struct split_options {
	enum split_by by;
	/* The size of a part, in ns (SPLIT_TIME), events (SPLIT_EVENTS) or sub-buffers (SPLIT_PAGES). With SPLIT_WHOLE, there is only one part. */
	uint64_t limit;
	bool per_cpu; /* the limit is for each CPU of each buffer; with SPLIT_PAGES, this is always so */
	/*
	 * Only records whose times are from .start to .end, both included, are taken. The times are those of clock_time(), rounded to the
	 * nearest multiple of .unit ns.
	 */
	uint64_t start, end; /* 0 and UINT64_MAX: all records */
	uint64_t unit;	     /* 0 or 1: the times are not rounded */
	struct clock clock;
	struct graph_ids graph;
	const struct cpuset *cpus;			    /* NULL: all */
	bool (*buffer_wanted)(void *ctx, const char *name); /* NULL: all buffers */
	void *ctx;					    /* passed to buffer_wanted() */
	struct pool *pool;				    /* borrowed */
};

struct split_part {
	/*
	 * All wanted buffers, even if they have no records. Only buffers that have the text of a latency tracer instead of pages are left out. The elements
	 * borrow from the split.
	 */
	VEC(struct write_buffer) buffers;
	uint64_t events;
};

struct split;

/*
 * Makes a split. @spool is a file that is open for reading and writing. It is borrowed, and holds the pages of one part at a time. @file, and
 * everything that @how points to, must live as long as the split. Returns 0, or -errno after a message.
 */
int split_new(struct split **out, struct datfile *file, int spool, const struct split_options *how);

/* Makes the next part that has events. The part is valid until the next split_next(). Returns 1 if there is a part, 0 at the end, or -errno after a message. */
int split_next(struct split *split, const struct split_part **out);

/* Returns true if some data that were read are damaged. Messages have said which data. */
bool split_damaged(const struct split *split);

/* Frees the split. Accepts NULL. */
void split_free(struct split *split);

#endif

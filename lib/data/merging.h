/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the members of a struct merge (lib/data/merge.h). Only merge.c and live.c use this header. live.c merges pages that are handed in during the
 * recording.
 */
#ifndef RINGSIDE_MERGING_H
#define RINGSIDE_MERGING_H

#include "lib/data/merge.h"
#include "lib/data/stream.h"
#include "lib/data/tournament.h"

enum {
	BATCH_RECORDS = 1024, /* few enough for the text of a batch to fit into a core's cache */
	MOST_INPUTS = 256,    /* struct record has 8 bits for the input */
};

/* A batch, and the chunks that hold the data of its records. */
struct held_batch {
	struct batch batch;
	struct merge *merge;
	unsigned int refs;	 /* atomic */
	struct held_batch *next; /* the next batch in the list .free of the merge */
	VEC(struct chunk *) chunks;
	struct record records[BATCH_RECORDS];
};

struct merge {
	struct streaming shared;
	VEC(struct stream) streams;
	struct merge_input *inputs;
	struct clock *clocks; /* One clock for each input. If the .clock of an input is NULL, this clock does not change the stored times. */
	struct tournament tournament;
	bool started;		 /* .tournament is up to date; false: it must be made anew from the streams */
	struct live *live;	 /* for live.c; NULL: the merge reads files */
	int err;		 /* the -errno that ended the merge early */
	uint64_t seq;		 /* .seq of the next batch */
	pthread_mutex_t lock;	 /* guards .free */
	struct held_batch *free; /* free batches, whose references have all been given back; they are used again */
};

/*
 * These functions are in live.c. live_init() and live_fini() make and free what only a live merge has. live_init() returns 0 or -ENOMEM. live_mark()
 * sets RECORD_LATE in records of @batch that came too late, as merge_open_live() explains.
 */
int live_init(struct merge *merge, uint64_t window_ns);
void live_fini(struct merge *merge);
void live_mark(struct merge *merge, struct batch *batch);

/* Returns the time by which records of all inputs are ordered. Times that a shift makes negative come first. */
static inline uint64_t order_key(const struct stream *stream, uint64_t ts)
{
	if (unlikely(stream->clock))
		return clock_shifted(stream->clock, stream->cpu, ts) ^ (1ULL << 63);
	return (ts + stream->ts_shift) ^ (1ULL << 63);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The inside of a merge: merge.c, and live.c for one whose pages are handed in while they come. */
#ifndef RINGSIDE_MERGING_H
#define RINGSIDE_MERGING_H

#include "lib/data/merge.h"
#include "lib/data/stream.h"
#include "lib/data/tournament.h"

enum {
	BATCH_RECORDS = 1024,	/* what is made of them fits into a core's cache */
	MOST_INPUTS = 256,	/* struct record has 8 bits */
};

/* A batch with what keeps its records alive. */
struct held_batch {
	struct batch batch;
	struct merge *merge;
	unsigned int refs;		/* atomic */
	struct held_batch *next;	/* among the free ones */
	VEC(struct chunk *) chunks;
	struct record records[BATCH_RECORDS];
};

struct merge {
	struct streaming shared;
	VEC(struct stream) streams;
	struct merge_input *inputs;
	struct clock *clocks;		/* of each input; of one without a clock: times stay as stored */
	struct tournament tournament;
	bool started;			/* the tournament is as the streams are */
	struct live *live;		/* live.c's; NULL: files */
	int err;			/* what ended it early */
	uint64_t seq;
	pthread_mutex_t lock;		/* of .free */
	struct held_batch *free;
};

/* Of live.c: what a live merge keeps beside; marks what comes too late. */
int live_init(struct merge *merge, uint64_t window_ns);
void live_fini(struct merge *merge);
void live_mark(struct merge *merge, struct batch *batch);

/* Times of all inputs on one scale; those shifted below zero come first. */
static inline uint64_t order_key(const struct stream *stream, uint64_t ts)
{
	if (unlikely(stream->clock))
		return clock_shifted(stream->clock, stream->cpu, ts) ^ (1ULL << 63);
	return (ts + stream->ts_shift) ^ (1ULL << 63);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * All records of one or several files in the order of time: one stream per CPU and buffer, decoded ahead by a
 * pool, put together by time (ties: lower input first, then buffer, then CPU), in batches of a thousand.
 * Memory does not grow with the files: chunks are read and unpacked ahead, and dropped behind.
 */
#ifndef RINGSIDE_MERGE_H
#define RINGSIDE_MERGE_H

#include "lib/base/parse.h"
#include "lib/base/pool.h"
#include "lib/data/clock.h"
#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/data/record.h"

/*
 * How a leaf call is known: an entry record followed on its CPU by the exit record of the same function and
 * pid. Ids and offsets come from the event formats (lib/event); id 0 = there is no such event.
 */
struct graph_ids {
	struct graph_side {
		uint16_t id;
		uint16_t func_offset;	/* bytes in the payload */
		uint8_t func_size;	/* 4 or 8 */
	} entry, exit;
	uint16_t type_offset, pid_offset;	/* of common_type (2 bytes), common_pid (4 bytes) */
};

/* Which records are wanted: all others are skipped as early as possible. */
struct merge_input {
	struct datfile *file;		/* borrowed */
	struct graph_ids graph;
	const struct clock *clock;	/* copied: what it makes of the times is compared; NULL: the times as stored */
	const struct cpuset *cpus;	/* NULL: all. Others are not even read */
	bool fold;	/* not those with RECORD_FOLDED */
	bool (*buffer_wanted)(void *ctx, const char *name);	/* NULL: all buffers */
	void *ctx;
};

/* A buffer_wanted() whose @globs is a strv_t: one of them matches @name; "top" names the top buffer. */
bool merge_buffer_globs(void *globs, const char *name);

struct merge;

/* The graph_ids.entry of all inputs decide RECORD_LEAF. @pool is borrowed. 0, -ENOMEM, or another -errno after a message. */
int merge_open(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool);

/* The raw times of the first and the last record of a CPU of a buffer of an input. */
struct merge_end {
	uint64_t first, last;
	uint16_t cpu, buffer;
	uint8_t file;
};

/* Calls @each for every stream that has records, without reading more than their ends. Before merge_next(). 0 or -errno. */
int merge_ends(struct merge *merge, void (*each)(void *ctx, const struct merge_end *end), void *ctx);

/*
 * Only records that their input's clock shows as @from to @to, both included; pages before and behind are not read. A call
 * folded into its entry goes with it. Before merge_next(). 0 or -errno.
 */
int merge_narrow(struct merge *merge, uint64_t from, uint64_t to);

/* Begins to decode ahead, which else the first merge_next() does. 0 or -errno after a message. */
int merge_begin(struct merge *merge);

/*
 * The next batch: 1, 0 at the end, -ENOMEM, or another -errno after a message when reading failed.
 * A damaged page or chunk is named on stderr (file, offset), skipped, and remembered: see merge_damaged().
 */
int merge_next(struct merge *merge, struct batch **out);

/* One more reference to a batch of a merge: each is given back by batch_put(). */
struct batch *batch_get(const struct batch *batch);

/* Gives a reference back, from any thread, in any order. Accepts NULL. */
void batch_put(struct batch *batch);

/*
 * The same for pages that are handed in while they come (live.c), of one input whose file lists the buffers and their CPUs and
 * holds no data. Its streams are numbered as the file lists them: the CPUs of the first buffer, then the second's.
 * Who feeds goes round all streams again and again:
 *	merge_room(), merge_feed() for each; merge_round(); merge_next() until it returns 0: nothing more is due
 * A record is due when nothing earlier can come any more: every stream has given all that it had in a round that began
 * at least @window after the record had come, or has given something later. What comes earlier than a record that is
 * out already has RECORD_LATE and comes next. All by the feeding thread; 0, or -ENOMEM.
 */
int merge_open_live(struct merge **out, const struct merge_input *input, uint64_t window_ns);

/* Room for pages of @stream: *@size bytes, whole pages. NULL: no memory. Holds until merge_feed(). */
void *merge_room(struct merge *merge, size_t stream, size_t *size);

/* @size bytes of pages are in there now. @drained: that was all that the stream had. */
int merge_feed(struct merge *merge, size_t stream, size_t size, bool drained);

/* A round that began and ended at these times (any clock that goes on). True: there are records that are not due. */
bool merge_round(struct merge *merge, uint64_t begin_ns, uint64_t end_ns);

/* Nothing more will come: all is due. */
void merge_flush(struct merge *merge);

/* Has damage been found so far? merge_hush(): it is not told, as another merge of the same records tells it. */
bool merge_damaged(const struct merge *merge);
void merge_hush(struct merge *merge);

/* All batches must have been put. Accepts NULL. */
void merge_close(struct merge *merge);

#endif

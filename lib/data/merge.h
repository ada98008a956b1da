/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives all records of one or several files in the order of time. Each CPU of each buffer has a stream of records. The threads of a pool (lib/base/pool.h)
 * decode the streams ahead. The streams are merged by time into batches of about a thousand records. Records of the same time are ordered by input, then
 * by buffer, then by CPU. The memory of a merge does not grow with the size of the files.
 */
#ifndef RINGSIDE_MERGE_H
#define RINGSIDE_MERGE_H

#include "lib/base/parse.h"
#include "lib/base/pool.h"
#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/data/record.h"

/*
 * Tells how to recognise a leaf call. In a leaf call, the record that follows the entry on the same CPU is the exit. The entry and the exit have the same
 * function and pid. Ids and offsets come from the formats of the events (lib/event). The id 0 means that there is no such event.
 */
struct graph_ids {
	struct graph_side {
		uint16_t id;
		uint16_t func_offset; /* how many bytes of the payload are in front of the function's address */
		uint8_t func_size;    /* bytes of this address: 4 or 8 */
	} entry, exit;
	uint16_t type_offset; /* how many bytes of the payload are in front of common_type, which has 2 bytes */
	uint16_t pid_offset;  /* how many bytes of the payload are in front of common_pid, which has 4 bytes */
	/*
	 * How many bytes of the exit's payload are in front of calltime and of rettime, which have 8 bytes each. Both are 0 if the exit lacks one of
	 * the two.
	 */
	uint16_t calltime_offset, rettime_offset;
};

/* This is an input of a merge: a file, and members that tell which of its records are wanted. Other records are skipped as early as possible. */
struct merge_input {
	struct datfile *file; /* borrowed */
	struct graph_ids graph;
	/* Times are compared as this clock converts them. NULL: times are compared as they are stored. The clock is copied. */
	const struct clock *clock;
	/* only records of these CPUs are wanted, and data of other CPUs are not read; NULL: all CPUs */
	const struct cpuset *cpus;
	/* true: records that have RECORD_FOLDED but lack RECORD_LONG (lib/data/record.h) are skipped */
	bool fold;
	bool (*buffer_wanted)(void *ctx, const char *name); /* returns true if the buffer @name is wanted; NULL: all buffers are wanted */
	void *ctx;					    /* passed to buffer_wanted() */
};

/*
 * This is a buffer_wanted() whose context is a strv_t of globs. Returns true if one of the globs matches @name. For the globs, the top buffer has the
 * name "top".
 */
bool merge_buffer_globs(void *globs, const char *name);

struct merge;

/*
 * Makes a merge of @n inputs. The .graph of an input decides which of its records get RECORD_LEAF. @pool is borrowed. If @pool is NULL, nothing is
 * decoded ahead. Returns 0, -ENOMEM, or another -errno after a message.
 */
int merge_open(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool);

/* These are the raw times of the first and the last record of a stream. A stream is one CPU of one buffer of one input (.cpu, .buffer, .file). */
struct merge_end {
	uint64_t first, last;
	uint16_t cpu, buffer;
	uint8_t file;
};

/*
 * Calls @each for every stream that has records. Only the ends of the streams are read. The caller must not have called merge_next() yet. Returns 0,
 * -ENOMEM, or another -errno after a message.
 */
int merge_ends(struct merge *merge, void (*each)(void *ctx, const struct merge_end *end), void *ctx);

/*
 * Limits the merge to records whose time is from @from to @to, both included. The times are those that the clock of the input gives. Only a few pages
 * outside of this range are read. If @whole is true, each exit with RECORD_FOLDED whose entry is before @from gets RECORD_TAIL (lib/data/record.h). The
 * caller must not have called merge_next() yet. If merge_narrow() is called more than once, only records that are in all ranges are merged. Returns 0,
 * -ENOMEM, or another -errno after a message.
 */
int merge_narrow(struct merge *merge, uint64_t from, uint64_t to, bool whole);

/*
 * Begins to decode ahead. If merge_begin() is not called, the first merge_next() begins to decode ahead. Returns 0, -ENOMEM, or another -errno after a message.
 */
int merge_begin(struct merge *merge);

/*
 * Gives the next batch. The caller gives the batch back with batch_put(). Returns 1 if there is a batch, 0 at the end, -ENOMEM, or another -errno after a
 * message. The rest of a damaged page is skipped. A compressed chunk that cannot be unpacked is skipped, too. Messages name the first few damaged places
 * by file and offset. After the first damage, merge_damaged() returns true.
 */
int merge_next(struct merge *merge, struct batch **out);

/* Takes one more reference to a batch that merge_next() gave, and returns the batch. The caller gives each reference back by batch_put(). */
struct batch *batch_get(const struct batch *batch);

/* Gives a reference back, from any thread, in any order. Accepts NULL. */
void batch_put(struct batch *batch);

/*
 * Makes a live merge (live.c), in which the caller hands in pages while they are recorded. A live merge has one input. The file of this input lists the
 * buffers and their CPUs, and holds no data. The streams are numbered as the file lists them: first the CPUs of the first buffer, then the CPUs of
 * the second buffer, and so on. The caller makes one round after the other. In each round, the caller calls these functions:
 * - merge_room() and merge_feed() for each stream;
 * - merge_round();
 * - merge_next() until it returns 0, because no more records are due.
 * A record R is due when no stream is expected to give a record that is earlier than R. A stream is not expected to do so in these two cases:
 * - The stream has given a record later than R.
 * - The caller has reported in this round that the stream is drained (merge_feed()), and this round began at least @window_ns after the end of the round in
 *   which R was handed in.
 * Even so, a record may be handed in after merge_next() has given a later record. Such a late record gets RECORD_LATE and comes next. Only one thread may
 * call the functions of a live merge. Returns what merge_open() returns.
 */
int merge_open_live(struct merge **out, const struct merge_input *input, uint64_t window_ns);

/*
 * Returns memory for pages of @stream, or NULL when memory runs out. *@size becomes the size of this memory. The memory holds a whole number of
 * pages. The memory is valid until merge_feed().
 */
void *merge_room(struct merge *merge, size_t stream, size_t *size);

/*
 * Notes that the caller has put @size bytes of pages into the memory of merge_room(). @drained says that the stream has no more pages at present. Returns 0
 * or -ENOMEM.
 */
int merge_feed(struct merge *merge, size_t stream, size_t size, bool drained);

/*
 * Notes that a round has begun at @begin_ns and has ended at @end_ns. The times may come from any clock that does not go back. Returns true when
 * there are records that are not due yet.
 */
bool merge_round(struct merge *merge, uint64_t begin_ns, uint64_t end_ns);

/* Notes that no more pages will be handed in. From now on, all records are due. The caller has to call this at the end. */
void merge_flush(struct merge *merge);

/* Returns true if damage has been found so far. */
bool merge_damaged(const struct merge *merge);

/* Makes the merge print no messages about damage from now on. This is used when another merge of the same records prints these messages. */
void merge_hush(struct merge *merge);

/* Frees the merge. All batches must have been given back before. Accepts NULL. */
void merge_close(struct merge *merge);

#endif

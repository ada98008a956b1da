/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives all records of one or several files in the order of time. Each CPU of each buffer has a stream, which a pool decodes ahead. The
 * streams are merged by time into batches of about a thousand records; records of the same time are ordered by input, then by buffer, then
 * by CPU. Memory does not grow with the files, because chunks that have been merged are dropped.
 */
#ifndef RINGSIDE_MERGE_H
#define RINGSIDE_MERGE_H

#include "lib/base/parse.h"
#include "lib/base/pool.h"
#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/data/record.h"

/*
 * Tells how to recognise a leaf call: its entry record is followed, on the same CPU, by the exit record of the same function and pid. Ids and offsets
 * come from the formats of the events (lib/event). The id 0 means that there is no such event.
 */
struct graph_ids {
	struct graph_side {
		uint16_t id;
		uint16_t func_offset; /* bytes in the payload */
		uint8_t func_size;    /* 4 or 8 */
	} entry, exit;
	uint16_t type_offset, pid_offset; /* of common_type (2 bytes), common_pid (4 bytes) */
};

/* A file, and which of its records are wanted. All others are skipped as early as possible. */
struct merge_input {
	struct datfile *file; /* borrowed */
	struct graph_ids graph;
	const struct clock *clock;			    /* copied; times are compared as it converts them. NULL: as they are stored */
	const struct cpuset *cpus;			    /* NULL: all CPUs. Data of other CPUs are not even read */
	bool fold;					    /* records with RECORD_FOLDED and without RECORD_LONG are not wanted */
	bool (*buffer_wanted)(void *ctx, const char *name); /* NULL: all buffers */
	void *ctx;
};

/* A buffer_wanted() whose context is a strv_t of globs: does one of them match @name? "top" matches the top buffer. */
bool merge_buffer_globs(void *globs, const char *name);

struct merge;

/*
 * Makes a merge of @n inputs; each input's .graph decides which of its records get RECORD_LEAF. @pool is borrowed and may be
 * NULL. Returns 0, -ENOMEM, or another -errno after a message.
 */
int merge_open(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool);

/* The raw times of the first and the last record of a CPU of a buffer of an input. */
struct merge_end {
	uint64_t first, last;
	uint16_t cpu, buffer;
	uint8_t file;
};

/*
 * Calls @each for every stream that has records. Only the ends of the streams are read. The caller must not have called merge_next() yet.
 * Returns 0 or -errno.
 */
int merge_ends(struct merge *merge, void (*each)(void *ctx, const struct merge_end *end), void *ctx);

/*
 * Limits the merge to records from @from to @to, both included, as their input's clock converts times. Pages outside of this
 * range are not read. With @whole, an exit that is folded into its entry gets RECORD_TAIL when the entry is before @from. The caller must not have
 * called merge_next() yet. When merge_narrow() is called more than once, a record has to be in all ranges. Returns 0 or -errno.
 */
int merge_narrow(struct merge *merge, uint64_t from, uint64_t to, bool whole);

/* Begins to decode ahead. Without this the first merge_next() does it. Returns 0, or -errno after a message. */
int merge_begin(struct merge *merge);

/*
 * Gives the next batch, which the caller gives back with batch_put(). Returns 1, 0 at the end, -ENOMEM, or another -errno after a
 * message when reading failed. A message names each damaged page or chunk (file and offset), which is skipped; merge_damaged() is
 * true from then on.
 */
int merge_next(struct merge *merge, struct batch **out);

/* Takes one more reference to a batch of a merge. Each reference is given back by batch_put(). */
struct batch *batch_get(const struct batch *batch);

/* Gives a reference back, from any thread, in any order. Accepts NULL. */
void batch_put(struct batch *batch);

/*
 * Makes a live merge, whose pages the caller hands in while they come (live.c). Its one input has a file that lists the buffers
 * and their CPUs and holds no data. The streams are numbered as the file lists them: first the CPUs of the first buffer, then
 * those of the second. The caller goes round all streams again and again:
 *	merge_room() and merge_feed() for each stream; merge_round(); merge_next() until it returns 0, when nothing more is due
 * A record is due when no stream is expected to give an earlier one. A stream is not expected to do so when it has given a later
 * record, or when it has given all that it had in a round that began at least @window_ns after the record was handed in. If an
 * earlier record is handed in all the same, after a later one was given out, it gets RECORD_LATE and is given out next. Only one
 * thread may call these functions. Returns 0 or -ENOMEM.
 */
int merge_open_live(struct merge **out, const struct merge_input *input, uint64_t window_ns);

/* Returns memory for *@size bytes of pages of @stream, a whole number of pages, or NULL when memory runs out. It is valid until merge_feed(). */
void *merge_room(struct merge *merge, size_t stream, size_t *size);

/* Notes that @size bytes of pages have been put there. @drained: the stream has no more at present. Returns 0 or -errno. */
int merge_feed(struct merge *merge, size_t stream, size_t size, bool drained);

/*
 * Notes that a round has begun and ended at these times, by any clock that does not go back. Returns true when there are records
 * that are not due yet.
 */
bool merge_round(struct merge *merge, uint64_t begin_ns, uint64_t end_ns);

/* Must be called when nothing more will come, so that all records are due. */
void merge_flush(struct merge *merge);

/* Has damage been found so far? */
bool merge_damaged(const struct merge *merge);

/* From now on no message reports damage, because another merge of the same records reports it. */
void merge_hush(struct merge *merge);

/* Frees the merge. All batches must have been given back before. Accepts NULL. */
void merge_close(struct merge *merge);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives all records of one or several files in the order of time. Each CPU of each buffer has a stream, which a pool decodes ahead. The
 * streams are merged by time into batches of about a thousand records; records of the same time are ordered by input, then by buffer, then
 * by CPU. Memory does not grow with the files, because pages whose records have been merged are dropped.
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
		uint16_t func_offset; /* how many bytes of the payload are in front of the function's address */
		uint8_t func_size;    /* bytes of this address: 4 or 8 */
	} entry, exit;
	uint16_t type_offset; /* how many bytes of the payload are in front of common_type, which has 2 bytes */
	uint16_t pid_offset;  /* the same for common_pid, which has 4 bytes */
	/* The same for calltime and rettime of the exit, which have 8 bytes each; 0: the exit does not have both */
	uint16_t calltime_offset, rettime_offset;
};

/* A file, and which of its records are wanted. All others are skipped as early as possible. */
struct merge_input {
	struct datfile *file; /* borrowed */
	struct graph_ids graph;
	const struct clock *clock;			    /* copied; times are compared as the clock converts them. NULL: they are compared as stored */
	const struct cpuset *cpus;			    /* NULL: all CPUs. Data of other CPUs are not even read */
	bool fold;					    /* records with RECORD_FOLDED and without RECORD_LONG (lib/data/record.h) are not wanted */
	bool (*buffer_wanted)(void *ctx, const char *name); /* NULL: all buffers */
	void *ctx;
};

/* This is a buffer_wanted() whose context is a strv_t of globs. Does one of the globs match @name? For the globs, the top buffer has the name "top". */
bool merge_buffer_globs(void *globs, const char *name);

struct merge;

/*
 * Makes a merge of @n inputs; each input's .graph decides which of its records get RECORD_LEAF. @pool is borrowed. When it is
 * NULL, nothing is decoded ahead. Returns 0, -ENOMEM, or another -errno after a message.
 */
int merge_open(struct merge **out, const struct merge_input *inputs, size_t n, struct pool *pool);

/* The raw times of the first and the last record of a CPU of a buffer of an input. */
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
 * Limits the merge to records whose time is from @from to @to, both included, as the clock of their input converts it. Only a few pages outside of this
 * range are read. If @whole is true, an exit with RECORD_FOLDED whose entry is before @from gets RECORD_TAIL (lib/data/record.h). The caller must not have
 * called merge_next() yet. When merge_narrow() is called more than once, a record has to be in all ranges. Returns 0, -ENOMEM, or another -errno after a
 * message.
 */
int merge_narrow(struct merge *merge, uint64_t from, uint64_t to, bool whole);

/* Begins to decode ahead. If it is not called, the first merge_next() does this. Returns 0, -ENOMEM, or another -errno after a message. */
int merge_begin(struct merge *merge);

/*
 * Gives the next batch, which the caller gives back with batch_put(). Returns 1, 0 at the end, -ENOMEM, or another -errno after a message when reading
 * failed. The rest of a damaged page is skipped, and so is a compressed chunk that cannot be unpacked. Messages name the first damaged places (file and
 * offset), and merge_damaged() is true from then on.
 */
int merge_next(struct merge *merge, struct batch **out);

/* Takes one more reference to a batch of a merge. The caller gives each reference back by batch_put(). */
struct batch *batch_get(const struct batch *batch);

/* Gives a reference back, from any thread, in any order. Accepts NULL. */
void batch_put(struct batch *batch);

/*
 * Makes a live merge: the caller hands in pages while they are recorded (live.c). Its one input has a file that lists the buffers and their CPUs and holds
 * no data. The streams are numbered as the file lists them: first the CPUs of the first buffer, then those of the second. The caller makes one round after
 * the other. In each round, the caller calls:
 *	merge_room() and merge_feed() for each stream; merge_round(); merge_next() until it returns 0, because no more records are due
 * A record is due when no stream is expected to give an earlier one. A stream that has given a later record is expected to give no earlier one. The same
 * goes for a stream that the caller has reported as drained in this round (merge_feed()), if this round began at least @window_ns after the end of the
 * round in which the record was handed in. If an earlier record is handed in all the same, after merge_next() has given a later one, the earlier one gets
 * RECORD_LATE and comes next. Only one thread may call the functions of a live merge. Returns what merge_open() returns.
 */
int merge_open_live(struct merge **out, const struct merge_input *input, uint64_t window_ns);

/*
 * Returns memory for pages of @stream, or NULL when memory runs out. *@size becomes the size of the memory, a whole number of pages. The memory is
 * valid until merge_feed().
 */
void *merge_room(struct merge *merge, size_t stream, size_t *size);

/*
 * Notes that the caller has put @size bytes of pages into the memory of merge_room(). @drained says that the stream has no more pages at present. Returns 0
 * or -ENOMEM.
 */
int merge_feed(struct merge *merge, size_t stream, size_t size, bool drained);

/*
 * Notes that a round has begun and ended at these times. They may come from any clock that does not go back. Returns true when there are records that
 * are not due yet.
 */
bool merge_round(struct merge *merge, uint64_t begin_ns, uint64_t end_ns);

/* Notes that no more pages will be handed in: from now on all records are due. The caller has to call this at the end. */
void merge_flush(struct merge *merge);

/* Has damage been found so far? */
bool merge_damaged(const struct merge *merge);

/* Makes the merge print no messages about damage from now on. This is for the case that another merge of the same records prints them. */
void merge_hush(struct merge *merge);

/* Frees the merge. All batches must have been given back before. Accepts NULL. */
void merge_close(struct merge *merge);

#endif

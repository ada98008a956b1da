/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The classic report: a line for each record, in the layout of trace-cmd 3.3 and later. What depends on the order of
 * records is decided batch by batch in the caller's thread; the text is then made on any thread of the pool
 * and written in order. The bytes are the same at any number of threads.
 */
#ifndef RINGSIDE_LINES_H
#define RINGSIDE_LINES_H

#include "lib/analysis/handler.h"
#include "lib/base/pool.h"
#include "lib/data/clock.h"
#include "lib/data/reader.h"
#include "lib/event/trace.h"

struct lines_input {
	struct trace *trace;		/* all borrowed */
	const struct datfile *file;
	struct clock clock;
	const char *name;		/* in front of its lines; NULL: blanks as wide as the others' names */
	bool raw_ticks;			/* times are shown as numbers, not seconds, whatever the clock */
};

struct lines_options {
	bool latency;			/* -l */
	bool exact;			/* -t: nanoseconds */
	bool ts_diff;			/* --ts-diff */
	bool boundary;			/* --boundary: show where sub-buffers begin */
	bool align;			/* --align-ts: the first record is time 0 */
	bool colour;
};

/* Writes to @fd. Borrows @pool and what the inputs point to. 0 or -ENOMEM. */
int lines_new(struct handler **out, const struct lines_input *inputs, size_t n, const struct lines_options *opt,
	      struct pool *pool, int fd);

/* Does the line of a leaf's entry tell its exit as well, so that a merge may fold them? */
bool lines_fold(const struct trace *trace);

/* Does this clock of a buffer (NULL: as the metadata says) count nanoseconds? */
bool lines_clock_is_ns(const struct metadata *meta, const char *clock);

/* Are the times of this buffer of @in shown as seconds? */
bool lines_in_ns(const struct lines_input *in, const struct datbuf *buffer);

#endif

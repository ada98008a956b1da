/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the first and last times of a stream, and narrows a stream to a window of time. Both functions search by bisection over the stream's pages or
 * compressed chunks, and read only a few of these. They must be called before stream_start(). They assume that the times of a CPU never go backwards.
 */
#ifndef RINGSIDE_NARROW_H
#define RINGSIDE_NARROW_H

#include "lib/data/clock.h"
#include "lib/data/stream.h"

/* Sets the raw times of the first and the last record. Returns 1, 0 when the stream has no record, or -errno. */
int stream_ends(struct stream *stream, uint64_t *first, uint64_t *last);

/*
 * Limits the stream, which may have limits already, to the records whose time, as @clock shows it, is from @from to @to, both included. @whole is as
 * in merge_narrow(). Returns 0 or -errno.
 */
int stream_narrow(struct stream *stream, const struct clock *clock, uint64_t from, uint64_t to, bool whole);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A stream's times, and a window of them, found by bisection over its pages or compressed chunks: what lies in between is
 * not read. Before stream_start(). A CPU's time is taken to go forwards.
 */
#ifndef RINGSIDE_NARROW_H
#define RINGSIDE_NARROW_H

#include "lib/data/clock.h"
#include "lib/data/stream.h"

/* The raw times of the first and the last record: 1, 0 when there is none, -errno. */
int stream_ends(struct stream *stream, uint64_t *first, uint64_t *last);

/* From now on the stream has only what @clock shows as @from to @to, both included. 0 or -errno. */
int stream_narrow(struct stream *stream, const struct clock *clock, uint64_t from, uint64_t to);

#endif

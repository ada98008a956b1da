/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the first and last times of a stream, and narrows a stream to a window of time. A stream gives the records of one CPU of one buffer
 * (lib/data/stream.h). Both functions decode only a few of the stream's pages or compressed chunks. Both functions must be called before stream_start().
 * They assume that the times of a CPU never go backwards.
 */
#ifndef RINGSIDE_NARROW_H
#define RINGSIDE_NARROW_H

#include "lib/data/clock.h"
#include "lib/data/stream.h"

/*
 * Sets *@first and *@last to the raw times of the first and the last record. Returns 1 if the stream has records, 0 if it has no records, -ENOMEM, or
 * another -errno after a message.
 */
int stream_ends(struct stream *stream, uint64_t *first, uint64_t *last);

/*
 * Limits the stream to the records whose time is from @from to @to, both included. @from and @to are times as @clock converts them. If the function
 * is called again, the earlier limits apply as well. @whole is explained at merge_narrow() (lib/data/merge.h). Returns 0, -ENOMEM, or another -errno
 * after a message.
 */
int stream_narrow(struct stream *stream, const struct clock *clock, uint64_t from, uint64_t to, bool whole);

#endif

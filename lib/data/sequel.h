/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the metadata of a trace file of version 7 in two parts. So the file can be sent while it is recorded. The first part has what is known at the
 * beginning. At its end, the first part says that more options follow. The second part has the names of tasks, the statistics of the CPUs and the maps of
 * processes. The second part is sent when the recording has ended.
 */
#ifndef RINGSIDE_SEQUEL_H
#define RINGSIDE_SEQUEL_H

#include "lib/data/writer.h"

/*
 * Makes the first part. The first part has @meta without the names of tasks. *@out must be empty before the call. The caller frees out->at in any case, even
 * after a failure. Returns 0, or -errno after a message.
 */
int sequel_begin(struct text *out, const struct metadata *meta, const struct codec *codec);

/* Appends the second part to *@out. @at is the offset in the file at which this part will be. Returns 0, or -ENOMEM without a message. */
int sequel_end(struct str *out, uint64_t at, const struct metadata *meta);

/*
 * Writes an empty list of options at offset @at of @fd. The second part replaces this list later. @fd begins with the first part, and the first part
 * tells the byte order. Does not move the position of @fd. Returns 0 or -errno, without a message.
 */
int sequel_none(int fd, uint64_t at);

#endif

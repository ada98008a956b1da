/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace file of version 7 in two parts, so that it can be sent while it is recorded. The first part has what is known at the
 * beginning, and it ends by saying that more options follow. The second part is sent after it when the recording has ended; it has the
 * names of tasks, the statistics of the CPUs and the maps of processes. Without the second part, the first is a file whose end is missing.
 */
#ifndef RINGSIDE_SEQUEL_H
#define RINGSIDE_SEQUEL_H

#include "lib/data/writer.h"

/* Makes the first part: @meta without its names of tasks. The caller frees *@out. Returns 0, or -errno after a message. */
int sequel_begin(struct text *out, const struct metadata *meta, const struct codec *codec);

/* Appends the second part, which will be at the offset @at of the file, to *@out. Returns 0, or -ENOMEM without a message. */
int sequel_end(struct str *out, uint64_t at, const struct metadata *meta);

/*
 * Appends to *@out an empty list of options, which stands in the place of the second part until that has come. str_ok() tells
 * whether there was memory.
 */
void sequel_none(struct str *out);

#endif

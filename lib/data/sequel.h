/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A trace file of version 7 that is sent while it is recorded: first what is known at the beginning, a file that ends with the promise that more options
 * follow; and when it has ended, behind it, these: names of tasks, statistics of the CPUs, maps of processes. Without the second part it is a file whose end is
 * missing.
 */
#ifndef RINGSIDE_SEQUEL_H
#define RINGSIDE_SEQUEL_H

#include "lib/data/writer.h"

/* The first part, of @meta without its names of tasks, into *@out, new memory. 0 or -errno after a message. */
int sequel_begin(struct text *out, const struct metadata *meta, const struct codec *codec);

/* The second part, which stands at the offset @at: appended to @out. 0, or -ENOMEM without a message. */
int sequel_end(struct str *out, uint64_t at, const struct metadata *meta);

/* Instead of the second part, as long as that has not come: nothing more. Appended to @out; str_ok() tells. */
void sequel_none(struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds leaf calls. A leaf call has called no recorded function, so that its entry and its exit are neighbours in the stream of
 * their CPU.
 */
#ifndef RINGSIDE_LEAF_H
#define RINGSIDE_LEAF_H

#include "lib/data/merge.h"

/*
 * leaf_mark() may read this many bytes from the beginning of any payload, however small the payload is. The memory must be there;
 * what is in it does not matter.
 */
#define LEAF_SLACK 64

/*
 * A leaf whose entry and exit are at least this many units of the clock apart gets RECORD_LONG (lib/data/record.h), because its task may have been on
 * another CPU in between. No task gets to another CPU and back within 4096 ns, nor within 4096 ticks of a TSC. With a clock whose units are much
 * longer than 1 ns, a task can do so without RECORD_LONG being set.
 */
#define LEAF_LONG 4096

/* Is @rec the entry of a call? */
bool leaf_is_entry(const struct graph_ids *ids, const struct record *rec, bool big_endian);

/*
 * Sets RECORD_LEAF in @entry and RECORD_FOLDED in @exit (lib/data/record.h) if @entry is the entry of a call, @exit is the exit of a call of the same
 * function and pid, and no events were lost between the two. entry->exit and entry->exit_size then tell where the data of @exit are. If the two are
 * LEAF_LONG or more apart, the function sets RECORD_LONG in both, too.
 */
void leaf_pair(const struct graph_ids *ids, struct record *entry, struct record *exit, bool big_endian);

/* Does what leaf_pair() does, for each pair of neighbours among the @n records, which are all of one CPU. */
void leaf_mark(const struct graph_ids *ids, struct record *records, size_t n, bool big_endian);

#endif

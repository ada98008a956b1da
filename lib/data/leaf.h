/* SPDX-License-Identifier: GPL-2.0 */
/* Leaf calls: the entry and exit records of a function that called no other one, next to each other. */
#ifndef RINGSIDE_LEAF_H
#define RINGSIDE_LEAF_H

#include "lib/data/merge.h"

/* Bytes that may be read behind any payload given to leaf_mark(): the memory must be there, whatever is in it. */
#define LEAF_SLACK 64

/* Is @rec the entry of a call? */
bool leaf_is_entry(const struct graph_ids *ids, const struct record *rec, bool big_endian);

/* Sets RECORD_LEAF and RECORD_FOLDED when @exit is the exit that belongs to the entry @entry. */
void leaf_pair(const struct graph_ids *ids, struct record *entry, struct record *exit, bool big_endian);

/* Does the same for each two neighbours of the @n records, which are of one CPU. */
void leaf_mark(const struct graph_ids *ids, struct record *records, size_t n, bool big_endian);

#endif

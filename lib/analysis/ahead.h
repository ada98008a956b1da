/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges records (lib/data/merge.h) on a thread of a pool. While this thread merges, another thread calls the handlers (lib/analysis/handler.h) with the
 * records that have been merged already. Merging ahead saves time if the handlers do much work for each record in the thread that calls them. It saves
 * nothing if a handler gives its work to the pool, because merging takes one of the pool's threads. ahead_next() returns the same batches of records as
 * merge_next(), in the same order. At most 32 merged batches wait for a call of ahead_next().
 */
#ifndef RINGSIDE_AHEAD_H
#define RINGSIDE_AHEAD_H

#include "lib/data/merge.h"

struct ahead;

/* Borrows @merge and @pool. Nobody else may use the merge until ahead_free(). Returns 0 or -ENOMEM. */
int ahead_new(struct ahead **out, struct merge *merge, struct pool *pool);

/* Does what merge_next() does. */
int ahead_next(struct ahead *ahead, struct batch **out);

/* Waits for the thread that merges, gives back the batches that ahead_next() has not returned, and frees @ahead. Accepts NULL. */
void ahead_free(struct ahead *ahead);

#endif

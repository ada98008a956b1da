/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the distribution of the times between the two events of a pair. lib/analysis/pair-spec.h describes pairs. lib/analysis/pair-match.h finds the events.
 * Nothing in here prints.
 */
#ifndef RINGSIDE_PAIRS_H
#define RINGSIDE_PAIRS_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * Makes the distribution. @opt->what is the name of the pair in the output. @opt->by tells how the distribution is divided into parts, for example by CPU. A
 * time belongs to the CPU or the field value of its end event. The task of a time is the task that the pair is about (pair_events_task()). The key DIST_COMM
 * and the field "pid" mean this task. The places of the longest times (lib/analysis/dist.h) have this task, too. Borrows the texts in @opt, and @pair. Returns
 * one of these:
 * - 0;
 * - -ENOENT after a message, if no file has both events of the pair;
 * - -EINVAL after a message, if an event lacks a field that is a key, or if a filter is wrong;
 * - -ENOMEM.
 */
int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair);

/* Returns true if there were records of both events of the pair in this input so far. */
bool pairs_seen(const struct dist *dist, size_t input);

#endif

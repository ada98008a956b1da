/* SPDX-License-Identifier: GPL-2.0 */
/* Makes the distribution of the times between the two events of a pair. lib/analysis/pair-match.h finds the events. Nothing in here prints. */
#ifndef RINGSIDE_PAIRS_H
#define RINGSIDE_PAIRS_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * Makes the distribution. @opt->what names the pair in output. The key that divides the distribution into parts (@opt->by) is taken from the end
 * event. Returns what dist_new_events() returns.
 */
int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair);

/* Returns true if this input has had records of both events of the pair so far. */
bool pairs_seen(const struct dist *dist, size_t input);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The distribution of the time between two events, which lib/analysis/pair-match.h puts together. No printing. */
#ifndef RINGSIDE_PAIRS_H
#define RINGSIDE_PAIRS_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * The distribution of the times between both; @opt->what names them for people. What is told apart by is of the end. As dist_new_events().
 */
int dist_new_pairs(struct dist **out, struct reading *reading, const struct dist_options *opt, const struct pair *pair);

#endif

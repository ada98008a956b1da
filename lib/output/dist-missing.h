/* SPDX-License-Identifier: GPL-2.0 */
/* Says what a distribution lacks: calls and events that are not there, or not in all of the files. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/* Reports that the reading of @dist has no call of the name that is wanted, and which names may be meant. Returns -errno. */
int dist_missing(const struct dist *dist, struct reading *reading);

/* Notes, for a distribution of pairs, which of the files lack records of one of the pair's events. Notes nothing when all of the files lack them. */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Says what a distribution lacks: calls and events that are not there, or not in all of the files. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/* Reports that the reading, of which @dist is, has no call of the name that is wanted, and what may be meant. Returns -errno. */
int dist_missing(const struct dist *dist, struct reading *reading);

/* Of a distribution of pairs: notes which of the files lack records of one of its events, unless all of them do. */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Says which calls and events a distribution lacks, because no file has them, or because not all files have them. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * Prints the message that says why there is nothing of the wanted name in @reading, from which @dist was made. The message depends on the name:
 *  - If no call and no event has the name, the message has the nearest names.
 *  - If the name is an event without a field, or with a field that the event lacks, the message has the event's fields that are numbers.
 *  - If the name is one of pair_presets (lib/analysis/pair-spec.h), the message is that of pair_preset_missing().
 * Returns -errno.
 */
int dist_missing(const struct dist *dist, struct reading *reading);

/*
 * For a distribution of pairs, prints a note that names the files in which one of the pair's two events has no record. Prints nothing when no file lacks
 * an event. Prints nothing when every file lacks one of the two events.
 */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

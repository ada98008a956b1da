/* SPDX-License-Identifier: GPL-2.0 */
/* Says what a distribution lacks: calls and events that are not there, or not in all of the files. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * Prints the message that says why there is nothing of the wanted name in @reading, from which @dist was made. Either there is no call and no event
 * of that name, and the message has the nearest names. Or the name is an event without a field, or with a field that the event does not have, and the
 * message has the event's fields that are numbers. Or the name is one of pair_presets (lib/analysis/pair-spec.h), and the message is that of
 * pair_preset_missing(). Returns -errno.
 */
int dist_missing(const struct dist *dist, struct reading *reading);

/*
 * For a distribution of pairs, prints a note that names the files in which one of the pair's two events has no record. Prints nothing when no file
 * lacks an event, or when every file lacks one.
 */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints messages when nothing was found for a distribution, or when some of the files add nothing to it. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * @dist was made from the records of @reading (lib/analysis/reading.h), and no call or event with the name dist->opt.what gave a value. Prints a message that
 * says why. The message depends on the name:
 *  - If no call and no event has the name, the message suggests similar names.
 *  - If only an event has the name, or if the name is EVENT.FIELD and the event lacks this field, the message lists the event's fields that are numbers.
 *  - If the name is one of pair_presets (lib/analysis/pair-spec.h), pair_preset_missing() prints the message, even when an event has this name, too.
 * Returns -errno.
 */
int dist_missing(const struct dist *dist, struct reading *reading);

/*
 * For a distribution of the times between the two events of @pair, prints a note that names the files in which one of the two events has no record. Prints
 * nothing when each file has records of both events. Also prints nothing when no file has records of both events.
 */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints messages when nothing was found for a distribution, or when some of the files add nothing to it. */
#ifndef RINGSIDE_DIST_MISSING_H
#define RINGSIDE_DIST_MISSING_H

#include "lib/analysis/dist.h"
#include "lib/analysis/pair-spec.h"

/*
 * Prints a message that says why the distribution @dist is empty, and returns -errno. @dist was made from the records of @reading (lib/analysis/reading.h),
 * and no call or event with the name dist->opt.what gave a value. The message depends on this name. The first of these rules that applies is used:
 *  - If the name is one of pair_presets (lib/analysis/pair-spec.h), missing_call() prints the message.
 *  - If an event of the first file has the name, which may be SYSTEM:EVENT, the message lists the event's fields that are numbers.
 *  - If the name is [SYSTEM:]EVENT.FIELD, and no recorded call has a similar name, the message depends on the first file. If the file describes EVENT, the
 *    message lists the event's fields that are numbers. If not, the message says that the file has neither this event nor a call of this name.
 *  - In all other cases, the message says why no call was found. Either there is no call of this name, or the options of the user have left out all calls of
 *    this name. If there are similar names, the message may suggest them.
 * Prints no message for -ENOMEM.
 */
int dist_missing(const struct dist *dist, struct reading *reading);

/*
 * @dist is a distribution of the times between the two events of @pair. Prints a note that names the files in which one of the two events has no record. Prints
 * nothing when each file has records of both events. Also prints nothing when no file has records of both events.
 */
void dist_say_without(const struct dist *dist, const struct pair *pair);

#endif

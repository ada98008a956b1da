/* SPDX-License-Identifier: GPL-2.0 */
/* Reports that a recording has no call of the function that was asked for, and what the reason may be. */
#ifndef RINGSIDE_MISSING_H
#define RINGSIDE_MISSING_H

#include "lib/analysis/reading.h"

/*
 * Did the selection of records leave no record, or no record of a task that was asked for? Then nothing is known of any function, and the command
 * itself says that nothing was found.
 */
static inline bool missing_all(const struct reading *reading)
{
	return !reading->pass.passed || (reading->asked && !reading->found);
}

/*
 * Reports that the reading has no call of @what, a name or a glob. When options selected the records, the message names these options. @called are
 * the names of what was called. Unless @what is a glob or a path of calls, the message has the nearest of these names and of the names of
 * pair_presets (lib/analysis/pair-spec.h). @events are the names of events, when an event could have been meant, too; else NULL. Returns -ENOENT.
 */
int missing_call(struct reading *reading, const char *what, const strv_t *called, const strv_t *events);

#endif

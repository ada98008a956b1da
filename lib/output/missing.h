/* SPDX-License-Identifier: GPL-2.0 */
/* Reports that a recording has no call of the function that was asked for. The message also gives the possible reason. */
#ifndef RINGSIDE_MISSING_H
#define RINGSIDE_MISSING_H

#include "lib/analysis/reading.h"

/*
 * Returns true when the options that select records have left out all records. Also returns true when tasks were asked for and no record of any of these tasks
 * was found. If the result is true, it is not known whether the recording has calls of a function. So the command prints a message of its own instead of
 * calling missing_call().
 */
static inline bool missing_all(const struct reading *reading)
{
	return !reading->pass.passed || (reading->asked && !reading->found);
}

/* What records calls. */
#define CALLS_COME_FROM "come from `record -p function_graph`, `record --latency`, `record -e raw_syscalls` and what programs mark (atrace)"

/*
 * Reports that the records of @reading have no call of @what. @what is a name, a glob, or a path of calls. When options selected the records, the message names
 * these options. Otherwise, if @what is one of pair_presets (lib/analysis/pair-spec.h), pair_preset_missing() prints the message. @called are the names of all
 * calls. If the user may have meant an event by @what, @events are the names of events. Otherwise @events is NULL. The message suggests names if no options
 * selected the records, and @what is neither a glob nor a path. If options selected the records, no names are suggested, because @what may be the right name.
 * The suggested names are those that are nearest to @what among @called, @events and pair_presets. Returns -ENOENT.
 */
int missing_call(struct reading *reading, const char *what, const strv_t *called, const strv_t *events);

#endif

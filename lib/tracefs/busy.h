/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out whether somebody traces in a tracefs directory. The signs are that a tracer is set, that events are enabled, or that the buffer has entries. Other
 * settings (filters, options, a clock, sizes) are no signs, because a recording of ringside may change these settings, and puts them back at its end.
 */
#ifndef RINGSIDE_BUSY_H
#define RINGSIDE_BUSY_H

#include "lib/tracefs/journal.h"

/* Is the event ("sched:sched_switch") enabled in @dir? The result is false for an event that is enabled only because it has a trigger. */
bool event_enabled(const struct tracedir *dir, const char *event);

/*
 * Returns the signs that somebody traces in @dir, as a part of a sentence: "tracer function is set, events are enabled (sched:sched_switch, ...)". Returns
 * NULL when nobody traces there. The caller frees the text.
 */
char *busy_tracing(const struct tracedir *dir);

/*
 * Finds in @others the running recording that claimed the instance @name ("" is the top) of the tracefs directory @tracing_dir. The result points into
 * @others. It is NULL when no running recording claimed the instance.
 */
const struct journal_info *busy_recording(const journals_t *others, const char *tracing_dir, const char *name);

/*
 * Returns what busy_tracing() returns for @dir, which is the instance @name of @top. If a recording has died and left the instance in this state, the text also
 * names the pid of this recording, and the command that puts the settings back. @state_dir is the folder of the journals.
 */
char *busy_traced(const char *state_dir, const struct tracedir *top, const struct tracedir *dir, const char *name);

#endif

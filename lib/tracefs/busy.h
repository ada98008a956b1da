/* SPDX-License-Identifier: GPL-2.0 */
/* Does anybody trace there? Settings alone (filters, options, a clock, sizes) make nothing busy: they come back. */
#ifndef RINGSIDE_BUSY_H
#define RINGSIDE_BUSY_H

#include "lib/tracefs/journal.h"

/* Is the event ("sched:sched_switch") on there? One that only a trigger holds is not. */
bool event_enabled(const struct tracedir *dir, const char *event);

/* What is going on there, in words for a sentence ("tracer function is set, events are enabled (sched:sched_switch, …)"),
 * in new memory; NULL: nothing. */
char *busy_tracing(const struct tracedir *dir);

/* The recording that claimed the instance of this name (in the directory at @tracing_dir); NULL: none that lives. */
const struct journal_info *busy_recording(const journals_t *others, const char *tracing_dir, const char *name);

#endif

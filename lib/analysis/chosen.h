/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Applies --cpu when traces are read (lib/analysis/reading.h). In most cases, only the records of the CPUs of --cpu are read. Calls and waits are the
 * exception. A call can begin on one CPU and end on another. A task that is woken on one CPU can run on another. So calls and waits are put together from the
 * records of all CPUs. A call is used only if it began on a CPU of --cpu. A wait is used only if it ended on a CPU of --cpu. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_CHOSEN_H
#define RINGSIDE_CHOSEN_H

#include "lib/analysis/reading.h"

/* Returns true if an analysis takes in calls (ANALYSIS_CALLS). Must be called after all analyses have been added to the reading. */
bool chosen_calls(const struct reading *reading);

/* Returns the CPUs whose records are read, or NULL for all CPUs. Must be called after all analyses have been added to the reading. */
const struct cpuset *chosen_read(const struct reading *reading);

/*
 * Applies --cpu if calls or waits are put together from the records of all CPUs. It does nothing if --cpu was not given, or if an analysis applies --cpu itself
 * (ANALYSIS_ALL_CPUS). Must be called after the handlers of the analyses have been made.
 */
void chosen_begin(struct reading *reading);

#endif

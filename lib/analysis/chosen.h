/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says which CPUs' records a reading takes in if --cpu is given. In most cases the other CPUs are not read at all. But a call that begins on one CPU
 * can end on another, and a task that is woken from one CPU can run on another. So calls and waits are put together from the records of all CPUs. Of
 * the calls, only those that began on the CPUs of --cpu are used, and of the waits, only those that ended there. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_CHOSEN_H
#define RINGSIDE_CHOSEN_H

#include "lib/analysis/reading.h"

/* Returns the CPUs whose records are read, or NULL for all CPUs. Must be called after all analyses have been added to the reading. */
const struct cpuset *chosen_read(const struct reading *reading);

/*
 * If --cpu is given, but calls or waits are put together from the records of all CPUs, this function passes the CPUs of --cpu on to the pass and the
 * struct calls of the reading. Does nothing if an analysis applies --cpu itself (ANALYSIS_ALL_CPUS). Must be called after the handlers of the analyses
 * have been made.
 */
void chosen_begin(struct reading *reading);

#endif

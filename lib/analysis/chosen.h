/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says of which CPUs a reading takes records in, when --cpu chooses some. In most cases the other CPUs are not read at all. But a call that begins on one
 * CPU can end on another, and a task that is woken from one CPU can run on another. So calls and waits are put together from the records of all CPUs. Then
 * only the calls that began on the chosen CPUs are taken, and only the waits that ended there. Only lib/analysis uses this.
 */
#ifndef RINGSIDE_CHOSEN_H
#define RINGSIDE_CHOSEN_H

#include "lib/analysis/reading.h"

/* Returns the CPUs whose records are read, or NULL for all. It must be called after all parts have been added. */
const struct cpuset *chosen_read(const struct reading *reading);

/* Tells the pass and the calls which CPUs were chosen, when records of other CPUs are read as well. It must be called after the parts have been made. */
void chosen_begin(struct reading *reading);

#endif

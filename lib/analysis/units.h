/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the clocks of the files that are read together (struct reading in lib/analysis/reading.h). The records of two files can be put into one order of
 * time only if it is known how the clocks of the files are related. The times of two files can be added up only if both clocks count ns, or if both clocks
 * count the same ticks.
 */
#ifndef RINGSIDE_UNITS_H
#define RINGSIDE_UNITS_H

#include "lib/analysis/reading.h"

/* Warns if it is not known how the clocks of two files are related. The order of the records of these files then has no meaning. The files must be open. */
void units_warn_of_order(const struct reading *reading);

/* Returns true if the times of the wanted buffers of all files have the same unit. Returns false if their units differ, or when memory runs out. */
bool units_same(const struct reading *reading);

/*
 * Returns 0 if the units are the same (units_same()), or if no analysis of the reading adds times up (ANALYSIS_SUMS). Otherwise returns -EINVAL after a message
 * that names two files, or one file with two buffers, whose units differ. Returns -ENOMEM when memory runs out.
 */
int units_check(const struct reading *reading);

/*
 * Returns a text that says why the duration of a complete call is sometimes unknown. If the clock of an input counts ticks of unknown length, this is the
 * reason. Otherwise, the reason is that the exit of the call has an earlier time than the entry.
 */
const char *units_why_timeless(const inputs_t *inputs);

#endif

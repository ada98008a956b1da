/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the clocks of the files of a reading. The times of two files can be put into one order only if something relates their clocks. The times
 * of two files can be added up only if both clocks count ns, or if both count the same ticks.
 */
#ifndef RINGSIDE_UNITS_H
#define RINGSIDE_UNITS_H

#include "lib/analysis/reading.h"

/* Warns if nothing relates the clocks of two files. The order of the records of these files then has no meaning. The files must be open. */
void units_warn_of_order(const struct reading *reading);

/* Returns true if the times of the wanted buffers of all files have the same unit. Returns false if not, or when memory runs out. */
bool units_same(const struct reading *reading);

/*
 * Returns 0 if units_same() is true, or if no analysis of the reading adds times up (ANALYSIS_SUMS). Otherwise returns -EINVAL after a message that
 * names a file of each unit. Returns -ENOMEM when memory runs out.
 */
int units_check(const struct reading *reading);

/*
 * Returns a text that says why the totals of some complete calls are not known. If the clock of an input counts ticks of unknown length, this is the
 * reason. If all clocks count ns, the reason is that these calls ended before they began, according to their records.
 */
const char *units_why_timeless(const inputs_t *inputs);

#endif

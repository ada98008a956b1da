/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Compares the clocks of the files of a reading. The times of two files can be put into one order only if something relates their clocks, and they can
 * be added up only if both clocks count ns, or both count the same ticks.
 */
#ifndef RINGSIDE_UNITS_H
#define RINGSIDE_UNITS_H

#include "lib/analysis/reading.h"

/* Warns if nothing relates the clocks of two files, so that the order of their records has no meaning. The files must be open. */
void units_warn_of_order(const struct reading *reading);

/* Do the times of the wanted buffers of all files have the same unit? Returns false also when memory runs out. */
bool units_same(const struct reading *reading);

/*
 * Returns 0 if units_same(), or if no analysis of the reading adds times up (ANALYSIS_SUMS). Otherwise it returns -EINVAL after a message that names a
 * file of each unit, or -ENOMEM.
 */
int units_check(const struct reading *reading);

/*
 * Returns the reason why the totals of some complete calls are not known: the clock of an input counts ticks of unknown length, or, if all clocks count
 * ns, the records of the calls say that they ended before they began.
 */
const char *units_why_timeless(const inputs_t *inputs);

#endif

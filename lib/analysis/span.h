/* SPDX-License-Identifier: GPL-2.0 */
/* Tells which span of time the records of a reading cover. */
#ifndef RINGSIDE_SPAN_H
#define RINGSIDE_SPAN_H

#include "lib/analysis/reading.h"

/*
 * Both functions tell the time from the first record to the last one in the reading's files, in ns or in ticks as input_time() returns times; 0: there are
 * no records, or the clocks of the files count different units. All records in the reading's window, buffers and CPUs count, whichever tasks and events are
 * selected. span_of_pass() returns the time for the records that the pass has seen so far. span_find() does not need a pass: it looks into the files of
 * @whole, which must be open and ready, and need not have any analysis. If the reading has a window, buffers or CPUs, span_find() reads their records once.
 * It returns 0, or -errno after a message.
 */
uint64_t span_of_pass(const struct reading *reading);
int span_find(struct reading *whole, uint64_t *span);

#endif

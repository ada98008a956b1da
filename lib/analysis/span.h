/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which span of time the records of a reading cover. A struct reading says which files are read and which of their records are selected
 * (lib/analysis/reading.h).
 */
#ifndef RINGSIDE_SPAN_H
#define RINGSIDE_SPAN_H

#include "lib/analysis/reading.h"

/*
 * Both functions find the span from the first record to the last record of the reading's files. The span is in the unit of input_time(), which is ns or ticks.
 * It is 0 if there are no records, or if the clocks of the files count different units. Only records that are in the reading's window of time and in a chosen
 * buffer, and come from a chosen CPU, are taken into account. The selection of tasks and events has no effect.
 * - span_of_pass() returns the span of the records that the reading's pass (lib/analysis/pass.h) has seen so far.
 * - span_find() needs no pass and no analyses, because it looks into the files of @whole itself. reading_open() and reading_ready() must have been called for
 *   @whole. If a window, buffers or CPUs are chosen, span_find() reads all chosen records once. It returns 0, or -errno after a message.
 */
uint64_t span_of_pass(const struct reading *reading);
int span_find(struct reading *whole, uint64_t *span);

#endif

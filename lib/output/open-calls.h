/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the last lines of a report on a recording of `record --latency`: the calls that did not return. */
#ifndef RINGSIDE_OPEN_CALLS_H
#define RINGSIDE_OPEN_CALLS_H

#include "lib/analysis/analysis.h"

/*
 * Prints a heading, and a line for each call that did not return and whose event and CPU are selected. The lines look like those of `ringside report` without
 * --tree. Prints nothing when there are no such calls. latency_end() (lib/analysis/latency.h) keeps a limited number of calls. When it has dropped calls, a
 * last line says how many calls were dropped. This number includes calls that are not selected. The analysis has no options and takes in no records. It takes
 * the calls from struct reading.
 */
extern const struct analysis open_calls_analysis;

#endif

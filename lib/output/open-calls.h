/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the calls that `record --latency` has measured and that did not return, in the last lines of a report. */
#ifndef RINGSIDE_OPEN_CALLS_H
#define RINGSIDE_OPEN_CALLS_H

#include "lib/analysis/analysis.h"

/*
 * Prints a heading, and a line for each of these calls whose events and CPU are selected. The lines look like those of `ringside report` without --tree. Prints
 * nothing when there are no such calls. When there are more such calls than latency_end() (lib/analysis/latency.h) gives, a last line says how many more there
 * are. The analysis has no options and takes in no records. It takes the calls from struct reading.
 */
extern const struct analysis open_calls_analysis;

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Ends a report with a line for each call of `record --latency` that did not return. */
#ifndef RINGSIDE_OPEN_CALLS_H
#define RINGSIDE_OPEN_CALLS_H

#include "lib/analysis/analysis.h"

/*
 * Prints a heading and a line for each call whose events and CPU are selected. The lines look like those of `ringside report` without --tree. Prints
 * nothing when there are no such calls. When there are more calls than latency_end() (lib/analysis/latency.h) gives, a last line says how many more. The
 * analysis has no options and takes in no records, because struct reading has these calls already.
 */
extern const struct analysis open_calls_analysis;

#endif

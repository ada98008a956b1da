/* SPDX-License-Identifier: GPL-2.0 */
/* Of which functions the slowest calls are worth telling: found in a tree of all calls, so that lib/analysis/causes.h can be asked about them. */
#ifndef RINGSIDE_SLOWEST_H
#define RINGSIDE_SLOWEST_H

#include "lib/analysis/callgraph.h"

/*
 * The names of @most functions, copied to the end of @out: those with the longest complete calls, the longest first. A function whose slowest call
 * takes up most of that of a caller of it that is among them is left out, as it is told there. What interrupts call is left out, and names
 * that stand for several functions. 0 or -ENOMEM.
 */
int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in a tree of calls the functions with the slowest calls. lib/analysis/causes.h can then tell why these calls were slow. */
#ifndef RINGSIDE_SLOWEST_H
#define RINGSIDE_SLOWEST_H

#include "lib/analysis/callgraph.h"

/*
 * Appends copies of the names of at most @most functions to @out. These are the functions with the longest complete calls, the longest first. Three kinds
 * of functions are left out:
 * - A function F that is explained by a function C in @out. C has made F's slowest call, directly or through other functions, and this call took at least 80 %
 *   of the time of C's slowest call on the same path.
 * - A function whose calls are all made in interrupts.
 * - A name that stands for several functions, such as "[unknown]".
 * Returns 0 or -ENOMEM.
 */
int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out);

#endif

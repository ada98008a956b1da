/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in a tree of all calls the functions whose slowest calls are worth explaining. lib/analysis/causes.h can then explain these calls. */
#ifndef RINGSIDE_SLOWEST_H
#define RINGSIDE_SLOWEST_H

#include "lib/analysis/callgraph.h"

/*
 * Appends copies of the names of at most @most functions to @out. These are the functions with the longest complete calls, the longest first. Three kinds
 * of functions are left out:
 * - A function that is called, directly or not, by one of the functions that are appended, if its slowest call takes nearly all the time of the slowest
 *   call of that function. One explanation is enough for both calls.
 * - A function whose calls are all made in interrupts.
 * - A name that stands for several functions, such as "[unknown]".
 * Returns 0 or -ENOMEM.
 */
int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out);

#endif

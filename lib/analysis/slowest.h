/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in a tree of all calls the functions whose slowest calls are worth explaining. lib/analysis/causes.h can then explain these calls. */
#ifndef RINGSIDE_SLOWEST_H
#define RINGSIDE_SLOWEST_H

#include "lib/analysis/callgraph.h"

/*
 * Appends copies of the names of at most @most functions to @out: those with the longest complete calls, the longest first. A function is left out
 * if its slowest call makes up most of the slowest call of a direct or indirect caller whose name is appended, because the explanation of the caller's
 * call also explains this one. Functions that only interrupts call are left out, and so are names that stand for several functions. Returns 0 or
 * -ENOMEM.
 */
int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out);

#endif

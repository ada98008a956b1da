/* SPDX-License-Identifier: GPL-2.0 */
/* Finds in a tree of all calls the functions whose slowest calls are worth explaining. lib/analysis/causes.h can then explain these calls. */
#ifndef RINGSIDE_SLOWEST_H
#define RINGSIDE_SLOWEST_H

#include "lib/analysis/callgraph.h"

/*
 * Appends copies of the names of at most @most functions to @out: those with the longest complete calls, the longest first. A function is left out
 * if its slowest call lasts nearly as long as the slowest call of a direct or indirect caller that is appended: one explanation is then enough for
 * both calls. A function is also left out if all of its calls are made in interrupts, and so is a name that stands for several functions. Returns 0
 * or -ENOMEM.
 */
int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out);

#endif

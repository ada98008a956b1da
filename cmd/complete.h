/* SPDX-License-Identifier: GPL-2.0 */
/* Names that the running kernel knows, for completion. */
#ifndef RINGSIDE_COMPLETE_H
#define RINGSIDE_COMPLETE_H

#include "lib/base/vec.h"

/*
 * Appends the names of @kind ("events", "systems", "tracers", "functions", "options", "clocks", "instances", "cpus")
 * that may begin with @prefix. 0, or -errno without a message (no tracefs, no permission, no such kind).
 */
int complete_kernel(const char *kind, const char *prefix, strv_t *names);

#endif

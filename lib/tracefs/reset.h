/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends all tracing in an instance, for `ringside reset`, no matter which program has begun the tracing. The old settings are not kept, so they cannot be put
 * back. Each function returns 0, or the first -errno after messages. When a step fails, the function goes on with the other steps. But reset_instance() returns
 * at once when one of the first settings that it writes is refused with -EACCES.
 */
#ifndef RINGSIDE_RESET_H
#define RINGSIDE_RESET_H

#include "lib/tracefs/tracedir.h"

/*
 * Puts the instance into the state that it has after boot:
 *  - The tracer, filters, lists of process ids, triggers and function commands are removed, and all events are disabled.
 *  - max_graph_depth, tracing_thresh and tracing_max_latency become 0.
 *  - The clock becomes "local", and the CPU mask has all CPUs.
 *  - The buffer is emptied, and tracing_on becomes 1.
 * Options, dynamic events and the sizes of the buffers stay. @dir is the instance. The list of events is read from @top, the top directory.
 */
int reset_instance(const struct tracedir *top, const struct tracedir *dir);

/* Sets the size of the buffer on each CPU to @kb kB. */
int reset_size(const struct tracedir *dir, uint64_t kb);

/* Removes the instance. Returns -EBUSY when somebody has one of its files open. */
int reset_remove(const struct tracedir *top, const char *name);

#endif

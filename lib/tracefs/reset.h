/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Ends all tracing in an instance, for `ringside reset`, no matter which program has begun it. The old settings are not remembered, so they cannot be
 * put back; a recording uses lib/tracefs/session.h instead. Each function returns 0, or the first -errno after messages. When a step fails, the
 * function goes on with the other steps.
 */
#ifndef RINGSIDE_RESET_H
#define RINGSIDE_RESET_H

#include "lib/tracefs/tracedir.h"

/*
 * Removes the tracer, filters, triggers and function commands, disables all events, sets max_graph_depth, tracing_thresh and tracing_max_latency to 0,
 * the clock to "local" and the CPU mask to all CPUs, empties the buffer, and sets tracing_on to 1, as after boot. Options, dynamic events and the sizes
 * of the buffers stay. The list of events is read from @top.
 */
int reset_instance(const struct tracedir *top, const struct tracedir *dir);

/* Sets the size of the buffer on each CPU. */
int reset_size(const struct tracedir *dir, uint64_t kb);

/* Removes the instance. Returns -EBUSY when somebody has one of its files open. */
int reset_remove(const struct tracedir *top, const char *name);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Brings an instance to rest for good, whoever has set it up: for `ringside reset`. Nothing of it is remembered; a
 * recording uses lib/tracefs/session.h. Each returns 0, or the first -errno after a message and goes on with the rest.
 */
#ifndef RINGSIDE_RESET_H
#define RINGSIDE_RESET_H

#include "lib/tracefs/tracedir.h"

/*
 * No tracer, no events, no filters, triggers and function commands, the boot clock, all CPUs, an empty buffer; and tracing
 * on, as after boot. Options, dynamic events and the buffers' sizes stay. @top lists the events.
 */
int reset_instance(const struct tracedir *top, const struct tracedir *dir);

/* The size of the buffer on each CPU. */
int reset_size(const struct tracedir *dir, uint64_t kb);

/* Removes the instance. -EBUSY: somebody has one of its files open. */
int reset_remove(const struct tracedir *top, const char *name);

#endif

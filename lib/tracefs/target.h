/* SPDX-License-Identifier: GPL-2.0 */
/* Which instance a command means, and whether it may be touched. */
#ifndef RINGSIDE_TARGET_H
#define RINGSIDE_TARGET_H

#include "lib/tracefs/tracedir.h"

/*
 * Opens the instance @name, "" being the top. 0, or -errno after a message: the nearest names when there is none; with @change,
 * -EBUSY when a recording of ours is at it.
 */
int target_open(struct tracedir *out, const struct tracedir *top, const char *name, bool change);

bool target_exists(const struct tracedir *top, const char *name);

/* -EBUSY after a message when a recording of ours is at it. */
int target_unused(const struct tracedir *top, const char *name);

#endif

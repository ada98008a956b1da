/* SPDX-License-Identifier: GPL-2.0 */
/* Opens the instance that a command names, and checks that it may be changed. */
#ifndef RINGSIDE_TARGET_H
#define RINGSIDE_TARGET_H

#include "lib/tracefs/tracedir.h"

/*
 * Opens the instance @name ("" is the top). Returns 0, or -errno after a message. When the instance does not exist, the message lists instances with similar
 * names. If @change is true, the function first calls target_unused(). If target_unused() fails, the function returns this error.
 */
int target_open(struct tracedir *out, const struct tracedir *top, const char *name, bool change);

bool target_exists(const struct tracedir *top, const char *name);

/*
 * Returns 0 if the instance @name ("" is the top) may be changed. Returns -EBUSY after a message when a running recording of ringside uses the instance.
 * Returns -ENOENT after a message when no folder can be used for the journals of recordings.
 */
int target_unused(const struct tracedir *top, const char *name);

#endif

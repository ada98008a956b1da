/* SPDX-License-Identifier: GPL-2.0 */
/* Triggers of events, as texts: what one writes to a trigger file, and what that reads. */
#ifndef RINGSIDE_TRIGGER_H
#define RINGSIDE_TRIGGER_H

#include "lib/tracefs/tracedir.h"

/*
 * Is one of @trigger's kind in @text, what its file reads? Two of one kind cannot be on an event. Of "hist" there may be many,
 * told apart by the kernel: false.
 */
bool trigger_is_there(const char *text, const char *trigger);

/*
 * Does the kernel know that kind? A file without triggers lists the kinds: "# Available triggers:", below it
 * "# traceon traceoff ..."; otherwise the kernel will say. 0, or -EINVAL after a message with the nearest.
 */
int trigger_check(const char *text, const char *trigger);

/*
 * Removes all triggers in @file. 0; 1: some are still there, as others refer to their variables; or the first -errno, no message.
 */
int trigger_clear(const struct tracedir *dir, const char *file);

#endif

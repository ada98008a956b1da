/* SPDX-License-Identifier: GPL-2.0 */
/* Triggers of events as texts: the text that is written to a trigger file, and the text that is read from it. */
#ifndef RINGSIDE_TRIGGER_H
#define RINGSIDE_TRIGGER_H

#include "lib/tracefs/tracedir.h"

/*
 * Is a trigger of the same kind as @trigger in @text, which was read from the trigger file? An event cannot have two triggers
 * of one kind. Only of "hist" it can have many, which the kernel tells apart; for these the answer is always false.
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

/* SPDX-License-Identifier: GPL-2.0 */
/* Compares and removes triggers of events. A trigger is a text that is written to a trigger file and can be read from it. */
#ifndef RINGSIDE_TRIGGER_H
#define RINGSIDE_TRIGGER_H

#include "lib/tracefs/tracedir.h"

/*
 * Tells whether @text, which was read from the trigger file, has a trigger of the same kind as @trigger. An event cannot have two triggers of one kind.
 * The exception is the kind "hist". An event can have many "hist" triggers, so for a "hist" trigger the answer is always TRIGGER_NOT_THERE. Triggers such
 * as enable_event:SYSTEM:EVENT are of one kind only if they name the same event.
 */
enum trigger_there {
	TRIGGER_NOT_THERE,
	TRIGGER_THERE, /* a trigger of that kind is there, with the same condition (the text behind "if") */
	TRIGGER_OTHER, /* a trigger of that kind is there, with another condition */
};
enum trigger_there trigger_is_there(const char *text, const char *trigger);

/*
 * Checks that the kernel knows the kind of @trigger. @text was read from the trigger file. A file without triggers lists the kinds, as "# traceon
 * traceoff ..." below the line "# Available triggers:". When the file does not list the kinds, nothing is checked, and the kernel refuses an unknown kind
 * later. Returns 0, or -ENOMEM or -EINVAL after a message. -EINVAL means that the kernel does not know the kind. Then the message lists the kinds with the
 * most similar names, or all kinds when no name is similar.
 */
int trigger_check(const char *text, const char *trigger);

/*
 * Finds the event that a trigger enables or disables. *@event becomes "sched:sched_switch", in new memory, for "enable_event:sched:sched_switch:1 if pid > 5",
 * and also for disable_event. For all other triggers *@event becomes NULL. @trigger can also be the part of a function command behind the function's name
 * (lib/tracefs/funcommand.h). Returns 0, or -ENOMEM after a message.
 */
int trigger_switches(const char *trigger, char **event);

/*
 * Removes all triggers in @file. Returns 0 when all triggers were removed. Returns 1 when some triggers are still there because other triggers refer to
 * their variables. Otherwise returns the first -errno. The function prints no message.
 */
int trigger_clear(const struct tracedir *dir, const char *file);

#endif

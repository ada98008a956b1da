/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function commands: what the kernel does whenever a function is called, written to set_ftrace_filter as "vfs_read:stacktrace",
 * "vfs_*:traceoff:3", "vfs_read:enable_event:sched:sched_switch". They need no tracer. In that file they stand among the functions of the
 * filter, as "vfs_read:traceoff:count=3" or "vfs_read:stacktrace:unlimited".
 */
#ifndef RINGSIDE_FUNCOMMAND_H
#define RINGSIDE_FUNCOMMAND_H

#include "lib/tracefs/tracedir.h"

#define FUNCOMMAND_FILE "set_ftrace_filter"

/* Is this text of -l a command, and not a function or one of a module ("vfs_read", "*:mod:ext4")? */
bool funcommand_is(const char *text);

/* Is there such a command, are there such functions? 0, or -errno after a message that names @option and the nearest. */
int funcommands_check(const struct tracedir *top, const char *option, const strv_t *commands);

/* Those that are there, as the kernel lists them, appended to *@out. 0 or -errno, no message. */
int funcommands_read(const struct tracedir *dir, strv_t *out);

/*
 * Makes those in @lines (as listed, joined by newlines; "" is none) be there and no others. How often one has been carried out since does
 * not count. @file: of which directory below @dir. 0, or the first -errno; no message.
 */
int funcommands_put(const struct tracedir *dir, const char *file, const char *lines);

#endif

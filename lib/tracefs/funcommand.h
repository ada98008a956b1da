/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads and sets function commands. A function command tells the kernel what to do whenever a function is called, and needs no tracer. It is written to
 * set_ftrace_filter, as "vfs_read:stacktrace", "vfs_*:traceoff:3" or "vfs_read:enable_event:sched:sched_switch". When set_ftrace_filter is read, it has the
 * function commands in another form, such as "vfs_read:traceoff:count=3" or "vfs_read:stacktrace:unlimited". The function commands stand among the functions of
 * the filter.
 */
#ifndef RINGSIDE_FUNCOMMAND_H
#define RINGSIDE_FUNCOMMAND_H

#include "lib/tracefs/tracedir.h"

#define FUNCOMMAND_FILE "set_ftrace_filter"

/* Is this argument of -l a function command? A function ("vfs_read") or a function of a module ("*:mod:ext4") is not. */
bool funcommand_is(const char *text);

/* Returns the part of the function command @text behind the function's name, such as "enable_event:sched:sched_switch". The result points into @text. */
const char *funcommand_action(const char *text);

/*
 * Checks these things:
 * - Each of these function commands is well formed, and ringside knows its kind.
 * - The kernel has the events that the commands name.
 * - The kernel has at least one of the functions that the commands name.
 * If the kernel lacks only some of the functions, the commands for these functions are taken out of @commands. A note is printed for each of these commands.
 * Returns 0, or -errno after a message with @option and the nearest names.
 */
int funcommands_check(const struct tracedir *top, const char *option, strv_t *commands);

/*
 * Appends to *@out the function commands that are set in @dir, as the kernel lists them. Returns 0, or -errno without a message.
 */
int funcommands_read(const struct tracedir *dir, strv_t *out);

/*
 * Sets exactly the function commands in @lines, and removes all others. @lines has one command on each line, in the form that funcommands_read() gives. If
 * @lines is empty, all commands are removed. There is one exception: if a command that is set now differs from a command in @lines only in its count, the
 * command that is set now stays, with its present count. @file is the path of set_ftrace_filter relative to @dir. Returns 0, or the first -errno without a
 * message.
 */
int funcommands_put(const struct tracedir *dir, const char *file, const char *lines);

#endif

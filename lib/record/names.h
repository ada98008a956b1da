/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers the names of tasks during a recording. The kernel keeps only a limited number of names (128, if saved_cmdlines_size is not changed). When two tasks
 * share a place in the kernel's list, the list has the name of only one of them. So the list, which is the file saved_cmdlines, is read from time to time. The
 * tasks that -P chooses are also asked for their names (/proc/PID/comm). New names are appended to the file "names" of the spool folder (lib/record/spool.h).
 * So these names are not lost when the recorder is killed. A line of this file is "PID NAME". When the file has several names for a task, the last of these
 * names is used.
 */
#ifndef RINGSIDE_RECORD_NAMES_H
#define RINGSIDE_RECORD_NAMES_H

#include "lib/base/str.h"
#include "lib/tracefs/process.h"
#include "lib/tracefs/tracedir.h"

struct names;

/*
 * Begins without any names. New names will be appended to the file @fd. If @fd is -1, they are appended to no file. The function owns @fd from now on,
 * even after a failure. Returns 0, or -ENOMEM after a message.
 */
int names_new(struct names **out, int fd);

/*
 * Reads saved_cmdlines in @top, and asks the @n tasks @pids for their names (/proc/PID/comm). The name that a task tells is used until the line of the task in
 * saved_cmdlines changes. When a task has ended, and the kernel gives its pid to a later task, the answer of the later task is ignored. So the name of the
 * later task is used only if it is in saved_cmdlines. Calls of this function take at most about 1 % of the time of a CPU. When a call took the CPU time T, the
 * calls in the time 100 * T after its end do nothing. Errors are ignored without a message.
 */
void names_look(struct names *names, const struct tracedir *top, const pid_t *pids, size_t n);

/*
 * Takes in @lines ("PID NAME"), which come from the kernel's list. A line that is the same as the last line from the kernel's list for this task changes
 * nothing. New names are not appended to the file. Returns 0 or -ENOMEM.
 */
int names_add(struct names *names, const struct text *lines);

/* Asks the tasks as names_look() does, no matter how much time earlier calls took. New names are not appended to the file. Returns 0 or -ENOMEM. */
int names_ask(struct names *names, const pid_t *pids, size_t n);

/*
 * Takes in the name that the task @pid has now. An unchanged line of the kernel's list may be older than @name. So a later line for @pid replaces @name
 * only if the line differs from the last line of the list for @pid. The name is not appended to the file. Returns 0 or -ENOMEM.
 */
int names_add_task(struct names *names, pid_t pid, const char *name);

/*
 * Takes in *@lines as names_add() does, and frees this text. Sets *@lines to the names of all tasks, in new memory. Returns 0 or -ENOMEM. *@lines is unchanged
 * after -ENOMEM, when no name is known, and when @names is NULL.
 */
int names_join(struct names *names, struct text *lines);

/* Accepts NULL. */
void names_free(struct names *names);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers the names of tasks during a recording. The kernel keeps only a limited number of names (128, if saved_cmdlines_size is not changed), and at most
 * one of two tasks that share a place in its list. So the file saved_cmdlines is read from time to time, and the tasks that -P chooses are asked. New names
 * are appended to the file "names" of the spool folder (lib/record/spool.h), so that they are not lost when the recorder is killed. A line of this file is
 * "PID NAME". When the file has several names for a task, the last one counts.
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
 * Reads saved_cmdlines in @top, and asks the @n tasks @pids for their names (/proc/PID/comm). What a task tells counts until its line in saved_cmdlines
 * changes. If a task has ended and a later task has its pid, the later task is not asked: its name counts only if it is in saved_cmdlines, so if the later
 * task had events, too. This takes at most about a hundredth of the time: if it took the CPU time T, a call does nothing until the time 100 * T has passed
 * since its end. Errors are ignored without a message.
 */
void names_look(struct names *names, const struct tracedir *top, const pid_t *pids, size_t n);

/*
 * Takes in @lines ("PID NAME"), which are as new as the kernel's list is now. A line that is the same as the last one for this task changes nothing. Returns 0
 * or -ENOMEM.
 */
int names_add(struct names *names, const struct text *lines);

/* Asks the tasks as names_look() does, however long that takes. New names are not appended to the file. Returns 0 or -ENOMEM. */
int names_ask(struct names *names, const pid_t *pids, size_t n);

/*
 * Takes in the name that a task has now. The kernel may still have the name of an earlier task with the same pid, and lines that stay the same do not count
 * any more. The name is not appended to the file. Returns 0 or -ENOMEM.
 */
int names_add_task(struct names *names, pid_t pid, const char *name);

/*
 * Takes in *@lines and frees this text. Sets *@lines to the names of all tasks, in new memory. Returns 0 or -ENOMEM. After -ENOMEM, *@lines is unchanged.
 * When @names is NULL, nothing changes.
 */
int names_join(struct names *names, struct text *lines);

/* Accepts NULL. */
void names_free(struct names *names);

#endif

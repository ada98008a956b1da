/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers the names of tasks during a recording. The kernel remembers only a limited number of them (128 unless
 * saved_cmdlines_size says more), and what the recorder has in memory is lost when it is killed. So saved_cmdlines is read from time to
 * time, and new names are appended to the file "names" of the spool folder, as lines "PID NAME". When a task has several names
 * there, the last one counts.
 */
#ifndef RINGSIDE_RECORD_NAMES_H
#define RINGSIDE_RECORD_NAMES_H

#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

struct names;

/*
 * Begins without any names. New names will be appended to @fd; -1: to no file. @fd is taken over, also on failure. Returns 0, or
 * -ENOMEM after a message.
 */
int names_new(struct names **out, int fd);

/*
 * Reads saved_cmdlines in @top. The readings take at most about a hundredth of the time: if the last one took the CPU time T, calls do nothing until
 * 100 * T have passed since its end. Errors are ignored without a message, since a recording does not fail for lack of names.
 */
void names_look(struct names *names, const struct tracedir *top);

/* Takes in @lines ("PID NAME"), which are newer than the names that are known so far. Returns 0 or -ENOMEM. */
int names_add(struct names *names, const struct text *lines);

/*
 * Takes in the name of a task that is running now, since the kernel may still have the name of an earlier task with the same pid.
 * A further call replaces the task of the call before.
 */
void names_add_task(struct names *names, int pid, const char *name);

/*
 * Takes in *@lines, then frees this text and sets *@lines to the names of all tasks, in new memory. Returns 0, or -ENOMEM, and then *@lines is as it
 * was. When @names is NULL, nothing changes.
 */
int names_join(struct names *names, struct text *lines);

/* Accepts NULL. */
void names_free(struct names *names);

#endif

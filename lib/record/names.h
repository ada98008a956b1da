/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gathers the names of tasks during a recording. The kernel keeps only a limited number of names (128, if saved_cmdlines_size is not changed). So the file
 * saved_cmdlines is read from time to time. New names are appended to the file "names" of the spool folder (lib/record/spool.h), so that they are not lost
 * when the recorder is killed. A line of this file is "PID NAME". When the file has several names for a task, the last one counts.
 */
#ifndef RINGSIDE_RECORD_NAMES_H
#define RINGSIDE_RECORD_NAMES_H

#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

struct names;

/*
 * Begins without any names. New names will be appended to the file @fd. If @fd is -1, they are appended to no file. The function owns @fd from now on,
 * even after a failure. Returns 0, or -ENOMEM after a message.
 */
int names_new(struct names **out, int fd);

/*
 * Reads saved_cmdlines in @top. Reading takes at most about a hundredth of the time: if the last reading took the CPU time T, a call does nothing until the
 * time 100 * T has passed since the end of that reading. Errors are ignored without a message.
 */
void names_look(struct names *names, const struct tracedir *top);

/* Takes in @lines ("PID NAME"), which are newer than the names that are known so far. Returns 0 or -ENOMEM. */
int names_add(struct names *names, const struct text *lines);

/*
 * Takes in the name of a task that is running now. This is needed because the kernel may still have the name of an earlier task with the same pid. Only the
 * task of the last call is remembered.
 */
void names_add_task(struct names *names, int pid, const char *name);

/*
 * Takes in *@lines and frees this text. Sets *@lines to the names of all tasks, in new memory. Returns 0 or -ENOMEM. After -ENOMEM, *@lines is unchanged.
 * When @names is NULL, nothing changes.
 */
int names_join(struct names *names, struct text *lines);

/* Accepts NULL. */
void names_free(struct names *names);

#endif

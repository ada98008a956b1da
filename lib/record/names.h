/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of tasks, gathered while it records: the kernel remembers only so many (128 unless saved_cmdlines_size says more), and
 * they are gone with the recorder if it is killed. So what saved_cmdlines has is looked at now and then, and what is new in there is
 * appended to the file "names" of the spool folder, as lines "PID NAME". Of several names of a task the last one counts.
 */
#ifndef RINGSIDE_RECORD_NAMES_H
#define RINGSIDE_RECORD_NAMES_H

#include "lib/base/str.h"
#include "lib/tracefs/tracedir.h"

struct names;

/* @fd: where new ones are appended, owned from now on; -1: nowhere. 0, or -ENOMEM after a message. */
int names_new(struct names **out, int fd);

/*
 * Looks at @top's saved_cmdlines, unless that would take more than a hundredth of the time since the last look. What cannot be read
 * or written is passed over in silence: a recording does not fail for it.
 */
void names_look(struct names *names, const struct tracedir *top);

/* Takes lines over, the newer ones. 0 or -ENOMEM. */
int names_add(struct names *names, const struct text *lines);

/* The name of a task that has just been seen: what the kernel remembers may be of an earlier task with that number. One task. */
void names_add_task(struct names *names, int pid, const char *name);

/* Makes *@lines, in new memory, what it has, and what was gathered of other tasks. 0 or -ENOMEM: it is as it was then. Accepts NULL. */
int names_join(struct names *names, struct text *lines);

/* Accepts NULL. */
void names_free(struct names *names);

#endif

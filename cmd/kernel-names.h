/* SPDX-License-Identifier: GPL-2.0 */
/* What tasks are called in the end, where the kernel counts by them: a histogram remembers the name that a task had when it was first seen. */
#ifndef RINGSIDE_KERNEL_NAMES_H
#define RINGSIDE_KERNEL_NAMES_H

#include "lib/event/comms.h"
#include "lib/tracefs/hist.h"

/* Before tracing begins, and when it is over: the caller frees *@out. Returns 0 or -errno after a message. */
int kernel_names_arm(struct instance *inst);
int kernel_names_read(struct instance *inst, struct text *out);

/* Appends the task of a key with .execname as a line for comms_update(). */
void kernel_names_first(struct str *lines, const struct text *key);

/* Then the names that tasks took meanwhile, and all of it becomes known. Returns 0 or -ENOMEM. */
int kernel_names_learn(struct comms *comms, struct str *lines, const struct text *renamed);

/* Appends " && common_pid != …" for each thread of ours, with @join in front of the first. */
void kernel_without_us(const struct instance *inst, const char *join, struct str *out);

#endif

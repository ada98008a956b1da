/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the last name (comm) of each counted task when the kernel counts events by comm. A task can change its name, but a histogram has only the name that the
 * task had at its first event. So a second histogram collects the changes of names.
 */
#ifndef RINGSIDE_KERNEL_NAMES_H
#define RINGSIDE_KERNEL_NAMES_H

#include "lib/event/comms.h"
#include "lib/tracefs/hist.h"

/*
 * kernel_names_arm() makes a histogram of the event task:task_rename, and is called before tracing begins. kernel_names_read() reads the text of this histogram
 * into *@out, and is called when tracing is over. With `ringside count --every`, it is also called during tracing. The caller frees *@out. Both return 0 or
 * -errno after a message. On a kernel without histograms both return 0, and *@out stays as it was.
 */
int kernel_names_arm(struct instance *inst);
int kernel_names_read(struct instance *inst, struct text *out);

/*
 * Appends a line for comms_update(). The line has the pid of a task, and the name that the task had at its first event. Both are taken from @key. @key is the
 * value of a histogram's key that has the modifier .execname. Appends nothing if @key has another form, or if the pid is 0.
 */
void kernel_names_first(struct str *lines, const struct text *key);

/*
 * Adds the new names of tasks, which are in @renamed, to @lines, and gives all lines to @comms. @renamed is the text that kernel_names_read() has
 * returned. Returns 0 or -ENOMEM.
 */
int kernel_names_learn(struct comms *comms, struct str *lines, const struct text *renamed);

/*
 * Appends conditions "common_pid != …" to the filter @out. There is one condition for each of ringside's own threads, and one for its guard process
 * (lib/tracefs/guard.h). @join stands before the first condition, and " && " stands before each further condition.
 */
void kernel_without_us(const struct instance *inst, const char *join, struct str *out);

#endif

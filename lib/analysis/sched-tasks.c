/* SPDX-License-Identifier: GPL-2.0 */
/* Answers questions about the tasks of lib/analysis/sched.h. */
#include "lib/analysis/sched-inside.h"

#include <stdio.h>

const char *sched_name(const struct sched *sched, const struct sched_task *task, char buf[SCHED_NAME])
{
	if (task->pid)
		return comms_find(sched->inputs.at[task->file].input->trace->comms, task->pid);
	snprintf(buf, SCHED_NAME, "swapper/%u", task->cpu);
	return buf;
}

bool sched_is_wanted(struct sched *sched, struct sched_task *task)
{
	char name[SCHED_NAME];

	if (!sched->opt.select)
		return true;
	/* If the task's name was not known, the task was not wanted. Its name may be known by now. */
	if (!task->looked || !task->wanted)
		task->wanted = select_task(sched->opt.select, sched_name(sched, task, name), task->pid);
	task->looked = true;
	return task->wanted;
}

bool sched_has(const struct sched *sched, enum sched_kind kind)
{
	vec_each (&sched->inputs, in)
		if (in->buffer[kind] >= 0)
			return true;
	return false;
}

enum sched_from sched_from(const struct sched_input *in, const struct record *rec)
{
	const unsigned int flags = record_common(in->input->trace, rec).flags;

	return flags & FLAG_NMI ? SCHED_BY_NMI : flags & FLAG_HARDIRQ ? SCHED_BY_HARDIRQ : flags & FLAG_SOFTIRQ ? SCHED_BY_SOFTIRQ : SCHED_BY_TASK;
}

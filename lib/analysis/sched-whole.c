/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out of which tasks switches are missing although no events were lost: sched_find_whole() in lib/analysis/sched.h. */
#include "lib/analysis/sched-inside.h"

int sched_watch(struct sched *sched, const struct record *rec, uint32_t on, uint32_t prev, uint32_t next)
{
	const struct whole_switch what = { rec, on, prev, next, sched->tasks.at[prev].pid, sched->tasks.at[next].pid };

	return whole_take(&sched->whole, &what);
}

uint64_t sched_find_whole(struct sched *sched, uint8_t file)
{
	uint64_t n = 0;

	whole_find(&sched->whole, file);
	for (uint32_t i = 0; i < sched->tasks.n; i++) {
		struct sched_task *task = &sched->tasks.at[i];

		if (task->file != file)
			continue;
		task->whole = whole_is(&sched->whole, file, i, task->pid);
		n += !task->whole;
	}
	return n;
}

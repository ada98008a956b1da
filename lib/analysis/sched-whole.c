/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out of which tasks switches are missing although no events were lost: sched_find_whole() in lib/analysis/sched.h. */
#include "lib/analysis/sched-inside.h"

int sched_watch(struct sched *sched, uint32_t on, uint32_t prev, uint32_t next)
{
	if (on && on - 1 != prev) {
		sched->tasks.at[on - 1].unseen++;
		sched->tasks.at[prev].unseen++;
	}
	sched->tasks.at[prev].seen++;
	sched->tasks.at[next].seen++;
	return keys_index(&sched->switched, (struct key){ MIN(prev, next), MAX(prev, next), 0 }) < 0 ? -ENOMEM : 0;
}

/* FEW: so few missing switches say nothing about a task. FILE_FEW: the same for all tasks of a file together. */
enum { FEW = 2, FILE_FEW = 10 };

static bool lacks_some(const struct sched_task *task)
{
	return task->unseen > task->seen / 10;
}

static bool lacks(const struct sched_task *task)
{
	return task->unseen > MAX(task->seen / 10, (uint32_t)FEW);
}

/* Were only some tasks of the file to be recorded? */
static bool is_filtered(const struct sched *sched, uint8_t file)
{
	size_t n = 0, lacking = 0;
	uint64_t seen = 0, unseen = 0;
	bool idle_lacks = false;

	vec_each (&sched->tasks, task) {
		if (task->file != file || !task->seen)
			continue;
		idle_lacks |= !task->pid && lacks(task);
		n++;
		lacking += lacks_some(task);
		seen += task->seen;
		unseen += task->unseen;
	}
	return (idle_lacks && unseen > seen / 100) || (lacking > n / 2 && unseen > FILE_FEW);
}

uint64_t sched_find_whole(struct sched *sched, uint8_t file)
{
	const bool filtered = is_filtered(sched, file);
	uint64_t n = 0;

	vec_each (&sched->tasks, task)
		if (task->file == file)
			task->whole = !lacks(task) && !filtered;
	map_each (&sched->switched.all, pair) {
		struct sched_task *a = &sched->tasks.at[pair->key.a], *b = &sched->tasks.at[pair->key.b];

		if (!filtered || a->file != file)
			continue;
		a->whole |= lacks_some(b) && !lacks_some(a);
		b->whole |= lacks_some(a) && !lacks_some(b);
	}
	vec_each (&sched->tasks, task)
		n += task->file == file && !task->whole;
	return n;
}

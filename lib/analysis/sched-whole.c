/* SPDX-License-Identifier: GPL-2.0 */
/* Finds out of which tasks switches are missing although no events were lost: sched_find_whole() in lib/analysis/sched.h. */
#include "lib/analysis/sched-inside.h"

/* How many switches of a CPU were recorded, and how many are certainly missing although no events were lost. */
struct sched_watched {
	uint64_t seen, unseen;
};

int sched_watch(struct sched *sched, const struct record *rec, uint32_t on, uint32_t prev, uint32_t next)
{
	struct sched_watched *cpu;

	sched->watched.size = sizeof(*cpu);
	cpu = stream_of(&sched->watched, &(struct record){ .file = rec->file, .cpu = rec->cpu });
	if (!cpu)
		return -ENOMEM;
	if (on && on - 1 != prev) {
		sched->tasks.at[on - 1].unseen++;
		sched->tasks.at[prev].unseen++;
		cpu->unseen++;
	}
	sched->tasks.at[prev].seen++;
	sched->tasks.at[next].seen++;
	cpu->seen++;
	return keys_index(&sched->switched, (struct key){ MIN(prev, next), MAX(prev, next), 0 }) < 0 ? -ENOMEM : 0;
}

void sched_watch_fini(struct sched *sched)
{
	streams_fini(&sched->watched, NULL);
	keys_fini(&sched->switched);
}

/* FEW: so few missing switches say nothing about a task. FILE_FEW: the same for all tasks of a file together, where each counts twice. */
enum { FEW = 2, FILE_FEW = 10 };

static bool lacks_some(const struct sched_task *task)
{
	return task->unseen > task->seen / 10;
}

static bool lacks(const struct sched_task *task)
{
	return task->unseen > MAX(task->seen / 10, (uint32_t)FEW);
}

/* Are more than a few of the switches of the idle task's CPU missing? The kernel leaves out a few, and on a busy CPU, the idle task has only few switches. */
static bool misses_many(struct sched *sched, const struct sched_task *idle)
{
	const struct sched_watched *cpu = stream_of(&sched->watched, &(struct record){ .file = idle->file, .cpu = idle->cpu });

	return cpu && cpu->unseen > cpu->seen / 100;
}

/* Were only some tasks of the file to be recorded? *@idle becomes true if an idle task lacks switches. */
static bool is_filtered(struct sched *sched, uint8_t file, bool *idle)
{
	size_t n = 0, lacking = 0, unseen = 0;
	bool chosen = false;

	*idle = false;
	vec_each (&sched->tasks, task) {
		if (task->file != file || !task->seen)
			continue;
		if (!task->pid && lacks(task)) {
			*idle = true;
			chosen |= misses_many(sched, task);
		}
		n++;
		lacking += lacks_some(task);
		unseen += task->unseen;
	}
	return chosen || (lacking > n / 2 && unseen > FILE_FEW);
}

uint64_t sched_find_whole(struct sched *sched, uint8_t file)
{
	bool idle_lacks;
	const bool filtered = is_filtered(sched, file, &idle_lacks);
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
	vec_each (&sched->tasks, task) {
		if (task->file != file)
			continue;
		task->whole &= task->pid || !idle_lacks;
		n += !task->whole;
	}
	return n;
}

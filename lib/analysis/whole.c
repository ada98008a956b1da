/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/whole.h"

/* How many switches of a CPU were recorded, and how many are certainly missing although no events were lost. */
struct whole_cpu {
	uint64_t seen, unseen;
};

static int add_task(struct whole *whole, const struct record *rec, uint32_t nr, int pid)
{
	struct whole_task *task;

	while (whole->tasks.n <= nr)
		if (vec_push(&whole->tasks, (struct whole_task){ 0 }))
			return -ENOMEM;
	task = &whole->tasks.at[nr];
	if (!task->seen++) {
		task->idle = !pid;
		task->file = rec->file;
		task->cpu = rec->cpu;
	}
	return 0;
}

int whole_take(struct whole *whole, const struct whole_switch *what)
{
	int err = add_task(whole, what->rec, what->prev, what->prev_pid) ?: add_task(whole, what->rec, what->next, what->next_pid);
	struct whole_cpu *cpu;

	whole->cpus.size = sizeof(*cpu);
	cpu = stream_of(&whole->cpus, &(struct record){ .file = what->rec->file, .cpu = what->rec->cpu });
	if (err || !cpu)
		return -ENOMEM;
	if (what->on && what->on - 1 != what->prev) {
		whole->tasks.at[what->on - 1].unseen++;
		whole->tasks.at[what->prev].unseen++;
		cpu->unseen++;
	}
	cpu->seen++;
	return keys_index(&whole->switched, (struct key){ MIN(what->prev, what->next), MAX(what->prev, what->next), 0 }) < 0 ? -ENOMEM : 0;
}

void whole_fini(struct whole *whole)
{
	vec_fini(&whole->tasks);
	streams_fini(&whole->cpus, NULL);
	keys_fini(&whole->switched);
}

/* FEW: so few missing switches say nothing about a task. FILE_FEW: the same for all tasks of a file together, where each counts twice. */
enum { FEW = 2, FILE_FEW = 10 };

static bool lacks_some(const struct whole_task *task)
{
	return task->unseen > task->seen / 10;
}

static bool lacks(const struct whole_task *task)
{
	return task->unseen > MAX(task->seen / 10, (uint32_t)FEW);
}

/* Are more than a few of the switches of the idle task's CPU missing? The kernel leaves out a few, and on a busy CPU, the idle task has only few switches. */
static bool misses_many(struct whole *whole, const struct whole_task *idle)
{
	const struct whole_cpu *cpu = stream_of(&whole->cpus, &(struct record){ .file = idle->file, .cpu = idle->cpu });

	return cpu && cpu->unseen > cpu->seen / 100;
}

/* Were only some tasks of the file to be recorded? Does one of its idle tasks lack switches? */
static struct whole_file look(struct whole *whole, uint8_t file)
{
	struct whole_file found = { 0 };
	size_t n = 0, lacking = 0, unseen = 0;

	vec_each (&whole->tasks, task) {
		if (task->file != file || !task->seen)
			continue;
		if (task->idle && lacks(task)) {
			found.idle_lacks = true;
			found.filtered |= misses_many(whole, task);
		}
		n++;
		lacking += lacks_some(task);
		unseen += task->unseen;
	}
	found.filtered |= lacking > n / 2 && unseen > FILE_FEW;
	return found;
}

void whole_find(struct whole *whole, uint8_t file)
{
	const struct whole_file found = whole->files[file] = look(whole, file);

	vec_each (&whole->tasks, task)
		if (task->file == file)
			task->whole = !lacks(task) && !found.filtered;
	map_each (&whole->switched.all, pair) {
		struct whole_task *a = &whole->tasks.at[pair->key.a], *b = &whole->tasks.at[pair->key.b];

		if (!found.filtered || a->file != file)
			continue;
		a->whole |= lacks_some(b) && !lacks_some(a);
		b->whole |= lacks_some(a) && !lacks_some(b);
	}
	vec_each (&whole->tasks, task)
		if (task->file == file)
			task->whole &= !task->idle || !found.idle_lacks;
}

bool whole_is(const struct whole *whole, uint8_t file, uint32_t task, int pid)
{
	const struct whole_file *found = &whole->files[file];

	if (task < whole->tasks.n && whole->tasks.at[task].seen)
		return whole->tasks.at[task].whole;
	return !found->filtered && (pid || !found->idle_lacks);
}

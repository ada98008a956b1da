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

/* FEW: so few missing switches of one idle task say nothing about the others. FILE_FEW: the same for all tasks of a file together, where each counts twice. */
enum { FEW = 2, FILE_FEW = 10 };

static bool lacks(const struct whole_task *task)
{
	return task->unseen > task->seen / 10;
}

/* Are more than a few of the switches of the idle task's CPU missing? The kernel leaves out a few, and on a busy CPU, the idle task has only few switches. */
static bool misses_many(struct whole *whole, const struct whole_task *idle)
{
	const struct whole_cpu *cpu = stream_of(&whole->cpus, &(struct record){ .file = idle->file, .cpu = idle->cpu });

	return cpu && cpu->unseen > cpu->seen / 100;
}

/* Are so many switches missing that only some tasks of the file were to be recorded? Does one of its idle tasks lack more than FEW switches? */
static struct whole_file look(struct whole *whole, uint8_t file)
{
	struct whole_file found = { 0 };
	size_t n = 0, lacking = 0, unseen = 0;

	vec_each (&whole->tasks, task) {
		if (task->file != file || !task->seen)
			continue;
		if (task->idle && lacks(task) && task->unseen > FEW) {
			found.idle_lacks = true;
			found.filtered |= misses_many(whole, task);
		}
		n++;
		lacking += lacks(task);
		unseen += task->unseen;
	}
	found.filtered |= lacking > n / 2 && unseen > FILE_FEW;
	return found;
}

/* Only the switches between two of these tasks can be missing, if the switches of all other tasks are recorded. */
static bool is_open(const struct whole_task *task)
{
	return task->unseen || task->idle;
}

/* Do the switches between @task and @with show that all switches of @task are recorded? This is so only if some of the tasks were to be recorded. */
static bool is_kept(const struct whole_task *task, const struct whole_task *with)
{
	return !is_open(task) && with->unseen;
}

/* Sets .whole of all tasks of which is_kept() tells this. Returns true if the switches that are missing are plainly those between other tasks. */
static bool find_kept(struct whole *whole, uint8_t file)
{
	size_t n = 0, told = 0;

	map_each (&whole->switched.all, pair) {
		struct whole_task *a = &whole->tasks.at[pair->key.a], *b = &whole->tasks.at[pair->key.b];

		a->whole |= a->file == file && is_kept(a, b);
		b->whole |= b->file == file && is_kept(b, a);
	}
	map_each (&whole->switched.all, pair) {
		const struct whole_task *a = &whole->tasks.at[pair->key.a], *b = &whole->tasks.at[pair->key.b];

		if (a->file != file)
			continue;
		if (is_open(a) && is_open(b))
			return false;
		n++;
		told += a->whole || b->whole;
	}
	return told && told >= n - n / 10;
}

/* Sets .whole of the tasks of a file that misses many switches. */
static void find_chosen(struct whole *whole, uint8_t file)
{
	map_each (&whole->switched.all, pair) {
		struct whole_task *a = &whole->tasks.at[pair->key.a], *b = &whole->tasks.at[pair->key.b];

		if (a->file != file)
			continue;
		a->whole |= lacks(b) && !lacks(a);
		b->whole |= lacks(a) && !lacks(b);
	}
}

void whole_find(struct whole *whole, uint8_t file)
{
	struct whole_file found = look(whole, file);
	bool between;

	vec_each (&whole->tasks, task)
		if (task->file == file)
			task->whole = false;
	between = find_kept(whole, file);
	vec_each (&whole->tasks, task)
		if (task->file == file && !between)
			task->whole = !found.filtered && !lacks(task);
	if (found.filtered && !between)
		find_chosen(whole, file);
	vec_each (&whole->tasks, task)
		if (task->file == file)
			task->whole &= !task->idle || !found.idle_lacks;
	found.filtered |= between;
	whole->files[file] = found;
}

bool whole_is(const struct whole *whole, uint8_t file, uint32_t task, int pid)
{
	const struct whole_file *found = &whole->files[file];

	if (task < whole->tasks.n && whole->tasks.at[task].seen)
		return whole->tasks.at[task].whole;
	return !found->filtered && (pid || !found->idle_lacks);
}

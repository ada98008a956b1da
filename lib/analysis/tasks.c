/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/tasks.h"

static uint64_t key_of(const struct record *rec, int pid)
{
	/* All idle tasks have pid 0. */
	uint32_t who = pid ? (uint32_t)pid : 1U << 31 | rec->cpu;

	return (uint64_t)rec->file << 48 | (uint64_t)rec->buffer << 32 | who;
}

void *task_of(struct tasks *tasks, const struct record *rec, int pid)
{
	uint64_t key = key_of(rec, pid);
	map_entry(&tasks->states) task = map_find(&tasks->states, key);
	void *state;

	if (likely(task))
		return task->value;
	state = calloc(1, tasks->size);
	task = state && !vec_reserve(&tasks->all, 1) ? map_add(&tasks->states, key) : NULL;
	if (!task) {
		free(state);
		return NULL;
	}
	tasks->all.at[tasks->all.n++] = state;
	return task->value = state;
}

void *task_known(const struct tasks *tasks, const struct record *rec, int pid)
{
	const map_entry(&tasks->states) task = map_find(&tasks->states, key_of(rec, pid));

	return task ? task->value : NULL;
}

void tasks_swap(struct tasks *tasks, const struct record *rec, int a, int b)
{
	map_entry(&tasks->states) one = map_find(&tasks->states, key_of(rec, a));
	map_entry(&tasks->states) other = map_find(&tasks->states, key_of(rec, b));

	swap(one->value, other->value);
}

void tasks_fini(struct tasks *tasks, void (*fini)(void *state))
{
	vec_each (&tasks->all, state) {
		if (fini)
			fini(*state);
		free(*state);
	}
	vec_fini(&tasks->all);
	map_fini(&tasks->states);
}

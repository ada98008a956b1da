/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/tasks.h"

static uint64_t key_of(const struct record *rec, int pid)
{
	/* All idle tasks have pid 0. */
	uint32_t who = pid ? (uint32_t)pid : 1U << 31 | rec->cpu;

	return (uint64_t)rec->file << 48 | (uint64_t)rec->buffer << 32 | who;
}

static struct task_slot *find_slot(const struct tasks *tasks, uint64_t key)
{
	size_t i = key * 0x9e3779b97f4a7c15ULL >> 32 & tasks->mask;

	while (tasks->slots[i].state && tasks->slots[i].key != key)
		i = (i + 1) & tasks->mask;
	return &tasks->slots[i];
}

static int grow(struct tasks *tasks)
{
	struct task_slot *old = tasks->slots;
	size_t n = old ? tasks->mask + 1 : 0;

	tasks->slots = calloc(MAX(n * 2, (size_t)64), sizeof(*old));
	if (!tasks->slots) {
		tasks->slots = old;
		return -ENOMEM;
	}
	tasks->mask = MAX(n * 2, (size_t)64) - 1;
	for (size_t i = 0; i < n; i++)
		if (old[i].state)
			*find_slot(tasks, old[i].key) = old[i];
	free(old);
	return 0;
}

void *task_of(struct tasks *tasks, const struct record *rec, int pid)
{
	uint64_t key = key_of(rec, pid);
	struct task_slot *slot;
	void *state;

	if (tasks->all.n * 2 >= tasks->mask && grow(tasks))
		return NULL;
	slot = find_slot(tasks, key);
	if (slot->state)
		return slot->state;
	state = calloc(1, tasks->size);
	if (!state || vec_push(&tasks->all, state)) {
		free(state);
		return NULL;
	}
	*slot = (struct task_slot){ key, state };
	return state;
}

void tasks_fini(struct tasks *tasks, void (*fini)(void *state))
{
	vec_each (&tasks->all, state) {
		if (fini)
			fini(*state);
		free(*state);
	}
	vec_fini(&tasks->all);
	free(tasks->slots);
}

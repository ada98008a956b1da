/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps a state for each task while records are taken in. A task may have records in several buffers, of one file or of several files. Such a task has a state
 * for each of these buffers. The caller defines what a state is. A new state is all zero. A state is never moved. Each CPU's idle task has a state of its own.
 *	struct tasks tasks = { .size = sizeof(struct my_state) };
 *	struct my_state *state = task_of(&tasks, rec, record_pid(trace, rec));
 */
#ifndef RINGSIDE_TASKS_H
#define RINGSIDE_TASKS_H

#include "lib/base/map.h"
#include "lib/data/record.h"

struct tasks {
	size_t size;		      /* how many bytes a state has */
	VEC(void *) all;	      /* the states in the order in which tasks were first seen; owned */
	MAP(uint64_t, void *) states; /* a key stands for a task; its value is an element of .all */
};

/*
 * Returns the state of the task @pid in the record's buffer, or NULL when memory runs out. If the task has no state yet, makes a state, and tasks->all.n grows
 * by 1.
 */
void *task_of(struct tasks *tasks, const struct record *rec, int pid);

/* Returns the state of the task @pid in the record's buffer, or NULL when the task has no state. */
void *task_known(const struct tasks *tasks, const struct record *rec, int pid);

/* Exchanges the states of the tasks @a and @b in the record's buffer. Both tasks must have a state. */
void tasks_swap(struct tasks *tasks, const struct record *rec, int a, int b);

/* Calls @fini for each state if @fini is not NULL. Then frees all states. */
void tasks_fini(struct tasks *tasks, void (*fini)(void *state));

#endif

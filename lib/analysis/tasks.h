/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps a state for each task of each buffer of each file while records are taken in. A state is all zero at first and is never moved. Each CPU's
 * idle task has a state of its own.
 *	struct tasks tasks = { .size = sizeof(struct my_state) };
 *	struct my_state *state = task_of(&tasks, rec, record_pid(trace, rec));
 */
#ifndef RINGSIDE_TASKS_H
#define RINGSIDE_TASKS_H

#include "lib/base/map.h"
#include "lib/data/record.h"

struct tasks {
	size_t size;		      /* bytes of a state */
	VEC(void *) all;	      /* the states in the order in which tasks were first seen; owned */
	MAP(uint64_t, void *) states; /* a key stands for a task; its value is an element of .all */
};

/* Returns the state of the task @pid in the record's buffer, or NULL when memory runs out. If the state is new, tasks->all.n has grown by 1. */
void *task_of(struct tasks *tasks, const struct record *rec, int pid);

/* Returns the state of the task @pid in the record's buffer, or NULL when it has none. */
void *task_known(const struct tasks *tasks, const struct record *rec, int pid);

/* Exchanges the states of the tasks @a and @b in the record's buffer. Both tasks must have a state. */
void tasks_swap(struct tasks *tasks, const struct record *rec, int a, int b);

/* Calls @fini, which may be NULL, for each state, and frees all states. */
void tasks_fini(struct tasks *tasks, void (*fini)(void *state));

#endif

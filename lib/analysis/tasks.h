/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is known of each task of each buffer of each file while their records pass by: states that do not move, all zero
 * at first. Each CPU's idle task is one of its own.
 *	struct tasks tasks = { .size = sizeof(struct my_state) };
 *	struct my_state *state = task_of(&tasks, rec, record_pid(trace, rec));
 */
#ifndef RINGSIDE_TASKS_H
#define RINGSIDE_TASKS_H

#include "lib/base/map.h"
#include "lib/data/record.h"

struct tasks {
	size_t size;		/* bytes of a state */
	VEC(void *) all;	/* in the order in which they were first seen; owned */
	MAP(uint64_t, void *) states;	/* the same by task */
};

/* The state of the record's task; NULL: out of memory. tasks->all.n tells whether it is new. */
void *task_of(struct tasks *tasks, const struct record *rec, int pid);

/* Calls @fini (may be NULL) for each state and frees all. */
void tasks_fini(struct tasks *tasks, void (*fini)(void *state));

#endif

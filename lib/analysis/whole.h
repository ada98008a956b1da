/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out which tasks are whole. All switches of a whole task are recorded, except switches that were lost. A task that is not whole lacks switches. Between
 * two records of such a task, the task may have run unseen. The caller numbers the tasks, and passes the switches of each CPU in the order of time.
 *
 * The kernel leaves out switches for one of two reasons:
 * - Only some tasks were to be recorded (set_event_pid; `record -F` and `-P`). Then a switch between two other tasks is left out. So all tasks that were not to
 *   be recorded lack switches, and among them are the idle tasks.
 * - Some tasks were not to be recorded (set_event_notrace_pid; ringside leaves out itself). Then a switch between two of these tasks is left out. So only these
 *   tasks lack switches. The idle tasks are not among them.
 *
 * A switch is missing if a CPU has switched to one task, and the next recorded switch of this CPU is from another task. The missing switch is counted for both
 * of these tasks. A task lacks switches if its missing switches are more than a tenth of its recorded switches. So one missing switch is enough if the task has
 * fewer than ten recorded switches. It is not enough for a busy task, because the kernel has been seen to leave out a single switch of a task that was to be
 * recorded. In that case, only the states around the missing switch are cut.
 *
 * The first reason is taken to hold in three cases:
 * - The missing switches, however few they are, are plainly those between tasks that were not to be recorded. To tell this, tasks are called suspect or kept. A
 *   task is suspect if one of its switches is missing, or if it is an idle task. A task is kept if it is not suspect, and if a CPU has switched between this
 *   task and a task with a missing switch. This case has two conditions. First, no CPU has switched between two suspect tasks. Second, at least nine of ten
 *   pairs of tasks between which a CPU has switched contain a kept task.
 * - An idle task lacks switches, more than two of its switches are missing, and the missing switches of its CPU are more than a hundredth of the recorded ones.
 *   A busy CPU seldom switches to its idle task. So a few missing switches alone can be more than a tenth of the idle task's switches.
 * - More than half of the tasks that have switches lack switches, and the missing switches of all tasks add up to more than 10. (So more than 5 switches are
 *   missing, because each of them is counted for two tasks.)
 *
 * In the first of these cases, only kept tasks are whole. In the two other cases, a task is whole only if it does not lack switches, and if a CPU has switched
 * between it and a task that lacks switches.
 *
 * If the first reason does not hold, a task is whole if it lacks no switches. Whether the first reason holds or not, there is one exception: if one idle task
 * lacks switches, and more than two of its switches are missing, no idle task is whole. This is so because missing switches are not found if they bring the CPU
 * back to the same task. For example, if the switches from an idle task to another task and back are missing, the CPU seems to have been idle all the time.
 */
#ifndef RINGSIDE_WHOLE_H
#define RINGSIDE_WHOLE_H

#include "lib/analysis/keys.h"
#include "lib/analysis/streams.h"

/* This is a task that has switches. */
struct whole_task {
	bool idle;    /* it is the idle task of .cpu */
	bool whole;   /* set by whole_find() */
	uint8_t file; /* the index of its file */
	uint16_t cpu;
	uint32_t seen;	 /* how many switches to or from the task were recorded; 0: the other members are not set */
	uint32_t unseen; /* how many switches to or from the task are certainly missing although no events were lost */
};

struct whole {
	VEC(struct whole_task) tasks; /* element i is for the task with the number i; tasks without switches may be missing at the end */
	struct keys switched;	      /* the pairs of tasks between which a CPU has switched; the lower number comes first */
	struct streams cpus;	      /* a struct whole_cpu (whole.c) for each CPU of each file */
	/* What whole_find() has found for each file. */
	struct whole_file {
		bool filtered;	 /* the first reason holds */
		bool idle_lacks; /* an idle task lacks switches, and more than two of its switches are missing */
	} files[UINT8_MAX + 1];
};

/* This is a switch of a CPU. */
struct whole_switch {
	const struct record *rec;
	uint32_t on;	     /* 1 + the number of the task that was believed to run on the CPU; 0: not known */
	uint32_t prev, next; /* the numbers of the tasks that leave the CPU and come to it */
	int prev_pid, next_pid;
};

/* A struct whole that is all zero is empty. Takes in a switch. Returns 0 or -ENOMEM. */
int whole_take(struct whole *whole, const struct whole_switch *what);

/* Finds out which tasks of the file are whole, from the switches so far. */
void whole_find(struct whole *whole, uint8_t file);

/* Returns whether the task with the number @task was whole when whole_find() was last called for its file. The task may have no switches. */
bool whole_is(const struct whole *whole, uint8_t file, uint32_t task, int pid);

void whole_fini(struct whole *whole);

#endif

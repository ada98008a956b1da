/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells in which functions tasks left the CPU, and how long they were off it, for each reason. It makes chains of callers from the stacks of
 * sched_switch. lib/analysis/sched.h tells how long a task was off the CPU and why. The sums are those of `ringside sched`. Nothing in here prints.
 */
#ifndef RINGSIDE_OFFCPU_H
#define RINGSIDE_OFFCPU_H

#include "lib/analysis/chains.h"
#include "lib/analysis/sched.h"

/*
 * These are the reasons why a task is off the CPU. OFFCPU_ASLEEP is for a time in which a task was first blocked and then queued, and its wakeup was
 * not recorded.
 */
enum offcpu_state { OFFCPU_BLOCKED, OFFCPU_PREEMPTED, OFFCPU_QUEUED, OFFCPU_ASLEEP, OFFCPU_STATES };

/* The names of the reasons are "blocked", "preempted", "queued" and "waking not seen". */
extern const char *const offcpu_names[OFFCPU_STATES];

/* This tells, for each reason, how long tasks were off the CPU after they had left it at one node of the chains. */
struct offcpu_sums {
	uint64_t ns[OFFCPU_STATES];
};

struct offcpu {
	struct handler handler;
	struct sched *sched;
	const inputs_t *inputs;
	struct chains chains;	      /* the roots of the tree are tasks; the .count of the nodes is not used */
	VEC(struct offcpu_sums) sums; /* element i is for the node i of .chains */
	VEC(uint32_t) left;	  /* element i is for the task i of .sched: 1 + the index of the node at which the task left its CPU; 0: that was not seen */
	struct streams streams;	  /* the state of each CPU: its last switch */
	const struct record *rec; /* the record that is being taken in */
	uint64_t switches;	  /* how many switches from wanted tasks (sched_options.select) there were */
	uint64_t stacks;	  /* how many of these had a stack */
};

/*
 * Makes a struct offcpu. Borrows @inputs and what @opt points to; the callbacks of @opt are not used. Returns 0 or -ENOMEM. The free() of its handler
 * frees it.
 */
int offcpu_new(struct offcpu **out, const inputs_t *inputs, const struct sched_options *opt);

#endif

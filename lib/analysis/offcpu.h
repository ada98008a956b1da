/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells in which functions tasks left the CPU, and how long they were off the CPU for each reason. The functions are from the stacks of sched_switch. They make
 * up chains of callers (lib/analysis/chains.h). The times and reasons are from lib/analysis/sched.h, so their sums agree with the sums of `ringside sched`.
 * Tasks that lack switches are left out if input.lacking says which tasks these are. Nothing in here prints.
 */
#ifndef RINGSIDE_OFFCPU_H
#define RINGSIDE_OFFCPU_H

#include "lib/analysis/chains.h"
#include "lib/analysis/sched.h"

/*
 * These are the reasons why a task is off the CPU. OFFCPU_ASLEEP is used if a task's wakeup was not recorded. In this case, the task was first blocked and
 * later queued, but nothing tells when it was woken.
 */
enum offcpu_state { OFFCPU_BLOCKED, OFFCPU_PREEMPTED, OFFCPU_QUEUED, OFFCPU_ASLEEP, OFFCPU_STATES };

/* The names of the reasons are "blocked", "preempted", "queued" and "waking not seen". */
extern const char *const offcpu_names[OFFCPU_STATES];

/*
 * These are the sums for one node of the chains. They are about the tasks that left the CPU at this node. .ns[i] is how long these tasks were off the CPU for
 * the reason i, in ns.
 */
struct offcpu_sums {
	uint64_t ns[OFFCPU_STATES];
};

struct offcpu {
	struct handler handler;
	struct sched *sched;
	const inputs_t *inputs;
	struct chains chains;	      /* the roots of the tree are tasks; the .count of the nodes is not used */
	VEC(struct offcpu_sums) sums; /* element i is for the node i of .chains */
	/* Element i is for the task i of .sched. It is 1 + the index of the node at which the task left its CPU. 0: this node is not known. */
	VEC(uint32_t) left;
	struct streams streams;	  /* the last switches of each CPU */
	struct offcpu_last *last; /* the state for the CPU and the context of the record that is being taken in */
	uint64_t switches;	  /* how many switches from wanted tasks (sched_options.select) there were; switches from idle tasks are left out */
	uint64_t stacks;	  /* how many of these switches had a stack */
};

/*
 * Makes a struct offcpu. Borrows @inputs and what the members of @opt point to. The callbacks of @opt are not used. Returns 0 or -ENOMEM. The struct offcpu
 * is freed together with its handler.
 */
int offcpu_new(struct offcpu **out, const inputs_t *inputs, const struct sched_options *opt);

#endif

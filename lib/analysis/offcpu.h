/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where tasks left the CPU, and for how long, told apart by why: the stacks of sched_switch as chains of callers, with what lib/analysis/sched.h says of
 * the time until the task came back. The sums are those of `sched`. No printing.
 */
#ifndef RINGSIDE_OFFCPU_H
#define RINGSIDE_OFFCPU_H

#include "lib/analysis/chains.h"
#include "lib/analysis/sched.h"

/* Why a task is off the CPU. Asleep: blocked and queued cannot be told apart, as nobody saw it woken. */
enum offcpu_state { OFFCPU_BLOCKED, OFFCPU_PREEMPTED, OFFCPU_QUEUED, OFFCPU_ASLEEP, OFFCPU_STATES };

/* "blocked", "preempted", "queued", "waking not seen". */
extern const char *const offcpu_names[OFFCPU_STATES];

/* Of a node of the chains. */
struct offcpu_sums {
	uint64_t ns[OFFCPU_STATES];
};

struct offcpu {
	struct handler handler;
	struct sched *sched;
	const inputs_t *inputs;
	struct chains chains;		/* their roots are tasks; the counts of nodes are not used */
	VEC(struct offcpu_sums) sums;	/* by node */
	VEC(uint32_t) left;		/* by the scheduler's index of a task: 1 + the node at which it left its CPU; 0: that was not seen */
	struct streams streams;		/* of what the last switch of a CPU was */
	const struct record *rec;	/* the one that is taken in */
	uint64_t switches, stacks;	/* of tasks that were asked for; those of them that had a stack */
};

/* Borrows @inputs and @opt's pointers; its callbacks are not used. 0 or -ENOMEM. Its handler frees it. */
int offcpu_new(struct offcpu **out, const inputs_t *inputs, const struct sched_options *opt);

#endif

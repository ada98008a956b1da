/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells where tasks left the CPU and for how long, for each reason. It puts the stacks of sched_switch together as chains of callers. lib/analysis/sched.h
 * tells how long a task was off the CPU and why. The sums are those of `ringside sched`. Nothing in here prints.
 */
#ifndef RINGSIDE_OFFCPU_H
#define RINGSIDE_OFFCPU_H

#include "lib/analysis/chains.h"
#include "lib/analysis/sched.h"

/* These are the reasons why a task is off the CPU. OFFCPU_ASLEEP is blocked and queued together, when the wakeup was not recorded. */
enum offcpu_state { OFFCPU_BLOCKED, OFFCPU_PREEMPTED, OFFCPU_QUEUED, OFFCPU_ASLEEP, OFFCPU_STATES };

/* The names of the reasons are "blocked", "preempted", "queued" and "waking not seen". */
extern const char *const offcpu_names[OFFCPU_STATES];

/* These are the times of a node of the chains. */
struct offcpu_sums {
	uint64_t ns[OFFCPU_STATES];
};

struct offcpu {
	struct handler handler;
	struct sched *sched;
	const inputs_t *inputs;
	struct chains chains;	      /* their roots are tasks; the counts of nodes are not used */
	VEC(struct offcpu_sums) sums; /* by node */
	VEC(uint32_t) left;	      /* by the index of a task in .sched: 1 + the node at which it left its CPU; 0: that was not seen */
	struct streams streams;	      /* the last switch of each CPU */
	const struct record *rec;     /* the record that is being taken in */
	uint64_t switches, stacks;    /* how many switches of wanted tasks there were, and how many of them had a stack */
};

/* Borrows @inputs and what @opt points to; the callbacks of @opt are not used. Returns 0 or -ENOMEM. Its handler frees it. */
int offcpu_new(struct offcpu **out, const inputs_t *inputs, const struct sched_options *opt);

#endif

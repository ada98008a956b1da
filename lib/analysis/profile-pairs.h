/* SPDX-License-Identifier: GPL-2.0 */
/* Which two events belong together: those that are built in, and those of -H. */
#ifndef RINGSIDE_PROFILE_PAIRS_H
#define RINGSIDE_PROFILE_PAIRS_H

#include "lib/event/trace.h"

/* In the order in which they are shown. */
enum profile_kind {
	PROFILE_RUN,		/* from sched_switch to sched_switch: on a CPU */
	PROFILE_OFF,		/* off it, by state */
	PROFILE_PAIR,
	PROFILE_FUNC,
	PROFILE_CALL,		/* of `record --latency` */
	PROFILE_COUNT,		/* an event that is only counted */
};

/* How values are shown. */
enum profile_value { VALUE_NUMBER, VALUE_HEX, VALUE_SOFTIRQ };

/* One side of a pair. */
struct profile_side {
	char *system, *event;	/* NULL system: any */
	char *match;		/* the field that both sides have in common */
	char *pid;		/* of a start: the field that says whose it is; NULL: the task that runs */
};

struct profile_pair {
	struct profile_side start, end;
	bool pinned;		/* both happen on one CPU */
	bool global;		/* of the CPU, not of a task */
	bool irq;		/* -G makes it global */
	bool stack;		/* its start is to have a stack */
	bool first;		/* of several starts before an end the first counts, else the last */
	enum profile_value value;
};

struct profile_pairs {
	VEC(struct profile_pair) all;
};

/* The built-in ones and those of the texts of -H, as trace-cmd-profile(1) has them. 0; -EINVAL after a message; -ENOMEM. */
int profile_pairs_init(struct profile_pairs *pairs, const strv_t *hooks);
void profile_pairs_fini(struct profile_pairs *pairs);

#endif

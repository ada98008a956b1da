/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the pairs of events between which `ringside profile` measures time: the built-in pairs, and those that the user gives with -H (hooks). */
#ifndef RINGSIDE_PROFILE_PAIRS_H
#define RINGSIDE_PROFILE_PAIRS_H

#include "lib/event/trace.h"

/* These are the kinds of things that `ringside profile` measures or counts, in the order in which they are shown. */
enum profile_kind {
	PROFILE_RUN,   /* on a CPU, from sched_switch to sched_switch */
	PROFILE_OFF,   /* off the CPU, separately for each state in which the task left it */
	PROFILE_PAIR,  /* between the two events of a pair */
	PROFILE_FUNC,  /* in a function */
	PROFILE_CALL,  /* a call that `record --latency` has recorded */
	PROFILE_COUNT, /* an event that is only counted */
};

/* The two events of a pair have the same value in the fields that .match (struct profile_side) names. This value is shown in one of these ways. */
enum profile_value { VALUE_NUMBER, VALUE_HEX, VALUE_SOFTIRQ };

/* This is one side of a pair. */
struct profile_side {
	char *system; /* NULL: any */
	char *event;
	char *match; /* the field of this event that must have the same value as the field .match of the other side */
	char *pid; /* for a start: the field with the pid of the task that the time belongs to; NULL: the time belongs to the task in which the event happens */
};

struct profile_pair {
	struct profile_side start, end;
	bool pinned; /* both events have to be on the same CPU */
	bool global; /* its time is counted for the CPU instead of a task */
	bool irq;    /* with -G its time is counted for the CPU, as if .global were true */
	bool stack;  /* its start is recorded with a stack */
	bool first;  /* true: of several starts before an end, the first counts; false: the last counts */
	enum profile_value value;
};

struct profile_pairs {
	VEC(struct profile_pair) all;
};

/*
 * Makes the built-in pairs and those of @hooks, which are texts of -H, written as for trace-cmd-profile(1). Returns 0, -ENOMEM, or -EINVAL after a
 * message.
 */
int profile_pairs_init(struct profile_pairs *pairs, const strv_t *hooks);
void profile_pairs_fini(struct profile_pairs *pairs);

#endif

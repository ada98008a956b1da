/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the pairs of events between which `ringside profile` measures time. These are the built-in pairs, and the pairs that the user gives with -H
 * (hooks).
 */
#ifndef RINGSIDE_PROFILE_PAIRS_H
#define RINGSIDE_PROFILE_PAIRS_H

#include "lib/event/trace.h"

/* These are the kinds of things that `ringside profile` measures or counts, in the order in which they are shown. */
enum profile_kind {
	PROFILE_RUN,   /* time on a CPU, from sched_switch to sched_switch */
	PROFILE_OFF,   /* time off the CPU; each state in which a task leaves the CPU is counted separately */
	PROFILE_PAIR,  /* time between the two events of a pair */
	PROFILE_FUNC,  /* time in a function */
	PROFILE_CALL,  /* time in a call that `record --latency` has recorded */
	PROFILE_COUNT, /* an event that is only counted */
};

/* The start and the end of a pair have a value in common (profile_side.match). This value is shown in one of these ways. */
enum profile_value { VALUE_NUMBER, VALUE_HEX, VALUE_SOFTIRQ };

/* This is one side of a pair. */
struct profile_side {
	char *system; /* the system of the event; NULL: any system */
	char *event;
	char *match; /* the name of a field of this event; an end belongs to a start only if the .match fields of the two have equal values */
	/*
	 * Used only for the start. The name of the field with the pid of the task to which the time belongs. NULL: the time belongs to the task in which
	 * the event happens.
	 */
	char *pid;
};

struct profile_pair {
	struct profile_side start, end;
	bool pinned; /* both events have to be on the same CPU */
	bool global; /* the time belongs to the CPU, and not to a task */
	bool irq;    /* with -G, the time belongs to the CPU, as if .global were true */
	bool stack;  /* the start is recorded with a stack */
	bool first;  /* If several starts come before an end, the time is measured from the first start (true) or from the last start (false). */
	bool wakeup; /* the start is a wakeup, and the pair is the wait of the woken task for a CPU (lib/analysis/profile.h) */
	/* how the common value of the start and the end is shown */
	enum profile_value value;
};

struct profile_pairs {
	VEC(struct profile_pair) all;
};

/*
 * Makes the built-in pairs and the pairs of @hooks. @hooks are the values of -H, written as trace-cmd-profile(1) describes them. Returns 0, -ENOMEM,
 * or -EINVAL after a message.
 */
int profile_pairs_init(struct profile_pairs *pairs, const strv_t *hooks);
void profile_pairs_fini(struct profile_pairs *pairs);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The time of each call, divided as Documentation/analysis.md says: callees, interrupts on top of it, the time that its task was
 * off the CPU, and what is left, its own. A consumer of lib/analysis/calls.h that keeps struct timed_call on each frame; others that
 * are added to the same calls after it find there, when a call is left, what it took.
 *
 * Off the CPU is known from sched_switch, wherever it was recorded for the same file; without that the time in schedule() and
 * its like is taken for it and marked. A loss on a CPU cuts every call that was open in a task that was there last, or comes
 * there next: it is not complete, and its times are not told.
 */
#ifndef RINGSIDE_TIMED_H
#define RINGSIDE_TIMED_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/calls.h"

/* What stands on each frame. */
struct timed_call {
	struct call_times times;	/* while it is open: what has been added up so far, total and self 0 */
	uint64_t at_least;		/* of a call that is not complete, when it is left: how long it lasted at the least, ns */
	bool cut;			/* it is not complete; final when it is left */
	bool irq;			/* the outermost call of an interrupt: its caller was interrupted, and did not call it */
};

struct timed;

/* Borrows @inputs, and adds itself to @calls, which must outlive it. 0 or -ENOMEM. */
int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs);
void timed_free(struct timed *timed);

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/* What is known of the times, after what has been seen so far. */
struct timed_facts {
	bool switches;		/* there were records of sched_switch: off is known */
	bool wakeups;		/* and of wakeups: blocked and queued are told apart */
	bool guessed;		/* time in schedule() was taken as off */
};
struct timed_facts timed_facts(const struct timed *timed);

#endif

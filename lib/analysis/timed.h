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
#include "lib/analysis/handlers.h"
#include "lib/analysis/scheduling.h"

/* What stands on each frame. */
struct timed_call {
	struct call_times times;	/* while it is open: what has been added up so far, total and self 0 */
	uint64_t at_least;		/* of a call that is not complete, when it is left: how long it lasted at the least, ns */
	bool cut;			/* it is not complete; final when it is left */
	bool irq;			/* the outermost call of an interrupt: its caller was interrupted, and did not call it */
	bool told;			/* of such a call: the handler's own events tell how long it ran */
};

struct timed;

/* Borrows @inputs, and adds itself to @calls, which must outlive it. 0 or -ENOMEM. */
int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs);
void timed_free(struct timed *timed);

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/* For those who ask for each call: timed_call_of() is call_frame_of() this one. Holds as long as @timed. */
const struct calls_user *timed_user(const struct timed *timed);

/* Does the call leave the CPU by itself: is it of schedule() or one of its like? Only of function_graph. */
bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame);

/* What is known of the times, after what has been seen so far. */
struct timed_facts {
	bool switches;		/* there were records of sched_switch: off is known */
	bool wakeups;		/* and of wakeups: blocked and queued are told apart */
	bool guessed;		/* time in schedule() was taken as off */
	bool handlers;		/* there were records of interrupt handlers: irq is known where no functions are recorded, too */
};
struct timed_facts timed_facts(const struct timed *timed);

/* --- for those who want to know more of it: why ------------------------------------------------------------------------ */

/* A task of a file, whatever buffers tell of it; the idle task of each CPU is one. */
struct timed_person {
	int pid;
	uint8_t file;
	struct sched_off off;
	VEC(struct call_task *) tasks;	/* one for each buffer that tells of its calls */
	VEC(struct call_task *) asides;	/* places beside them: see timed_shares() */
	uint64_t woken;			/* since it was on a CPU last: the first sign, ns; 0: there was none */
};

/* Does what happens to the task happen to the call that is at this place beside it, too? */
bool timed_shares(struct call_task *place);

/* Persons have numbers from 0 on that hold; the structure does until another is new. */
const struct timed_person *timed_person(const struct timed *timed, uint32_t i);
uint32_t timed_person_of(const struct timed *timed, struct call_task *task);
uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid);	/* new when it has not been seen; UINT32_MAX: out of memory */

/* A task gives its CPU to another. */
struct timed_switch {
	const struct record *rec;
	uint64_t ns;
	uint32_t prev, next;		/* persons */
	enum sched_why why;		/* as what the one leaves */
};

/* A sign that a task is woken: the first one counts, and more may follow. */
struct timed_wakeup {
	const struct record *rec;
	uint64_t ns;
	uint32_t who;
	bool waking;			/* sched_waking, which the waker tells; else sched_wakeup, which any CPU may */
	bool first;
};

/* Each may be NULL, and returns 0 or a negative errno. */
struct timed_watch {
	int (*switched)(void *ctx, const struct timed_switch *what);	/* before the persons change */
	int (*woken)(void *ctx, const struct timed_wakeup *what);
	int (*handler)(void *ctx, struct call_task *task, const struct handler_run *run);	/* which is known already */
	int (*lost)(void *ctx, const struct record *there);	/* events were lost on this CPU; only .file, .buffer and .cpu are set */
	void *ctx;
};

/* Borrows @watch. One at the most. */
void timed_watch(struct timed *timed, const struct timed_watch *watch);

/* Of the interrupts: for their names. */
struct handlers *timed_handlers(const struct timed *timed);

#endif

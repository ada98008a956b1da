/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the time of each call as Documentation/analysis.md says. The parts are the time of its callees, the time of interrupts on top of it, and the time
 * for which its task was off the CPU. The rest is its self time. This is a consumer of lib/analysis/calls.h and keeps a struct timed_call on each frame.
 * When a call is left, consumers that were added to the same calls later find there what the call took.
 *
 * The time off the CPU is known from sched_switch, in whatever buffer of the same file it was recorded. Without that event, the time in schedule() and its
 * like is taken for the time off the CPU, and is marked as guessed. A loss on a CPU cuts every open call of the task that ran there last before the loss,
 * and of the task that runs there first after it. A cut call is not complete, and its times are not counted.
 */
#ifndef RINGSIDE_TIMED_H
#define RINGSIDE_TIMED_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/calls.h"
#include "lib/analysis/handlers.h"
#include "lib/analysis/scheduling.h"

/* This is what each frame has. */
struct timed_call {
	struct call_times times; /* while the call is open: what has been added up so far, with total and self 0 */
	uint64_t at_least;	 /* for a call that is not complete, when it is left: how long it lasted at least, ns; while it is open, as .times */
	bool cut;		 /* it is not complete; final when it is left */
	bool irq;		 /* the outermost call of an interrupt: its caller was interrupted, and did not call it */
	bool told;		 /* with .irq: the handler's own events tell how long it ran */
};

/* Is it known how long a call of this file was off the CPU? Not if a filter leaves out records of sched_switch, unless the time is guessed. */
static inline bool timed_call_off_known(const struct timed_call *call, const struct input *input)
{
	return call->times.guessed || !input->some_switches;
}

struct timed;

/* Borrows @inputs, and adds itself to @calls, which must live as long as it. Returns 0 or -ENOMEM. */
int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs);
void timed_free(struct timed *timed);

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame);

/*
 * Returns a struct calls_user for callers that look at each call: call_frame_of() with it returns the same as timed_call_of(). It is valid as long as
 * @timed.
 */
const struct calls_user *timed_user(const struct timed *timed);

/* Is @frame a call of schedule() or of a similar function, in which a task leaves the CPU? Only calls of function_graph can be. */
bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame);

/* This is what is known of the times by the records that have been seen so far. */
struct timed_facts {
	bool switches; /* there were records of sched_switch: off is known */
	bool wakeups;  /* there were records of wakeups as well: blocked and queued are known */
	bool guessed;  /* time in schedule() was taken for off */
	bool some;     /* a filter leaves out records of sched_switch, so that the others are of no use */
	bool handlers; /* there were records of interrupt handlers: irq is known where no functions are recorded, too */
};

/* Is it known how long calls were off the CPU, at least by guess? Otherwise that time is part of their self. */
static inline bool timed_off_known(const struct timed_facts *facts)
{
	return facts->switches || facts->guessed;
}

/* Is it known which part of that time calls were blocked, and which part they waited in a queue? */
static inline bool timed_waits_known(const struct timed_facts *facts)
{
	return facts->switches && facts->wakeups;
}

/* Returns what is known by the records of all files together, or by those of the file with index @file. */
struct timed_facts timed_facts(const struct timed *timed);
struct timed_facts timed_facts_of(const struct timed *timed, unsigned int file);

/* Returns what is known of the sum of two sets of calls, when @a is known of one set and @b of the other. */
struct timed_facts timed_facts_both(const struct timed_facts *a, const struct timed_facts *b);

/* --- why a task was off the CPU, for those who want to know ------------------------------------------------------------------------ */

/* This is a task of a file, in whatever buffers it is recorded; the idle task of each CPU is one of its own. */
struct timed_person {
	int pid;
	uint8_t file;
	struct sched_off off;
	VEC(struct call_task *) tasks;	/* one for each buffer that tells of its calls */
	VEC(struct call_task *) asides; /* places beside them: see timed_shares() */
	uint64_t woken;			/* when it was first woken since it came to a CPU last, ns; 0: it was not */
};

/* Is the call at this place beside a task off the CPU or interrupted while the task is (enum call_part)? */
bool timed_shares(struct call_task *place);

/* A person's number counts from 0 and never changes. The structure is valid until there is a new person. */
const struct timed_person *timed_person(const struct timed *timed, uint32_t i);
uint32_t timed_person_of(const struct timed *timed, struct call_task *task);
uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid); /* makes it when it is new; UINT32_MAX: memory ran out */

/* A task gives its CPU to another. */
struct timed_switch {
	const struct record *rec;
	uint64_t ns;
	uint32_t prev, next; /* persons */
	enum sched_why why;  /* why .prev leaves */
};

/* This is an event that tells that a task is woken. The first one counts, and more may follow. */
struct timed_wakeup {
	const struct record *rec;
	uint64_t ns;
	uint32_t who;
	bool waking; /* it is sched_waking, which the waker records; otherwise sched_wakeup, which any CPU may record */
	bool first;
};

/* These are callbacks. Each may be NULL, and returns 0 or -errno. */
struct timed_watch {
	int (*switched)(void *ctx, const struct timed_switch *what); /* before the persons change */
	int (*woken)(void *ctx, const struct timed_wakeup *what);
	int (*handler)(void *ctx, struct call_task *task, const struct handler_run *run); /* an interrupt handler has begun or ended on top of the task */
	/* Events of this CPU are lost from @ns on, or with @over, were lost until @ns. Only .file, .buffer and .cpu of @there are set. */
	int (*lost)(void *ctx, const struct record *there, uint64_t ns, bool over);
	void *ctx;
};

/* Sets the callbacks, which are borrowed. There can be only one. */
void timed_watch(struct timed *timed, const struct timed_watch *watch);

/* Returns the interrupt handlers, for their names. */
struct handlers *timed_handlers(const struct timed *timed);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the scheduler's events say, and why a task is off its CPU: one set of rules for everything that tells of run, blocked, preempted and
 * queued (Documentation/analysis.md). Who keeps a struct sched_off for each task gets the parts of its time off the CPU from it.
 *
 *	kind = sched_kind(&events, event);
 *	if (kind != SCHED_NONE && sched_read(&events, kind, rec, &fact)) …
 */
#ifndef RINGSIDE_SCHEDULING_H
#define RINGSIDE_SCHEDULING_H

#include "lib/event/trace.h"
#include "lib/event/values.h"

enum sched_kind { SCHED_SWITCH, SCHED_WAKING, SCHED_WAKEUP, SCHED_WAKEUP_NEW, SCHED_MIGRATE, SCHED_KINDS, SCHED_NONE = SCHED_KINDS };

/* In what state a task leaves its CPU, as the event's own format names it. */
struct sched_state {
	uint64_t value;		/* prev_state */
	char text[8];		/* "S", "D", "R", "R+" … as reports print it */
	bool runnable;		/* it could have gone on */
	bool dead;		/* it does not come back */
};

enum { SCHED_STATES = 16 };

/* The scheduler's events of one trace. */
struct sched_events {
	const struct trace *trace;
	struct {
		struct event *event;	/* NULL: the trace does not describe it, or not with these fields */
		struct field field[3];
	} kinds[SCHED_KINDS];
	bool asked;			/* for the next one */
	const struct value_field *state;	/* NULL: its format has no names of states */
	struct sched_state states[SCHED_STATES];
	unsigned int nstates;
};

/* What a record says. */
struct sched_fact {
	int pid;		/* whom it is about; of a switch who leaves the CPU */
	int next;		/* of a switch: who comes to it */
	unsigned int to;	/* of a migration: the CPU to which the task goes */
	struct sched_state state;	/* of a switch */
};

/* Finds the events of @trace, which is borrowed. */
void sched_events_find(struct sched_events *events, const struct trace *trace);

static inline enum sched_kind sched_kind(const struct sched_events *events, const struct event *event)
{
	unsigned int kind = 0;

	while (kind < SCHED_KINDS && events->kinds[kind].event != event)
		kind++;
	return kind;
}

/* False: the record is too short, or says that nothing happened (a wakeup without success, of old kernels). One thread at a time. */
bool sched_read(struct sched_events *events, enum sched_kind kind, const struct record *rec, struct sched_fact *out);

/* --- off the CPU ------------------------------------------------------------------------------------------------ */

enum sched_why { SCHED_NOT_OFF, SCHED_ASLEEP, SCHED_RUNNABLE };

/* Why a task is off its CPU, and since when. All zero: it is not, or nothing is known. */
struct sched_off {
	enum sched_why why;
	bool is_woken;		/* since then */
	uint64_t since, woken;	/* ns */
};

/* The time off the CPU and its parts. Of a task that slept, and whose waking nobody saw, the parts are 0. */
struct sched_took {
	uint64_t off, blocked, preempted, queued;
	bool woken;		/* blocked and queued are told apart */
};

void sched_off_begin(struct sched_off *off, const struct sched_state *state, uint64_t now);

/* A sign that the task is woken. The first one counts: sched_waking comes before sched_wakeup. True: it is this one. */
bool sched_off_wake(struct sched_off *off, uint64_t now);

/* The task is on a CPU again. False: nobody knows how long it was off. */
bool sched_off_end(struct sched_off *off, uint64_t now, struct sched_took *out);

#endif

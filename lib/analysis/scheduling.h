/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the scheduler's events, and tells why a task is off its CPU. All analyses that show run, blocked, preempted and queued times
 * (Documentation/analysis.md) use this header. The caller keeps a struct sched_off for each task. sched_off_begin() and sched_off_wake() note in this
 * struct what happens to the task. When the task comes to a CPU again, sched_off_end() divides its time off the CPU into parts.
 *
 *	kind = sched_kind(&events, event);
 *	if (kind != SCHED_NONE && sched_read(&events, kind, rec, &fact)) …
 */
#ifndef RINGSIDE_SCHEDULING_H
#define RINGSIDE_SCHEDULING_H

#include "lib/analysis/input.h"
#include "lib/event/values.h"

/*
 * These are the kinds of the scheduler's events. SCHED_KINDS is the number of kinds. SCHED_NONE stands for all other events. SCHED_HIDDEN stands for
 * a sched_switch that has to be treated like an event of SCHED_NONE: see sched_kind_told().
 */
enum sched_kind { SCHED_SWITCH, SCHED_WAKING, SCHED_WAKEUP, SCHED_WAKEUP_NEW, SCHED_MIGRATE, SCHED_KINDS, SCHED_NONE = SCHED_KINDS, SCHED_HIDDEN };

/* This is the state in which a task leaves its CPU, as the format of sched_switch names it. */
struct sched_state {
	uint64_t value; /* the value of the field prev_state */
	char text[8];	/* "S", "D", "R", "R+" … as reports print it */
	bool runnable;	/* the task could have gone on running */
	bool dead;	/* the task does not come back */
};

enum { SCHED_STATES = 16 };

/* These are the scheduler's events of one trace. */
struct sched_events {
	const struct input *input;
	/* Element i is for the event of kind i. */
	struct {
		struct event *event;   /* NULL: the trace does not describe the event, or its description lacks a field that is needed */
		struct field field[3]; /* the fields that sched_read() reads, in the order of sched_rows in scheduling.c */
	} kinds[SCHED_KINDS];
	const struct value_field *state; /* the field prev_state; NULL: the format of sched_switch has no names of states, or .asked is false */
	bool asked;			 /* .state has been looked up */
	unsigned int nstates;		 /* how many elements of .states are used */
	/* the first SCHED_STATES different states that sched_read() has met */
	struct sched_state states[SCHED_STATES];
};

/* This is what a record of one of the scheduler's events tells. */
struct sched_fact {
	int pid;		  /* the task that the record is about; for a switch, the task that leaves the CPU */
	int next;		  /* for a switch: the task that comes to the CPU */
	unsigned int to;	  /* for a migration: the CPU to which the task goes */
	struct sched_state state; /* for a switch: the state in which .pid leaves the CPU */
};

/* Finds the events of @input, which is borrowed. */
void sched_events_find(struct sched_events *events, const struct input *input);

/* Returns the kind of the event, or SCHED_NONE. */
static inline enum sched_kind sched_kind(const struct sched_events *events, const struct event *event)
{
	unsigned int kind = 0;

	while (kind < SCHED_KINDS && events->kinds[kind].event != event)
		kind++;
	return kind;
}

/*
 * Returns true if the event is sched_switch and some of its records are left out by a filter, by --func or by --min-duration. The remaining records do not
 * tell which task runs, or when tasks were off the CPU. So the event has to be treated like an event that is not from the scheduler (SCHED_NONE). Analyses
 * that follow switches call this function or sched_kind_told().
 */
static inline bool sched_is_hidden(const struct input *input, const struct event *event)
{
	return unlikely(input->some_switches) && event->kind == EVENT_SCHED_SWITCH;
}

/* Does what sched_kind() does, but returns SCHED_HIDDEN for a sched_switch for which sched_is_hidden() is true. */
static inline enum sched_kind sched_kind_told(const struct sched_events *events, const struct event *event)
{
	return sched_is_hidden(events->input, event) ? SCHED_HIDDEN : sched_kind(events, event);
}

/*
 * Reads a record of an event of kind @kind. Returns false when the record is too short, or when its field success says that the wakeup had no effect. Only one
 * thread at a time may call sched_read() with the same @events.
 */
bool sched_read(struct sched_events *events, enum sched_kind kind, const struct record *rec, struct sched_fact *out);

/* --- off the CPU ------------------------------------------------------------------------------------------------ */

/* SCHED_ASLEEP: the task left its CPU to sleep. SCHED_RUNNABLE: the task left its CPU, although it could have gone on running. */
enum sched_why { SCHED_NOT_OFF, SCHED_ASLEEP, SCHED_RUNNABLE };

/*
 * This tells why a task is off its CPU, and since when. If .why is SCHED_NOT_OFF, the task is on a CPU, or nothing is known of the task. The user of
 * the struct sets all members to zero at first, and again after events were lost.
 */
struct sched_off {
	enum sched_why why;
	bool is_woken; /* the task has been woken since it left its CPU */
	/*
	 * sched_waking has come, and no sched_wakeup has come yet. If .why is SCHED_NOT_OFF, .early is used only if the next thing that the task does is to
	 * leave its CPU. The task was then on its CPU at the sched_waking, even if no sched_switch has told of the task before. If .why is not SCHED_NOT_OFF,
	 * the sched_waking came before the task left its CPU.
	 */
	bool early;
	uint8_t told;	/* the kinds of events (1 << enum sched_kind) that have told of a wakeup since the task left its CPU */
	uint64_t since; /* when the task left its CPU, ns */
	uint64_t woken; /* used if the task was woken: the time since which it has waited for a CPU, ns */
};

/*
 * This tells how long a task was off the CPU, in ns. .off is the whole time. .blocked, .preempted and .queued are its parts. If the task slept and its wakeup
 * was not recorded, the parts are 0.
 */
struct sched_took {
	uint64_t off, blocked, preempted, queued;
	bool woken; /* the wakeup was recorded, so .blocked and .queued are known */
};

/* Must be called when the task leaves its CPU. @state is the state in which the task leaves it. @now is the time in ns. */
void sched_off_begin(struct sched_off *off, const struct sched_state *state, uint64_t now);

/*
 * Must be called for each sched_waking, sched_wakeup and sched_wakeup_new that is about the task. One wakeup has several events, because sched_wakeup follows
 * sched_waking. Only the first event of a wakeup sets the time of the wakeup. Returns true for this first event, if the task is off its CPU. A task can also be
 * woken while it is about to sleep and is still on its CPU. Such a task waits for a CPU from the moment when it leaves its CPU, even if its sched_wakeup comes
 * later.
 */
bool sched_off_wake(struct sched_off *off, enum sched_kind kind, uint64_t now);

/*
 * Must be called before sched_off_wake(). Returns true if sched_off_wake() was already called with an event of this kind since the task left its CPU. If so,
 * the new event is about another wakeup. Because the kernel wakes only a task that sleeps, the task has been on a CPU and has gone to sleep again since the
 * earlier event. The switches in between are not recorded, so nothing is known of the time since the earlier event. The result may be used only if all events
 * of this kind come from one buffer. Otherwise the earlier event can be about the same wakeup, because two buffers can tell of the same wakeup.
 */
static inline bool sched_off_ran_unseen(const struct sched_off *off, enum sched_kind kind)
{
	return off->why && off->told & 1u << kind;
}

/*
 * This function is for a task that left its CPU to sleep. Returns the time since which the task has waited for a CPU. Returns 0 if nothing tells that the task
 * was woken.
 */
uint64_t sched_off_woken(const struct sched_off *off);

/* Must be called when the task comes to a CPU. Returns false when it is not known how long the task was off the CPU. */
bool sched_off_end(struct sched_off *off, uint64_t now, struct sched_took *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what causes.c and causes-meanwhile.c share. causes.c follows the calls that were asked for. causes-meanwhile.c follows what happens to the
 * tasks of these calls.
 */
#ifndef RINGSIDE_CAUSES_INSIDE_H
#define RINGSIDE_CAUSES_INSIDE_H

#include "lib/analysis/causes.h"

/* These are the data that a struct causes has about a call. lib/analysis/calls.h keeps these data with the struct call_frame of the call. */
struct causes_frame {
	uint32_t node; /* The call's node in causes.graph, if the call was asked for or is below a call that was asked for. Otherwise 0. */
	/* The index of .node in .nodes of the struct cause_call of the call that was asked for. This is the call itself, or a call above it. */
	uint32_t index;
};

/* These are the data that a struct causes has about a task. lib/analysis/calls.h keeps these data with the struct call_task of the task. */
struct causes_task {
	struct cause_call *open; /* the call that was asked for and is open; NULL: none */
	bool looked;		 /* .wanted is valid */
	bool wanted;		 /* the user selected the task */
	/* how long irq and softirq handlers have run inside functions of an interrupt, ns; used while such functions are above .open on the stack */
	uint64_t handlers;
	uint64_t lock_since; /* when the task began to wait for a lock, ns; 0: it does not wait for one */
	uint32_t lock;	     /* the number of the text that names this lock: cause_lock_text() */
};

/* These are the events of an input that tell what happened to a call: page faults and waits for locks. */
struct cause_events {
	const struct event *fault_user, *fault_kernel, *lock_begin, *lock_end;
	struct field lock_addr, lock_flags;
};

static inline struct causes_frame *causes_frame_of(const struct causes *causes, struct call_frame *frame)
{
	return call_frame_of(&causes->user, frame);
}

/* Fills in *@events with events of @trace. A pointer to an event becomes NULL if the trace lacks the event, or if the event cannot be used. */
void causes_find_events(struct cause_events *events, const struct trace *trace);

/*
 * These are the callbacks of causes.watch, which a struct timed calls. Several objects of type struct causes can use the same struct timed. @ctx is the
 * object that owns the struct timed. The other objects are in the list that begins with the .next of @ctx. The callbacks do their work for @ctx and for all
 * objects in this list. Each callback returns 0 or -ENOMEM.
 */
int causes_switched(void *ctx, const struct timed_switch *what);
int causes_woken(void *ctx, const struct timed_wakeup *what);
int causes_handler(void *ctx, struct call_task *task, const struct handler_run *run);
int causes_lost(void *ctx, const struct record *there, uint64_t ns, bool over);

/* This is the callback other() of struct calls_ops. The callback takes in a record that belongs to no call. Returns 0 or -ENOMEM. */
int causes_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);

#endif

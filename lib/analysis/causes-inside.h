/* SPDX-License-Identifier: GPL-2.0 */
/* What causes.c, which follows the calls that were asked for, and causes-meanwhile.c, which follows what happens to their tasks, share. */
#ifndef RINGSIDE_CAUSES_INSIDE_H
#define RINGSIDE_CAUSES_INSIDE_H

#include "lib/analysis/causes.h"

/* On each frame. */
struct causes_frame {
	uint32_t node;		/* of the graph; 0: it is not below a call that was asked for */
	uint32_t index;		/* into the call's nodes */
};

/* On each task. */
struct causes_task {
	struct cause_call *open;	/* NULL: none */
	bool looked, wanted;		/* is it among the tasks that are selected? */
	uint64_t handlers;		/* so long handlers ran, as events tell, inside of the functions of the interrupt that is open */
	uint64_t lock_since;		/* it waits for a lock; 0: not */
	uint32_t lock;
};

/* The events of an input that tell of a call more than its times. */
struct cause_events {
	const struct event *fault_user, *fault_kernel, *lock_begin, *lock_end;
	struct field lock_addr, lock_flags;
};

static inline struct causes_frame *causes_frame_of(const struct causes *causes, struct call_frame *frame)
{
	return call_frame_of(&causes->user, frame);
}

/* Finds the events of a trace that tell what happens to a call. */
void causes_find_events(struct cause_events *events, const struct trace *trace);

/* The callbacks of causes.watch. The context is the first of several that are beside each other. They return 0 or -ENOMEM. */
int causes_switched(void *ctx, const struct timed_switch *what);
int causes_woken(void *ctx, const struct timed_wakeup *what);
int causes_handler(void *ctx, struct call_task *task, const struct handler_run *run);
int causes_lost(void *ctx, const struct record *there);

/* Takes in a record that belongs to no call, as struct calls_ops has it. */
int causes_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);

#endif

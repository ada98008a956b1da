/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what the files that implement lib/analysis/calls.h share. Only they use this. */
#ifndef RINGSIDE_CALLS_INSIDE_H
#define RINGSIDE_CALLS_INSIDE_H

#include "lib/analysis/call-source.h"
#include "lib/analysis/tasks.h"

/* At most this many calls of a task wait to be entered. A further one is dropped, and consumers are not told of it. */
enum { CALL_MOST_WAITING = 64 };

typedef VEC(struct call_event) call_events_t;

/* The losses of a buffer. */
struct call_losses {
	uint64_t n;    /* grows with each loss, and with each record as long as .open is not 0 */
	uint32_t open; /* on how many CPUs events are being lost */
};

/* A pair of events whose times are calls. */
struct call_pair {
	const struct pair *pair;
	struct pair_events *events;
	bool lone_ends; /* most of its end events end no pair */
	bool of_task;	/* one of its keys is the number of the task */
};

struct calls {
	struct handler handler;
	const inputs_t *inputs;
	VEC(struct calls_user *) users;
	VEC(call_events_t) events; /* by input, by event id */
	size_t frame_size;
	bool one_buffer;	/* what other buffers tell does not matter to any consumer: see calls_functions_only() */
	struct tasks tasks;	/* states are a struct call_task and its payloads; places beside a task have no key */
	struct streams streams; /* of struct call_stream */
	struct streams losses;	/* of struct call_losses, each buffer's at its CPU 0 */
	bool any_gaps;		/* there has been a gap */
	uint32_t open_gaps;	/* on how many CPUs events are being lost */
	bool no_leaves;		/* a consumer has enter() and no leaf(), so that leaf() is never called */
	struct calls_lost lost;
	MAP(struct key, struct call_task *) aside; /* the places of open calls beside stacks; NULL: the call has ended */
	size_t naside;				   /* how many of these calls are open */
	MAP(struct text, char *) texts;		   /* what call_text() has returned */
	VEC(struct call_pair) pairs;
};

/* Calls @op of all users that have it. Its value is 0 or the first error. */
#define calls_tell(calls, op, ...) \
	({ \
		int err_ = 0; \
		vec_each (&(calls)->users, user_) \
			if (!err_ && (*user_)->ops->op) \
				err_ = (*user_)->ops->op((*user_)->ctx, __VA_ARGS__); \
		err_; \
	})

/* Fills in a new task and tells the consumers of it. Returns 0 or -errno. */
int calls_new_task(struct calls *calls, struct call_task *task, const struct record *rec, int pid);

/*
 * Leaves the innermost call and the calls below it that have ended already. Then enters the calls that waited for this. Returns 0 or
 * -errno.
 */
int calls_leave_top(struct calls *calls, struct call_task *task, const struct call_end *end);

/*
 * Ends and begins the calls of pairs for which the record is an event. The record's other meanings must have been taken in before. Returns 0 or
 * -errno.
 */
int calls_pairs_record(const struct call_at *at, const struct common *common);
void calls_free_pairs(struct calls *calls);

/* Frees the map of calls beside stacks, but not their places, and frees all texts. */
void calls_free_aside(struct calls *calls);

#endif

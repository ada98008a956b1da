/* SPDX-License-Identifier: GPL-2.0 */
/* What the files of lib/analysis/calls.h share: its consumers, its tasks and what their stacks are kept with. */
#ifndef RINGSIDE_CALLS_INSIDE_H
#define RINGSIDE_CALLS_INSIDE_H

#include "lib/analysis/call-source.h"
#include "lib/analysis/tasks.h"

/* So many calls wait in a task to be entered; one that comes then is not told. */
enum { CALL_MOST_WAITING = 64 };

typedef VEC(struct call_event) call_events_t;

/* Of a buffer: a number that grows with each loss, and with each look while something is being lost; on so many CPUs it is. */
struct call_losses {
	uint64_t n;
	uint32_t open;
};

/* A pair of events whose times are calls. */
struct call_pair {
	const struct pair *pair;
	struct pair_events *events;
	bool lone_ends;			/* what ends it often ends nothing */
	bool of_task;			/* its keys tell the task */
};

struct calls {
	struct handler handler;
	const inputs_t *inputs;
	VEC(struct calls_user *) users;
	VEC(call_events_t) events;	/* by input, by event id */
	size_t frame_size;
	bool functions_only;
	struct tasks tasks;		/* of struct call_task with payloads; those that are aside have no key */
	struct streams streams;		/* of struct call_stream */
	struct streams losses;		/* of struct call_losses, each buffer's at its CPU 0 */
	bool any_gaps;			/* there have been some */
	uint32_t open_gaps;		/* on so many CPUs events are being lost */
	bool no_leaves;			/* a consumer wants to be told of the two ends of each leaf */
	struct calls_lost lost;
	MAP(struct key, struct call_task *) aside;	/* of calls that are open there; NULL: has ended */
	size_t naside;			/* how many are open */
	MAP(struct text, char *) texts;	/* call_text()'s */
	VEC(struct call_pair) pairs;
};

/* Calls @op of all users that have it; the value is 0 or the first error. */
#define calls_tell(calls, op, ...)                                                             \
	({                                                                                     \
		int err_ = 0;                                                                  \
		vec_each (&(calls)->users, user_)                                              \
			if (!err_ && (*user_)->ops->op)                                        \
				err_ = (*user_)->ops->op((*user_)->ctx, __VA_ARGS__);          \
		err_;                                                                          \
	})

/* Fills in a new task, and tells of it. 0 or a negative errno. */
int calls_new_task(struct calls *calls, struct call_task *task, const struct record *rec, int pid);

/* Leaves the innermost call, with what has ended below it, and enters what waited for that. 0 or a negative errno. */
int calls_leave_top(struct calls *calls, struct call_task *task, const struct call_end *end);

/* What the record begins and ends of pairs, after all else that it means. 0 or a negative errno. */
int calls_pairs_record(const struct call_at *at, const struct common *common);
void calls_free_pairs(struct calls *calls);

/* Frees the map of what is aside, not the places, and all texts. */
void calls_free_aside(struct calls *calls);

#endif

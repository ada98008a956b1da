/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what the files that implement lib/analysis/calls.h share. Only these files and lib/analysis/doubts.c use this. */
#ifndef RINGSIDE_CALLS_INSIDE_H
#define RINGSIDE_CALLS_INSIDE_H

#include "lib/analysis/call-source.h"
#include "lib/analysis/reuse.h"
#include "lib/analysis/tasks.h"

/*
 * At most this many calls of a task wait to be entered (see wait() of struct calls_ops). While this many calls wait, any further call that has to wait is
 * dropped. Consumers are not told of a dropped call.
 */
enum { CALL_MOST_WAITING = 64 };

typedef VEC(struct call_event) call_events_t;

/* These are the losses of a buffer. */
struct call_losses {
	uint32_t open;	/* on how many CPUs the buffer is losing events now */
	uint64_t until; /* the end of the last loss that is over, in ns; 0: there was none */
	/*
	 * This number grows when a loss begins and when a loss ends. While .open is not 0, this number also grows with each record that may tell of a call,
	 * except records of function_graph.
	 */
	uint64_t n;
};

/* This is a pair of events. The time from one event to the other is a call. */
struct call_pair {
	const struct pair *pair;
	struct pair_events *events;
	bool of_task; /* one of the pair's keys is the pid of a task */
	bool at_end;  /* see call_task.at_end */
};

/* This tells calls_quick() where an input's function_graph records have their fields. */
struct call_quick {
	bool usable;					   /* the records have the usual layout; false: the other members have no meaning */
	uint16_t entry, exit;				   /* the ids of the events */
	uint16_t entry_size;				   /* the least number of bytes that the data of an entry have */
	uint16_t exit_size;				   /* the least number of bytes that the data of an exit have */
	uint16_t func, depth;				   /* the offsets of these fields in the entry's data */
	uint16_t exit_func, exit_depth, calltime, rettime; /* the offsets of these fields in the exit's data */
	uint16_t retval;				   /* the offset of the return value in the exit's data; 0: the exit has no such field */
};

/* Of a consumer's callbacks, these are the ones that calls_quick() calls most often. A callback that the consumer does not have does nothing and returns 0. */
struct calls_often {
	void *ctx;
	int (*enter)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec);
	int (*brief)(void *ctx, struct call_task *task, struct call_frame *caller, const struct call_brief *call);
	int (*leave)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
};

struct calls {
	struct handler handler;
	const inputs_t *inputs;
	/* the consumers */
	VEC(struct calls_user *) users;
	VEC(struct calls_often) often; /* element i is for the consumer i; the callbacks of the last element, which is for no consumer, are NULL */
	VEC(call_events_t) events;     /* element i is for the input i; its element j is for the event with the id j */
	VEC(struct call_quick) quick;  /* element i is for the input i */
	size_t frame_size;	       /* how many bytes a frame and the payloads behind it have */
	const struct cpuset *cpus;     /* set by calls_choose(); NULL: all */
	/* True: no consumer uses records of other buffers that come between the entry and the exit of a leaf call: see calls_functions_only(). */
	bool one_buffer;
	struct reuse reuse; /* tells when a pid is used again by another task */
	/* The state of a task is a struct call_task and its payloads. .tasks.all also has a struct call_task for each call in .aside. */
	struct tasks tasks;
	struct streams streams; /* a struct call_stream for each CPU of each buffer */
	struct streams losses;	/* a struct call_losses for each buffer, kept at CPU 0 of the buffer */
	bool no_callers;	/* set by calls_without_callers() */
	bool any_gaps;		/* some CPU has lost events at some time */
	uint32_t open_gaps;	/* how many CPUs are losing events now, summed up over all buffers of all files */
	/*
	 * How often calls_quick() was called. One call of calls_quick() is a round. In a round, no loss begins or ends, and only function_graph's records
	 * are taken in.
	 */
	uint64_t round;
	bool no_leaves; /* a consumer has enter() and no leaf(), so leaf() is not called for any consumer */
	bool no_briefs; /* a consumer has leaf() or leave() and no brief(), so brief() is not called for any consumer */
	struct calls_lost lost;
	uint64_t deep_entries, deep_exits; /* how many records of function_graph were left out: see calls_deep() */
	/*
	 * The calls that stand beside the stacks of their tasks (lib/analysis/calls.h). Such a call has a struct call_task for itself. For the key of the call,
	 * the map gives this struct, or NULL if the call has ended.
	 */
	MAP(struct key, struct call_task *) aside;
	size_t naside;			/* how many calls beside stacks are open */
	MAP(struct text, char *) texts; /* the texts that call_text() has returned */
	VEC(struct call_pair) pairs;
};

/* Returns the losses of the buffer that has @rec. Returns NULL when memory runs out. */
struct call_losses *calls_losses(struct calls *calls, const struct record *rec);

/*
 * Takes all calls of a task off the task's stack, and calls leave() of the consumers for each of these calls. The exits of these calls are not recorded. @when
 * says when the task ended. @when is NULL if the calls are still open at the end of the recording. @why is 0 or a bit of enum call_cut. This bit is set in
 * call_end.cut of each call. Returns 0 or -errno.
 */
int calls_end_task(struct calls *calls, struct call_task *task, const struct reuse_end *when, unsigned int why);

/* Calls calls_end_task() for each task that has ended, as @rec shows: the pid of such a task belongs to another task now. Returns 0 or -errno. */
int calls_end_lives(struct calls *calls, const struct record *rec, const struct common *common);

/* Calls the callback @op of each consumer that has this callback. Stops at the first error. The value of the macro is 0 or this error. */
#define calls_tell(calls, op, ...) \
	({ \
		int err_ = 0; \
		vec_each (&(calls)->users, user_) \
			if (!err_ && (*user_)->ops->op) \
				err_ = (*user_)->ops->op((*user_)->ctx, __VA_ARGS__); \
		err_; \
	})

/*
 * Does what calls_tell() does, for a call that belongs to @cpu or for a record of @cpu. If @cpu is not wanted (calls_choose()), only the consumers with
 * .all_cpus are called.
 */
#define calls_tell_of(calls, cpu, op, ...) \
	({ \
		const bool all_ = calls_chosen(calls, cpu); \
		int err_ = 0; \
		vec_each (&(calls)->users, user_) \
			if (!err_ && (*user_)->ops->op && (likely(all_) || (*user_)->all_cpus)) \
				err_ = (*user_)->ops->op((*user_)->ctx, __VA_ARGS__); \
		err_; \
	})

_Static_assert(sizeof(struct call_frame) % 16 == 0, "the payloads behind a frame begin at a multiple of 16 bytes");

/* Clears the payloads of a frame. Their size is a multiple of 16 bytes. This size is so small that a loop is faster than memset(). */
static inline void calls_clear_payloads(const struct call_task *task, struct call_frame *frame)
{
	uint64_t *const end = (uint64_t *)((char *)frame + task->stride);

	for (uint64_t *at = (uint64_t *)(frame + 1); at < end; at += 2)
		at[0] = at[1] = 0;
}

/*
 * Puts a frame on the stack for a function that begins with @rec, at @ns. The stack must have room for the frame. The frame gets the values that
 * call_begin() would return, but it is filled in directly on the stack. The frame's .end has no meaning yet.
 */
static inline struct call_frame *calls_put_function(struct call_task *task, const struct record *rec, uint64_t ns, enum call_irq irq, uint8_t source,
						    uint64_t func, uint64_t retaddr, uint32_t depth)
{
	struct call_frame *to = call_at(task, task->depth++);

	to->func = func;
	to->ts = rec->ts;
	to->ns = ns;
	to->key = 0;
	to->retaddr = retaddr;
	to->gap = 0;
	to->depth = depth;
	to->cpu = rec->cpu;
	to->source = source;
	to->cut = 0;
	to->irq = (uint8_t)irq;
	to->level = CALL_LEVEL_KERNEL;
	to->waited = false;
	to->over = false;
	to->stacked = true;
	to->early = false;
	calls_clear_payloads(task, to);
	return to;
}

/*
 * Tells the consumers that the call of @frame was entered and left, and takes @frame off the stack. @frame is the result of calls_put_function().
 * Returns 0 or -errno.
 */
static inline int calls_tell_leaf(struct calls *calls, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end)
{
	const bool all = calls_chosen(calls, frame->cpu);
	int err = 0;

	vec_each (&calls->users, at_user) {
		const struct calls_user *user = *at_user;

		if (unlikely(!all) && !user->all_cpus)
			continue;
		if (!err && user->ops->leaf)
			err = user->ops->leaf(user->ctx, task, frame, rec, end);
		else if (!err && user->ops->leave)
			err = user->ops->leave(user->ctx, task, frame, end);
	}
	task->depth--;
	return err;
}

/* Finds out what calls_quick() needs to know of an input. */
struct call_quick calls_quick_of(const struct trace *trace);

/*
 * When calls_quick() takes in a record, it prefetches the data of the record that comes this many records later. If the thread that merged the records ran on
 * another core, these data may still be in that core's cache.
 */
enum { CALLS_AHEAD = 8 };

/*
 * Takes in the @n records one after the other, and stops before the first record that is not usual. For each record, the function does what calls_record()
 * does, but faster. A usual record meets at least these conditions:
 * - function_graph has made it;
 * - all CPUs are wanted;
 * - there are no pairs (calls_pairs());
 * - nothing was lost directly before or after it;
 * - its task is the one that ran last on its CPU;
 * - if it is an entry, the task's innermost function has made the call;
 * - if it is an exit, it ends the task's innermost function;
 * - if it is an exit, the entry of that function is recorded, and nothing was lost since that entry.
 * Returns how many records were taken in. seen() may already have been called for the record before which the function stopped. *@err becomes 0 or -errno.
 */
size_t calls_quick(struct calls *calls, const struct record *records, size_t n, int *err);

/* Returns what calls_quick() needs to know of a consumer. */
struct calls_often calls_often_of(const struct calls_user *user);

/* Fills in a new task and tells the consumers of it. Returns 0 or -errno. */
int calls_new_task(struct calls *calls, struct call_task *task, const struct record *rec, int pid);

/*
 * Calls leave() of the consumers for the innermost call, and takes the call off the stack. If the calls right below it have ended already, does the same for
 * them. Then enters the waiting calls that need not wait any longer. Returns 0 or -errno.
 */
int calls_leave_top(struct calls *calls, struct call_task *task, const struct call_end *end);

/*
 * If the record at hand is the end event of a pair (calls_pairs()), ends the pair's call. If the record is the begin event of a pair, begins a call. If the
 * record is both events of one pair, a call is ended before the next call begins. The caller must have given the record to record() of its source or to
 * other() of the consumers. Returns 0 or -errno.
 */
int calls_pairs_record(const struct call_at *at, const struct common *common);

/*
 * A thread has got the pid @exec->pid by execve(), and had the pid @exec->old before. @at.task is the thread under its new pid. What the thread has begun for a
 * pair of events that both happen in one task goes on under the new pid. Returns 0 or -errno.
 */
int calls_pairs_execs(struct call_at at, const struct reuse_end *exec);

/*
 * The call that call_begin_aside() has begun with the key @from gets the key @to and the .key @mark of struct call_frame, and stands beside the stack of
 * at->task from now on. It still belongs to the pid of the task that began it. A call that is open with the key @to ended some time before. Does nothing if no
 * call is open with the key @from. Returns 0 or -errno.
 */
int call_move_aside(const struct call_at *at, struct key from, struct key to, uint64_t mark);
void calls_free_pairs(struct calls *calls);

/* Frees all texts and the map .aside. Does not free the elements to which the map points. */
void calls_free_aside(struct calls *calls);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls of functions, put together per task from the function_graph tracer's records: a stack for each task,
 * wherever it runs, with every call that is entered also left. What the recording does not hold (calls that began
 * before it or did not end in it, or whose entry or exit was lost) is completed and marked.
 * No printing: facts go to the callbacks of struct calls_ops.
 */
#ifndef RINGSIDE_CALLS_H
#define RINGSIDE_CALLS_H

#include "lib/data/record.h"
#include "lib/event/trace.h"

/* How a call is incomplete. */
enum call_cut {
	CALL_NO_ENTRY = 1,	/* its entry is not in the recording */
	CALL_NO_EXIT = 2,	/* its exit is not */
	CALL_LOSS = 4,		/* because events were lost there */
	CALL_EDGE = 8,		/* because the recording began or ended */
};

/* A call that has been entered and not yet left. */
struct call_frame {
	uint64_t func;		/* address; 0: not known (yet), with CALL_NO_ENTRY */
	uint64_t ts;		/* of its entry, or of the record that shows it was entered; raw units */
	uint64_t tag;		/* the callbacks' own; 0 at first */
	uint64_t tag2;
	uint64_t retaddr;	/* the caller's address; 0: not recorded */
	uint16_t cpu;		/* where it was entered */
	uint8_t cut;		/* CALL_NO_ENTRY and why; 0: its entry is recorded */
};

/* How a call ended. */
struct call_end {
	uint64_t ts;		/* raw units */
	uint64_t duration;	/* ns; CALL_UNKNOWN when the exit is not recorded */
	uint64_t retval;
	bool has_retval;
	bool leaf;		/* its exit directly followed its entry on the same CPU */
	uint16_t cpu;		/* where it ended */
	uint8_t cut;		/* all of enum call_cut */
};
#define CALL_UNKNOWN UINT64_MAX

/* A task; each CPU's idle task is one of its own. */
struct call_task {
	struct trace *trace;
	void *user;		/* the callbacks' own; NULL at first */
	int pid;
	uint16_t idle_cpu;	/* of pid 0 */
	uint16_t buffer;
	uint16_t cpu;		/* where it was seen last */
	uint32_t lowest;	/* the lowest depth seen so far; UINT32_MAX: no call yet */
	VEC(struct call_frame) stack;	/* outermost call first; the index is the depth */
};

/* Each returns 0 or a negative errno that ends the pass; each may be NULL. */
struct calls_ops {
	/* A task is seen for the first time. */
	int (*task)(void *ctx, struct call_task *task);
	/* A call was entered: it is the last of task->stack. @rec: its entry; NULL when that is not recorded. */
	int (*enter)(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec);
	/* It is left: still the last of task->stack. frame->func is known now if it ever will be. */
	int (*leave)(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end);
	/* Events were lost on @cpu, where this task ran last before the gap or first after it. */
	int (*lost)(void *ctx, struct call_task *task, uint16_t cpu, int64_t lost);
	/* A record of any other event. */
	int (*other)(void *ctx, struct call_task *task, const struct event *event, const struct record *rec);
	/* The task is gone: all its calls were left. For freeing task->user. Also called by calls_free(). */
	void (*gone)(void *ctx, struct call_task *task);
};

struct calls;

/* Borrows all; @traces by record.file. 0 or -ENOMEM. */
int calls_new(struct calls **out, struct trace *const *traces, const struct calls_ops *ops, void *ctx);
void calls_free(struct calls *calls);

/* The next record in the order of time. 0 or a negative errno. */
int calls_record(struct calls *calls, const struct record *rec);

/* No more records: leaves all calls that are still open. 0 or a negative errno. */
int calls_end(struct calls *calls);

/* All tasks in the order in which they were first seen. */
size_t calls_ntasks(const struct calls *calls);
struct call_task *calls_task(const struct calls *calls, size_t i);

#endif

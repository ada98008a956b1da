/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps each event until its stack has come, or cannot come any more (lib/analysis/stack-owner.h). A struct count_stacks must be initialized as
 * { .streams.size = sizeof(struct count_waits) }.
 */
#ifndef RINGSIDE_COUNT_STACKS_H
#define RINGSIDE_COUNT_STACKS_H

#include "lib/analysis/stack-owner.h"
#include "lib/analysis/streams.h"
#include "lib/base/str.h"
#include "lib/event/text.h"

/* This is the last event of a context of a CPU. */
struct count_event_waits {
	struct record rec; /* the event's record, whose data are in .data */
	struct str data;
};

/* This is kept for each CPU of a buffer. */
struct count_waits {
	struct stack_owners owners;
	uint8_t waits; /* bit i is set: the stack of the event .at[i] has not come yet */
	struct count_event_waits at[STACK_LEVELS];
};

struct count_stacks {
	struct streams streams;
	addresses_t addresses; /* the addresses of the last stack */
	struct str path;       /* the path of the last stack: count_stack_path() */
};

/* A function of this type takes in an event. @stack is the event's stack as a path, or NULL when no stack has come for it. Returns 0 or -errno. */
typedef int count_stacked_fn(void *ctx, const struct record *rec, const char *stack);

/*
 * Takes in a record. If the record is an event, it begins to wait for its stack. @fn is called with each earlier event of the same CPU for which one of these
 * is true:
 * - The record is the event's stack. Then @fn gets this stack, too.
 * - The record shows that the event's stack cannot come any more. Then @fn gets the event without a stack.
 * @fn is not called with records of stacks. A user stack is skipped, because the event waits for its kernel stack. Returns 0, what @fn returned, or
 * -ENOMEM.
 */
int count_stacks_take(struct count_stacks *stacks, const struct trace *trace, const struct record *rec, count_stacked_fn *fn, void *ctx);

/* Must be called after the last record. It calls @fn with the events that still wait. Returns 0 or what @fn returned. */
int count_stacks_flush(struct count_stacks *stacks, count_stacked_fn *fn, void *ctx);

/*
 * Appends a path: the names of functions from the outermost to the innermost, with ';' between them. @names has the innermost first. Functions at the innermost
 * end are left out if they belong to tracing itself. At the same end, addresses that have no symbol ("0xffffffffc0307083") are left out, too, because they can
 * be ftrace's dynamic trampolines, which are in /proc/kallsyms only as long as they exist. If nothing would remain of a stack, the whole stack is appended.
 */
void count_stack_path(const strv_t *names, struct str *out);

/*
 * Writes the path of @rec, a record of a stack, to *@out. The old text of *@out is dropped. The path is made by count_stack_path(). An address has no
 * symbol if symbols_function() does not know it. *@addresses is working memory, which can be used for the next call. Returns 0 or -ENOMEM.
 */
int count_stack_of(const struct event *event, const struct record *rec, addresses_t *addresses, struct str *out);

void count_stacks_fini(struct count_stacks *stacks);

#endif

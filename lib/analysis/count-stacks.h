/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that wait for their stacks: the kernel writes an event's stack right behind it, into the same CPU's buffer. A struct
 * count_stacks that is all zero has none, but its .streams.size has to be sizeof(struct count_waits).
 */
#ifndef RINGSIDE_COUNT_STACKS_H
#define RINGSIDE_COUNT_STACKS_H

#include "lib/analysis/streams.h"
#include "lib/base/str.h"
#include "lib/event/text.h"

/* The last event of a CPU, while its stack may come. */
struct count_waits {
	bool waits;
	struct record rec;	/* its data are those of .data */
	struct str data;
};

struct count_stacks {
	struct streams streams;
	addresses_t addresses;	/* of the last stack */
	struct str path;	/* and the names of its functions */
};

/* What becomes of an event: its @stack is known now, or nothing is known of it (NULL). */
typedef int count_stacked_fn(void *ctx, const struct record *rec, const char *stack);

/* Takes a record, and gives the events that need not wait any more to @fn. Returns what that returned, or -ENOMEM. */
int count_stacks_take(struct count_stacks *stacks, const struct trace *trace, const struct record *rec, count_stacked_fn *fn, void *ctx);

/* Nothing comes any more. */
int count_stacks_flush(struct count_stacks *stacks, count_stacked_fn *fn, void *ctx);

/*
 * Adds the names of functions from the outermost to the innermost with ';' between them, as a path has them, without those of tracing itself.
 * The first of @names is the innermost.
 */
void count_stack_path(const strv_t *names, struct str *out);

/* Puts the path of a record of EVENT_STACK into *@out in place of what is there; *@addresses is room for it that is used again. 0 or -ENOMEM. */
int count_stack_of(const struct event *event, const struct record *rec, addresses_t *addresses, struct str *out);

void count_stacks_fini(struct count_stacks *stacks);

#endif

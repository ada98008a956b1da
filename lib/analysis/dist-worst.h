/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps the longest duration of a distribution, together with the fields and the stack of the event that ended this duration. */
#ifndef RINGSIDE_DIST_WORST_H
#define RINGSIDE_DIST_WORST_H

#include "lib/analysis/count-stacks.h"

/* A struct that is all zero has seen no duration yet. The struct owns what its members point to. */
struct dist_worst {
	bool any;	       /* true: there is a duration; false: the other members have no meaning */
	uint64_t value;	       /* the duration, in ns */
	strv_t names, values;  /* the names and the values of the fields of the event that ended the duration */
	struct str stack;      /* the event's stack as a path (count_stack_path()); empty: not known */
	addresses_t addresses; /* working memory: the addresses of a stack */
	struct record rec;     /* while .waits is true: the event's record, without its data */
	bool waits;	       /* the event's stack may still come */
	enum call_irq level;   /* while .waits is true: the context of the event */
};

/* Takes in the event @rec, which ended a duration of @value ns. The event is kept if all earlier durations were shorter. Returns 0 or -ENOMEM. */
int dist_worst_take(struct dist_worst *worst, const struct trace *trace, const struct record *rec, uint64_t value);

/*
 * Takes in @rec if it is the kernel stack of the event that is kept. Must be called for each record in the order of time. For a record that ends a duration,
 * this function must be called before dist_worst_take(). Returns 0 or -ENOMEM.
 */
int dist_worst_stack(struct dist_worst *worst, const struct trace *trace, const struct record *rec);

/* Forgets the duration and its event. */
void dist_worst_clear(struct dist_worst *worst);

/* Adds a field of the event. @text has @size bytes and is copied. Returns 0 or -ENOMEM. */
int dist_worst_field(struct dist_worst *worst, const char *name, const char *text, size_t size);

void dist_worst_fini(struct dist_worst *worst);

#endif

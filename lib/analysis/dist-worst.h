/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps the longest of all times, with the fields of the event that ended it and the stack of that event. */
#ifndef RINGSIDE_DIST_WORST_H
#define RINGSIDE_DIST_WORST_H

#include "lib/analysis/count-stacks.h"

/* A struct that is all zero has seen no time yet; .names is empty then. It owns what is in it. */
struct dist_worst {
	uint64_t value;	       /* the time, in ns */
	strv_t names, values;  /* of the fields of the event that ended it; as many values as names */
	struct str stack;      /* a path; empty: not known */
	addresses_t addresses; /* of the last stack */
	struct record rec;     /* while .waits is true: the event's record, without its data */
	bool waits;	       /* the event's stack may come */
};

/* Takes in the event @rec, which ended a time of @value ns. It is kept when no time before was as long. Returns 0 or -ENOMEM. */
int dist_worst_take(struct dist_worst *worst, const struct trace *trace, const struct record *rec, uint64_t value);

/* Takes in any other record, which may be the stack of the event that is kept. Returns 0 or -ENOMEM. */
int dist_worst_stack(struct dist_worst *worst, const struct trace *trace, const struct record *rec);

/* Forgets the time and its event. */
void dist_worst_clear(struct dist_worst *worst);

/* Adds a field of the event. @text has @size bytes and is copied. Returns 0 or -ENOMEM. */
int dist_worst_field(struct dist_worst *worst, const char *name, const char *text, size_t size);

void dist_worst_fini(struct dist_worst *worst);

#endif

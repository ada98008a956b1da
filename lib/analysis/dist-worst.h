/* SPDX-License-Identifier: GPL-2.0 */
/* The longest of all times: what the event that ended it says, and the stack in which it ended. */
#ifndef RINGSIDE_DIST_WORST_H
#define RINGSIDE_DIST_WORST_H

#include "lib/analysis/count-stacks.h"

/* Nothing is known of it while .names is empty. All is owned by it. */
struct dist_worst {
	uint64_t value;		/* in ns */
	strv_t names, values;	/* of the fields, as many of both */
	struct str stack;	/* a path; empty: not known */
	addresses_t addresses;
	struct record rec;	/* while .waits: where the event was; its data have gone */
	bool waits;		/* its stack may come */
};

/* The event @rec, which ended a time of @value ns, is the longest so far if nothing longer was. 0 or -ENOMEM. */
int dist_worst_take(struct dist_worst *worst, const struct trace *trace, const struct record *rec, uint64_t value);

/* Any other record, which may be its stack. 0 or -ENOMEM. */
int dist_worst_stack(struct dist_worst *worst, const struct trace *trace, const struct record *rec);

/* Forgets what is known. */
void dist_worst_clear(struct dist_worst *worst);

/* Adds a field, whose text is of this size. 0 or -ENOMEM. */
int dist_worst_field(struct dist_worst *worst, const char *name, const char *text, size_t size);

void dist_worst_fini(struct dist_worst *worst);

#endif

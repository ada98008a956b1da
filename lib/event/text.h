/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text of an event: by a printer of ours, a plug-in of libtraceevent, a compiled print program, or
 * libtraceevent itself, whichever comes first.
 */
#ifndef RINGSIDE_TEXT_H
#define RINGSIDE_TEXT_H

#include "lib/event/trace.h"

/* A record with what is known of it from its place in the order. */
struct text_call {
	const struct event *event;	/* prepared */
	const struct record *rec;
	uint64_t ts;			/* as shown, in ns or ticks */
	unsigned int depth;		/* EVENT_FUNCTION: how deep it is shown */
	const struct symbol *function;	/* EVENT_FUNCTION: its symbol, if that is known already */
	bool ns;			/* ts counts nanoseconds */
	bool exact;			/* times with nanoseconds (-t) */
};

/* Appends the text without a trailing newline. Any thread. */
void event_text(const struct text_call *call, struct str *out);

/* Appends a time as reports print it: "SECONDS.MICROS", nearest, or exact, or ticks, in 12 columns or more. */
void text_time(uint64_t ts, bool ns, bool exact, struct str *out);

/* Whose call by whom a record of EVENT_FUNCTION is. False: it is too short. */
bool function_get(const struct event *event, const struct record *rec, uint64_t *ip, uint64_t *parent);

typedef VEC(uint64_t) addresses_t;

/* Appends the addresses of a record of EVENT_STACK, innermost first. 0 or -ENOMEM. */
int stack_get(const struct event *event, const struct record *rec, addresses_t *out);

/* Is it the stack of a program, not the kernel's? */
bool stack_is_user(const struct event *event);

/* The process whose stack an event for which stack_is_user() is. */
int stack_tgid(const struct event *event, const struct record *rec);

/* A built-in printer: a row of its table. */
struct printer {
	const char *system, *name;
	uint8_t kind;			/* enum event_kind */
	const char *fields[EVENT_FIELDS];	/* event.field[] in this order */
	uint8_t needed;			/* how many of them must be there */
	void (*print)(const struct text_call *call, struct str *out);	/* NULL: as others of its kind */
};

extern const struct printer function_printers[], graph_printers[], stack_printers[], sched_printers[];
extern const struct printer user_stack_printers[];	/* for a trace with usermaps */

#endif

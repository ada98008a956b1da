/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the text of an event. There are four ways to make it: by a built-in printer, by a plug-in, by a compiled print program (lib/event/print.h), or by
 * libtraceevent itself. They are tried in this order, and the first one that can print the event is used. There is one exception. Libtraceevent comes
 * with plug-ins of its own. For the events of these plug-ins, a compiled print program is tried before the plug-in.
 */
#ifndef RINGSIDE_TEXT_H
#define RINGSIDE_TEXT_H

#include "lib/event/trace.h"

/* This is a record, together with everything else on which the text of the record depends. */
struct text_call {
	const struct event *event; /* event_prepare() was called for it */
	const struct record *rec;
	uint64_t ts;		       /* the time that is shown, in ns or ticks */
	unsigned int depth;	       /* for EVENT_FUNCTION: how many levels the text is indented */
	const struct symbol *function; /* for EVENT_FUNCTION: the symbol of the function, or NULL if it was not looked up yet */
	bool ns;		       /* .ts counts nanoseconds */
	bool exact;		       /* times are shown with nanoseconds (-t) */
};

/* Appends the text without a newline at its end. If nothing can print the event, the text is "[FAILED TO PARSE]". Any thread may call this function. */
void event_text(const struct text_call *call, struct str *out);

/*
 * Appends a time as reports print it, in 12 columns or more. When @ns is false, the time is the number of ticks. When @ns is true, the time is in
 * seconds:
 *  - If @exact is false, the time is rounded to microseconds.
 *  - If @exact is true, the time has all its nanoseconds.
 */
void text_time(uint64_t ts, bool ns, bool exact, struct str *out);

/*
 * Reads a record of EVENT_FUNCTION. *@ip becomes the address of the traced function. *@parent becomes an address in the function that called the traced
 * function. Returns false when the record is too short.
 */
bool function_get(const struct event *event, const struct record *rec, uint64_t *ip, uint64_t *parent);

typedef VEC(uint64_t) addresses_t;

/* Appends the addresses in a record of EVENT_STACK, the innermost one first. Returns 0 or -ENOMEM. */
int stack_get(const struct event *event, const struct record *rec, addresses_t *out);

/* Returns true if this EVENT_STACK is the stack of a program, and false if it is the stack of the kernel. */
bool stack_is_user(const struct event *event);

/*
 * Returns the id of the process whose stack is in @rec. If the record does not tell this id, returns the thread id (common_pid). stack_is_user() must be true
 * for @event.
 */
int stack_tgid(const struct event *event, const struct record *rec);

/* This is a built-in printer: a row of one of the tables below. */
struct printer {
	const char *system, *name;
	uint8_t kind;			  /* enum event_kind */
	const char *fields[EVENT_FIELDS]; /* the fields that become event.field[], in this order */
	uint8_t needed;			  /* the format must have this many of .fields, counted from the first; the other fields are optional */
	void (*print)(const struct text_call *call, struct str *out); /* NULL: the row only sets event.kind and event.field[] */
};

extern const struct printer function_printers[], graph_printers[], stack_printers[], sched_printers[];
extern const struct printer user_stack_printers[]; /* for a trace whose .usermaps is not NULL */

#endif

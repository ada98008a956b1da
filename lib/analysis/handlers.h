/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which interrupt handlers run on each CPU, by the events that begin and end them: irq_handler_entry and _exit, softirq_entry and
 * _exit. A handler that is interrupted by another has that time not as its own.
 */
#ifndef RINGSIDE_HANDLERS_H
#define RINGSIDE_HANDLERS_H

#include "lib/analysis/input.h"
#include "lib/analysis/streams.h"

/* A handler that begins or ends. */
struct handler_run {
	const char *name;	/* of its interrupt or vector; holds as long as the handlers do */
	uint32_t id;		/* the same number for the same name */
	bool ends;
	bool soft;
	bool outermost;		/* no other handler is open below it */
	bool counted;		/* its time is irq of a call: set by lib/analysis/timed.c */
	uint64_t ns;		/* now */
	uint64_t took;		/* when it ends: since it began */
	uint64_t own;		/* the same without the handlers that interrupted it */
};

struct handlers;

/* Borrows @inputs. 0 or -ENOMEM. */
int handlers_new(struct handlers **out, const inputs_t *inputs);
void handlers_free(struct handlers *handlers);

/* Is it a record that begins or ends a handler, which fits what has been seen before? 1 and *@run, 0 or -ENOMEM. */
int handlers_record(struct handlers *handlers, const struct event *event, const struct record *rec, struct handler_run *run);

/* The innermost handler that is open on the record's CPU; NULL: none is known of. Its name holds. */
const char *handlers_open(struct handlers *handlers, const struct record *rec);

/* Events were lost there: what was open is not known any more. 0 or -ENOMEM. */
int handlers_lost(struct handlers *handlers, const struct record *rec);

const char *handlers_name(const struct handlers *handlers, uint32_t id);

/* Have any been seen? */
bool handlers_told(const struct handlers *handlers);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which interrupt handlers run on each CPU, by the events that begin and end them: irq_handler_entry and _exit,
 * softirq_entry and _exit. The time in which another handler interrupts a handler does not count as the handler's own.
 */
#ifndef RINGSIDE_HANDLERS_H
#define RINGSIDE_HANDLERS_H

#include "lib/analysis/input.h"
#include "lib/analysis/streams.h"

/* This is a handler that begins or ends. */
struct handler_run {
	const char *name; /* the name of its interrupt or vector; valid as long as the handlers */
	uint32_t id;	  /* a number that is the same for the same name */
	bool ends;
	bool soft;
	bool outermost; /* it has interrupted no other handler */
	bool counted;	/* its time counts as the irq time of a call; lib/analysis/timed.c sets this */
	uint64_t ns;	/* the time of the record */
	uint64_t took;	/* when it ends: the time since it began */
	uint64_t own;	/* when it ends: this time without the handlers that interrupted it */
};

struct handlers;

/* Makes handlers. Borrows @inputs. Returns 0 or -ENOMEM. */
int handlers_new(struct handlers **out, const inputs_t *inputs);
void handlers_free(struct handlers *handlers);

/*
 * Takes in a record. Returns 1 and fills in *@run when the record begins or ends a handler and fits what was seen before. Returns 0 otherwise, or
 * -ENOMEM.
 */
int handlers_record(struct handlers *handlers, const struct event *event, const struct record *rec, struct handler_run *run);

/*
 * Returns the name of the innermost handler that is open on the record's CPU, or NULL when none is known. The name is valid as
 * long as the handlers.
 */
const char *handlers_open(struct handlers *handlers, const struct record *rec);

/* Notes that events were lost on the record's CPU, so that it is not known any more what is open there. Returns 0 or -ENOMEM. */
int handlers_lost(struct handlers *handlers, const struct record *rec);

/* Returns the name of the handlers that have this .id in struct handler_run. */
const char *handlers_name(const struct handlers *handlers, uint32_t id);

/* Have any handlers been seen? */
bool handlers_told(const struct handlers *handlers);

#endif

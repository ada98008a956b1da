/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which interrupt handlers run on each CPU, from the events at their beginnings and ends: irq_handler_entry and _exit, softirq_entry and _exit.
 * If handler B interrupts handler A, the time of B does not count as A's own.
 */
#ifndef RINGSIDE_HANDLERS_H
#define RINGSIDE_HANDLERS_H

#include "lib/analysis/input.h"
#include "lib/analysis/streams.h"

/* This is the beginning or the end of a handler. */
struct handler_run {
	const char *name; /* the name of its interrupt or vector; valid as long as the struct handlers */
	uint32_t id;	  /* a number that is the same for the same name */
	bool ends;	  /* this is its end */
	bool soft;	  /* it is the handler of a softirq */
	uint8_t depth;	  /* how many other handlers were open on its CPU when it began */
	bool counted;	  /* its time counts as a call's time in interrupts; lib/analysis/timed.c sets this */
	uint64_t ns;	  /* when it begins or ends, as input_time() converts times */
	uint64_t took;	  /* only at the end: the time since it began, ns */
	uint64_t own;	  /* only at the end: .took without the time of the handlers that interrupted it, ns */
};

struct handlers;

/* Makes a struct handlers. Borrows @inputs. Returns 0 or -ENOMEM. */
int handlers_new(struct handlers **out, const inputs_t *inputs);
void handlers_free(struct handlers *handlers);

/*
 * Takes in a record. Returns 1 and fills in *@run if the record is the beginning of a handler, or the end of the innermost open one. Otherwise returns 0,
 * or -ENOMEM. Several buffers of a file can have records of the same handlers. So only one buffer of each file is used: the buffer from which the first
 * record of a handler came.
 */
int handlers_record(struct handlers *handlers, const struct event *event, const struct record *rec, struct handler_run *run);

/*
 * Returns the name of the innermost handler that is open on the record's CPU, or NULL when none is known. The name is valid as
 * long as @handlers.
 */
const char *handlers_open(struct handlers *handlers, const struct record *rec);

/* Notes that events were lost on the record's CPU, so that it is no longer known which handlers are open there. Returns 0 or -ENOMEM. */
int handlers_lost(struct handlers *handlers, const struct record *rec);

/* Returns the name of the handlers that have this .id in struct handler_run. */
const char *handlers_name(const struct handlers *handlers, uint32_t id);

/* Have any handlers been seen? */
bool handlers_told(const struct handlers *handlers);

#endif

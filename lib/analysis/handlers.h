/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which interrupt handlers run on each CPU. In this header, a handler is a handler of an interrupt or of a softirq. The events irq_handler_entry and
 * softirq_entry tell when a handler begins, and irq_handler_exit and softirq_exit tell when it ends. A handler is open from its beginning to its end. If
 * handler B interrupts handler A, the time of B is not part of A's own time.
 */
#ifndef RINGSIDE_HANDLERS_H
#define RINGSIDE_HANDLERS_H

#include "lib/analysis/input.h"
#include "lib/analysis/streams.h"

/* This is the beginning or the end of a handler. */
struct handler_run {
	const char *name; /* the name of its interrupt or vector; valid as long as the struct handlers */
	uint32_t id;	  /* a number for .name; handlers have equal numbers if they have equal names */
	bool ends;	  /* true: this is the end of the handler; false: this is the beginning */
	bool soft;	  /* it is the handler of a softirq */
	uint8_t depth;	  /* how many other handlers were open on its CPU when it began */
	bool counted;	  /* its time is part of a call's time in interrupts; lib/analysis/timed.c sets this */
	uint64_t ns;	  /* when it begins or ends, as input_time() converts times */
	uint64_t took;	  /* set only at the end: the time since the handler began, without the time that its task was off the CPU, ns */
	uint64_t own;	  /* set only at the end: .took without the time of the handlers that interrupted this one, ns */
};

struct handlers;

/* Makes a struct handlers. Borrows @inputs. Returns 0 or -ENOMEM. */
int handlers_new(struct handlers **out, const inputs_t *inputs);
void handlers_free(struct handlers *handlers);

/*
 * Takes in a record. If the record is the beginning of a handler, or the end of the innermost open handler, the function fills in *@run and returns 1. For any
 * other record the function returns 0, and *@run has no meaning. The function also returns 0 in these cases:
 * - The record is the beginning of a handler, and 4 handlers are open on the CPU already. This happens only in damaged files.
 * - The record is the end of a handler that is not the innermost open handler. After this record, no handler is taken as open on this CPU.
 * Returns -ENOMEM when memory runs out. Several buffers of a file can have records of the same handlers. So only one buffer of each file is used: the one with
 * the first record of a handler.
 */
int handlers_record(struct handlers *handlers, const struct event *event, const struct record *rec, struct handler_run *run);

/*
 * Notes that a CPU switches from the task @prev to the task @next. @rec is the record of this sched_switch, and @ns is its time in ns. With PREEMPT_RT, a task
 * that runs the handler of a softirq can leave its CPU. Returns 0 or -ENOMEM.
 */
int handlers_switched(struct handlers *handlers, const struct record *rec, uint64_t ns, int prev, int next);

/*
 * Returns the name of the innermost handler that is open on the record's CPU, or NULL when none is known. The name is valid as long as @handlers.
 */
const char *handlers_open(struct handlers *handlers, const struct record *rec);

/* Notes that events of the record's buffer were lost on the record's CPU. After this call, no handler is taken as open on this CPU. Returns 0 or -ENOMEM. */
int handlers_lost(struct handlers *handlers, const struct record *rec);

/* Returns the name that belongs to the number @id (handler_run.id). */
const char *handlers_name(const struct handlers *handlers, uint32_t id);

#endif

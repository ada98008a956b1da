/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the call to which each return belongs, for the events that `record --latency` makes (lib/base/latency-events.h has their names). A return
 * belongs to a call of the same function, in the same task, with the same stack pointer. If there are several such calls, it belongs to
 * the one that began last. So calls may nest, be recursive, be left by longjmp(), or end without a record. The record of a return gets RECORD_TIMED if
 * its call is known, and if no CPU lost events of this buffer at any time between call and return. Nothing in here prints.
 */
#ifndef RINGSIDE_LATENCY_H
#define RINGSIDE_LATENCY_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/* This tells what an event of --latency means. */
struct latency_side {
	const struct event *call; /* if .leave is true: the event that is recorded when the same function is called; otherwise this event itself */
	bool leave;		  /* this event is the return */
	bool popped;		  /* if .leave is true: the return address is no longer on the stack when the stack pointer is recorded */
	struct field sp;	  /* the field with the stack pointer */
};

/* Fills in *@out. Returns false if @event is not an event of --latency. */
bool latency_side_of(struct latency_side *out, const struct trace *trace, const struct event *event);

/*
 * Returns true if a call and a return can belong together. @call is the stack pointer that was recorded at the call, @ret the one at the return, and
 * @popped is latency_side.popped of the return.
 */
bool latency_same_sp(bool popped, uint64_t call, uint64_t ret);

/*
 * Returns true if a call must have ended. @call was the stack pointer of its task when the call began, and @now is this task's stack pointer now. The call
 * must have ended if @call is deeper (a lower address) than @now on the same stack. Two stack pointers less than 16 KB apart count as being on the same
 * stack.
 */
bool latency_passed(uint64_t call, uint64_t now);

struct latency;

/* Borrows @inputs. *@out becomes NULL when no file has events of --latency. Returns 0 or -ENOMEM. */
int latency_new(struct latency **out, const inputs_t *inputs);
void latency_free(struct latency *latency);

/*
 * Marks in a batch the returns whose calls are known. Must be called with all batches in order, before records are removed from them. Returns 0 or
 * -ENOMEM.
 */
int latency_batch(struct latency *latency, struct batch *batch);

/* Returns a stage that calls latency_batch() for each batch of a pass. The free() of the stage frees @latency. */
struct stage *latency_stage(struct latency *latency);

/* This is a call without a return. */
struct latency_open {
	const struct event *event;
	uint64_t ts;   /* raw units */
	uint64_t time; /* .ts as input_time() converts it */
	int pid;
	uint16_t cpu, buffer;
	uint8_t file;
	bool lost; /* events were lost after it, and its return may be among them */
};

/*
 * Must be called after the last batch. It gives the calls without a return. *@all becomes the number of these calls. At most 1000 of them are kept:
 * *@first becomes an array of those, in the order of time, and *@n their number. The array is valid until latency_free(). Returns 0 or -ENOMEM.
 */
int latency_end(struct latency *latency, const struct latency_open **first, size_t *n, uint64_t *all);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the call to which each return belongs, for the events that `record --latency` makes. lib/base/latency-events.h has the names of these events. A
 * return belongs to a call of the same function, in the same task, with the same stack pointer. If there are several such calls, the return belongs to the
 * call that began last. So calls may nest, be recursive, be ended by longjmp(), or end without a record. The record of a return gets RECORD_TIMED if both of
 * these are true: its call is known, and no events of the record's buffer were lost on any CPU between the call and the return. Nothing in here prints.
 */
#ifndef RINGSIDE_LATENCY_H
#define RINGSIDE_LATENCY_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/* This tells what an event of --latency means. */
struct latency_side {
	/* For a return, this is the event of the call of the same function. For a call, this is the event itself. */
	const struct event *call;
	bool leave;	 /* true: this event is a return; false: it is a call */
	bool popped;	 /* used if .leave is true: the stack pointer is recorded after the return address has been taken off the stack */
	struct field sp; /* the field with the stack pointer */
};

/*
 * Fills in *@out and returns true if @event is an event of --latency. Returns false in each of these cases:
 * - @event is not an event of --latency;
 * - @event is a return, and @trace lacks the event of the call;
 * - @event has no field with the stack pointer.
 */
bool latency_side_of(struct latency_side *out, const struct trace *trace, const struct event *event);

/*
 * Returns true if a call and a return can belong together. @call is the stack pointer at the call. @ret is the stack pointer at the return. @popped is
 * latency_side.popped of the return.
 */
bool latency_same_sp(bool popped, uint64_t call, uint64_t ret);

/*
 * Returns true if a call must have ended. @call was the stack pointer of the call's task when the call began. @now is the stack pointer of the same task
 * now. Stacks grow towards lower addresses. So the call must have ended if @call is lower than @now on the same stack. Two stack pointers less than 16 KB apart
 * are taken to be on the same stack.
 */
bool latency_passed(uint64_t call, uint64_t now);

struct latency;

/* Borrows @inputs. *@out becomes NULL when no file has events of --latency. Returns 0 or -ENOMEM. */
int latency_new(struct latency **out, const inputs_t *inputs);
void latency_free(struct latency *latency);

/*
 * Finds the calls to which the returns in a batch belong. Sets RECORD_TIMED in the records of these returns, as described above. Must be called with all
 * batches in order, before records are removed from the batches. Returns 0 or -ENOMEM.
 */
int latency_batch(struct latency *latency, struct batch *batch);

/* Returns a stage that calls latency_batch() for each batch of a pass. When the stage is freed, @latency is freed, too. */
struct stage *latency_stage(struct latency *latency);

/* This is a call without a return. */
struct latency_open {
	const struct event *event;
	uint64_t ts;   /* the record.ts of the call */
	uint64_t time; /* .ts as input_time() converts it */
	int pid;
	uint16_t cpu, buffer;
	uint8_t file;
	bool lost; /* events were lost after the call began, and the call's return may be one of the lost events */
};

/*
 * Gives the calls without a return. Must be called after the last batch. *@all becomes the number of all calls without a return. If there are more than 1000,
 * only the 1000 calls that were found first are kept. *@first becomes an array of the kept calls, in the order of time. *@n becomes the number of elements of
 * the array. The array is valid until latency_free(). Returns 0 or -ENOMEM.
 */
int latency_end(struct latency *latency, const struct latency_open **first, size_t *n, uint64_t *all);

#endif

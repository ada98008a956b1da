/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which return belongs to which call, for the events that `record --latency` sets (lib/probe/spec.h says how they are known).
 * A return belongs to the last call of its function in the same task that began with the same stack pointer: so calls may
 * nest, recur, be left by longjmp() or end unseen, and a return without its call is never given another's.
 * No printing: a return that has its call becomes RECORD_TIMED.
 */
#ifndef RINGSIDE_LATENCY_H
#define RINGSIDE_LATENCY_H

#include "lib/analysis/input.h"
#include "lib/analysis/stage.h"

/* What an event is here. */
struct latency_side {
	const struct event *call;	/* whose call this is */
	bool leave;			/* it is the return */
	bool popped;			/* at the return the return address is off the stack */
	struct field sp;
};

/* False: the event is none of --latency. */
bool latency_side_of(struct latency_side *out, const struct trace *trace, const struct event *event);

/* Is @ret, the stack pointer at the return, what it was at the call, @call? @popped: as in struct latency_side. */
bool latency_same_sp(bool popped, uint64_t call, uint64_t ret);

/* Has the call that began with the stack pointer @call ended when its task is at @now? It has when it is deeper on the same stack. */
bool latency_passed(uint64_t call, uint64_t now);

struct latency;

/* Borrows @inputs. *@out is NULL when no file has such events. 0 or -ENOMEM. */
int latency_new(struct latency **out, const inputs_t *inputs);
void latency_free(struct latency *latency);

/* Marks the returns in a batch. Batches must come in order, whole. 0 or -ENOMEM. */
int latency_batch(struct latency *latency, struct batch *batch);

/* The same as a stage of a pass, which frees the latency. */
struct stage *latency_stage(struct latency *latency);

/* A call without a return. */
struct latency_open {
	const struct event *event;
	uint64_t ts;		/* raw units */
	uint64_t time;		/* the same as input_time() has it */
	int pid;
	uint16_t cpu, buffer;
	uint8_t file;
	bool lost;		/* events were lost since: perhaps its return was */
};

/* How many they are after the last batch, and the first of them in the order of time. Holds until latency_free(). -ENOMEM. */
int latency_end(struct latency *latency, const struct latency_open **first, size_t *n, uint64_t *all);

#endif

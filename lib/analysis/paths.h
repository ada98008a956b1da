/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The calls of recordings, merged by path: feeds lib/analysis/callgraph.h from lib/analysis/calls.h and timed.h. The roots are the
 * outermost calls that are recorded; what interrupts did stands in trees of its own, whose owner says so.
 */
#ifndef RINGSIDE_PATHS_H
#define RINGSIDE_PATHS_H

#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"

/* What the roots are told apart by. */
enum paths_by { PATHS_ALL, PATHS_TASK, PATHS_COMM, PATHS_CPU };

struct paths_options {
	enum paths_by by;
	const struct select_options *select;	/* only calls of these tasks; interrupts of all; NULL: all */
	bool flat;			/* functions are wanted, not paths: all are roots, and .nested of a node is of its recursive calls */
	struct callgraph_options graph;
};

struct paths {
	struct paths_options opt;
	struct calls_user user;
	struct timed *timed;
	const struct calls_user *timed_user;	/* of .timed, as timed_user() has it */
	struct callgraph *graph;
	VEC(uint32_t) irq_owners;	/* by CPU, or one for all: the graph's; 0: not known yet */
	const inputs_t *inputs;
	VEC(uint32_t) names;		/* of what a source's number is in a file, with name_keys: index of a name of the graph */
	struct keys name_keys;
	struct paths_name {
		uint64_t func;
		uint32_t name;
		uint16_t where;		/* file and source, + 1 */
	} *recent;			/* names that were asked for lately, by number */
	uint32_t orphan;		/* what the call that was left just now had below it behind a gap, and did not call; 0: none */
	const struct call_task *orphan_of;
};

/* Borrows @inputs and @opt's select, and adds itself to @calls, which must outlive it. 0 or -ENOMEM. */
int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt);
void paths_free(struct paths *paths);

/* For others that take the same calls in: is it a call of a task that was asked for, and the graph's name of what it calls. -ENOMEM. */
bool paths_wants(struct paths *paths, struct call_task *task);
int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame);

/* Where in the graph a call stands, for others that are added to the same calls after it; 0: it is not wanted, or its function is not known. */
uint32_t paths_node(const struct paths *paths, struct call_frame *frame);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges the calls of recordings by path: it feeds lib/analysis/callgraph.h from lib/analysis/calls.h and timed.h. The roots are
 * the outermost calls that are recorded. What interrupts did is in trees of its own, whose owners have CALLGRAPH_IRQ.
 */
#ifndef RINGSIDE_PATHS_H
#define RINGSIDE_PATHS_H

#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"

/* This tells which owners the roots have. */
enum paths_by { PATHS_ALL, PATHS_TASK, PATHS_COMM, PATHS_CPU };

struct paths_options {
	enum paths_by by;
	const struct select_options *select; /* only calls of these tasks, and interrupts of all tasks; NULL: all calls */
	bool flat;			     /* functions are wanted and not paths: all functions are roots */
	struct callgraph_options graph;
};

struct paths {
	struct paths_options opt;
	struct calls_user user;
	struct timed *timed;
	const struct calls_user *timed_user; /* what timed_user() returns for .timed */
	struct callgraph *graph;
	VEC(uint32_t) irq_owners; /* the graph's owners of what interrupts did, by CPU or one for all; 0: not asked for yet */
	const inputs_t *inputs;
	VEC(uint32_t) names; /* by the numbers of name_keys (file, source and .func): index of a name of the graph */
	VEC(uint8_t) files;  /* by the same numbers: the file */
	struct keys name_keys;
	struct paths_name {
		uint64_t func;
		uint32_t name;
		uint32_t node;	/* with .flat: the node of the last call of this name; it may have been folded since */
		uint16_t where; /* file and source, + 1 */
	} * recent;		/* names that were asked for lately, by .func */
	uint32_t orphan;	/* after a gap: the node of a call whose function is not known, and which the next call may be; 0: none */
	const struct call_task *orphan_of;
};

/* Borrows @inputs and opt->select, and adds itself to @calls, which must live as long as it. Returns 0 or -ENOMEM. */
int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt);
void paths_free(struct paths *paths);

/* Returns the CPU whose calls the owner named @owner has. The owner must have been made with PATHS_CPU. */
int64_t paths_owner_cpu(const char *owner);

/*
 * These are for other consumers of the same calls. paths_wants() tells whether calls of this task are wanted. paths_name() returns the index of the
 * graph's name for what the frame calls, or -ENOMEM.
 */
bool paths_wants(struct paths *paths, struct call_task *task);
int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame);

/*
 * Returns the graph's node of a call, or 0 when the call is not wanted or its function is not known. This is for consumers that are added to the same
 * calls after the paths.
 */
uint32_t paths_node(const struct paths *paths, struct call_frame *frame);

#endif

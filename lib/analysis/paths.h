/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges the calls of recordings by path: it puts the calls of lib/analysis/calls.h, with the times of lib/analysis/timed.h, into a tree of
 * lib/analysis/callgraph.h, which explains owners and folded nodes. The roots are the outermost calls that are recorded. The calls of interrupts are
 * below separate owners, which have CALLGRAPH_IRQ.
 */
#ifndef RINGSIDE_PATHS_H
#define RINGSIDE_PATHS_H

#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"

/* This tells which owners the roots have. */
enum paths_by { PATHS_ALL, PATHS_TASK, PATHS_COMM, PATHS_CPU };

struct paths_options {
	enum paths_by by;
	const struct select_options *select; /* only calls of these tasks, and the calls of all interrupts; NULL: all calls */
	bool flat;			     /* functions are wanted instead of paths: every function is a root */
	struct callgraph_options graph;
};

struct paths {
	struct paths_options opt;
	struct calls_user user;
	struct timed *timed;
	const struct calls_user *timed_user; /* what timed_user() returns for .timed */
	struct callgraph *graph;
	VEC(uint32_t) irq_owners; /* the graph's owners of the calls of interrupts, by CPU or one for all; 0: not made yet */
	const inputs_t *inputs;
	VEC(uint32_t) names; /* by the numbers of .name_keys, whose keys are file, call_frame.source and call_frame.func: the index in graph->names */
	VEC(uint8_t) files;  /* by the numbers of .name_keys, too: the file */
	struct keys name_keys;
	struct paths_name {
		uint64_t func;
		uint32_t name;
		uint32_t node;	/* with .flat: the node of the last call of this name; it may have been folded since */
		uint16_t where; /* 1 + 256 * (index of the input) + call_frame.source; 0: the entry is empty */
	} * recent;		/* names that were asked for lately, by .func */
	uint32_t orphan;	/* after a loss: the node of a call whose function is not known yet; the call that is seen next may be that call; 0: none */
	const struct call_task *orphan_of; /* the task of that call */
};

/* Makes *@out, a consumer of @calls. @calls must live as long as *@out. Borrows @inputs and opt->select. Returns 0 or -ENOMEM. */
int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt);
void paths_free(struct paths *paths);

/* Returns the number of the CPU to which the owner with the name @owner belongs. The owner must have been made with PATHS_CPU. */
int64_t paths_owner_cpu(const char *owner);

/*
 * These are for other consumers of the same calls. paths_wants() tells whether calls of this task are wanted. paths_name() returns the index of
 * the function of @frame in graph->names, or -ENOMEM.
 */
bool paths_wants(struct paths *paths, struct call_task *task);
int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame);

/*
 * Returns the graph's node of a call, or 0 when the call is not wanted or its function is not known. This is for consumers that were added to the
 * same calls after the struct paths.
 */
uint32_t paths_node(const struct paths *paths, struct call_frame *frame);

#endif

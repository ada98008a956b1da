/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges the calls of recordings by path. It puts the calls of lib/analysis/calls.h, with the times of lib/analysis/timed.h, into a tree.
 * lib/analysis/callgraph.h describes the tree, and explains owners and folded nodes. The roots are the outermost calls that are recorded. The calls
 * of interrupts are below separate owners, which have CALLGRAPH_IRQ.
 */
#ifndef RINGSIDE_PATHS_H
#define RINGSIDE_PATHS_H

#include "lib/analysis/select.h"
#include "lib/analysis/timed.h"

/*
 * This tells which owners the roots have:
 * - PATHS_ALL: there is one owner for all roots.
 * - PATHS_TASK: there is an owner for each name and pid of a task.
 * - PATHS_COMM: there is an owner for each name of a task.
 * - PATHS_CPU: there is an owner for each CPU.
 */
enum paths_by { PATHS_ALL, PATHS_TASK, PATHS_COMM, PATHS_CPU };

/*
 * A tree of paths has this many levels. Calls that are deeper than this are on the last level, beside their callers. Calls in the kernel are never so deep.
 * But a program may mark where sections begin, and not where they end. Such sections become deeper and deeper.
 */
enum { PATHS_LEVELS = 1000 };

struct paths_options {
	enum paths_by by;
	const struct select_options *select; /* the calls of these tasks are wanted, and the calls of all interrupts; NULL: all calls */
	bool flat;			     /* functions are wanted instead of paths: every function is a root */
	/*
	 * If callgraph_functions() will be called for the tree, these must be the .callees_of and the .callers_of of the struct callgraph_choice that it
	 * gets. NULL or empty: the choice has no such list. The lists decide which calls are in one row. So they also decide which calls are inside of
	 * another call of the same row. callgraph_nest() is called for these inner calls.
	 */
	const strv_t *callees_of, *callers_of;
	struct callgraph_options graph;
};

struct paths {
	struct paths_options opt;
	struct calls_user user;
	struct timed *timed;
	const struct calls_user *timed_user; /* what timed_user() returns for .timed */
	struct callgraph *graph;
	/*
	 * These are the owners of the calls of interrupts, as indices of nodes of .graph. If opt.by is PATHS_TASK or PATHS_CPU, element i is for CPU
	 * i. Otherwise element 0 is for all CPUs. An element is 0 until its owner is made.
	 */
	VEC(uint32_t) irq_owners;
	const inputs_t *inputs;
	struct keys name_keys; /* numbers the functions; a key has the file, call_frame.source and call_frame.func */
	VEC(uint32_t) names;   /* element i is for the function with number i in .name_keys: the index of its name in graph->names */
	VEC(uint8_t) files;    /* element i is for the function with number i in .name_keys: the index of its file */
	struct paths_name {
		uint64_t func; /* call_frame.func */
		uint32_t name; /* the index of its name in graph->names */
		/* Used if opt.flat is true. This is the node of the last call of this name. The node may have been folded after that call. */
		uint32_t node;
		uint16_t where; /* 1 + 256 * (index of the input) + call_frame.source; 0: the entry is empty */
	} * recent;		/* names that were asked for lately; the index of an element is a hash of its .func */
	/*
	 * After a loss, it may turn out that some calls had a caller that was not seen. This node stands for that caller, and these calls are below it. 0:
	 * there is no such node. The next call that is entered is taken for the caller, and gets this node, if all of these are true:
	 * - it is a call of the same task;
	 * - its parent is the parent of this node;
	 * - its function is not known.
	 * If the next call is not taken for the caller, the caller's function stays unknown.
	 */
	uint32_t orphan;
	const struct call_task *orphan_of; /* the task of the calls below .orphan */
};

/* Makes *@out, a consumer of @calls. @calls must live as long as *@out. Borrows @inputs and what @opt points to. Returns 0 or -ENOMEM. */
int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt);
void paths_free(struct paths *paths);

/* Returns the number of the CPU to which the owner with the name @owner belongs. The owner must have been made with PATHS_CPU. */
int64_t paths_owner_cpu(const char *owner);

/*
 * These two functions are for other consumers of the same calls. paths_wants() returns true if calls of this task are wanted. paths_name() returns
 * the index of the function of @frame in graph->names, or -ENOMEM.
 */
bool paths_wants(struct paths *paths, struct call_task *task);
int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame);

/*
 * Returns the node of a call in paths->graph, or 0 when the call is not wanted. This is for consumers that were added to the same struct calls after this
 * struct paths. If the entry of a call is not recorded, the node may no longer exist when the call is left.
 */
uint32_t paths_node(const struct paths *paths, struct call_frame *frame);

#endif

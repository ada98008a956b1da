/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Merges calls into a tree. All calls of one function that have the same path of callers are one node. The calls come from lib/analysis/calls.h, and their
 * times come from lib/analysis/timed.h. lib/analysis/callgraph.h describes the tree and its folded nodes. The roots are the outermost calls that are
 * recorded. An owner is a node above the roots. It stands for a task or a CPU, for example (enum paths_by). The calls of interrupts are below separate
 * owners, which have the flag CALLGRAPH_IRQ.
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

/* A tree of paths has at most this many levels. Calls that are deeper than this are on the last level, beside their callers. */
enum { PATHS_LEVELS = 1000 };

struct paths_options {
	enum paths_by by;
	const struct select_options *select; /* the calls of these tasks and of all interrupts are wanted; NULL: all calls are wanted */
	bool flat;			     /* functions are wanted instead of paths: every function is a root */
	/*
	 * These lists are needed only if callgraph_functions() will be called for the tree. They must be the lists .callees_of and .callers_of of the struct
	 * callgraph_choice that callgraph_functions() will get. A list is NULL or empty if that struct has no such list.
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
	 * i. If opt.by is PATHS_ALL or PATHS_COMM, element 0 is for all CPUs. An element is 0 until its owner is made.
	 */
	VEC(uint32_t) irq_owners;
	const inputs_t *inputs;
	struct keys name_keys; /* gives each function a number; a key has the file, call_frame.source and call_frame.func */
	VEC(uint32_t) names;   /* element i is for the function with the number i in .name_keys: the index of the function's name in graph->names */
	VEC(uint8_t) files;    /* element i is for the function with the number i in .name_keys: the index of the function's file */
	struct paths_name {
		uint64_t func; /* call_frame.func of the function */
		uint32_t name; /* the index in graph->names of the function's name */
		/* Used if opt.flat is true. This is the node of the function's last call. The node may have been folded after that call. */
		uint32_t node;
		uint16_t where; /* 1 + 256 * (index of the input) + call_frame.source; 0: the entry is empty */
	} * recent;		/* a cache of names; the index of an element is a hash of its .func */
	/*
	 * The node of a caller whose entry was not recorded. 0: there is no such node. After a loss of events, calls may turn out to have had such a caller.
	 * These calls are below this node. lib/analysis/calls.h reports the entry of the caller later than the entries of these calls, for example when the
	 * caller's exit is recorded. So the next call whose entry is reported may be the caller. The next call is taken for the caller, and gets this node, if
	 * all of these are true:
	 * - no end of a call is reported before the entry of the next call;
	 * - the next call is a call of the same task;
	 * - the parent of the next call's node is the parent of this node;
	 * - the function of the next call is not known.
	 * If the next call is not taken for the caller, the caller's function stays unknown.
	 */
	uint32_t orphan;
	const struct call_task *orphan_of; /* the task of the calls below .orphan */
};

/* Makes *@out, a consumer of @calls. @calls must live as long as *@out. Borrows @inputs and what the members of @opt point to. Returns 0 or -ENOMEM. */
int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt);
void paths_free(struct paths *paths);

/*
 * Returns true if the callers of a call decide whether, and in which row, a table of functions counts the call. This is so if paths_options.callees_of or
 * .callers_of has globs.
 */
bool paths_rows_by_caller(const struct paths *paths);

/* Returns the number of the CPU to which the owner with the name @owner belongs. The owner must have been made with PATHS_CPU. */
int64_t paths_owner_cpu(const char *owner);

/*
 * Does what timed_find_lacking() does for the tasks whose calls are wanted (paths_options.select). @owners is NULL, or an array with an element for each name
 * in graph->names. In this array, the function sets to true the elements of the names of the owners of these tasks. It sets nothing if paths_options.by is
 * PATHS_ALL or PATHS_CPU.
 */
uint64_t paths_find_lacking(const struct paths *paths, unsigned int file, bool *owners);

/*
 * These two functions are for other consumers of the same calls. paths_wants() returns true if calls of this task are wanted. paths_name() looks up the
 * function of @frame, and returns the index of the function's name in graph->names, or -ENOMEM.
 */
bool paths_wants(struct paths *paths, struct call_task *task);
int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame);

/*
 * Returns the node of a call in paths->graph, or 0 when the call is not wanted. Only a consumer that calls_add() has added after @paths, and to the same struct
 * calls, may use paths_node(). If the entry of a call is not recorded, the call's node may no longer exist when the end of the call is reported.
 */
uint32_t paths_node(const struct paths *paths, struct call_frame *frame);

#endif

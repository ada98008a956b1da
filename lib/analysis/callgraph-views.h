/* SPDX-License-Identifier: GPL-2.0 */
/* Gives views of a tree of calls (lib/analysis/callgraph.h): a table of its functions, a part of the tree, or a tree of the callers of a function. */
#ifndef RINGSIDE_CALLGRAPH_VIEWS_H
#define RINGSIDE_CALLGRAPH_VIEWS_H

#include "lib/analysis/callgraph.h"

/*
 * This is a row of a table of functions. The row has the figures of all calls of one function, either in the whole tree or below one owner. An owner is a task,
 * a CPU, or all tasks of one name (lib/analysis/callgraph.h).
 */
struct callgraph_function {
	const char *owner;	      /* the name of the owner, borrowed from the tree; NULL: the row is for all owners together */
	const char *name;	      /* borrowed from the tree */
	struct callgraph_figures all; /* the figures of all calls of the row, including recursive calls; .paths and .nested are not used */
	uint64_t total;		      /* the sum of the totals of the row's calls, except calls that are inside of other calls of the row */
	bool irq;		      /* all calls of the row were inside of interrupts */
};

typedef VEC(struct callgraph_function) callgraph_functions_t;

/* This tells which functions callgraph_functions() lists. A list of globs that is NULL or empty chooses all functions. */
struct callgraph_choice {
	bool by_owner;		  /* true: a function is listed once for each owner; false: once for all owners together */
	const strv_t *globs;	  /* only functions whose names match one of these globs are listed */
	const strv_t *callees_of; /* only calls whose direct caller matches one of these globs are counted */
	/*
	 * If this list has globs, the rows are callers instead. Only calls of functions that match one of these globs are counted. A call is counted in the row
	 * of its caller, if .globs choose the caller. A call without a caller is counted in the row "[root]", if .globs choose this name.
	 */
	const strv_t *callers_of;
};

/*
 * callgraph_functions() fills *@out, which must be empty, with the functions of the tree, in no particular order. It lists only functions with at least one
 * call, complete or not. If the tree has grown too large, paths with little time have been folded: one node stands for several paths. In a folded path, it is
 * no longer known which function called which. So folded paths are left out if .callees_of or .callers_of has globs. These two lists also decide which calls
 * are in one row. The totals are right only if callgraph_nest() was called for each call that is inside another call of the same row. lib/analysis/paths.c does
 * this if its struct paths_options has the same .callees_of and .callers_of. Returns 0 or -ENOMEM. callgraph_functions_fini() frees the functions.
 */
int callgraph_functions(const struct callgraph *graph, const struct callgraph_choice *choice, callgraph_functions_t *out);
void callgraph_functions_fini(callgraph_functions_t *functions);

/*
 * These functions make a new tree from a part of @graph. They return 0 or -ENOMEM. If @graph has no function or path that matches, they return -ENOENT
 * without a message.
 *
 * callgraph_below(): the roots are the functions that match one of @globs, wherever they were called. If one of these functions was called below another of
 * them, it stays below that other function.
 *
 * callgraph_callers(): the roots are the functions that match one of @globs. The tree is upside down: below a function are its callers. A caller's node has the
 * times of those calls of the root's function that came through this caller. If calls of a function are recursive, only the outermost of these calls are in
 * this tree. A path has at most 256 functions. The callers further out are folded.
 *
 * callgraph_at_path(): the new tree has the node at @path and all nodes below it. A path is the names of functions from a root on, joined by ';'. If some names
 * have a ';' in them, several nodes can have the same path. The new tree has all of these nodes.
 */
int callgraph_below(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_callers(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_at_path(const struct callgraph *graph, const char *path, struct callgraph **out);

/* Makes a copy of the tree with only two owners. One has the calls of all tasks, and the other has the calls of interrupts. Returns 0 or -ENOMEM. */
int callgraph_merged(const struct callgraph *graph, struct callgraph **out);

/*
 * Appends the names of all functions of the tree, and "[unknown]". If the tree was made from another tree, all names of that other tree are appended, too. In
 * both cases, a name is left out if owners of this tree have it, but no function of this tree does. Returns 0 or -ENOMEM.
 */
int callgraph_called(const struct callgraph *graph, strv_t *out);

/* Returns true if one of the globs matches the name of the node's function. Returns false for owners and for nodes that stand for folded paths. */
bool callgraph_matches(const struct callgraph *graph, uint32_t node, const strv_t *globs);

#endif

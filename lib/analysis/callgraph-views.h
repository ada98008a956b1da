/* SPDX-License-Identifier: GPL-2.0 */
/* Gives views of a tree of calls (lib/analysis/callgraph.h): its functions, a part of it, or the callers of a function. */
#ifndef RINGSIDE_CALLGRAPH_VIEWS_H
#define RINGSIDE_CALLGRAPH_VIEWS_H

#include "lib/analysis/callgraph.h"

/*
 * This is a row of a table of functions: a function, with its calls from everywhere in the tree, or from everywhere below one owner. An owner is a task,
 * a name of tasks or a CPU (lib/analysis/callgraph.h).
 */
struct callgraph_function {
	const char *owner;	      /* the name of the owner, borrowed from the tree; NULL: the row is for all owners together */
	const char *name;	      /* borrowed from the tree */
	struct callgraph_figures all; /* over all its calls, including recursive ones; .paths and .nested are not used */
	uint64_t total;		      /* the sum of the totals of the row's calls, except calls that are inside of other calls of the row */
	bool irq;		      /* only interrupts called it */
};

typedef VEC(struct callgraph_function) callgraph_functions_t;

/* This tells which functions callgraph_functions() appends. Each list of globs may be NULL or empty, which chooses all functions. */
struct callgraph_choice {
	bool by_owner;		  /* a function is listed once for each owner, and not once for all owners together */
	const strv_t *globs;	  /* only functions whose name matches one of these */
	const strv_t *callees_of; /* only calls made directly by a function that matches one of these */
	/*
	 * Only calls of functions that match one of these. The rows are then the callers: a call counts in the row of its caller, if .globs choose the
	 * caller. A call without a caller counts in the row "[root]", which is always listed.
	 */
	const strv_t *callers_of;
};

/*
 * callgraph_functions() appends the functions of the tree, in no particular order. It leaves out functions of which no call was added yet, neither a
 * complete one (callgraph_add()) nor an incomplete one (callgraph_cut()). Folded paths do not tell which function called which, so they are left out if
 * .callees_of or .callers_of has globs. These two lists also decide which calls are in one row, so callgraph_nest() must have been called for calls
 * inside another call of the same row. Otherwise the totals are wrong. lib/analysis/paths.c calls it for these calls if its struct paths_options has
 * the same two lists. Returns 0 or -ENOMEM. callgraph_functions_fini() frees the functions.
 */
int callgraph_functions(const struct callgraph *graph, const struct callgraph_choice *choice, callgraph_functions_t *out);
void callgraph_functions_fini(callgraph_functions_t *functions);

/*
 * These make a new tree from a part of @graph. They return 0, -ENOMEM, or -ENOENT without a message when there is no such part.
 *
 * callgraph_below(): the roots are the functions that match one of @globs, wherever they were called. If such a function was called below another
 * one, it stays below that one.
 *
 * callgraph_callers(): the roots are the functions that match one of @globs. The tree is upside down: the callers of a function are below it, with
 * the times of the calls that they made. Of recursive calls, only the outermost are in this tree. A path has at most 256 functions; the callers further
 * out are folded.
 *
 * callgraph_at_path(): the new tree has the node at @path and all nodes below it. A path is the names of functions from a root on, joined by ';'.
 */
int callgraph_below(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_callers(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_at_path(const struct callgraph *graph, const char *path, struct callgraph **out);

/*
 * Makes a copy of the tree that has, instead of several owners, one owner for the calls of all tasks and one for those of interrupts. Returns 0 or
 * -ENOMEM.
 */
int callgraph_merged(const struct callgraph *graph, struct callgraph **out);

/*
 * Appends the names that the tree has, except those that only owners have. Among them are "[unknown]" and, in a tree that was made from another one,
 * the names of all functions of the other. Returns 0 or -ENOMEM.
 */
int callgraph_called(const struct callgraph *graph, strv_t *out);

/* Does one of the globs match the name of the node's function? Owners, and nodes that stand for folded paths, never match. */
bool callgraph_matches(const struct callgraph *graph, uint32_t node, const strv_t *globs);

#endif

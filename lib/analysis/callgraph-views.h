/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a merged tree of calls (lib/analysis/callgraph.h): its functions, a part of it, or the callers of a function. */
#ifndef RINGSIDE_CALLGRAPH_VIEWS_H
#define RINGSIDE_CALLGRAPH_VIEWS_H

#include "lib/analysis/callgraph.h"

/* This is a function, wherever it was called. */
struct callgraph_function {
	const char *owner;	      /* the name of its owner, borrowed from the tree; NULL: all owners together */
	const char *name;	      /* borrowed from the tree */
	struct callgraph_figures all; /* of all its calls, also of recursive ones; .paths and .nested are not used */
	uint64_t total;		      /* the sum of the totals of calls that are not inside of other calls of the same function in this row */
	bool irq;		      /* only interrupts called it */
};

typedef VEC(struct callgraph_function) callgraph_functions_t;

/*
 * Appends all functions of the tree that have calls which have ended, in no particular order. Each list of globs may be NULL or empty, which chooses all
 * functions. Folded paths do not tell who called whom, so they are left out with .callees_of or .callers_of. Returns 0 or
 * -ENOMEM. callgraph_functions_fini() frees them.
 */
struct callgraph_choice {
	bool by_owner;		  /* a function is listed for each owner */
	const strv_t *globs;	  /* only functions whose name matches one of these */
	const strv_t *callees_of; /* only calls that a function which matches one of these has made directly */
	const strv_t *callers_of; /* only calls of functions that match one of these; each is listed under its caller, or under "[root]" */
};
int callgraph_functions(const struct callgraph *graph, const struct callgraph_choice *choice, callgraph_functions_t *out);
void callgraph_functions_fini(callgraph_functions_t *functions);

/*
 * These make a new tree from a part of another. They return 0, -ENOMEM, or -ENOENT without a message when there is no such part.
 *
 * callgraph_below(): the roots are the functions that match one of @globs, wherever they are called. Such a function that is called below another one
 * stays below it.
 *
 * callgraph_callers(): the roots are the functions that match. The callers of a function stand below it, with the times of the calls that they made,
 * so that the tree is upside down. It has only the outermost of recursive calls.
 *
 * callgraph_at_path(): the tree has the node at @path and all below it. The path is the names from a root on, joined by ';'.
 */
int callgraph_below(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_callers(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_at_path(const struct callgraph *graph, const char *path, struct callgraph **out);

/* Makes the same tree with one owner for all calls and one for what interrupts did, instead of several. Returns 0 or -ENOMEM. */
int callgraph_merged(const struct callgraph *graph, struct callgraph **out);

/* Appends the tree's names but those that only owners have. Returns 0 or -ENOMEM. */
int callgraph_called(const struct callgraph *graph, strv_t *out);

/* Does one of the globs match the name of the node's function? Owners and folded rests never match. */
bool callgraph_matches(const struct callgraph *graph, uint32_t node, const strv_t *globs);

#endif

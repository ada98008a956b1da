/* SPDX-License-Identifier: GPL-2.0 */
/* What can be read from a merged tree of calls (lib/analysis/callgraph.h): functions, a part of it, the callers of a function. */
#ifndef RINGSIDE_CALLGRAPH_VIEWS_H
#define RINGSIDE_CALLGRAPH_VIEWS_H

#include "lib/analysis/callgraph.h"

/* A function, wherever it was called. */
struct callgraph_function {
	const char *owner;		/* the name of its owner; borrowed from the tree; NULL: owners are not told apart */
	const char *name;		/* borrowed likewise */
	struct quantiles calls;		/* the totals of all its complete calls, recursive ones too */
	uint64_t total;			/* the sum of those that are not called by the function itself */
	struct callgraph_node sums;	/* only its sums of times, and what was cut */
	bool irq;			/* called by interrupts alone */
};

typedef VEC(struct callgraph_function) callgraph_functions_t;

/*
 * All functions of the tree, in no order. Each list of globs may be NULL or empty, which chooses all. Folded paths do not say who
 * called whom: with .callees_of or .callers_of they are left out.
 */
struct callgraph_choice {
	bool by_owner;			/* each function is told for each owner */
	const strv_t *globs;		/* functions whose name matches one */
	const strv_t *callees_of;	/* only calls made directly by such a function */
	const strv_t *callers_of;	/* calls of such a function, each told as one of the function that made it; "[root]": nobody */
};
int callgraph_functions(const struct callgraph *graph, const struct callgraph_choice *choice, callgraph_functions_t *out);
void callgraph_functions_fini(callgraph_functions_t *functions);

/*
 * Makes a tree of a part of another. 0; -ENOMEM; -ENOENT when there is no such part, without a message.
 *
 * callgraph_below(): the functions that match one of @globs, wherever they are called, are its roots; one that is called below another
 * of them stays where it is.
 * callgraph_callers(): the roots are the functions that match, and below each stand its callers with the times of the calls that
 * came from there: the tree upside down. Of recursive calls the outermost are told.
 * callgraph_at_path(): what is at and below the path of names, joined by ';', from a root on.
 */
int callgraph_below(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_callers(const struct callgraph *graph, const strv_t *globs, struct callgraph **out);
int callgraph_at_path(const struct callgraph *graph, const char *path, struct callgraph **out);

/* The same tree with one owner for all calls, and one for what interrupts did, instead of several. 0 or -ENOMEM. */
int callgraph_merged(const struct callgraph *graph, struct callgraph **out);

/* Is the name of the node matched by one of the globs? Owners and rests are not. */
bool callgraph_matches(const struct callgraph *graph, uint32_t node, const strv_t *globs);

#endif

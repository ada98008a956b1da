/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says for each traced function in the call paths (lib/analysis/paths.h) which times of its calls are known (struct timed_facts). Files that are read together
 * can tell different facts, for example if one file lacks sched_switch. If several files have calls of a function, timed_facts_both() combines the facts of
 * these files.
 */
#ifndef RINGSIDE_PATH_FACTS_H
#define RINGSIDE_PATH_FACTS_H

#include "lib/analysis/paths.h"

struct path_facts {
	const struct paths *paths;
	struct timed_facts least;    /* the combined facts of all files: timed_facts_least() */
	struct timed_facts *by_name; /* Element i is for functions with the name paths->graph->names.at[i]. If .by_name is NULL, .least is for all functions. */
	size_t names;		     /* how many elements .by_name and .owners have */
	bool *owners;		     /* element i: the owner with the name paths->graph->names.at[i] has tasks that lack switches (paths_find_lacking()) */
};

/* Finds the facts from the records that have been seen so far. Borrows @paths. Returns 0 or -ENOMEM. */
int path_facts_init(struct path_facts *facts, const struct paths *paths);
void path_facts_fini(struct path_facts *facts);

/*
 * Returns what is known of the calls of the function @name. Returns &facts->least if @name is "[unknown]", or was not in the graph yet when path_facts_init()
 * was called.
 */
const struct timed_facts *path_facts_of(const struct path_facts *facts, const char *name);

/*
 * Returns true if tasks of the owner with the name @owner lack switches. Then it is not known how long the owner's calls were off the CPU. @owner may be NULL,
 * for which the result is false.
 */
bool path_facts_owner_lacks(const struct path_facts *facts, const char *owner);

/*
 * Returns what is known of the calls of @node. @node is in the tree @graph, which was made from calls of facts->paths. If @node is a node for folded paths
 * (CALLGRAPH_REST), returns &facts->least.
 */
const struct timed_facts *path_facts_at(const struct path_facts *facts, const struct callgraph *graph, const struct callgraph_node *node);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Says what is known of the time off the CPU, for each traced function in the call paths (lib/analysis/paths.h). This may differ between the files of a
 * reading. For example, one of the files may lack sched_switch. If several files have calls of a function, a fact about the function is known only if each
 * of these files tells it.
 */
#ifndef RINGSIDE_PATH_FACTS_H
#define RINGSIDE_PATH_FACTS_H

#include "lib/analysis/paths.h"

struct path_facts {
	const struct paths *paths;
	struct timed_facts least;    /* the facts that all files tell */
	struct timed_facts *by_name; /* Element i is for the function with name i of paths->graph->names. NULL: .least is right for all functions. */
	size_t names;		     /* how many elements .by_name has */
};

/* Finds the facts from the records that have been seen so far. Borrows @paths. Returns 0 or -ENOMEM. */
int path_facts_init(struct path_facts *facts, const struct paths *paths);
void path_facts_fini(struct path_facts *facts);

/* Returns what is known of the calls of the function @name. For a name that was not in the graph when the facts were found, it returns &.least. */
const struct timed_facts *path_facts_of(const struct path_facts *facts, const char *name);

/*
 * Returns what is known of the calls of @node. @node is in the tree @graph, which was made from calls of facts->paths. A node for folded paths
 * (CALLGRAPH_REST) stands for no single function. For such a node, it returns &.least.
 */
const struct timed_facts *path_facts_at(const struct path_facts *facts, const struct callgraph *graph, const struct callgraph_node *node);

#endif

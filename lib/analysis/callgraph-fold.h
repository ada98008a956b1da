/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what callgraph.c, callgraph-sums.c, callgraph-fold.c and callgraph-views.c share. No other files use this header. To save memory, paths are
 * folded: several paths become one node (lib/analysis/callgraph.h).
 */
#ifndef RINGSIDE_CALLGRAPH_FOLD_H
#define RINGSIDE_CALLGRAPH_FOLD_H

#include "lib/analysis/callgraph.h"

/* This is the .name of a node that stands for folded paths. It is no index. */
#define CALLGRAPH_REST_NAME UINT32_MAX

/*
 * This and the next two functions are in callgraph.c. callgraph_index() replaces the hash table .node_slots by a new table of all nodes that have to be in it.
 * @nslots is the number of slots of the new table, and must be a power of two. Returns 0 or -ENOMEM.
 */
int callgraph_index(struct callgraph *graph, size_t nslots);

/*
 * callgraph_empty() marks a node as free (CALLGRAPH_FREE). The node must have no children. The node keeps its .next. The caller needs .next to take the node
 * out of the list of its parent's children. callgraph_release() puts the free node into the list of free nodes, from which new nodes are taken. Neither
 * function takes the node out of the hash table. The caller either takes the node out before, or makes a new table with callgraph_index() afterwards.
 */
void callgraph_empty(struct callgraph *graph, uint32_t at);
void callgraph_release(struct callgraph *graph, uint32_t at);

/*
 * This and the next four functions are in callgraph-sums.c. callgraph_drop_sums() frees the element @sums of graph->sums, and its struct
 * callgraph_parts if it has one.
 */
void callgraph_drop_sums(struct callgraph *graph, uint32_t sums);

/*
 * Moves all figures of the node @from to the node @to. The caller must call callgraph_empty() for @from afterwards. callgraph_settle() does
 * not have to be called before. Returns 0 or -ENOMEM.
 */
int callgraph_move(struct callgraph *graph, uint32_t from, uint32_t to);

/* Adds @more, the figures of another node, to the figures of the node @at. The caller must have called callgraph_settle(). Returns 0 or -ENOMEM. */
int callgraph_add_figures(struct callgraph *graph, uint32_t at, const struct callgraph_figures *more);

/*
 * callgraph_sum() adds all figures of @more to @to, and returns 0 or -ENOMEM. callgraph_sum_times() adds only the figures .self, .irq, .off, .blocked,
 * .preempted, .queued, .guessed and .unplaced.
 */
int callgraph_sum(struct callgraph_figures *to, const struct callgraph_figures *more);
void callgraph_sum_times(struct callgraph_figures *to, const struct callgraph_figures *more);

/*
 * This and the next two functions are in callgraph-fold.c. callgraph_fold() folds the paths that took the least time. It stops when at most two
 * thirds of the limit .most_bytes are used, or when nothing more can be folded. Returns 0 or -ENOMEM.
 */
int callgraph_fold(struct callgraph *graph);

/*
 * Adds the folded calls of @more to those of @graph. If i is the index of an owner in @more, @to[i] is the index of the
 * same owner in @graph. If i is the index of a name in @more, @names[i] is the index of the same name in @graph. Returns 0 or -ENOMEM.
 */
int callgraph_merge_folded(struct callgraph *graph, const struct callgraph *more, const uint32_t *to, const uint32_t *names);

/* Frees .folded and .folded_keys of @graph. */
void callgraph_fini_folded(struct callgraph *graph);

#endif

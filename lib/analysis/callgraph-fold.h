/* SPDX-License-Identifier: GPL-2.0 */
/* Between the two files of the merged tree of calls: what folding needs of its nodes, and merging of what was folded. */
#ifndef RINGSIDE_CALLGRAPH_FOLD_H
#define RINGSIDE_CALLGRAPH_FOLD_H

#include "lib/analysis/callgraph.h"

/* The name of a node that stands for folded paths; not an index. */
#define CALLGRAPH_REST_NAME UINT32_MAX

/* callgraph.c: makes the index of nodes anew with so many slots, a power of two. 0 or -ENOMEM. */
int callgraph_index(struct callgraph *graph, size_t nslots);

/*
 * callgraph.c: a node that has no children left becomes a free place, which keeps its .next: whoever calls it takes it from its caller's
 * children. callgraph_release() offers the place to new nodes. The index knows it still: that is made anew after many.
 */
void callgraph_empty(struct callgraph *graph, uint32_t at);
void callgraph_release(struct callgraph *graph, uint32_t at);

/* callgraph.c: adds calls and times of another node, 0 or -ENOMEM; or its times only, without calls. */
int callgraph_add_sums(struct callgraph *graph, uint32_t at, const struct callgraph_node *more);
void callgraph_sum_times(struct callgraph_node *node, const struct callgraph_node *more);

/* Folds the paths that took least until at most two thirds of the limit are used, or nothing can be folded. 0 or -ENOMEM. */
int callgraph_fold(struct callgraph *graph);

/* What @more has folded is also what @graph has: @to and @names tell its owners and names in @graph. 0 or -ENOMEM. */
int callgraph_merge_folded(struct callgraph *graph, const struct callgraph *more, const uint32_t *to, const uint32_t *names);
void callgraph_fini_folded(struct callgraph *graph);

#endif

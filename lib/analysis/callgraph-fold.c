/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/callgraph-fold.h"

/* --- what was folded, by owner and function ----------------------------------------------------------------------- */

static struct callgraph_folded *folded_of(struct callgraph *graph, uint32_t owner, uint32_t name)
{
	uint32_t *together = &graph->folded_owner[!!(graph->nodes.at[owner].flags & CALLGRAPH_IRQ)];
	int64_t i;

	if (graph->opt.functions_together)
		owner = *together = *together ? *together : owner;
	i = keys_index(&graph->folded_keys, (struct key){ owner, name, 0 });
	if (i < 0 || (i == (int64_t)graph->folded.n && vec_push(&graph->folded, (struct callgraph_folded){ .owner = owner, .name = name })))
		return NULL;
	return &graph->folded.at[i];
}

static int add_folded(struct callgraph *graph, uint32_t owner, uint32_t name, const struct callgraph_folded *more)
{
	struct callgraph_folded *folded = folded_of(graph, owner, name);
	int err = folded ? callgraph_sum(&folded->all, &more->all) : -ENOMEM;

	if (!err)
		folded->outermost += more->outermost;
	return err;
}

int callgraph_merge_folded(struct callgraph *graph, const struct callgraph *more, const uint32_t *to, const uint32_t *names)
{
	int err = 0;

	vec_each (&more->folded, folded)
		err = err ? err : add_folded(graph, to[folded->owner], names[folded->name], folded);
	graph->folded_paths += more->folded_paths;
	return err;
}

void callgraph_fini_folded(struct callgraph *graph)
{
	vec_each (&graph->folded, folded)
		quantiles_fini(&folded->all.calls);
	vec_fini(&graph->folded);
	keys_fini(&graph->folded_keys);
}

/* --- folding ------------------------------------------------------------------------------------------------------- */

static bool can_fold(const struct callgraph_node *node)
{
	return !node->open && !(node->flags & (CALLGRAPH_OWNER | CALLGRAPH_REST | CALLGRAPH_UNKNOWN | CALLGRAPH_FREE));
}

/* Returns the first child of the node @at that is not free, or 0. Removes the free nodes before it from the list of children. */
static uint32_t first_child(struct callgraph *graph, uint32_t at)
{
	struct callgraph_node *node = &graph->nodes.at[at];

	while (node->first && graph->nodes.at[node->first].flags & CALLGRAPH_FREE)
		node->first = graph->nodes.at[node->first].next;
	return node->first;
}

/*
 * Returns a node that has no children: @at itself, or a node below it. If a tree is taken apart by removing this node again and again, callees are removed
 * before their callers.
 */
static uint32_t innermost(struct callgraph *graph, uint32_t at)
{
	uint32_t child;

	while ((child = first_child(graph, at)))
		at = child;
	return at;
}

/*
 * Folds one node. Adds its times to the node @rest. If the node is a function, also adds its figures to the folded calls of this function. Then the node
 * is free. Returns 0 or -ENOMEM.
 */
static int fold_node(struct callgraph *graph, uint32_t owner, uint32_t rest, uint32_t at)
{
	struct callgraph_node *node = &graph->nodes.at[at];
	const struct callgraph_figures all = callgraph_figures(graph, node);
	const struct callgraph_folded one = { .all = all, .outermost = all.calls.sum - all.nested };
	struct callgraph_figures times = { .paths = node->flags & CALLGRAPH_REST ? all.paths : 1 };
	int err = node->flags & CALLGRAPH_REST ? 0 : add_folded(graph, owner, node->name, &one);

	callgraph_sum_times(&times, &all);
	err = err ? err : callgraph_add_figures(graph, rest, &times);
	graph->folded_paths += !(node->flags & CALLGRAPH_REST);
	if (!err)
		callgraph_empty(graph, at);
	return err;
}

/*
 * Folds the tree at @top: it becomes a part of the node that stands for the folded callees of the same caller. @top itself is marked as free and stays in
 * its caller's list of children for now, because the list can be long (see close_gaps()). Returns 0 or -ENOMEM.
 */
static int fold_tree(struct callgraph *graph, uint32_t owner, uint32_t top)
{
	const uint32_t caller = graph->nodes.at[top].parent;
	int64_t rest = callgraph_child(graph, caller, CALLGRAPH_REST_NAME);
	struct callgraph_figures calls = callgraph_figures(graph, &graph->nodes.at[top]);
	int err;

	if (rest < 0)
		return (int)rest;
	/* Only the calls of @top were made by the caller. All other calls in the tree are callees of these, so they do not count as calls here. */
	calls = (struct callgraph_figures){ .calls = calls.calls, .cut = calls.cut, .timeless = calls.timeless, .at_least = calls.at_least };
	err = callgraph_add_figures(graph, (uint32_t)rest, &calls);
	while (!err) {
		uint32_t at = innermost(graph, top), parent = graph->nodes.at[at].parent;

		err = fold_node(graph, owner, (uint32_t)rest, at);
		if (err || at == top)
			break;
		/* The node was the first child of its parent. */
		graph->nodes.at[parent].first = graph->nodes.at[at].next;
		callgraph_release(graph, at);
	}
	if (!err)
		graph->nodes.at[caller].flags |= CALLGRAPH_GAPS;
	return err;
}

/* Removes the free nodes that fold_tree() has left in the list of the children of @at. */
static void close_gaps(struct callgraph *graph, uint32_t at)
{
	uint32_t *link = &graph->nodes.at[at].first;

	while (*link) {
		const struct callgraph_node *child = &graph->nodes.at[*link];

		if (child->flags & CALLGRAPH_FREE)
			*link = child->next;
		else
			link = &graph->nodes.at[*link].next;
	}
	graph->nodes.at[at].flags &= (uint8_t)~CALLGRAPH_GAPS;
}

/*
 * This many of 1000 nodes are folded at a time. The node that stands for the folded callees of a caller needs as much memory as two small nodes. If only
 * few nodes were folded, most of them would be the only folded callee of their caller, and little memory would be gained.
 */
enum { LIGHT = 800 };

/*
 * Finds the weight up to which nodes are folded. LIGHT of 1000 of the nodes that can be folded weigh no more than *@out. Returns 0, -ENOMEM, or -ENODATA
 * if no node can be folded.
 */
static int find_threshold(const struct callgraph *graph, uint64_t *out)
{
	struct quantiles weights = { 0 };
	int err = 0;

	vec_each (&graph->nodes, node)
		if (!err && can_fold(node))
			err = quantiles_add(&weights, callgraph_weight(graph, node));
	/* A quantile is the middle of its bucket. The upper end of the bucket is at most 1/128 higher. */
	*out = weights.n < 2 ? UINT64_MAX : quantiles_at(&weights, LIGHT);
	*out += MIN(UINT64_MAX - *out, *out / 64 + 1);
	if (!weights.n)
		err = err ? err : -ENODATA;
	quantiles_fini(&weights);
	return err;
}

static bool is_light(const struct callgraph *graph, const struct callgraph_node *node, uint64_t most)
{
	return can_fold(node) && callgraph_weight(graph, node) <= most;
}

/* Folds all trees that weigh no more than @most. Returns 0 or -ENOMEM. */
static int fold_light(struct callgraph *graph, uint64_t most)
{
	VEC(uint32_t) tops = { 0 }, gone = { 0 };
	int err = 0;

	for (uint32_t i = 1; !err && i < graph->nodes.n; i++) {
		const struct callgraph_node *node = &graph->nodes.at[i];

		if (is_light(graph, node, most) && !is_light(graph, &graph->nodes.at[node->parent], most))
			err = vec_push(&tops, i);
	}
	vec_each (&tops, top) {
		uint32_t owner = *top;

		/* The node may have been folded with another tree since then, and a new node may have its place. */
		if (err || !can_fold(&graph->nodes.at[*top]))
			continue;
		while (graph->nodes.at[owner].parent)
			owner = graph->nodes.at[owner].parent;
		err = fold_tree(graph, owner, *top);
		err = err ? err : vec_push(&gone, *top);
	}
	for (uint32_t i = 1; i < graph->nodes.n; i++)
		if (graph->nodes.at[i].flags & CALLGRAPH_GAPS)
			close_gaps(graph, i);
	vec_each (&gone, top)
		callgraph_release(graph, *top);
	vec_fini(&tops);
	vec_fini(&gone);
	return err ? err : callgraph_index(graph, graph->node_mask + 1);
}

int callgraph_fold(struct callgraph *graph)
{
	int err = callgraph_settle(graph);

	while (!err && graph->bytes > graph->opt.most_bytes / 3 * 2) {
		uint64_t before = graph->folded_paths;
		uint64_t most;

		err = find_threshold(graph, &most);
		if (!err)
			err = fold_light(graph, most);
		if (graph->folded_paths == before)
			break;
	}
	/* Nodes of open calls are never folded, and may alone take more than the limit. Then the next try waits until a quarter more memory is used. */
	graph->fold_at = MAX(graph->opt.most_bytes, graph->bytes + graph->bytes / 4);
	return err == -ENODATA ? 0 : err;
}

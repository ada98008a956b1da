/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/callgraph-fold.h"

/* --- what was folded, by owner and function ----------------------------------------------------------------------- */

static struct callgraph_folded *folded_of(struct callgraph *graph, uint32_t owner, uint32_t name)
{
	int64_t i = keys_index(&graph->folded_keys, (struct key){ owner, name, 0 });

	if (i < 0 || (i == (int64_t)graph->folded.n && vec_push(&graph->folded, (struct callgraph_folded){ .owner = owner, .name = name })))
		return NULL;
	return &graph->folded.at[i];
}

static int add_folded(struct callgraph *graph, uint32_t owner, uint32_t name, const struct callgraph_folded *more)
{
	struct callgraph_folded *folded = folded_of(graph, owner, name);
	int err = folded ? quantiles_merge(&folded->all, &more->all) : -ENOMEM;

	if (err)
		return err;
	callgraph_sum_times(&folded->sums, &more->sums);
	folded->sums.cut += more->sums.cut;
	folded->sums.at_least += more->sums.at_least;
	folded->outermost += more->outermost;
	return 0;
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
		quantiles_fini(&folded->all);
	vec_fini(&graph->folded);
	keys_fini(&graph->folded_keys);
}

/* --- folding ------------------------------------------------------------------------------------------------------- */

static bool can_fold(const struct callgraph_node *node)
{
	return !node->open && !(node->flags & (CALLGRAPH_OWNER | CALLGRAPH_REST | CALLGRAPH_UNKNOWN | CALLGRAPH_FREE));
}

/* The last node of the tree below and with @at in an order in which callees come before callers: one without children. */
static uint32_t innermost(const struct callgraph *graph, uint32_t at)
{
	while (graph->nodes.at[at].first)
		at = graph->nodes.at[at].first;
	return at;
}

/* The times of one node go to @rest, and what it was to its function. */
static int fold_node(struct callgraph *graph, uint32_t owner, uint32_t rest, uint32_t at)
{
	struct callgraph_node *node = &graph->nodes.at[at];
	struct callgraph_folded one = { .all = node->calls, .sums = *node,
					.outermost = node->flags & CALLGRAPH_RECURSIVE ? 0 : node->calls.sum - node->nested };
	int err = node->flags & CALLGRAPH_REST ? 0 : add_folded(graph, owner, node->name, &one);

	callgraph_sum_times(&graph->nodes.at[rest], node);
	graph->nodes.at[rest].paths += node->flags & CALLGRAPH_REST ? node->paths : 1;
	graph->folded_paths += !(node->flags & CALLGRAPH_REST);
	if (!err)
		callgraph_remove(graph, at);
	return err;
}

/* The tree at @top becomes a part of what stands for the rest of its caller. */
static int fold_tree(struct callgraph *graph, uint32_t owner, uint32_t top)
{
	int64_t rest = callgraph_child(graph, graph->nodes.at[top].parent, CALLGRAPH_REST_NAME);
	struct callgraph_node calls = { 0 };
	int err;

	if (rest < 0)
		return (int)rest;
	/* Calls that the caller made; all others are callees of these. */
	calls.calls = graph->nodes.at[top].calls;
	calls.cut = graph->nodes.at[top].cut;
	calls.at_least = graph->nodes.at[top].at_least;
	err = callgraph_add_sums(graph, (uint32_t)rest, &calls);
	while (!err) {
		uint32_t at = innermost(graph, top);

		err = fold_node(graph, owner, (uint32_t)rest, at);
		if (at == top)
			break;
	}
	return err;
}

/* Half of the nodes that can be folded weigh no more than this. -ENODATA: there is nothing to fold. */
static int find_threshold(const struct callgraph *graph, uint64_t *out)
{
	struct quantiles weights = { 0 };
	int err = 0;

	vec_each (&graph->nodes, node)
		if (!err && can_fold(node))
			err = quantiles_add(&weights, callgraph_weight(node));
	/* A quantile is the middle of its bucket, whose upper end is at most 1/128 above. */
	*out = weights.n < 2 ? UINT64_MAX : quantiles_at(&weights, 500);
	*out += MIN(UINT64_MAX - *out, *out / 64 + 1);
	if (!weights.n)
		err = err ? err : -ENODATA;
	quantiles_fini(&weights);
	return err;
}

static bool is_light(const struct callgraph_node *node, uint64_t most)
{
	return can_fold(node) && callgraph_weight(node) <= most;
}

/* Folds all trees that weigh no more than @most. */
static int fold_light(struct callgraph *graph, uint64_t most)
{
	VEC(uint32_t) tops = { 0 };
	int err = 0;

	for (uint32_t i = 1; !err && i < graph->nodes.n; i++) {
		const struct callgraph_node *node = &graph->nodes.at[i];

		if (is_light(node, most) && !is_light(&graph->nodes.at[node->parent], most))
			err = vec_push(&tops, i);
	}
	vec_each (&tops, top) {
		uint32_t owner = *top;

		/* It may have gone with another one since, and its place have been taken. */
		if (err || !can_fold(&graph->nodes.at[*top]))
			continue;
		while (graph->nodes.at[owner].parent)
			owner = graph->nodes.at[owner].parent;
		err = fold_tree(graph, owner, *top);
	}
	vec_fini(&tops);
	return err;
}

int callgraph_fold(struct callgraph *graph)
{
	int err = 0;

	while (!err && graph->bytes > graph->opt.most_bytes / 3 * 2) {
		size_t before = graph->bytes;
		uint64_t most;

		err = find_threshold(graph, &most);
		if (!err)
			err = fold_light(graph, most);
		if (graph->bytes >= before)
			break;
	}
	/* Calls that have not ended can take more than the limit. Then it takes some time until the next try. */
	graph->fold_at = MAX(graph->opt.most_bytes, graph->bytes + graph->bytes / 4);
	return err == -ENODATA ? 0 : err;
}

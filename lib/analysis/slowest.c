/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/slowest.h"

/* If a call takes at least this much of its caller's time, in percent, showing the caller is enough. */
enum { MOSTLY = 80 };

struct candidate {
	uint32_t node; /* the node of the function's slowest call; 0: the function has none */
	uint64_t ns;   /* how long this call took */
};

static int by_time(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	return x->ns != y->ns ? ORDER(y->ns, x->ns) : ORDER(x->node, y->node);
}

/* Is the node one function? Some nodes stand for several functions or for none. */
static bool is_function(const struct callgraph *graph, const struct callgraph_node *node)
{
	return node->depth && !(node->flags & (CALLGRAPH_OWNER | CALLGRAPH_IRQ | CALLGRAPH_REST | CALLGRAPH_UNKNOWN | CALLGRAPH_FREE)) &&
	       callgraph_calls(graph, node) && graph->names.at[node->name][0] != '[';
}

/* Finds the slowest call of each function. Element i of the result is for the name i. Returns NULL when memory runs out. The caller frees the result. */
static struct candidate *find_all(const struct callgraph *graph)
{
	struct candidate *all = calloc(graph->names.n + 1, sizeof(*all));
	uint32_t i = 0;

	while (all && callgraph_walk(graph, 0, &i)) {
		const struct callgraph_node *node = &graph->nodes.at[i];
		const uint64_t max = callgraph_figures(graph, node).calls.max;
		struct candidate *best = &all[node->name];

		if (is_function(graph, node) && (!best->node || max > best->ns))
			*best = (struct candidate){ .node = i, .ns = max };
	}
	return all;
}

/* Does the call take most of the time of a caller's call, and has that caller been chosen already? */
static bool is_told(const struct callgraph *graph, const struct candidate *it, const strv_t *chosen)
{
	for (uint32_t at = graph->nodes.at[it->node].parent; at; at = graph->nodes.at[at].parent) {
		const struct callgraph_node *caller = &graph->nodes.at[at];

		if (is_function(graph, caller) && (double)it->ns * 100 >= (double)callgraph_figures(graph, caller).calls.max * MOSTLY &&
		    strv_has(chosen, graph->names.at[caller->name]))
			return true;
	}
	return false;
}

int slowest_functions(const struct callgraph *graph, size_t most, strv_t *out)
{
	__cleanup(free_ptr) struct candidate *all = find_all(graph);
	const size_t before = out->n;
	int err = all ? 0 : -ENOMEM;

	if (err)
		return err;
	qsort(all, graph->names.n, sizeof(*all), by_time);
	for (size_t i = 0; !err && i < graph->names.n && all[i].node && out->n - before < most; i++)
		if (!is_told(graph, &all[i], out))
			err = strv_add(out, graph->names.at[graph->nodes.at[all[i].node].name]);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/callgraph-fold.h"
#include "lib/base/parse.h"

bool callgraph_matches(const struct callgraph *graph, uint32_t node, const strv_t *globs)
{
	const struct callgraph_node *at = &graph->nodes.at[node];

	return !(at->flags & (CALLGRAPH_OWNER | CALLGRAPH_REST | CALLGRAPH_FREE)) && globs_match(globs, graph->names.at[at->name]);
}

/* This is no index of a name. It stands for "no name". */
#define CALLGRAPH_NO_NAME (CALLGRAPH_REST_NAME - 1)

/* --- functions ---------------------------------------------------------------------------------------------------- */

/* This is the name of the row with the calls that have no caller. */
static const char root_row[] = "[root]";

/* Does the name match @globs? If @globs is NULL or empty, all names match. */
static bool matches(const strv_t *globs, const char *name)
{
	return !strv_some(globs) || globs_match(globs, name);
}

/* Returns an array that has for the index of each name what matches() returns. Returns NULL when memory runs out. The caller frees the array. */
static bool *match_names(const struct callgraph *graph, const strv_t *globs)
{
	bool *out = calloc(MAX(graph->names.n, (size_t)1), sizeof(*out));

	for (size_t i = 0; out && i < graph->names.n; i++)
		out[i] = matches(globs, graph->names.at[i]);
	return out;
}

struct collect {
	const struct callgraph *graph;
	const struct callgraph_choice *choice;
	struct keys keys; /* owner and name */
	callgraph_functions_t *out;
};

static struct callgraph_function *function_of(struct collect *collect, uint32_t owner, uint32_t name)
{
	const struct callgraph *graph = collect->graph;
	int64_t i = keys_index(&collect->keys, (struct key){ collect->choice->by_owner ? owner : 0, name, 0 });

	if (i < 0)
		return NULL;
	if (i == (int64_t)collect->out->n) {
		struct callgraph_function one = {
			.owner = collect->choice->by_owner ? graph->names.at[graph->nodes.at[owner].name] : NULL,
			.name = name == CALLGRAPH_REST_NAME ? root_row : graph->names.at[name],
			.irq = true,
		};

		if (vec_push(collect->out, one))
			return NULL;
	}
	return &collect->out->at[i];
}

static int add(struct callgraph_function *function, uint64_t total, const struct callgraph_figures *all, bool irq)
{
	int err = function ? callgraph_sum(&function->all, all) : -ENOMEM;

	if (err)
		return err;
	function->total += total;
	function->irq &= irq;
	return 0;
}

/* This says which names match the lists of the choice. The arrays are results of match_names(). */
struct chosen {
	bool *globs, *callees_of, *callers_of;
	bool root; /* what matches() returns for root_row */
};

/* Returns the name of the row in which the calls of @node are counted, or CALLGRAPH_NO_NAME if they are not counted. */
static uint32_t told_as(const struct collect *collect, const struct chosen *chosen, uint32_t node)
{
	const struct callgraph_node *at = &collect->graph->nodes.at[node], *caller = &collect->graph->nodes.at[at->parent];
	bool root = caller->flags & CALLGRAPH_OWNER;
	uint32_t name = at->name;

	if (at->flags & (CALLGRAPH_OWNER | CALLGRAPH_REST))
		return CALLGRAPH_NO_NAME;
	if (strv_some(collect->choice->callees_of) && (root || !chosen->callees_of[caller->name]))
		return CALLGRAPH_NO_NAME;
	if (strv_some(collect->choice->callers_of)) {
		if (!chosen->callers_of[name])
			return CALLGRAPH_NO_NAME;
		name = root ? CALLGRAPH_REST_NAME : caller->name;
	}
	return (name == CALLGRAPH_REST_NAME ? chosen->root : chosen->globs[name]) ? name : CALLGRAPH_NO_NAME;
}

static int add_node(struct collect *collect, uint32_t owner, uint32_t node, uint32_t name)
{
	const struct callgraph_node *at = &collect->graph->nodes.at[node];
	const struct callgraph_figures all = callgraph_figures(collect->graph, at);

	/* The node stands for a call whose function was not known at first. When its exit told the function, the call was counted at another node. */
	if (!all.calls.n && !all.cut && !all.timeless)
		return 0;
	return add(function_of(collect, owner, name), all.calls.sum - all.nested, &all, at->flags & CALLGRAPH_IRQ);
}

static int collect_nodes(struct collect *collect, const struct chosen *chosen)
{
	uint32_t node = 0, owner = 0;
	int err = 0;

	while (!err && callgraph_walk(collect->graph, 0, &node)) {
		const struct callgraph_node *at = &collect->graph->nodes.at[node];
		uint32_t name = told_as(collect, chosen, node);

		if (at->flags & CALLGRAPH_OWNER)
			owner = node;
		if (name != CALLGRAPH_NO_NAME)
			err = add_node(collect, owner, node, name);
	}
	return err;
}

int callgraph_functions(const struct callgraph *graph, const struct callgraph_choice *choice, callgraph_functions_t *out)
{
	__cleanup(free_ptr) bool *globs = match_names(graph, choice->globs);
	__cleanup(free_ptr) bool *callees_of = match_names(graph, choice->callees_of);
	__cleanup(free_ptr) bool *callers_of = match_names(graph, choice->callers_of);
	struct collect collect = { .graph = graph, .choice = choice, .out = out };
	const struct chosen chosen = { globs, callees_of, callers_of, .root = matches(choice->globs, root_row) };
	int err = globs && callees_of && callers_of ? collect_nodes(&collect, &chosen) : -ENOMEM;

	vec_each (&graph->folded, folded)
		if (!err && globs[folded->name] && !strv_some(choice->callees_of) && !strv_some(choice->callers_of))
			err = add(function_of(&collect, folded->owner, folded->name), folded->outermost, &folded->all,
				  graph->nodes.at[folded->owner].flags & CALLGRAPH_IRQ);
	keys_fini(&collect.keys);
	return err;
}

void callgraph_functions_fini(callgraph_functions_t *functions)
{
	vec_each (functions, function)
		quantiles_fini(&function->all.calls);
	vec_fini(functions);
}

/* --- parts ----------------------------------------------------------------------------------------------------------- */

/* This is a tree @to that is being filled with nodes of the tree @from. */
struct part {
	const struct callgraph *from;
	struct callgraph *to;
	uint32_t *names; /* element i is the index in @to of the name i of @from */
	uint32_t *nodes; /* element i is the node in @to that node i of @from has become; 0: none */
};

static int part_begin(struct part *part, const struct callgraph *from)
{
	int err;

	*part = (struct part){ .from = from,
			       .names = calloc(MAX(from->names.n, (size_t)1), sizeof(*part->names)),
			       .nodes = calloc(MAX(from->nodes.n, (size_t)1), sizeof(*part->nodes)) };
	err = part->names && part->nodes ? callgraph_new(&part->to, &from->opt) : -ENOMEM;
	for (size_t i = 0; !err && i < from->names.n; i++) {
		int64_t name = callgraph_name(part->to, from->names.at[i], SIZE_MAX);

		err = name < 0 ? (int)name : 0;
		part->names[i] = (uint32_t)name;
	}
	return err;
}

/*
 * Frees what part_begin() has made. *@out becomes the new tree, and the caller must free it. Returns 0, @err if it is not 0, or -ENOENT if @found is
 * false, which means that the tree is empty.
 */
static int part_end(struct part *part, int err, bool found, struct callgraph **out)
{
	free(part->names);
	free(part->nodes);
	err = err ? err : found ? 0 : -ENOENT;
	if (err)
		callgraph_free(part->to);
	else
		*out = part->to;
	return err;
}

static uint32_t owner_of(const struct callgraph *graph, uint32_t node)
{
	while (graph->nodes.at[node].parent)
		node = graph->nodes.at[node].parent;
	return node;
}

/*
 * Returns the node of the new tree to which the figures of @node belong, and makes it if needed. It stands below @parent in the new tree. If @parent is 0,
 * it is a root below the owner with the same name. Returns -ENOMEM when memory runs out.
 */
static int64_t part_node(struct part *part, uint32_t node, uint32_t parent)
{
	const struct callgraph_node *at = &part->from->nodes.at[node];
	int64_t to = parent;

	if (!parent) {
		const struct callgraph_node *owner = &part->from->nodes.at[owner_of(part->from, node)];

		to = callgraph_owner(part->to, part->names[owner->name], owner->flags);
	}
	if (to > 0)
		to = callgraph_child(part->to, (uint32_t)to, at->flags & CALLGRAPH_REST ? CALLGRAPH_REST_NAME : part->names[at->name]);
	return to;
}

/* Copies @node to the new tree. If its caller was copied, it stands below its caller, otherwise it is a root. Returns 0 or -ENOMEM. */
static int part_add(struct part *part, uint32_t node)
{
	const struct callgraph_node *at = &part->from->nodes.at[node];
	const struct callgraph_figures figures = callgraph_figures(part->from, at);
	int64_t to = part_node(part, node, part->nodes[at->parent]);

	if (to < 0)
		return (int)to;
	part->nodes[node] = (uint32_t)to;
	return callgraph_add_figures(part->to, (uint32_t)to, &figures);
}

int callgraph_below(const struct callgraph *graph, const strv_t *globs, struct callgraph **out)
{
	struct part part;
	uint32_t node = 0;
	bool found = false;
	int err = part_begin(&part, graph);

	while (!err && callgraph_walk(graph, 0, &node)) {
		if (!part.nodes[graph->nodes.at[node].parent] && !callgraph_matches(graph, node, globs))
			continue;
		err = part_add(&part, node);
		found = true;
	}
	return part_end(&part, err, found, out);
}

/* Callers that are further out than this many levels are folded. Otherwise a path of n functions could become n paths of up to n functions. */
enum { MOST_CALLERS = 256 };

int callgraph_callers(const struct callgraph *graph, const strv_t *globs, struct callgraph **out)
{
	struct part part;
	uint32_t node = 0;
	bool found = false;
	int err = part_begin(&part, graph);

	while (!err && callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *calls = &graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(graph, calls);
		uint32_t below = 0, up = 0;

		if (calls->flags & CALLGRAPH_RECURSIVE || !callgraph_matches(graph, node, globs))
			continue;
		found = true;
		for (uint32_t at = node; !err && !(graph->nodes.at[at].flags & CALLGRAPH_OWNER); at = graph->nodes.at[at].parent) {
			bool rest = ++up > MOST_CALLERS;
			int64_t to = rest ? callgraph_child(part.to, below, CALLGRAPH_REST_NAME) : part_node(&part, at, below);

			err = to < 0 ? (int)to : callgraph_add_figures(part.to, (uint32_t)to, &figures);
			below = (uint32_t)to;
			if (rest)
				break;
		}
		/* A path with several matching functions becomes several paths, so the new tree may need more memory than its limit. */
		if (!err && part.to->bytes > part.to->fold_at)
			err = callgraph_fold(part.to);
	}
	return part_end(&part, err, found, out);
}

/* Do the functions from a root to @node have the names in @path, which are separated by ';'? */
static bool is_at(const struct callgraph *graph, uint32_t node, const char *path)
{
	const char *end = path + strlen(path);

	for (;; node = graph->nodes.at[node].parent) {
		const struct callgraph_node *at = &graph->nodes.at[node];
		const char *name = at->flags & CALLGRAPH_REST ? "" : graph->names.at[at->name];
		size_t len = strlen(name);

		if ((size_t)(end - path) < len || memcmp(end - len, name, len) != 0)
			return false;
		end -= len;
		if (graph->nodes.at[at->parent].flags & CALLGRAPH_OWNER)
			return end == path;
		if (end == path || *--end != ';')
			return false;
	}
}

int callgraph_at_path(const struct callgraph *graph, const char *path, struct callgraph **out)
{
	struct part part;
	uint32_t node = 0;
	unsigned int most = 1;
	bool found = false;
	int err = part_begin(&part, graph);

	/* A ';' may also be in a name. Then there are fewer levels. */
	for (const char *at = path; *at; at++)
		most += *at == ';';
	while (!err && callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *at = &graph->nodes.at[node];

		if (!part.nodes[at->parent] && (at->depth > most || !is_at(graph, node, path)))
			continue;
		err = part_add(&part, node);
		found = true;
	}
	return part_end(&part, err, found, out);
}

int callgraph_merged(const struct callgraph *graph, struct callgraph **out)
{
	struct part part;
	uint32_t node = 0;
	int err = part_begin(&part, graph);
	int64_t all = err ? 0 : callgraph_name(part.to, "all", SIZE_MAX), irq = err ? 0 : callgraph_name(part.to, "hard and soft interrupts", SIZE_MAX);

	err = all < 0 || irq < 0 ? -ENOMEM : err;
	while (!err && callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *at = &graph->nodes.at[node];
		const uint8_t of_irq = at->flags & CALLGRAPH_IRQ;
		int64_t owner;

		if (!(at->flags & CALLGRAPH_OWNER)) {
			err = part_add(&part, node);
			continue;
		}
		owner = at->first ? callgraph_owner(part.to, (uint32_t)(of_irq ? irq : all), of_irq) : 0;
		err = owner < 0 ? (int)owner : 0;
		part.nodes[node] = (uint32_t)MAX(owner, 0);
	}
	return part_end(&part, err, true, out);
}

int callgraph_called(const struct callgraph *graph, strv_t *out)
{
	enum { OF_OWNER = 1, OF_CALL = 2 };
	__cleanup(free_ptr) uint8_t *whose = calloc(graph->names.n, 1);
	uint32_t node = 0;
	int err = whose ? 0 : -ENOMEM;

	for (uint32_t i = graph->owners; !err && i; i = graph->nodes.at[i].next)
		whose[graph->nodes.at[i].name] = OF_OWNER;
	/* A node that stands for folded paths has no name in graph->names. */
	while (!err && callgraph_walk(graph, 0, &node))
		if (!(graph->nodes.at[node].flags & (CALLGRAPH_OWNER | CALLGRAPH_REST)))
			whose[graph->nodes.at[node].name] |= OF_CALL;
	vec_each (&graph->folded, folded)
		if (!err)
			whose[folded->name] |= OF_CALL;
	for (size_t i = 0; !err && i < graph->names.n; i++)
		if (whose[i] != OF_OWNER)
			err = strv_add(out, graph->names.at[i]);
	return err;
}

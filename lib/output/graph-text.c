/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/graph-text.h"
#include "lib/analysis/callgraph-views.h"
#include "lib/output/call-columns.h"
#include "lib/output/paths-view.h"

#include <stdio.h>

enum { FUNCTION, PATH, DEPTH, RECURSIVE, SHARE, PERCENT, MARK, CALLS };

static const struct table_column columns[] = {
	[FUNCTION] = { "function", TABLE_TEXT, .tree = true },
	[PATH] = { "path", TABLE_PATH, .more = true },
	[DEPTH] = { "depth", TABLE_DEPTH, .more = true },
	[RECURSIVE] = { "recursive", TABLE_BOOL, .more = true },
	[SHARE] = { "share", TABLE_PERCENT, .head = "%ALL" },
	[PERCENT] = { "percent", TABLE_PERCENT, .head = "%ROOT", .heat = true },
	[MARK] = { "mark", TABLE_TEXT, .people = true, .head = "" },
	CALL_COLUMNS(CALLS, false),
	{ NULL },
};

const struct table_spec graph_spec = { .columns = columns, .sort = "-share,-total,function" };

/* The weights of which shares are shares: of all roots of the owner, and of the root above. 0 means that the row is a root. */
struct whole {
	uint64_t all, root;
};

struct draw {
	struct table *table;
	const struct callgraph *graph;
	const struct graph_show *show;
	const struct path_facts *facts;
	bool lacks;	     /* path_facts_owner_lacks() of the owner whose rows are made */
	bool recursive, cut; /* a function with this mark was printed */
};

static double share(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void name_row(const struct draw *draw, const struct callgraph_node *node, const struct callgraph_figures *figures)
{
	char text[64];

	if (node->flags & CALLGRAPH_REST) {
		snprintf(text, sizeof(text), "... %llu rarer paths", (unsigned long long)figures->paths);
		table_copy(draw->table, FUNCTION, text);
		table_text(draw->table, MARK, "");
		return;
	}
	table_copy(draw->table, FUNCTION, draw->graph->names.at[node->name]);
	table_bool(draw->table, RECURSIVE, node->flags & CALLGRAPH_RECURSIVE);
	table_text(draw->table, MARK, node->flags & CALLGRAPH_RECURSIVE ? figures->cut ? "r>" : "r" : figures->cut ? ">" : "");
}

/* Returns what is known of the node's calls. A row of callers has the calls of the function at its root. */
static const struct timed_facts *facts_of(const struct draw *draw, const struct callgraph_node *node)
{
	const struct callgraph_node *nodes = draw->graph->nodes.at;

	while (draw->show->callers && node->depth > 1)
		node = &nodes[node->parent];
	return path_facts_at(draw->facts, draw->graph, node);
}

static uint32_t add_row(struct draw *draw, uint32_t parent, const struct callgraph_node *node, const struct whole *whole)
{
	const struct callgraph_figures figures = callgraph_figures(draw->graph, node);
	const struct call_row row = { .figures = &figures, .total = figures.calls.sum, .facts = facts_of(draw, node), .lacks = draw->lacks };
	uint32_t at = table_row(draw->table, parent);

	name_row(draw, node, &figures);
	table_real(draw->table, SHARE, share(callgraph_weight(draw->graph, node), whole->all));
	table_real(draw->table, PERCENT, share(callgraph_weight(draw->graph, node), whole->root));
	call_values(draw->table, CALLS, &row);
	draw->cut |= figures.cut;
	draw->recursive |= node->flags & CALLGRAPH_RECURSIVE;
	return at;
}

static bool is_light(const struct draw *draw, const struct callgraph_node *node, const struct whole *whole)
{
	const uint64_t of = whole->root ? whole->root : whole->all;

	return of && share(callgraph_weight(draw->graph, node), of) < draw->show->min_percent;
}

/* Adds one row with the sums of all callees that are too light to have their own rows. */
static int add_light(struct draw *draw, uint32_t parent, uint32_t first, const struct whole *whole)
{
	struct callgraph_figures all = { 0 };
	uint64_t paths = 0;
	char text[80];
	int err = 0;

	for (uint32_t i = first; i && !err; i = draw->graph->nodes.at[i].next) {
		const struct callgraph_node *node = &draw->graph->nodes.at[i];
		struct callgraph_figures figures;

		if (!is_light(draw, node, whole))
			continue;
		figures = callgraph_figures(draw->graph, node);
		err = quantiles_merge(&all.calls, &figures.calls);
		all.cut += figures.cut;
		all.timeless += figures.timeless;
		all.at_least += figures.at_least;
		paths++;
	}
	if (paths && !err) {
		snprintf(text, sizeof(text), "... %llu %s%s below %g %%", (unsigned long long)paths, whole->root ? "callee" : "root", paths > 1 ? "s" : "",
			 draw->show->min_percent);
		table_row(draw->table, parent);
		table_copy(draw->table, FUNCTION, text);
		table_tint(draw->table, FUNCTION, TABLE_FAINT);
		table_text(draw->table, MARK, "");
		table_real(draw->table, SHARE, share((all.calls.sum + all.at_least), whole->all));
		if (whole->root)
			table_real(draw->table, PERCENT, share((all.calls.sum + all.at_least), whole->root));
		table_count(draw->table, CALLS + CALL_CALLS, all.calls.n + all.timeless);
		table_count(draw->table, CALLS + CALL_CUT, all.cut);
		if (all.calls.n || !all.timeless)
			table_count(draw->table, CALLS + CALL_TOTAL, all.calls.sum);
	}
	quantiles_fini(&all.calls);
	return err;
}

/* Adds all nodes of one caller, with everything below them. */
static int draw_level(struct draw *draw, uint32_t parent, uint32_t first, const struct whole *whole)
{
	int err = 0;

	for (uint32_t i = first; i && !err; i = draw->graph->nodes.at[i].next) {
		const struct callgraph_node *node = &draw->graph->nodes.at[i];
		struct whole below = { .all = whole->all, .root = whole->root ? whole->root : callgraph_weight(draw->graph, node) };
		uint32_t row;

		if (is_light(draw, node, whole))
			continue;
		row = add_row(draw, parent, node, &below);
		if (node->first && (!draw->show->depth || node->depth < draw->show->depth))
			err = draw_level(draw, row, node->first, &below);
	}
	return err ? err : add_light(draw, parent, first, whole);
}

/* Returns the weight of all roots of an owner. */
static uint64_t weight_below(const struct callgraph *graph, uint32_t owner)
{
	uint64_t weight = 0;

	for (uint32_t i = graph->nodes.at[owner].first; i; i = graph->nodes.at[i].next)
		weight += callgraph_weight(graph, &graph->nodes.at[i]);
	return weight;
}

static void add_owner(struct draw *draw, const struct callgraph_node *owner, uint64_t weight, uint64_t all)
{
	uint64_t calls = 0, timeless = 0, cut = 0, total = 0;

	for (uint32_t i = owner->first; i; i = draw->graph->nodes.at[i].next) {
		const struct callgraph_figures figures = callgraph_figures(draw->graph, &draw->graph->nodes.at[i]);

		calls += figures.calls.n;
		timeless += figures.timeless;
		cut += figures.cut;
		total += figures.calls.sum;
	}
	table_copy(draw->table, FUNCTION, draw->graph->names.at[owner->name]);
	table_tint(draw->table, FUNCTION, TABLE_STRONG);
	table_text(draw->table, MARK, "");
	table_real(draw->table, SHARE, share(weight, all));
	table_count(draw->table, CALLS + CALL_CALLS, calls + timeless);
	table_count(draw->table, CALLS + CALL_CUT, cut);
	if (calls || !timeless)
		table_count(draw->table, CALLS + CALL_TOTAL, total);
}

/*
 * Counts the calls that are incomplete or have no known times, in all rows whether shown or not. Rows of callers have the calls of the function below which
 * they are, so only roots count there.
 */
static struct callgraph_figures calls_without_times(const struct callgraph *graph, bool callers)
{
	struct callgraph_figures all = { 0 };
	uint32_t node = 0;

	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_figures figures = callgraph_figures(graph, &graph->nodes.at[node]);

		if (callers && graph->nodes.at[node].depth != 1)
			continue;
		all.cut += figures.cut;
		all.timeless += figures.timeless;
	}
	return all;
}

int graph_table(struct table *table, const struct callgraph *graph, const struct graph_show *show, const struct path_facts *facts)
{
	struct draw draw = { .table = table, .graph = graph, .show = show, .facts = facts };
	struct callgraph_figures without;
	uint64_t all = 0;
	int err = 0;

	for (uint32_t i = graph->owners; i; i = graph->nodes.at[i].next)
		all += weight_below(graph, i);
	for (uint32_t i = graph->owners; i && !err; i = graph->nodes.at[i].next) {
		const struct callgraph_node *owner = &graph->nodes.at[i];
		uint64_t weight = weight_below(graph, i);
		uint32_t row = TABLE_ROOT;

		if (!owner->first)
			continue;
		if (show->owners || owner->flags & CALLGRAPH_IRQ) {
			row = table_row(table, TABLE_ROOT);
			add_owner(&draw, owner, weight, all);
		}
		draw.lacks = show->owners && path_facts_owner_lacks(facts, graph->names.at[owner->name]);
		err = draw_level(&draw, row, owner->first, &(struct whole){ .all = weight });
	}
	if (err)
		return err;
	without = calls_without_times(graph, show->callers);
	call_notes(table, CALLS, facts->paths, &without, graph);
	if (draw.recursive)
		table_note(table, "r: the function is also among its callers");
	if (draw.cut)
		table_note(table,
			   ">: some of its calls are not complete: the shares count them with the least time that they can have taken, the times do not");
	return table_rows(table) ? 0 : -ENOENT;
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct graph_view *o = options;

	o->show.owners = o->paths.by != PATHS_ALL;
	return paths_view_make(out, reading, &o->paths, &graph_spec, &o->table);
}

/*
 * Chooses the part of the tree that was asked for. *@part stays as it is for the whole tree, which is not owned. Returns 0, -ENOENT if there is no such part,
 * or -ENOMEM.
 */
static int choose(const struct callgraph *graph, const struct graph_view *o, struct callgraph **part)
{
	if (o->path)
		return callgraph_at_path(graph, o->path, part);
	if (!o->globs.n)
		return 0;
	return o->show.callers ? callgraph_callers(graph, &o->globs, part) : callgraph_below(graph, &o->globs, part);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct paths_view *view = container_of(h, struct paths_view, handler);
	const struct graph_view *o = options;
	struct callgraph *part = NULL;
	struct path_facts facts;
	int err = path_facts_init(&facts, view->paths);

	err = err ? err : callgraph_settle(view->paths->graph);
	err = err ? err : choose(view->paths->graph, o, &part);

	table_clear(view->table);
	err = err ? err : graph_table(view->table, part ? part : view->paths->graph, &o->show, &facts);
	err = paths_view_show(view, reading, err, o->path ? o->path : o->globs.n ? o->globs.at[0] : NULL);
	callgraph_free(part);
	path_facts_fini(&facts);
	return err;
}

const struct analysis graph_analysis = {
	.name = "graph",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_TIMES,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

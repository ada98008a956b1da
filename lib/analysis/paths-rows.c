/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the calls of lib/analysis/paths.h that are inside other calls of the same row of a table of functions (callgraph_nest()). A row has the calls of one
 * function, or, if callers were asked for, the calls that one function makes. Also gives nodes their names and places that become known only by an exit.
 */
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/paths-inside.h"

bool paths_rows_by_caller(const struct paths *paths)
{
	return strv_some(paths->opt.callees_of) || strv_some(paths->opt.callers_of);
}

/* Does a table of functions count the calls of this node? */
static bool is_told(const struct paths *paths, uint32_t node)
{
	const strv_t *callees_of = paths->opt.callees_of, *callers_of = paths->opt.callers_of;

	return (!strv_some(callees_of) || callgraph_matches(paths->graph, paths->graph->nodes.at[node].parent, callees_of)) &&
	       (!strv_some(callers_of) || callgraph_matches(paths->graph, node, callers_of));
}

/* Does a table of functions count the calls of @node in the same row as those of @outer? Then their totals are parts of the totals of @outer. */
static bool is_same_row(const struct paths *paths, uint32_t node, uint32_t outer)
{
	const struct callgraph_node *nodes = paths->graph->nodes.at, *caller = &nodes[nodes[outer].parent];

	/* In a flat tree, the calls of a function below the same owner have one node. */
	if (paths->opt.flat && node != outer)
		return false;
	if (strv_some(paths->opt.callers_of) ? caller->flags & CALLGRAPH_OWNER || caller->name != nodes[nodes[node].parent].name
					     : nodes[outer].name != nodes[node].name)
		return false;
	return is_told(paths, node) && is_told(paths, outer);
}

struct call_frame *paths_outer(const struct paths *paths, const struct call_task *task, struct call_frame *caller, uint32_t node)
{
	for (struct call_frame *at = caller; at; at = caller_in_tree(paths, task, at))
		if (mine_of(paths, at)->node && !call_of(paths, at)->cut && is_same_row(paths, node, mine_of(paths, at)->node))
			return at;
	return NULL;
}

int paths_nest(const struct paths *paths, struct call_frame *outer, uint32_t node, uint64_t ns)
{
	mine_of(paths, outer)->nested += ns;
	return callgraph_nest(paths->graph, node, ns);
}

/* --- calls whose caller becomes known later --------------------------------------------------------------------------- */

/* Returns the part of the totals of @node's calls that callgraph_nest() does not subtract yet. */
static uint64_t not_nested(const struct callgraph *graph, uint32_t node)
{
	const struct callgraph_figures all = callgraph_figures(graph, &graph->nodes.at[node]);

	return all.calls.sum - all.nested;
}

/*
 * All calls of @node were made by the call of @frame. If these calls are inside a call of the same row, notes this. Otherwise notes it for the calls below @node
 * that are counted in the same row. Where some calls of @node are cut, their callees are taken for callees of the complete ones, as far as the complete ones
 * have spent time in callees. Returns 0 or -ENOMEM.
 */
static int nest_callee(const struct paths *paths, const struct call_task *task, struct call_frame *frame, uint32_t node)
{
	struct callgraph *graph = paths->graph;
	const struct callgraph_figures all = callgraph_figures(graph, &graph->nodes.at[node]);
	uint64_t left = all.calls.sum - MIN(all.calls.sum, all.self), ns;
	uint32_t below = 0;
	struct call_frame *outer;
	int err = 0;

	if (!callgraph_calls(graph, &graph->nodes.at[node]) || !is_told(paths, node))
		return 0;
	outer = paths_outer(paths, task, frame, node);
	if (outer)
		return paths_nest(paths, outer, node, not_nested(graph, node));
	while (!err && left && callgraph_walk(graph, node, &below)) {
		ns = is_same_row(paths, below, node) ? MIN(not_nested(graph, below), left) : 0;
		left -= ns;
		err = ns ? callgraph_nest(graph, below, ns) : 0;
	}
	return err;
}

/* Notes which calls below @node are inside other calls of the same row. @frame is the call that made the calls of the callees. Returns 0 or -ENOMEM. */
static int nest_callees(const struct paths *paths, const struct call_task *task, struct call_frame *frame, uint32_t node)
{
	const struct callgraph *graph = paths->graph;
	int err;

	if (!paths_rows_by_caller(paths))
		return 0;
	err = callgraph_settle(paths->graph);
	for (uint32_t callee = graph->nodes.at[node].first; !err && callee; callee = graph->nodes.at[callee].next)
		err = nest_callee(paths, task, frame, callee);
	return err;
}

/* --- interrupts that only an exit tells ------------------------------------------------------------------------------- */

/* Does a call in the context @irq interrupt a call of @below, which runs in the context @below_irq? A hard interrupt can call a soft one. */
static bool interrupts(const struct paths *paths, enum call_irq irq, uint32_t below, enum call_irq below_irq)
{
	return irq > below_irq && (irq != CALL_IN_SOFTIRQ || !(paths->graph->nodes.at[below].flags & CALLGRAPH_IRQ));
}

/* Puts @node below the owner of interrupts. Returns the node that it becomes there, or -ENOMEM. */
static int64_t place_apart(struct paths *paths, uint32_t node, unsigned int cpu)
{
	const int64_t owner = paths_irq_owner(paths, cpu);

	return owner < 0 ? owner : callgraph_resolve_below(paths->graph, node, (uint32_t)owner, paths->graph->nodes.at[node].name);
}

/* This is what .func of a node says that waits for its place: the call's context, and the CPU. */
static uint64_t waits_with(enum call_irq irq, unsigned int cpu)
{
	return (uint64_t)cpu << 8 | irq;
}

int paths_place_callees(struct paths *paths, uint32_t node, enum call_irq irq)
{
	struct callgraph *graph = paths->graph;
	int64_t placed = 0;

	for (uint32_t at = graph->nodes.at[node].first, next; placed >= 0 && at; at = next) {
		const struct callgraph_node *callee = &graph->nodes.at[at];

		next = callee->next;
		if (!(callee->flags & CALLGRAPH_UNKNOWN))
			continue;
		placed = interrupts(paths, (enum call_irq)(callee->func & 0xff), node, irq) ? place_apart(paths, at, (unsigned int)(callee->func >> 8))
											    : callgraph_resolve(graph, at, callee->name);
	}
	return (int)MIN(placed, 0);
}

int64_t paths_name_node(struct paths *paths, const struct call_task *task, struct call_frame *frame, uint32_t node, uint32_t name)
{
	const struct call_frame *caller = call_caller(task, frame);
	const uint32_t parent = paths->graph->nodes.at[node].parent;
	struct callgraph *graph = paths->graph;

	if (!(graph->nodes.at[node].flags & CALLGRAPH_UNKNOWN))
		return node;
	/* The calls below @node are calls of @frame only as long as @node is not merged with another node. */
	graph->nodes.at[node].name = name;
	if (nest_callees(paths, task, frame, node) || paths_place_callees(paths, node, frame->irq))
		return -ENOMEM;
	if (!(frame->cut & CALL_NO_ENTRY) || call_of(paths, frame)->irq || !interrupts(paths, frame->irq, parent, caller ? caller->irq : CALL_IN_TASK))
		return callgraph_resolve(graph, node, name);
	if (!(graph->nodes.at[parent].flags & CALLGRAPH_UNKNOWN))
		return place_apart(paths, node, frame->cpu);
	graph->nodes.at[node].func = waits_with(frame->irq, frame->cpu);
	return node;
}

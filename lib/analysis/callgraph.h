/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Calls merged by path: a tree whose nodes are functions below their callers, with the times of all calls that came that way.
 * What the words mean is said in Documentation/analysis.md. The tree knows nothing of records and tasks: who puts calls together
 * (lib/analysis/timed.h) asks for the node of each call when it begins, and adds its times to the node when it ends.
 *
 * Above the roots stand owners: one for all calls, or one for each task, name of task or CPU; and one for what interrupts did.
 * Memory grows with the number of different paths and ends at a limit: then the paths that took least are folded into one
 * node of their caller that stands for the rest, and told by function all the same.
 * It can be read at any time between two calls of these functions, and several trees can be merged into one.
 */
#ifndef RINGSIDE_CALLGRAPH_H
#define RINGSIDE_CALLGRAPH_H

#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/base/vec.h"

/* The time of one call that is complete: total = self + callees + irq + off. All in ns. */
struct call_times {
	uint64_t total, self, callees, irq;
	uint64_t off;				/* blocked, preempted and queued are parts of it, as far as they are known */
	uint64_t blocked, preempted, queued;
	uint64_t guessed;			/* the part of off that only the time in schedule() and its like tells of */
};

enum callgraph_flag {
	CALLGRAPH_OWNER = 1 << 0,	/* not a function: who called the roots below */
	CALLGRAPH_IRQ = 1 << 1,		/* in a tree of what interrupts did */
	CALLGRAPH_RECURSIVE = 1 << 2,	/* the function is also among its callers */
	CALLGRAPH_REST = 1 << 3,	/* stands for folded paths: calls and total are of the callees, self, off and irq of all below them */
	CALLGRAPH_UNKNOWN = 1 << 4,	/* belongs to one call whose function is not known yet */
	CALLGRAPH_FREE = 1 << 5,	/* a place for a node to come */
	CALLGRAPH_GAPS = 1 << 6,	/* while something is folded: among its children are such places */
};

/* A function below its callers; index 0 is none. */
struct callgraph_node {
	/* What every call needs comes first: it is in one or two lines of the cache. */
	uint32_t name;			/* index into names */
	uint32_t hot;			/* the child that was asked for last */
	uint32_t after;			/* the one that its caller's calls went on to after this one, the last time; perhaps gone since */
	uint32_t open;			/* calls that have begun here and not ended */
	uint16_t depth;			/* 0: an owner; 1: a root */
	uint8_t flags;			/* enum callgraph_flag */
	uint32_t parent;		/* 0: an owner */
	struct quantiles calls;		/* the totals of all complete calls */
	uint64_t self, irq, off, blocked, preempted, queued, guessed;	/* sums over them */
	uint64_t cut, at_least;		/* calls that are not complete, and how long they lasted at the least in all */
	uint64_t paths;			/* of the rest: how many were folded */
	uint64_t nested;		/* the part of the totals that recursive calls took, in a tree whose paths are functions alone */
	uint32_t first, next;		/* children in no order: the first one; the next one of the same caller */
};

typedef VEC(struct callgraph_node) callgraph_nodes_t;

/* What was folded of a function, which tables of functions still tell. */
struct callgraph_folded {
	uint32_t owner, name;		/* index of a node; of a name */
	struct quantiles all;		/* the totals of all its calls */
	uint64_t outermost;		/* the sum of those that are not recursive */
	struct callgraph_node sums;	/* only its sums of times, and what was cut */
};

struct callgraph_options {
	size_t most_bytes;		/* so much memory at the most for nodes and their distributions; 0: 128 MiB */
};

struct callgraph {
	struct callgraph_options opt;
	callgraph_nodes_t nodes;
	uint32_t owners;		/* the first owner; 0: none yet */
	uint32_t free_node;		/* the first free place, the others by next; 0: none */
	strv_t names;			/* the first is "[unknown]" */
	uint32_t *name_slots;		/* open addressing; 0: free */
	struct callgraph_slot {		/* likewise, .node 0: free */
		uint32_t node, tag;	/* tag: what most others differ in, so that their nodes need not be looked at */
	} *node_slots;
	size_t name_mask, node_mask, used;	/* used: nodes that are not free */
	size_t bytes;			/* of nodes and their distributions */
	size_t fold_at;			/* with so many something is folded */
	VEC(struct callgraph_folded) folded;	/* with folded_keys */
	struct keys folded_keys;
	uint64_t folded_paths;		/* how many in all */
};

/* The name of calls of which only the fact is known. */
enum { CALLGRAPH_UNKNOWN_NAME = 0 };

/* 0 or -ENOMEM. */
int callgraph_new(struct callgraph **out, const struct callgraph_options *opt);
void callgraph_free(struct callgraph *graph);

/* The index of a name of @len bytes, which is copied when it is new. -ENOMEM. */
int64_t callgraph_name(struct callgraph *graph, const char *name, size_t len);

/* The owner of that name, with CALLGRAPH_IRQ in @flags where interrupts belong. -ENOMEM. */
int64_t callgraph_owner(struct callgraph *graph, uint32_t name, uint8_t flags);

/* The node of a function below @parent, made when it is new. -ENOMEM. */
int64_t callgraph_child_slow(struct callgraph *graph, uint32_t parent, uint32_t name);

static inline int64_t callgraph_child(struct callgraph *graph, uint32_t parent, uint32_t name)
{
	struct callgraph_node *nodes = graph->nodes.at;
	uint32_t hot = nodes[parent].hot, next;

	/* Nodes are never moved between parents, and a freed one is nobody's hot child. */
	if (!hot)
		return callgraph_child_slow(graph, parent, name);
	if (nodes[hot].name == name)
		return hot;
	/* What a function calls comes mostly in the same order. */
	next = nodes[hot].after;
	if (nodes[next].name != name || nodes[next].parent != parent || !name)
		return callgraph_child_slow(graph, parent, name);
	return nodes[parent].hot = next;
}

/*
 * A node of its own for one call whose function is not known yet, below @parent. callgraph_resolve() gives it its name
 * (CALLGRAPH_UNKNOWN_NAME: it never became known) and puts it and all below it together with the node of that name;
 * no call may be open below it. The node that it has become; of a node whose name is known that is itself. -ENOMEM.
 */
int64_t callgraph_unknown(struct callgraph *graph, uint32_t parent);
int64_t callgraph_resolve(struct callgraph *graph, uint32_t node, uint32_t name);

/* A call has begun at @node: until it ends the node is not folded. */
static inline void callgraph_begin(struct callgraph *graph, uint32_t node)
{
	graph->nodes.at[node].open++;
}

static inline void callgraph_end(struct callgraph *graph, uint32_t node)
{
	graph->nodes.at[node].open--;
}

/* One more complete call of @node. 0 or -ENOMEM. It may fold others that are not open; @node itself is not. */
int callgraph_add(struct callgraph *graph, uint32_t node, const struct call_times *times);

/* One more that is not complete and lasted at least so long. */
void callgraph_cut(struct callgraph *graph, uint32_t node, uint64_t at_least_ns);

/* All calls of @more, which is not changed and has none open. Owners of the same name become one. 0 or -ENOMEM. */
int callgraph_merge(struct callgraph *graph, const struct callgraph *more);

/* Goes through the tree below @top (0: all owners), callers before callees; *@node is 0 at first. False after the last. */
bool callgraph_walk(const struct callgraph *graph, uint32_t top, uint32_t *node);

/* What a call's share is a share of: what all calls of a node took, those that are not complete at least. */
static inline uint64_t callgraph_weight(const struct callgraph_node *node)
{
	return node->calls.sum + node->at_least;
}

#endif

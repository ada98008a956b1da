/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps calls merged by path. A path is a function with all its callers. The paths form a tree, with a node for each path. A node has the times of all calls
 * with its path. Documentation/analysis.md defines the words for times. The tree knows nothing of records and tasks. Other code finds the calls in the records
 * (lib/analysis/timed.h). When a call begins, that code asks for the call's node. When the call ends, that code adds the call's times to this node.
 *
 * A root is a function without a caller in the tree. Owners stand above the roots. There is one owner for all calls, or one owner for each task, for each task
 * name, or for each CPU. The calls that interrupts made have owners of their own. Memory grows with the number of different paths, up to a limit. At the limit,
 * the paths that took the least time are folded: all folded paths below the same caller become one node. Tables of functions still include the folded calls.
 * The tree can be read while none of the functions declared here is running. If callgraph_late() was called, callgraph_settle() must be called before the tree
 * is read. Several trees can be merged into one.
 */
#ifndef RINGSIDE_CALLGRAPH_H
#define RINGSIDE_CALLGRAPH_H

#include "lib/analysis/keys.h"
#include "lib/analysis/quantiles.h"
#include "lib/base/pool.h"
#include "lib/base/vec.h"

/* These are the times of one complete call, in ns: total = self + callees + irq + off. */
struct call_times {
	uint64_t total, self, callees, irq;
	uint64_t off; /* the time off the CPU; .blocked, .preempted and .queued are its known parts */
	uint64_t blocked, preempted, queued;
	uint64_t guessed; /* the part of .off that is only guessed: the time in functions such as schedule() */
};

/* These bits tell what a node is. */
enum callgraph_flag {
	CALLGRAPH_OWNER = 1 << 0,     /* the node is the owner of the roots below it, and is no function */
	CALLGRAPH_IRQ = 1 << 1,	      /* the node belongs to calls that interrupts made */
	CALLGRAPH_RECURSIVE = 1 << 2, /* the node's function is also among the node's callers */
	/*
	 * The node stands for callees of its parent that were folded, and for all nodes below these callees. Its calls and its total are those of
	 * the callees alone. Its self, off and irq are those of the callees and of all nodes below them.
	 */
	CALLGRAPH_REST = 1 << 3,
	CALLGRAPH_UNKNOWN = 1 << 4, /* the node belongs to one call, whose function or place in the tree is not known yet */
	CALLGRAPH_FREE = 1 << 5,    /* the node is free: its memory can be used for a new node */
	CALLGRAPH_GAPS = 1 << 6,    /* only while paths are folded: there are free nodes among the node's children */
	CALLGRAPH_INDEXED = 1 << 7, /* the node has or had many children; callgraph.node_slots is used to find them */
};

/*
 * This tells what is known of the calls of a node, or of a function. All times are in ns. .at_least is about the calls that are counted in .cut and
 * .timeless. Each of the other times is a sum over the calls that are counted in .calls.
 */
struct callgraph_figures {
	struct quantiles calls; /* the totals of all complete calls, except the calls that are counted in .timeless */
	uint64_t self, irq, off, blocked, preempted, queued, guessed;
	uint64_t cut;	   /* how many calls are not complete */
	uint64_t timeless; /* how many complete calls have totals that are not known */
	uint64_t at_least; /* a lower bound for the sum of the durations of the calls that are counted in .cut and in .timeless */
	uint64_t paths;	   /* for a node with CALLGRAPH_REST: how many paths were folded into it */
	uint64_t nested;   /* see callgraph_nest() */
	uint64_t unplaced; /* for how many calls in .calls the times off the CPU and in interrupts are not known: see callgraph_unplaced() */
};

/*
 * This is a function below its callers. The index 0 is no node. In a recording with many different paths, most nodes have only one call, so a node is
 * kept small:
 * - A node whose only call is complete, was on its CPU all the time and was not interrupted has the figures in .total and .self.
 * - Any other node with calls has a struct callgraph_sums.
 * - A struct callgraph_sums has a struct callgraph_parts if at least one member of the parts is not 0.
 * callgraph_figures() gives the figures of each of these nodes.
 */
struct callgraph_node {
	uint32_t name; /* index into callgraph.names */
	uint32_t hot;  /* the child that was looked up last; 0: not known */
	/* The sibling that was looked up right after this node. It may have been freed since then. 0: not known. */
	uint32_t after;
	uint32_t open;	 /* how many calls have begun and not ended */
	uint32_t parent; /* 0: an owner */
	uint32_t first;	 /* the head of the list of its children, in no particular order; 0: it has no children */
	uint32_t next;	 /* the next node in the list of the parent's children; 0: this is the last one */
	/* The index into callgraph.sums. 0: the node has no sums. It then has either no call, or one call with the times .total and .self. */
	uint32_t sums;
	uint16_t depth; /* 0: an owner; 1: a root */
	uint8_t flags;	/* enum callgraph_flag */
	bool called;	/* if .sums is 0: the node has one call */
	/*
	 * .where and .func are what callgraph_note_child() has noted. If .where is 0, nothing was noted. As long as .where is 0, a user of a node with
	 * CALLGRAPH_UNKNOWN may keep a number in .func.
	 */
	uint16_t where;
	uint64_t func;
	uint64_t total, self; /* the times of the only call of the node, ns; they have no meaning if .sums is not 0 */
};

/* These are figures of a node. struct callgraph_figures explains the members. */
struct callgraph_sums {
	struct quantiles calls;
	uint64_t self;
	uint32_t paths;
	uint32_t parts; /* index into callgraph.parts; 0: all of its members are 0 */
};

struct callgraph_parts {
	uint64_t irq, off, blocked, preempted, queued, guessed, cut, timeless, at_least, nested, unplaced;
};

typedef VEC(struct callgraph_node) callgraph_nodes_t;

/* This is a slot of the hash table callgraph.node_slots. */
struct callgraph_slot {
	uint32_t node; /* the index of a node; 0: the slot is free */
	uint32_t tag;  /* a part of the node's hash; a search reads only nodes with the tag that it looks for */
};

/* This is the memory that is counted for a node, in bytes. It is the node itself, and its share of the hash table of nodes. */
enum { CALLGRAPH_NODE_BYTES = sizeof(struct callgraph_node) + 2 * sizeof(struct callgraph_slot) };

/* These are the folded calls of a function. Tables of functions still include these calls. */
struct callgraph_folded {
	uint32_t owner;		      /* the index of the owner's node */
	uint32_t name;		      /* the index of the function's name */
	struct callgraph_figures all; /* .paths and .nested are not used */
	uint64_t outermost;	      /* the sum of the totals of the calls that were not inside another call of the function */
};

/* These are times of complete calls that have not been added to the struct callgraph_sums of their nodes yet: see callgraph_late(). */
struct callgraph_late {
	struct job job;
	struct callgraph *graph;
	int64_t bytes; /* how much the distributions have grown */
	int err;       /* 0 or -ENOMEM */
	uint32_t n;    /* how many elements of .calls are used */
	/*
	 * The sums that were merged into others form a list, linked by callgraph_sums.paths. .merged is the head of the list, the sums that were merged last.
	 * .merged_first is the tail of the list, the sums that were merged first. Both are 0 if the list is empty.
	 */
	uint32_t merged, merged_first;
	/*
	 * .total and .self are not side by side. If they were, a compiler might read both by one load that is wider than the stores before it. Such a
	 * load stalls the CPU.
	 */
	struct callgraph_late_call {
		uint64_t total; /* the call's total, ns; or the index of the sums that are merged into .sums */
		/* The index of the sums in callgraph.sums. If other sums are to be merged into these, callgraph-sums.c sets a bit of this number. */
		uint32_t sums;
		uint64_t self; /* ns */
	} calls[32768];
};

struct callgraph_options {
	size_t most_bytes; /* the most memory, in bytes, for nodes and their distributions; 0: 112 MiB */
	/*
	 * True: each function's folded calls are kept together for all owners. Then callgraph_functions() (lib/analysis/callgraph-views.h) must not be called
	 * with .by_owner.
	 */
	bool functions_together;
};

struct callgraph {
	struct callgraph_options opt;
	callgraph_nodes_t nodes;
	VEC(struct callgraph_sums) sums;     /* the first element stays all zero */
	VEC(struct callgraph_parts) parts;   /* the first element stays all zero */
	uint32_t free_sums;		     /* the head of the list of free elements of .sums, linked by callgraph_sums.paths; 0: none */
	uint32_t free_parts;		     /* the head of the list of free elements of .parts, linked by callgraph_parts.nested; 0: none */
	uint32_t owners;		     /* the head of the list of owners, linked by callgraph_node.next; 0: none yet */
	uint32_t free_node;		     /* the head of the list of free nodes, linked by callgraph_node.next; 0: none */
	strv_t names;			     /* the first is "[unknown]" */
	uint32_t *name_slots;		     /* a hash table of names with open addressing; each slot has 1 + the index of a name; 0: the slot is free */
	struct callgraph_slot *node_slots;   /* a hash table of nodes with open addressing */
	size_t name_mask;		     /* the number of slots in .name_slots, minus 1 */
	size_t node_mask;		     /* the number of slots in .node_slots, minus 1 */
	size_t indexed;			     /* how many nodes are in .node_slots */
	size_t bytes;			     /* the memory of the nodes, their sums and their distributions */
	size_t fold_at;			     /* when .bytes reaches this number, paths are folded */
	struct keys folded_keys;	     /* the pairs of an owner and a name for which .folded has an element */
	VEC(struct callgraph_folded) folded; /* element i has the folded calls of the pair that has the number i in .folded_keys */
	/*
	 * Used if opt.functions_together is true. Element 1 is then the owner of all folded calls of interrupts. Element 0 is the owner of all other folded
	 * calls. An element is 0 as long as its owner has no calls.
	 */
	uint32_t folded_owner[2];
	uint64_t folded_paths; /* how many paths were folded in all */
	struct pool *pool;     /* NULL: callgraph_late() was not called */
	/*
	 * If .pool is not NULL, new calls are gathered in late[0]. While .adding is true, the pool adds the calls of late[1] to their sums. During
	 * this time nobody else may move .sums, nor read or change callgraph_sums.calls and callgraph_sums.self.
	 */
	struct callgraph_late *late[2];
	bool adding;
};

/* This is the index in callgraph.names that stands for a function that is not known. Its name is "[unknown]". */
enum { CALLGRAPH_UNKNOWN_NAME = 0 };

/* Makes an empty tree. Returns 0 or -ENOMEM. */
int callgraph_new(struct callgraph **out, const struct callgraph_options *opt);
void callgraph_free(struct callgraph *graph);

/*
 * Lets a thread of @pool add the times of calls to the distributions of their nodes, while the caller goes on. The distributions of many nodes do not fit into
 * the caches of one core, so adding times to them is slow. callgraph_late() may change which paths are folded. The number of threads of @pool has no influence
 * on which paths are folded. @pool is borrowed and must live until callgraph_settle() or callgraph_free(). callgraph_settle() returns when all times have been
 * added. It must be called before anybody reads the times or the numbers of calls. If callgraph_late() has not been called, callgraph_settle() does nothing.
 * Both return 0 or -ENOMEM.
 */
int callgraph_late(struct callgraph *graph, struct pool *pool);
int callgraph_settle(struct callgraph *graph);

/*
 * Returns the index of a name. The name begins at @name, and ends after @len bytes or at the first NUL byte. So @len can be SIZE_MAX for a string. A new name
 * is copied. Returns -ENOMEM when memory runs out.
 */
int64_t callgraph_name(struct callgraph *graph, const char *name, size_t len);

/* Returns the index of a name, or -1 when the graph does not have it. */
int64_t callgraph_find_name(const struct callgraph *graph, const char *name);

/*
 * Returns the owner with this name, and makes the owner if there is none. Returns -ENOMEM when memory runs out. @flags is CALLGRAPH_IRQ for an owner of calls
 * that interrupts make, and 0 for any other owner. @flags has no effect on an owner that exists already. So the two kinds of owners need different names.
 */
int64_t callgraph_owner(struct callgraph *graph, uint32_t name, uint8_t flags);

/* Returns the child of @parent with this name, and makes the child if there is none. Returns -ENOMEM when memory runs out. */
int64_t callgraph_child(struct callgraph *graph, uint32_t parent, uint32_t name);

/*
 * callgraph_known_child() is a fast way to find the child of @parent for which callgraph_note_child() has noted @func and @where. @func and @where together
 * stand for a function. @where is not 0. The function's name need not be looked up. callgraph_known_child() looks at only two children: the child that was
 * looked up last, and the .after of this child (struct callgraph_node). If the wanted child is neither of the two, the result is 0. In this case,
 * callgraph_child() finds the child, and callgraph_note_child() notes @func and @where for the child.
 */
static inline uint32_t callgraph_known_child(struct callgraph *graph, uint32_t parent, uint64_t func, uint16_t where)
{
	struct callgraph_node *nodes = graph->nodes.at;
	const uint32_t hot = nodes[parent].hot, next = nodes[hot].after;

	/*
	 * .hot and .after may be 0, which is no node. .after may also be a node that was freed, or that was freed and is now used below another
	 * parent. Node 0 and free nodes have 0 in .where.
	 */
	if (nodes[hot].func == func && nodes[hot].where == where)
		return hot;
	/* A function mostly calls the same functions in the same order. */
	if (nodes[next].func != func || nodes[next].where != where || nodes[next].parent != parent)
		return 0;
	return nodes[parent].hot = next;
}

static inline void callgraph_note_child(struct callgraph *graph, uint32_t node, uint64_t func, uint16_t where)
{
	graph->nodes.at[node].func = func;
	graph->nodes.at[node].where = where;
}

/*
 * callgraph_unknown() makes a node below @parent for one call whose function is not known yet. callgraph_resolve() is called when the function becomes
 * known, or when it is certain that the function stays unknown. @name is the function, or CALLGRAPH_UNKNOWN_NAME if the function stays unknown.
 * callgraph_resolve() does one of these:
 * - If callgraph_child() has made @node, callgraph_resolve() changes nothing and returns @node.
 * - If a sibling of @node has this name, callgraph_resolve() merges @node and all nodes below @node into this sibling. @node then does not exist any more. The
 *   result is the sibling.
 * - In all other cases, @node itself gets the name and is returned.
 * No call may be open below @node. callgraph_resolve_below() is for a call that turns out to stand below another node, @parent. callgraph_unknown() has made
 * @node. callgraph_resolve_below() merges @node and all nodes below @node into the child of @parent with this name. The result is this child. All three
 * functions return -ENOMEM when memory runs out.
 */
int64_t callgraph_unknown(struct callgraph *graph, uint32_t parent);
int64_t callgraph_resolve(struct callgraph *graph, uint32_t node, uint32_t name);
int64_t callgraph_resolve_below(struct callgraph *graph, uint32_t node, uint32_t parent, uint32_t name);

/*
 * callgraph_begin() notes that a call of @node has begun. callgraph_end() notes that a call of @node has ended. A node with open calls is not folded.
 */
static inline void callgraph_begin(struct callgraph *graph, uint32_t node)
{
	graph->nodes.at[node].open++;
}

static inline void callgraph_end(struct callgraph *graph, uint32_t node)
{
	graph->nodes.at[node].open--;
}

/*
 * callgraph_add() adds a complete call of @node. callgraph_add_own() adds a complete call of @node whose total, @ns, is all its own time. Both may fold other
 * nodes that have no open calls. They never fold @node. callgraph_add_slow() does the same as callgraph_add(), but more slowly. Only callgraph_add() and
 * callgraph_add_own() call callgraph_add_slow(). All three return 0 or -ENOMEM.
 */
int callgraph_add_slow(struct callgraph *graph, uint32_t node, const struct call_times *times);

/*
 * Adds a call to the list of calls that the pool will add. Returns false if only callgraph_add_slow() can add the call. Only callgraph_add() and
 * callgraph_add_own() call this.
 */
static inline bool callgraph_add_late(struct callgraph *graph, uint32_t node, uint64_t total, uint64_t self)
{
	const uint32_t sums = graph->nodes.at[node].sums;
	struct callgraph_late *late = graph->late[0];

	/* callgraph_add_slow() fills the last place, and goes on with an empty list. */
	if (unlikely(!late || !sums || late->n == ARRAY_LEN(late->calls) - 1))
		return false;
	late->calls[late->n++] = (struct callgraph_late_call){ .total = total, .sums = sums, .self = self };
	return true;
}

static inline int callgraph_add(struct callgraph *graph, uint32_t node, const struct call_times *times)
{
	if (likely(!(times->off | times->irq) && callgraph_add_late(graph, node, times->total, times->self)))
		return 0;
	return callgraph_add_slow(graph, node, times);
}

static inline int callgraph_add_own(struct callgraph *graph, uint32_t node, uint64_t ns)
{
	if (likely(callgraph_add_late(graph, node, ns, ns)))
		return 0;
	return callgraph_add_slow(graph, node, &(struct call_times){ .total = ns, .self = ns });
}

/*
 * Adds @ns to the .nested of @node. The time of a call inside another call of the same function is in the totals of both calls. So a table of functions
 * subtracts .nested from the sum of the totals. callgraph_nest() is called for each complete call of @node that was inside another call of the same
 * function. @ns is the total of this inner call. .nested has a meaning only as a sum over all nodes of a function.
 *
 * If the outer call later turns out to be incomplete, its total is not known and is not added. There are two cases:
 * - A further open call of the function contains the outer call. Then the time of the inner call is still in two totals.
 * - No further open call of the function contains the outer call. Then the time of the inner call is only in one total, and must not be subtracted any more. So
 *   callgraph_nest() is called again, with the node of the outer call and with -@ns.
 *
 * A table can also show the calls of one function in several rows, or the calls of several functions as one row. See struct callgraph_choice of
 * lib/analysis/callgraph-views.h. For such a table, "row" takes the place of "function" in the text above. Returns 0 or -ENOMEM.
 */
int callgraph_nest(struct callgraph *graph, uint32_t node, uint64_t ns);

/*
 * Adds a call of @node whose total is not known. The call lasted at least @at_least_ns. @timeless is true if the call is complete. Returns 0 or
 * -ENOMEM.
 */
int callgraph_cut(struct callgraph *graph, uint32_t node, uint64_t at_least_ns, bool timeless);

/* Notes that one more complete call of @node has a time off the CPU and a time in interrupts that are not known. Returns 0 or -ENOMEM. */
int callgraph_unplaced(struct callgraph *graph, uint32_t node);

/* Adds all calls of @more. @more must have no open calls, and is not changed. Owners of the same name become one. Returns 0 or -ENOMEM. */
int callgraph_merge(struct callgraph *graph, const struct callgraph *more);

/*
 * Goes to the next node below @top. If @top is 0, all nodes are walked, including the owners. Callers come before their callees. To get the first node, set
 * *@node to 0. Returns false after the last node.
 */
bool callgraph_walk(const struct callgraph *graph, uint32_t top, uint32_t *node);

/* Returns the figures that are in @parts. All other figures of the result are 0. */
static inline struct callgraph_figures callgraph_figures_of(const struct callgraph_parts *parts)
{
	return (struct callgraph_figures){ .irq = parts->irq,
					   .off = parts->off,
					   .blocked = parts->blocked,
					   .preempted = parts->preempted,
					   .queued = parts->queued,
					   .guessed = parts->guessed,
					   .cut = parts->cut,
					   .timeless = parts->timeless,
					   .at_least = parts->at_least,
					   .nested = parts->nested,
					   .unplaced = parts->unplaced };
}

/*
 * Returns what is known of the calls of a node. The distribution in the result is borrowed from the tree: it is valid until the tree changes, and
 * must not be freed.
 */
static inline struct callgraph_figures callgraph_figures(const struct callgraph *graph, const struct callgraph_node *node)
{
	const struct callgraph_sums *sums = &graph->sums.at[node->sums];
	struct callgraph_figures all = callgraph_figures_of(&graph->parts.at[sums->parts]);

	if (!node->sums && node->called)
		return (struct callgraph_figures){ .calls = quantiles_of_one(node->total), .self = node->self };
	all.calls = sums->calls;
	all.self = sums->self;
	all.paths = sums->paths;
	return all;
}

/* Returns how many complete calls with a known total a node has. */
static inline uint64_t callgraph_calls(const struct callgraph *graph, const struct callgraph_node *node)
{
	return node->sums ? graph->sums.at[node->sums].calls.n : node->called;
}

/*
 * Returns the time of all calls of a node, from which percentages are computed. This is the sum of the known totals, plus the .at_least of the other
 * calls.
 */
static inline uint64_t callgraph_weight(const struct callgraph *graph, const struct callgraph_node *node)
{
	const struct callgraph_sums *sums = &graph->sums.at[node->sums];

	return node->sums ? sums->calls.sum + graph->parts.at[sums->parts].at_least : node->called ? node->total : 0;
}

#endif

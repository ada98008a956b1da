/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/paths-inside.h"

/* This many functions that were called recently are found without a search. It must be a power of two. */
enum { RECENT_BITS = 15, RECENT = 1 << RECENT_BITS };

/* --- names --------------------------------------------------------------------------------------------------------------- */

/* Returns the index of the name of the called function in the graph, or -ENOMEM. It looks in the keys, which have all names found so far. */
static int64_t find_name(struct paths *paths, const struct call_task *task, uint8_t source, uint64_t func)
{
	int64_t i = keys_index(&paths->name_keys, (struct key){ func, task->file, source });
	const char *name, *module;
	char buf[CALL_NAME];
	int64_t found;

	if (i < 0 || i < (int64_t)paths->names.n)
		return i < 0 ? i : paths->names.at[i];
	name = call_name(task->trace, source, func, buf, &module);
	found = callgraph_name(paths->graph, name, SIZE_MAX);
	if (found < 0 || vec_push(&paths->files, task->file) || vec_push(&paths->names, (uint32_t)found))
		return -ENOMEM;
	return found;
}

/* Returns the element of .recent that may have this function. */
static inline struct paths_name *recent_of(const struct paths *paths, uint64_t func)
{
	return &paths->recent[func * 0x9e3779b97f4a7c15ULL >> (64 - RECENT_BITS)];
}

/* Returns a number that is not 0 and that differs for functions of different files or sources, which may have the same .func. */
static inline uint16_t where_of(const struct call_task *task, uint8_t source)
{
	return (uint16_t)(task->file << 8 | source) + 1;
}

static inline int64_t name_of(struct paths *paths, const struct call_task *task, uint8_t source, uint64_t func)
{
	const uint16_t where = where_of(task, source);
	struct paths_name *recent = recent_of(paths, func);
	int64_t name;

	if (likely(recent->func == func && recent->where == where))
		return recent->name;
	name = find_name(paths, task, source, func);
	if (name >= 0)
		*recent = (struct paths_name){ .func = func, .where = where, .name = (uint32_t)name };
	return name;
}

int64_t paths_name(struct paths *paths, const struct call_task *task, const struct call_frame *frame)
{
	return frame->func ? name_of(paths, task, frame->source, frame->func) : CALLGRAPH_UNKNOWN_NAME;
}

/* Was this task asked for? */
static inline bool wants(struct paths *paths, struct call_task *task)
{
	struct paths_task *mine = call_task_of(&paths->user, task);

	if (likely(!paths->opt.select))
		return true;
	if (!mine->looked)
		mine->wanted = select_task(paths->opt.select, comms_find(task->trace->comms, task->pid), task->pid);
	mine->looked = true;
	return mine->wanted;
}

bool paths_wants(struct paths *paths, struct call_task *task)
{
	return wants(paths, task);
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

uint32_t paths_node(const struct paths *paths, struct call_frame *frame)
{
	return mine_of(paths, frame)->node;
}

static inline int64_t parent_of(struct paths *paths, struct call_task *task, struct call_frame *frame);

/*
 * Returns the node below which the callees of @frame stand, 0, or -ENOMEM. After a gap, the call on the stack may be another one than before, which its exit
 * will tell. Until then, the callees stand below a node without a name.
 */
static int64_t inside_of(struct paths *paths, struct call_task *task, struct call_frame *frame)
{
	struct paths_frame *mine = mine_of(paths, frame);
	int64_t node;

	if (likely(!frame->gap) || !mine->node)
		return mine->node;
	if (mine->inside) {
		mine->mixed |= mine->gaps != task->gaps;
		return mine->inside;
	}
	node = parent_of(paths, task, frame);
	node = node < 0 ? node : callgraph_unknown(paths->graph, (uint32_t)node);
	if (node < 0)
		return node;
	mine->inside = (uint32_t)node;
	mine->gaps = task->gaps;
	callgraph_begin(paths->graph, mine->inside);
	return node;
}

/* The node .orphan was kept for the next call, but was not used. So its function stays unknown. Returns 0 or -ENOMEM. */
static int drop_orphan(struct paths *paths)
{
	const uint32_t orphan = paths->orphan;

	paths->orphan = 0;
	/* Its context stays unknown as well. So its callees stay below it. */
	if (paths_place_callees(paths, orphan, CALL_IN_NMI))
		return -ENOMEM;
	return (int)MIN(callgraph_resolve(paths->graph, orphan, CALLGRAPH_UNKNOWN_NAME), 0);
}

/*
 * The call at @frame is left. If its exit is recorded, the exit tells of which function the node .inside is. Otherwise the next call at this place of the
 * stack will tell it, and the node is kept as .orphan until then. This works only if there was no more than one gap. Returns 0 or -ENOMEM.
 */
static int leave_inside(struct paths *paths, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	const struct paths_frame *mine = mine_of(paths, frame);
	int64_t name = CALLGRAPH_UNKNOWN_NAME;

	callgraph_end(paths->graph, mine->inside);
	if (end->cut & CALL_NO_EXIT && !mine->mixed && mine->gaps == task->gaps) {
		paths->orphan = mine->inside;
		paths->orphan_of = task;
		return 0;
	}
	if (!(end->cut & CALL_NO_EXIT))
		name = paths_name(paths, task, frame);
	return name < 0 ? (int)name : (int)MIN(paths_name_node(paths, task, frame, mine->inside, (uint32_t)name), 0);
}

/* Returns the node of a call whose entry is not recorded. This is .orphan if it fits, otherwise a new node. Returns -ENOMEM when memory runs out. */
static int64_t unknown_of(struct paths *paths, const struct call_task *task, uint32_t parent)
{
	const uint32_t orphan = paths->orphan;

	if (!orphan || paths->orphan_of != task || paths->graph->nodes.at[orphan].parent != parent)
		return callgraph_unknown(paths->graph, parent);
	paths->orphan = 0;
	return orphan;
}

/*
 * Returns the owner of a call in a flat tree, or -ENOMEM. It is the owner of the caller. But with PATHS_CPU, a call belongs to the CPU on which it began,
 * and the task may have moved to another CPU since its caller began.
 */
static inline int64_t beside(struct paths *paths, struct call_task *task, unsigned int cpu, struct call_frame *caller)
{
	const struct callgraph_node *nodes = paths->graph->nodes.at;
	const uint32_t owner = nodes[mine_of(paths, caller)->node].parent;

	if (likely(paths->opt.by != PATHS_CPU || cpu == caller->cpu || nodes[owner].flags & CALLGRAPH_IRQ))
		return owner;
	return paths_task_owner(paths, task, cpu);
}

/* Does what parent_of() does if the call has no caller with a node, is one of an interrupt, or has a caller that was open before a gap. */
static int64_t find_parent(struct paths *paths, struct call_task *task, struct call_frame *frame)
{
	struct call_frame *caller = call_caller(task, frame);

	if (call_of(paths, frame)->irq) {
		const int64_t owner = paths_irq_owner(paths, frame->cpu);

		/* Nothing that the interrupt could have interrupted was seen since the gap. So the caller may be another call of the interrupt. */
		return caller && caller->gap && task->least_irq >= frame->irq && !paths->opt.flat && owner > 0
			       ? callgraph_child(paths->graph, (uint32_t)owner, CALLGRAPH_UNKNOWN_NAME)
			       : owner;
	}
	/* A call on a CPU that was not chosen has no node. */
	if (!caller || !mine_of(paths, caller)->node)
		return paths_task_owner(paths, task, frame->cpu);
	return paths->opt.flat ? beside(paths, task, frame->cpu, caller) : inside_of(paths, task, caller);
}

/* Returns the node below which the call stands, or -ENOMEM. */
static inline int64_t parent_of(struct paths *paths, struct call_task *task, struct call_frame *frame)
{
	struct call_frame *caller = call_caller(task, frame);
	const uint32_t node = caller ? mine_of(paths, caller)->node : 0;

	if (unlikely(!node || call_of(paths, frame)->irq || caller->gap))
		return find_parent(paths, task, frame);
	return paths->opt.flat ? beside(paths, task, frame->cpu, caller) : node;
}

/* Does what paths_outer() does. In most cases no call of the function is open, and this is found out fast. */
static inline struct call_frame *find_outer(const struct paths *paths, const struct call_task *task, struct call_frame *caller, uint32_t node)
{
	const struct callgraph_node *nodes = paths->graph->nodes.at;
	const uint32_t repeated = strv_some(paths->opt.callers_of) ? nodes[node].parent : node;

	if (likely(paths->opt.flat ? !nodes[node].open : !(nodes[repeated].flags & CALLGRAPH_RECURSIVE)))
		return NULL;
	return paths_outer(paths, task, caller, node);
}

/*
 * Returns the node of a function below @parent in a flat tree. In most cases it is the node of the function's last call. Returns -ENOMEM when memory runs
 * out.
 */
static inline int64_t flat_child(struct paths *paths, const struct call_task *task, uint8_t source, uint64_t func, uint32_t parent)
{
	const int64_t found = name_of(paths, task, source, func);
	const uint32_t name = (uint32_t)found;
	struct paths_name *recent = recent_of(paths, func);
	const struct callgraph_node *last = &paths->graph->nodes.at[recent->node];
	int64_t node;

	if (unlikely(found < 0))
		return found;
	if (likely(last->name == name && last->parent == parent && name != CALLGRAPH_UNKNOWN_NAME))
		return recent->node;
	node = callgraph_child(paths->graph, parent, name);
	if (node > 0)
		recent->node = (uint32_t)node;
	return node;
}

/*
 * Returns the node of a function below @parent in a tree of paths. This is called if callgraph_known_child() has not found it. If @parent is on the last
 * level, the node is beside @parent, and the function may be open there more than once. Returns -ENOMEM when memory runs out.
 */
static int64_t find_child(struct paths *paths, const struct call_task *task, uint8_t source, uint64_t func, uint32_t parent)
{
	const struct callgraph_node *above = &paths->graph->nodes.at[parent];
	const bool too_deep = above->depth >= PATHS_LEVELS;
	const uint32_t below = too_deep ? above->parent : parent;
	int64_t name = name_of(paths, task, source, func);
	int64_t node = name < 0 ? name : callgraph_child(paths->graph, below, (uint32_t)name);

	if (node > 0 && too_deep && paths->graph->nodes.at[node].open)
		paths->graph->nodes.at[node].flags |= CALLGRAPH_RECURSIVE;
	if (node > 0)
		callgraph_note_child(paths->graph, (uint32_t)node, func, where_of(task, source));
	return node;
}

/*
 * Returns the node of a function below @parent. @func must not be 0. Returns -ENOMEM when memory runs out. It is inlined, because saving and restoring
 * registers would take as long as finding the node in the frequent case.
 */
static inline __attribute__((always_inline)) int64_t child_of(struct paths *paths, const struct call_task *task, uint8_t source, uint64_t func, uint32_t parent)
{
	int64_t node;

	if (paths->opt.flat)
		return flat_child(paths, task, source, func, parent);
	node = callgraph_known_child(paths->graph, parent, func, where_of(task, source));
	if (unlikely(!node))
		return find_child(paths, task, source, func, parent);
	/* The call after this one is probably of the sibling .after. There are more nodes than the caches of a core hold, so it is fetched now. */
	__builtin_prefetch(&paths->graph->nodes.at[paths->graph->nodes.at[node].after]);
	return node;
}

/* Returns the node below @parent of a call whose function is not known, or -ENOMEM. */
static int64_t nameless_child(struct paths *paths, const struct call_task *task, uint32_t parent)
{
	return paths->opt.flat ? callgraph_child(paths->graph, parent, CALLGRAPH_UNKNOWN_NAME) : unknown_of(paths, task, parent);
}

/* Finds the node of a call that is wanted, and notes it in the frame. Returns 0 or -ENOMEM. */
static inline int find_node(struct paths *paths, struct call_task *task, struct call_frame *frame)
{
	int64_t node = parent_of(paths, task, frame);

	if (node >= 0)
		node = likely(frame->func) ? child_of(paths, task, frame->source, frame->func, (uint32_t)node) : nameless_child(paths, task, (uint32_t)node);
	if (node < 0 || (unlikely(paths->orphan) && drop_orphan(paths)))
		return -ENOMEM;
	mine_of(paths, frame)->node = (uint32_t)node;
	/* The first callee is probably .hot, so its node is fetched now. */
	__builtin_prefetch(&paths->graph->nodes.at[paths->graph->nodes.at[node].hot]);
	return 0;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec)
{
	struct paths *paths = ctx;

	if (!wants(paths, task))
		return 0;
	if (find_node(paths, task, frame))
		return -ENOMEM;
	callgraph_begin(paths->graph, mine_of(paths, frame)->node);
	return 0;
}

/* Adds the times of a complete call to its node. Returns 0 or -ENOMEM. */
static inline int add_complete(struct paths *paths, struct call_task *task, struct call_frame *frame, const struct timed_call *call)
{
	const uint32_t node = mine_of(paths, frame)->node;
	struct call_frame *outer = find_outer(paths, task, caller_in_tree(paths, task, frame), node);
	int err = unlikely(outer) ? paths_nest(paths, outer, node, call->times.total) : 0;

	err = err ? err : callgraph_add(paths->graph, node, &call->times);
	return unlikely(timed_is_async(task)) && !err ? callgraph_unplaced(paths->graph, node) : err;
}

/*
 * Counts a call that is cut. Totals of inner calls may have been counted as parts of its total, which turns out to be unknown. They now become parts of the
 * total of a call further out, or outermost themselves. Returns 0 or -ENOMEM.
 */
static int add_cut(struct paths *paths, struct call_task *task, struct call_frame *frame, uint32_t node)
{
	const uint64_t nested = mine_of(paths, frame)->nested;
	struct call_frame *outer = nested ? find_outer(paths, task, caller_in_tree(paths, task, frame), node) : NULL;

	if (outer)
		mine_of(paths, outer)->nested += nested;
	else if (nested && callgraph_nest(paths->graph, node, -nested))
		return -ENOMEM;
	return callgraph_cut(paths->graph, node, call_of(paths, frame)->at_least, call_of(paths, frame)->timeless);
}

static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec, __unused const struct call_end *end)
{
	struct paths *paths = ctx;

	if (!wants(paths, task))
		return 0;
	return find_node(paths, task, frame) ? -ENOMEM : add_complete(paths, task, frame, call_of(paths, frame));
}

/* Takes in a leaf call that has no frame. Its caller was not open before a gap and runs in the same context. */
static int on_brief(void *ctx, struct call_task *task, struct call_frame *caller, const struct call_brief *call)
{
	struct paths *paths = ctx;
	struct call_frame *outer;
	int64_t node;

	if (!wants(paths, task))
		return 0;
	node = mine_of(paths, caller)->node;
	if (unlikely(!node))
		node = paths_task_owner(paths, task, call->cpu);
	else if (paths->opt.flat)
		node = beside(paths, task, call->cpu, caller);
	if (node >= 0)
		node = child_of(paths, task, CALL_SOURCE_GRAPH, call->func, (uint32_t)node);
	if (node < 0 || (unlikely(paths->orphan) && drop_orphan(paths)))
		return -ENOMEM;
	outer = find_outer(paths, task, caller, (uint32_t)node);
	if (unlikely(outer) && paths_nest(paths, outer, (uint32_t)node, call->duration))
		return -ENOMEM;
	return callgraph_add_own(paths->graph, (uint32_t)node, call->duration);
}

/* Returns the node of a call whose function has become known by its exit, or -ENOMEM. */
static int64_t resolve(struct paths *paths, const struct call_task *task, struct call_frame *frame, uint32_t node)
{
	int64_t name = paths_name(paths, task, frame), owner = paths->graph->nodes.at[node].parent;

	if (name < 0)
		return name;
	if (!paths->opt.flat)
		return paths_name_node(paths, task, frame, node, (uint32_t)name);
	/* The exit may also have told that the call ran in an interrupt. */
	if (frame->irq && !(paths->graph->nodes.at[owner].flags & CALLGRAPH_IRQ))
		owner = paths_irq_owner(paths, frame->cpu);
	return owner < 0 ? owner : callgraph_child(paths->graph, (uint32_t)owner, (uint32_t)name);
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct paths *paths = ctx;
	const struct timed_call *call = call_of(paths, frame);
	int64_t node = mine_of(paths, frame)->node;

	if (unlikely(paths->orphan) && drop_orphan(paths))
		return -ENOMEM;
	if (!node)
		return 0;
	if (unlikely(mine_of(paths, frame)->inside) && leave_inside(paths, task, frame, end))
		return -ENOMEM;
	callgraph_end(paths->graph, (uint32_t)node);
	if (unlikely(call->cut)) {
		if (frame->cut & CALL_NO_ENTRY)
			node = resolve(paths, task, frame, (uint32_t)node);
		return node < 0 ? (int)node : add_cut(paths, task, frame, (uint32_t)node);
	}
	return add_complete(paths, task, frame, call);
}

static const struct calls_ops ops = { .enter = on_enter, .leaf = on_leaf, .brief = on_brief, .leave = on_leave };

int paths_new(struct paths **out, struct calls *calls, const inputs_t *inputs, const struct paths_options *opt)
{
	struct paths *paths = calloc(1, sizeof(*paths));
	int err = paths ? 0 : -ENOMEM;

	if (err)
		return err;
	*paths = (struct paths){
		.opt = *opt,
		.inputs = inputs,
		.user = { .ops = &ops, .ctx = paths, .frame_size = sizeof(struct paths_frame), .task_size = sizeof(struct paths_task), .late = true },
		.recent = calloc(RECENT, sizeof(struct paths_name)),
	};
	err = paths->recent ? timed_new(&paths->timed, calls, inputs) : -ENOMEM;
	if (!err)
		paths->timed_user = timed_user(paths->timed);
	err = err ? err : callgraph_new(&paths->graph, &opt->graph);
	err = err ? err : calls_add(calls, &paths->user);
	if (err)
		paths_free(paths);
	else
		*out = paths;
	return err;
}

void paths_free(struct paths *paths)
{
	if (!paths)
		return;
	timed_free(paths->timed);
	callgraph_free(paths->graph);
	vec_fini(&paths->names);
	vec_fini(&paths->files);
	vec_fini(&paths->irq_owners);
	keys_fini(&paths->name_keys);
	free(paths->recent);
	free(paths);
}

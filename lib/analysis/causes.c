/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/causes-inside.h"
#include "lib/analysis/call-source.h"
#include "lib/analysis/cause-facts.h"
#include "lib/analysis/cause-held.h"
#include "lib/analysis/cause-keep.h"
#include "lib/analysis/vcpus.h"
#include "lib/base/parse.h"

/* At most this many different paths are kept. All further paths below a caller become one path. */
enum { MOST_PATHS = 65536 };

/* --- names and paths ---------------------------------------------------------------------------------------------------- */

static int64_t name_of(struct causes *causes, const struct call_task *task, const struct call_frame *frame)
{
	int64_t i = keys_index(&causes->name_keys, (struct key){ frame->func, task->file, frame->source }), found;
	struct cause_name name = { 0 };
	char buf[CALL_NAME];
	const char *text;

	if (i < 0 || i < (int64_t)causes->names.n)
		return i;
	text = call_name(task->trace, frame->source, frame->func, buf, NULL);
	found = callgraph_name(causes->graph, text, SIZE_MAX);
	name.name = (uint32_t)MAX(found, (int64_t)0);
	vec_each (causes->opt.globs, glob)
		name.wanted |= causes->opt.exact ? strcmp(*glob, text) == 0 : glob_match(*glob, text);
	return found < 0 || vec_push(&causes->names, name) ? -ENOMEM : i;
}

/* Returns the node with this name below @parent, and makes it if needed. Returns -ENOMEM when memory runs out. */
static int64_t node_below(struct causes *causes, uint32_t parent, uint32_t name)
{
	int64_t node;

	if (causes->graph->nodes.n >= MOST_PATHS) {
		node = callgraph_name(causes->graph, "[other]", SIZE_MAX);
		if (node < 0)
			return node;
		name = (uint32_t)node;
		causes->folded = true;
		/* Everything below the node "[other]" is counted at this node. */
		if (parent && causes->graph->nodes.at[parent].name == name)
			return parent;
	}
	node = callgraph_child(causes->graph, parent, name);
	while (node > 0 && causes->typical.n <= (size_t)node)
		if (vec_push(&causes->typical, (struct cause_typical){ 0 }))
			return -ENOMEM;
	return node;
}

/* --- a call that was asked for ------------------------------------------------------------------------------------------ */

static bool is_wanted(struct causes *causes, struct call_task *task)
{
	struct causes_task *mine = call_task_of(&causes->user, task);

	if (!mine->looked)
		mine->wanted = !causes->opt.select || select_task(causes->opt.select, comms_find(task->trace->comms, task->pid), task->pid);
	mine->looked = true;
	return mine->wanted;
}

/* Returns an empty call, or NULL when memory runs out. It reuses a call that is no longer needed, if there is one. */
static struct cause_call *call_new(struct causes *causes)
{
	struct cause_call *call, empty = { 0 };

	if (!causes->spare.n)
		return calloc(1, sizeof(*call));
	call = causes->spare.at[--causes->spare.n];
	empty.nodes = call->nodes;
	empty.facts = call->facts;
	empty.nodes.n = empty.facts.n = 0;
	*call = empty;
	return call;
}

static int64_t root_of(struct causes *causes, uint32_t node, const struct call_frame *frame)
{
	for (size_t i = 0; i < causes->roots.n; i++)
		if (causes->roots.at[i].node == node)
			return (int64_t)i;
	if (vec_push(&causes->roots, (struct cause_root){ .node = node,
							  .named = frame->source == call_source_index(&call_source_graph) ||
								   frame->source == call_source_index(&call_source_syscalls) }))
		return -ENOMEM;
	return (int64_t)causes->roots.n - 1;
}

/*
 * Returns the index of the call's sums for a node, and makes them if needed. If no other call was open at the same time, .index of the node is enough.
 * Otherwise this may have to search. Returns -ENOMEM when memory runs out.
 */
static int64_t index_of(struct causes *causes, struct cause_call *call, uint32_t node, uint32_t parent)
{
	struct cause_typical *typical = &causes->typical.at[node];
	size_t i = call->nodes.n;

	if (typical->asked == call->serial)
		return typical->index;
	if (call->serial <= causes->shared)
		for (i = parent; i < call->nodes.n && call->nodes.at[i].node != node;)
			i++;
	if (i == call->nodes.n && vec_push(&call->nodes, (struct cause_node){ .node = node, .caller = parent }))
		return -ENOMEM;
	typical->asked = call->serial;
	typical->index = (uint32_t)i;
	return (int64_t)i;
}

static int begin_call(struct causes *causes, struct call_task *task, struct call_frame *frame, uint32_t name)
{
	struct causes_task *mine = call_task_of(&causes->user, task);
	int64_t owner = callgraph_owner(causes->graph, CALLGRAPH_UNKNOWN_NAME, 0);
	int64_t node = owner < 0 ? owner : node_below(causes, (uint32_t)owner, name);
	int64_t root = node < 0 ? node : root_of(causes, (uint32_t)node, frame);
	struct cause_call *call = root < 0 ? NULL : call_new(causes);

	if (!call)
		return -ENOMEM;
	mine->open = call;
	call->serial = ++causes->serial;
	if (causes->open++)
		causes->shared = call->serial;
	call->file = task->file;
	call->cpu = frame->cpu;
	call->aside = !timed_depends(task);
	call->unplaced = timed_is_async(task);
	call->placed = task->aside;
	if (call->aside)
		call->device = devices_issued(causes->devices, task->file, frame->ns);
	call->person = timed_person_of(causes->timed, task);
	call->ns = frame->ns;
	call->ts = frame->ts;
	call->root = (uint32_t)root;
	causes_frame_of(causes, frame)->node = (uint32_t)node;
	causes_frame_of(causes, frame)->index = 0;
	return vec_push(&call->nodes, (struct cause_node){ .node = (uint32_t)node }) ? -ENOMEM : 0;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec)
{
	struct causes *causes = ctx;
	struct causes_task *mine = call_task_of(&causes->user, task);
	struct call_frame *caller = call_caller(task, frame);
	const struct causes_frame *above = caller ? causes_frame_of(causes, caller) : NULL;
	const bool below = mine->open && above && above->node;
	int64_t i = frame->func ? name_of(causes, task, frame) : -1, node, index;

	if (i < 0 && frame->func)
		return -ENOMEM;
	causes->graphed |= frame->irq && frame->source == CALL_SOURCE_GRAPH;
	if (!below)
		return !mine->open && i >= 0 && causes->names.at[i].wanted && is_wanted(causes, task) &&
				       (task->at_end || calls_chosen(causes->calls, frame->cpu))
			       ? begin_call(causes, task, frame, causes->names.at[i].name)
			       : 0;
	if (timed_call_of(causes->timed, frame)->irq)
		return 0;
	node = node_below(causes, above->node, i < 0 ? CALLGRAPH_UNKNOWN_NAME : causes->names.at[i].name);
	index = node < 0 ? node : index_of(causes, mine->open, (uint32_t)node, above->index);
	if (index < 0)
		return (int)index;
	mine->open->recursive |= causes->graph->nodes.at[node].name == causes->graph->nodes.at[causes->roots.at[mine->open->root].node].name;
	*causes_frame_of(causes, frame) = (struct causes_frame){ .node = (uint32_t)node, .index = (uint32_t)index };
	return 0;
}

/* --- its end -------------------------------------------------------------------------------------------------------------- */

static void add_times(struct cause_node *node, const struct call_times *times)
{
	node->ns[PART_SELF] += times->self;
	node->ns[PART_IRQ] += times->irq;
	node->ns[PART_BLOCKED] += times->blocked;
	node->ns[PART_QUEUED] += times->queued;
	node->ns[PART_PREEMPTED] += times->preempted;
	node->ns[PART_OFF] += times->off - times->blocked - times->queued - times->preempted;
}

static int end_call(struct causes *causes, struct causes_task *mine, const struct call_frame *frame, const struct timed_call *timed)
{
	struct cause_call *call = mine->open;

	mine->open = NULL;
	mine->lock_since = 0;
	causes->open--;
	/* If the call belongs to the CPU on which it ends (call_task.at_end), that CPU is known only now. */
	call->cpu = frame->cpu;
	if (!calls_chosen(causes->calls, frame->cpu))
		return cause_spare(causes, call);
	if (timed->cut) {
		causes->roots.at[call->root].cut += !timed->timeless;
		causes->roots.at[call->root].timeless += timed->timeless;
		return cause_spare(causes, call);
	}
	call->total = call->nodes.at[0].total;
	call->unseen = (uint8_t)vcpus_unseen(causes->vcpus, call->file, call->ns);
	return cause_keep(causes, call);
}

/*
 * Is called when a call ends. If it is the outermost function of an interrupt on top of the open call, adds a fact about the interrupt. The time of handlers
 * that have events of their own is left out, because it has been added already. The time off the CPU is left out, too. Returns 0 or -errno.
 */
static int end_interrupt(struct causes *causes, struct call_task *task, const struct call_frame *frame, const struct timed_call *call)
{
	struct causes_task *mine = call_task_of(&causes->user, task);
	uint64_t told = mine->handlers + call->away;
	char buf[CALL_NAME];

	mine->handlers = 0;
	if (!call->irq || call->told || call->cut || call->times.total <= told)
		return 0;
	return cause_fact_irq(causes, mine->open, call_name(task->trace, frame->source, frame->func, buf, NULL), call->times.total - told);
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct causes *causes = ctx;
	struct causes_task *mine = call_task_of(&causes->user, task);
	const struct timed_call *call = timed_call_of(causes->timed, frame);
	const struct causes_frame *at = causes_frame_of(causes, frame);
	struct call_frame *caller = call_caller(task, frame);

	if (!mine->open)
		return 0;
	if (!at->node)
		return caller && causes_frame_of(causes, caller)->node ? end_interrupt(causes, task, frame, call) : 0;
	if (!call->cut) {
		struct cause_node *node = &mine->open->nodes.at[at->index];

		node->calls++;
		node->total += call->times.total;
		add_times(node, &call->times);
	}
	if (!call->cut && mine->open->aside && end->rec && cause_fact_device(causes, mine->open, end->rec, call->times.total))
		return -ENOMEM;
	if (at->index == 0 && !call->cut && !task->aside && end->rec &&
	    cause_held_running(causes, mine->open, end->rec->cpu, mine->open->ns + call->times.total))
		return -ENOMEM;
	return at->index == 0 ? end_call(causes, mine, frame, call) : 0;
}

static void on_gone(void *ctx, struct call_task *task)
{
	struct causes *causes = ctx;
	struct causes_task *mine = call_task_of(&causes->user, task);

	cause_call_free(mine->open);
	mine->open = NULL;
}

static const struct calls_ops ops = { .enter = on_enter, .leave = on_leave, .other = causes_other, .gone = on_gone };

/* --- its life ------------------------------------------------------------------------------------------------------------- */

/*
 * Makes what the analysis needs to know: the times of calls and what happened meanwhile. If there is another analysis beside this one, shares what that one
 * has. Returns 0 or -errno.
 */
static int find_out(struct causes *causes)
{
	const struct causes *beside = causes->opt.beside;
	int err;

	if (beside) {
		causes->timed = beside->timed;
		causes->meanwhile = beside->meanwhile;
		causes->devices = beside->devices;
		causes->vcpus = beside->vcpus;
		return 0;
	}
	err = timed_new(&causes->timed, causes->calls, causes->inputs);
	err = err ? err : meanwhile_new(&causes->meanwhile, causes->inputs, causes->timed);
	err = err ? err : devices_new(&causes->devices, causes->inputs);
	return err ? err : vcpus_new(&causes->vcpus, causes->inputs, causes->opt.vcpus, causes->timed, causes->meanwhile);
}

int causes_new(struct causes **out, struct calls *calls, const inputs_t *inputs, const struct causes_options *opt)
{
	struct causes *causes = calloc(1, sizeof(*causes));
	int err = causes ? 0 : -ENOMEM;

	if (err)
		return err;
	*causes = (struct causes){
		.opt = *opt,
		.inputs = inputs,
		.calls = calls,
		.user = { .ops = &ops, .ctx = causes, .frame_size = sizeof(struct causes_frame), .task_size = sizeof(struct causes_task), .all_cpus = true },
		.watch = { .switched = causes_switched, .woken = causes_woken, .handler = causes_handler, .lost = causes_lost, .ctx = causes },
	};
	vec_each (inputs, input) {
		struct cause_events events;

		causes_find_events(&events, input->trace);
		err = err ? err : vec_push(&causes->events, events);
	}
	err = err ? err : find_out(causes);
	err = err ? err : callgraph_new(&causes->graph, &(struct callgraph_options){ 0 });
	err = err ? err : calls_add(calls, &causes->user);
	if (err) {
		causes_free(causes);
		return err;
	}
	if (opt->beside) {
		causes->next = opt->beside->next;
		opt->beside->next = causes;
	} else {
		timed_watch(causes->timed, &causes->watch);
	}
	*out = causes;
	return 0;
}

static void calls_fini(cause_calls_t *calls)
{
	vec_each (calls, call)
		cause_call_free(*call);
	vec_fini(calls);
}

void causes_free(struct causes *causes)
{
	if (!causes)
		return;
	calls_fini(&causes->kept);
	calls_fini(&causes->spare);
	vec_each (&causes->typical, typical) {
		quantiles_fini(&typical->calls);
		quantiles_fini(&typical->total);
		quantiles_fini(&typical->self);
	}
	vec_each (&causes->roots, root) {
		quantiles_fini(&root->total);
		for (unsigned int part = 0; part < PARTS; part++)
			quantiles_fini(&root->parts[part]);
	}
	vec_fini(&causes->typical);
	vec_fini(&causes->roots);
	vec_fini(&causes->names);
	vec_fini(&causes->events);
	keys_fini(&causes->name_keys);
	callgraph_free(causes->graph);
	if (!causes->opt.beside) {
		vcpus_free(causes->vcpus);
		devices_free(causes->devices);
		meanwhile_free(causes->meanwhile);
		timed_free(causes->timed);
	}
	free(causes);
}

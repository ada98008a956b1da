/* SPDX-License-Identifier: GPL-2.0 */
/* Keeps the figures of the nodes of lib/analysis/callgraph.h. A node takes no more memory for them than its calls need. */
#include "lib/analysis/callgraph-fold.h"

/*
 * This bit in callgraph_late_call.sums says that the element is not a call, but a merge. The sums with the number .total are to be merged into the sums
 * whose number is in the other bits.
 */
#define LATE_MERGE (1U << 31)

/* --- on another thread -------------------------------------------------------------------------------------------------- */

/* Adds @total to @calls. Adds to *@bytes how much more memory @calls takes then. Returns 0 or -ENOMEM. */
static inline int add_total(struct quantiles *calls, uint64_t total, int64_t *bytes)
{
	const uint16_t len = calls->len;
	const uint64_t n = calls->n;
	int err = quantiles_add(calls, total);

	/* The memory of a distribution depends only on .n and .len. A list of values grows only when .n is a power of two. */
	if (likely(len == calls->len && (len || n & (n - 1))) || err)
		return err;
	*bytes += (int64_t)quantiles_bytes(calls) - (int64_t)quantiles_bytes(&(struct quantiles){ .n = n, .len = len });
	return 0;
}

/*
 * Merges the distribution and the self time of the sums @from into the sums @to. Afterwards, @from has no memory of its own and can be used again. Adds
 * the change in memory to *@bytes. Returns 0 or -ENOMEM.
 */
static int merge_calls(const struct callgraph *graph, uint32_t from, uint32_t to, int64_t *bytes)
{
	struct callgraph_sums *more = &graph->sums.at[from], *sums = &graph->sums.at[to];
	const size_t before = quantiles_bytes(&sums->calls);
	int err = quantiles_merge(&sums->calls, &more->calls);

	*bytes += (int64_t)quantiles_bytes(&sums->calls) - (int64_t)(before + quantiles_bytes(&more->calls) + sizeof(*more));
	sums->self += more->self;
	quantiles_fini(&more->calls);
	*more = (struct callgraph_sums){ 0 };
	return err;
}

static int merge_late(struct callgraph_late *late, const struct callgraph_late_call *call)
{
	const uint32_t from = (uint32_t)call->total;
	int err = merge_calls(late->graph, from, call->sums & ~LATE_MERGE, &late->bytes);

	late->graph->sums.at[from].paths = late->merged;
	late->merged = from;
	if (!late->merged_first)
		late->merged_first = from;
	return err;
}

static void add_late(struct job *job)
{
	struct callgraph_late *late = container_of(job, struct callgraph_late, job);

	for (uint32_t i = 0; !late->err && i < late->n; i++) {
		const struct callgraph_late_call *call = &late->calls[i];
		struct callgraph_sums *sums = &late->graph->sums.at[call->sums & ~LATE_MERGE];

		if (unlikely(call->sums & LATE_MERGE)) {
			late->err = merge_late(late, call);
			continue;
		}
		late->err = add_total(&sums->calls, call->total, &late->bytes);
		sums->self += call->self;
	}
	late->n = 0;
}

/* Takes over the results of add_late(): the change in memory, and the sums that are free now. Returns 0 or -ENOMEM. */
static int added(struct callgraph *graph, struct callgraph_late *late)
{
	graph->bytes = (size_t)((int64_t)graph->bytes + late->bytes);
	late->bytes = 0;
	if (late->merged) {
		graph->sums.at[late->merged_first].paths = graph->free_sums;
		graph->free_sums = late->merged;
		late->merged = late->merged_first = 0;
	}
	return late->err;
}

/* Waits until the pool has added the calls that it was given. Returns 0 or -ENOMEM. */
static int wait_late(struct callgraph *graph)
{
	if (!graph->adding)
		return 0;
	pool_wait(graph->pool, &graph->late[1]->job);
	graph->adding = false;
	return added(graph, graph->late[1]);
}

static int submit_late(struct callgraph *graph)
{
	struct callgraph_late *full = graph->late[0];
	int err = wait_late(graph);

	graph->late[0] = graph->late[1];
	graph->late[1] = full;
	pool_submit(graph->pool, &full->job);
	graph->adding = true;
	return err;
}

int callgraph_late(struct callgraph *graph, struct pool *pool)
{
	for (size_t i = 0; i < ARRAY_LEN(graph->late); i++) {
		graph->late[i] = calloc(1, sizeof(*graph->late[i]));
		if (!graph->late[i])
			return -ENOMEM;
		graph->late[i]->job.run = add_late;
		graph->late[i]->graph = graph;
	}
	graph->pool = pool;
	return 0;
}

int callgraph_settle(struct callgraph *graph)
{
	int err = wait_late(graph);

	if (!graph->pool || !graph->late[0]->n || err)
		return err;
	add_late(&graph->late[0]->job);
	return added(graph, graph->late[0]);
}

/* --- the sums of a node --------------------------------------------------------------------------------------------------- */

static void drop_parts(struct callgraph *graph, struct callgraph_sums *sums)
{
	if (!sums->parts)
		return;
	graph->bytes -= sizeof(struct callgraph_parts);
	graph->parts.at[sums->parts] = (struct callgraph_parts){ .nested = graph->free_parts };
	graph->free_parts = sums->parts;
	sums->parts = 0;
}

void callgraph_drop_sums(struct callgraph *graph, uint32_t at)
{
	struct callgraph_sums *sums = &graph->sums.at[at];

	graph->bytes -= sizeof(*sums) + quantiles_bytes(&sums->calls);
	drop_parts(graph, sums);
	quantiles_fini(&sums->calls);
	*sums = (struct callgraph_sums){ .paths = graph->free_sums };
	graph->free_sums = at;
}

static struct callgraph_sums *new_sums(struct callgraph *graph, struct callgraph_node *node)
{
	struct callgraph_sums now = { 0 };
	uint32_t i = graph->free_sums;

	/* vec_push() below may move the array .sums, which the pool is using. */
	if (!i && graph->adding && graph->sums.n == graph->sums.cap && wait_late(graph))
		return NULL;
	if (node->called) {
		now.calls = quantiles_of_one(node->total);
		now.self = node->self;
	}
	if (i) {
		graph->free_sums = graph->sums.at[i].paths;
		graph->sums.at[i] = now;
	} else {
		if (graph->sums.n >= LATE_MERGE || vec_push(&graph->sums, now))
			return NULL;
		i = (uint32_t)graph->sums.n - 1;
	}
	graph->bytes += sizeof(now);
	node->sums = i;
	return &graph->sums.at[i];
}

/* Returns the sums of the node @at, and makes them if it has none yet. Returns NULL when memory runs out. */
static inline struct callgraph_sums *sums_of(struct callgraph *graph, uint32_t at)
{
	struct callgraph_node *node = &graph->nodes.at[at];

	return likely(node->sums) ? &graph->sums.at[node->sums] : new_sums(graph, node);
}

/* Returns the parts of @sums, and makes them if it has none yet. Returns NULL when memory runs out. */
static struct callgraph_parts *parts_of(struct callgraph *graph, struct callgraph_sums *sums)
{
	uint32_t i = graph->free_parts;

	if (sums->parts)
		return &graph->parts.at[sums->parts];
	if (i) {
		graph->free_parts = (uint32_t)graph->parts.at[i].nested;
		graph->parts.at[i].nested = 0;
	} else {
		if (graph->parts.n >= UINT32_MAX || vec_push(&graph->parts, (struct callgraph_parts){ 0 }))
			return NULL;
		i = (uint32_t)graph->parts.n - 1;
	}
	graph->bytes += sizeof(struct callgraph_parts);
	sums->parts = i;
	return &graph->parts.at[i];
}

/* Adds the times of one complete call to @sums. If callgraph_late() was called, the pool will add them later. Returns 0 or -ENOMEM. */
static inline int add_calls(struct callgraph *graph, struct callgraph_sums *sums, const struct call_times *times)
{
	struct callgraph_late *late = graph->late[0];
	int64_t bytes = 0;
	int err;

	if (late) {
		late->calls[late->n++] = (struct callgraph_late_call){ .total = times->total, .sums = (uint32_t)(sums - graph->sums.at), .self = times->self };
		return unlikely(late->n == ARRAY_LEN(late->calls)) ? submit_late(graph) : 0;
	}
	err = add_total(&sums->calls, times->total, &bytes);
	sums->self += times->self;
	graph->bytes = (size_t)((int64_t)graph->bytes + bytes);
	return err;
}

static int add_to_sums(struct callgraph *graph, uint32_t at, const struct call_times *times)
{
	struct callgraph_sums *sums = sums_of(graph, at);
	struct callgraph_parts *parts;
	int err = sums ? add_calls(graph, sums, times) : -ENOMEM;

	if (likely(!(times->off | times->irq)) || err)
		return err;
	parts = parts_of(graph, sums);
	if (!parts)
		return -ENOMEM;
	parts->irq += times->irq;
	parts->off += times->off;
	parts->blocked += times->blocked;
	parts->preempted += times->preempted;
	parts->queued += times->queued;
	parts->guessed += times->guessed;
	return 0;
}

int callgraph_add_slow(struct callgraph *graph, uint32_t at, const struct call_times *times)
{
	struct callgraph_node *node = &graph->nodes.at[at];
	int err = 0;

	if (!node->sums && !node->called && !(times->off | times->irq)) {
		node->called = true;
		node->total = times->total;
		node->self = times->self;
	} else {
		err = add_to_sums(graph, at, times);
	}
	if (likely(graph->bytes <= graph->fold_at) || err)
		return err;
	/* The caller goes on to use this node, so it must not be folded. */
	node->open++;
	err = callgraph_fold(graph);
	graph->nodes.at[at].open--;
	return err;
}

/* Returns the parts of the node @at, and makes its sums and parts if it has none yet. Returns NULL when memory runs out. */
static struct callgraph_parts *parts_at(struct callgraph *graph, uint32_t at)
{
	struct callgraph_sums *sums = sums_of(graph, at);

	return sums ? parts_of(graph, sums) : NULL;
}

int callgraph_nest(struct callgraph *graph, uint32_t at, uint64_t ns)
{
	struct callgraph_parts *parts = parts_at(graph, at);

	if (!parts)
		return -ENOMEM;
	parts->nested += ns;
	return 0;
}

int callgraph_cut(struct callgraph *graph, uint32_t at, uint64_t at_least_ns, bool timeless)
{
	struct callgraph_parts *parts = parts_at(graph, at);

	if (!parts)
		return -ENOMEM;
	parts->cut += !timeless;
	parts->timeless += timeless;
	parts->at_least += at_least_ns;
	return 0;
}

int callgraph_unplaced(struct callgraph *graph, uint32_t at)
{
	struct callgraph_parts *parts = parts_at(graph, at);

	if (!parts)
		return -ENOMEM;
	parts->unplaced++;
	return 0;
}

/* Adds those figures of @more that are kept in a struct callgraph_parts to the parts of @sums. Returns 0 or -ENOMEM. */
static int add_parts(struct callgraph *graph, struct callgraph_sums *sums, const struct callgraph_figures *more)
{
	struct callgraph_parts *parts;

	if (!(more->irq | more->off | more->cut | more->timeless | more->nested | more->unplaced))
		return 0;
	parts = parts_of(graph, sums);
	if (!parts)
		return -ENOMEM;
	parts->irq += more->irq;
	parts->off += more->off;
	parts->blocked += more->blocked;
	parts->preempted += more->preempted;
	parts->queued += more->queued;
	parts->guessed += more->guessed;
	parts->cut += more->cut;
	parts->timeless += more->timeless;
	parts->at_least += more->at_least;
	parts->nested += more->nested;
	parts->unplaced += more->unplaced;
	return 0;
}

static void add_paths(struct callgraph_sums *sums, uint64_t paths)
{
	sums->paths += (uint32_t)MIN(paths, (uint64_t)UINT32_MAX - sums->paths);
}

int callgraph_add_figures(struct callgraph *graph, uint32_t at, const struct callgraph_figures *more)
{
	struct callgraph_sums *sums;
	size_t before;
	int err;

	if (!(more->calls.n | more->cut | more->timeless | more->paths))
		return 0;
	sums = sums_of(graph, at);
	if (!sums)
		return -ENOMEM;
	before = quantiles_bytes(&sums->calls);
	err = quantiles_merge(&sums->calls, &more->calls);
	graph->bytes += quantiles_bytes(&sums->calls) - before;
	sums->self += more->self;
	add_paths(sums, more->paths);
	return err ? err : add_parts(graph, sums, more);
}

/* Adds the only call of the node @from, which has no sums, to the calls of the node @to. Returns 0 or -ENOMEM. */
static int move_call(struct callgraph *graph, const struct callgraph_node *from, struct callgraph_node *to)
{
	const struct call_times times = { .total = from->total, .self = from->self };
	struct callgraph_sums *sums;

	if (!to->sums && !to->called) {
		to->called = true;
		to->total = times.total;
		to->self = times.self;
		return 0;
	}
	sums = to->sums ? &graph->sums.at[to->sums] : new_sums(graph, to);
	return sums ? add_calls(graph, sums, &times) : -ENOMEM;
}

/*
 * Merges the distribution and the self time of the sums @from into the sums @to, and frees @from. If callgraph_late() was called, the pool does this
 * later, after it has added the calls that were given to it before. Returns 0 or -ENOMEM.
 */
static int merge_sums(struct callgraph *graph, uint32_t from, uint32_t to)
{
	struct callgraph_late *late = graph->late[0];
	int64_t bytes = 0;
	int err;

	if (late) {
		late->calls[late->n++] = (struct callgraph_late_call){ .total = from, .sums = to | LATE_MERGE };
		return unlikely(late->n == ARRAY_LEN(late->calls)) ? submit_late(graph) : 0;
	}
	err = merge_calls(graph, from, to, &bytes);
	graph->bytes = (size_t)((int64_t)graph->bytes + bytes);
	graph->sums.at[from].paths = graph->free_sums;
	graph->free_sums = from;
	return err;
}

int callgraph_move(struct callgraph *graph, uint32_t from_at, uint32_t to_at)
{
	struct callgraph_node *from = &graph->nodes.at[from_at], *to = &graph->nodes.at[to_at];
	const uint32_t moved = from->sums;
	struct callgraph_sums *sums = &graph->sums.at[moved];
	struct callgraph_figures parts;
	int err;

	if (!moved)
		return from->called ? move_call(graph, from, to) : 0;
	from->sums = 0;
	if (!to->sums) {
		/* @to takes over the sums of @from. The pool may still have calls to add to these sums, and will add them there. */
		to->sums = moved;
		return to->called ? add_calls(graph, sums, &(struct call_times){ .total = to->total, .self = to->self }) : 0;
	}
	/* The distribution must not be read here, because the pool may be changing it. */
	parts = callgraph_figures_of(&graph->parts.at[sums->parts]);
	err = add_parts(graph, &graph->sums.at[to->sums], &parts);
	drop_parts(graph, sums);
	add_paths(&graph->sums.at[to->sums], sums->paths);
	return err ? err : merge_sums(graph, moved, to->sums);
}

int callgraph_sum(struct callgraph_figures *to, const struct callgraph_figures *more)
{
	callgraph_sum_times(to, more);
	to->cut += more->cut;
	to->timeless += more->timeless;
	to->at_least += more->at_least;
	to->paths += more->paths;
	to->nested += more->nested;
	return quantiles_merge(&to->calls, &more->calls);
}

void callgraph_sum_times(struct callgraph_figures *to, const struct callgraph_figures *more)
{
	to->self += more->self;
	to->irq += more->irq;
	to->off += more->off;
	to->blocked += more->blocked;
	to->preempted += more->preempted;
	to->queued += more->queued;
	to->guessed += more->guessed;
	to->unplaced += more->unplaced;
}

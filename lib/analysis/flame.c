/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/analysis/flame.h"

#include <stdio.h>

const char *const flame_weights[] = {
	[FLAME_TIME] = "time", [FLAME_CPU] = "cpu", [FLAME_OFF] = "off", [FLAME_CALLS] = "calls", [FLAME_EVENTS] = "events", NULL,
};

static uint64_t weight_of(const struct callgraph_node *node, enum flame_weight by)
{
	switch (by) {
	case FLAME_TIME:
		return node->self + node->off;
	case FLAME_CPU:
		return node->self;
	case FLAME_OFF:
		return node->off;
	default:
		return node->calls.n;
	}
}

/* A frame below @parent; its index, or -ENOMEM. */
static int64_t add_frame(struct flame *flame, uint32_t parent, const char *name)
{
	struct flame_frame frame = { .name = name, .parent = parent };

	if (!name)
		return -ENOMEM;
	if (flame->frames.n)
		frame.depth = flame->frames.at[parent].depth + 1;
	return vec_push(&flame->frames, frame) ? -ENOMEM : (int64_t)flame->frames.n - 1;
}

/* A name that is made for one frame; NULL: out of memory. */
__printf(2, 3) static const char *make_name(struct flame *flame, const char *format, ...)
{
	char *text;
	va_list ap;
	int n;

	va_start(ap, format);
	n = vasprintf(&text, format, ap);
	va_end(ap);
	return n < 0 || strv_own(&flame->texts, text) ? NULL : text;
}

/* Those below a frame weigh with it. */
static void add_up(struct flame *flame)
{
	vec_each (&flame->frames, frame)
		frame->weight = frame->own;
	for (size_t i = flame->frames.n; i-- > 1;)
		flame->frames.at[flame->frames.at[i].parent].weight += flame->frames.at[i].weight;
}

int flame_of_calls(struct flame *flame, const struct callgraph *graph, enum flame_weight by, bool owners)
{
	__cleanup(free_ptr) uint32_t *frames = calloc(MAX(graph->nodes.n, (size_t)1), sizeof(*frames));
	uint32_t node = 0;

	*flame = (struct flame){ .by = by };
	if (!frames || add_frame(flame, 0, "all") < 0)
		return -ENOMEM;
	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *from = &graph->nodes.at[node];
		const bool is_owner = from->flags & CALLGRAPH_OWNER;
		const char *name = from->flags & CALLGRAPH_REST
					   ? make_name(flame, "... %llu rarer paths", (unsigned long long)from->paths)
					   : graph->names.at[from->name];
		int64_t frame;

		/* Whose the calls are stays untold, where it is all of them. */
		if (is_owner && !owners && !(from->flags & CALLGRAPH_IRQ))
			continue;
		if (is_owner && !from->first)
			continue;
		frame = add_frame(flame, frames[from->parent], name);
		if (frame < 0)
			return -ENOMEM;
		frames[node] = (uint32_t)frame;
		flame->frames.at[frame].owner = is_owner;
		if (is_owner)
			continue;
		flame->frames.at[frame].own = weight_of(from, by);
		flame->frames.at[frame].node = from;
	}
	flame->frames.at[0].owner = true;
	add_up(flame);
	return 0;
}

/* The name of a task, or none where tasks are not told apart. */
static const char *owner_name(struct flame *flame, const struct hist *hist, const struct hist_owner *owner)
{
	const char *comm = comms_find(hist->inputs->at[owner->file].trace->comms, owner->pid);

	return make_name(flame, "%s-%d", comm, owner->pid);
}

int flame_of_chains(struct flame *flame, const struct hist *hist)
{
	__cleanup(free_ptr) uint32_t *frames = calloc(MAX(hist->nodes.n, (size_t)1), sizeof(*frames));

	*flame = (struct flame){ .by = FLAME_EVENTS };
	if (!frames || add_frame(flame, 0, "all") < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < hist->nodes.n; i++) {
		const struct hist_node *node = &hist->nodes.at[i];
		const bool is_owner = node->caller == i;
		int64_t frame = 0;

		if (!is_owner)
			frame = add_frame(flame, frames[node->caller], hist->frames.at[node->frame].name);
		else if (!hist->opt.all_tasks)
			frame = add_frame(flame, 0, owner_name(flame, hist, &hist->owners.at[node->frame]));
		if (frame < 0)
			return -ENOMEM;
		frames[i] = (uint32_t)frame;
		flame->frames.at[frame].owner = is_owner;
		flame->frames.at[frame].own += node->count;
		flame->frames.at[frame].event = !is_owner && hist->frames.at[node->frame].event;
	}
	flame->frames.at[0].owner = true;
	add_up(flame);
	return 0;
}

void flame_fini(struct flame *flame)
{
	vec_fini(&flame->frames);
	strv_fini(&flame->texts);
}

static int by_place(const void *a, const void *b, void *ctx)
{
	const struct flame *flame = ctx;
	const uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
	const struct flame_frame *x = &flame->frames.at[i], *y = &flame->frames.at[k];
	int order = ORDER(x->parent, y->parent);

	order = order ? order : ORDER(y->weight, x->weight);
	order = order ? order : strcmp(x->name, y->name);
	return order ? order : ORDER(i, k);
}

uint32_t *flame_order(const struct flame *flame)
{
	uint32_t *order = calloc(flame->frames.n, sizeof(*order));

	for (size_t i = 0; order && i < flame->frames.n; i++)
		order[i] = (uint32_t)i;
	/* Frame 0 is nobody's callee and stays in front. */
	if (order && flame->frames.n > 1)
		qsort_r(order + 1, flame->frames.n - 1, sizeof(*order), by_place, (void *)flame);
	return order;
}

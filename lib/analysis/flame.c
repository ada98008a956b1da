/* SPDX-License-Identifier: GPL-2.0 */
#define _GNU_SOURCE
#include "lib/analysis/flame.h"

#include <stdio.h>

const char *const flame_weights[] = {
	[FLAME_TIME] = "time", [FLAME_CPU] = "cpu", [FLAME_OFF] = "off", [FLAME_CALLS] = "calls", [FLAME_EVENTS] = "events", [FLAME_OFF_CPU] = "off-cpu", NULL,
};

static uint64_t weight_of(const struct callgraph_figures *node, enum flame_weight by)
{
	switch (by) {
	case FLAME_TIME:
		return node->self + node->off;
	case FLAME_CPU:
		return node->self;
	case FLAME_OFF:
		return node->off;
	default:
		return node->calls.n + node->timeless;
	}
}

/* Adds a frame below @parent. Returns its index, or -ENOMEM. */
static int64_t add_frame(struct flame *flame, uint32_t parent, const char *name)
{
	struct flame_frame frame = { .name = name, .parent = parent };

	if (!name)
		return -ENOMEM;
	if (flame->frames.n)
		frame.depth = flame->frames.at[parent].depth + 1;
	return vec_push(&flame->frames, frame) ? -ENOMEM : (int64_t)flame->frames.n - 1;
}

/* Makes the name of one frame. Returns NULL when memory runs out. */
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

/* Adds the weights of the frames below each frame to its weight. */
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

	*flame = (struct flame){ .by = by, .graph = graph };
	if (!frames || add_frame(flame, 0, "all") < 0)
		return -ENOMEM;
	while (callgraph_walk(graph, 0, &node)) {
		const struct callgraph_node *from = &graph->nodes.at[node];
		const struct callgraph_figures figures = callgraph_figures(graph, from);
		const bool is_owner = from->flags & CALLGRAPH_OWNER;
		const char *name = from->flags & CALLGRAPH_REST ? make_name(flame, "... %llu rarer paths", (unsigned long long)figures.paths)
								: graph->names.at[from->name];
		int64_t frame;

		/* If owners are not wanted, the owner of ordinary calls has no frame. The owner of interrupts has one. */
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
		flame->frames.at[frame].own = weight_of(&figures, by);
		flame->frames.at[frame].node = from;
	}
	flame->frames.at[0].owner = true;
	add_up(flame);
	return 0;
}

static const char *owner_name(struct flame *flame, const inputs_t *inputs, const struct chain_owner *owner)
{
	const char *comm = comms_find(inputs->at[owner->file].trace->comms, owner->pid);

	return make_name(flame, "%s-%d", comm, owner->pid);
}

int flame_of_chains(struct flame *flame, const struct hist *hist)
{
	__cleanup(free_ptr) uint32_t *frames = calloc(MAX(hist->chains.nodes.n, (size_t)1), sizeof(*frames));

	*flame = (struct flame){ .by = FLAME_EVENTS };
	if (!frames || add_frame(flame, 0, "all") < 0)
		return -ENOMEM;
	for (uint32_t i = 0; i < hist->chains.nodes.n; i++) {
		const struct chain_node *node = &hist->chains.nodes.at[i];
		const bool is_owner = node->caller == i;
		int64_t frame = 0;

		if (!is_owner)
			frame = add_frame(flame, frames[node->caller], hist->chains.frames.at[node->frame].name);
		else if (!hist->opt.all_tasks)
			frame = add_frame(flame, 0, owner_name(flame, hist->inputs, &hist->chains.owners.at[node->frame]));
		if (frame < 0)
			return -ENOMEM;
		frames[i] = (uint32_t)frame;
		flame->frames.at[frame].owner = is_owner;
		flame->frames.at[frame].own += node->count;
		flame->frames.at[frame].event = !is_owner && hist->chains.frames.at[node->frame].event;
		flame->frames.at[frame].program = !is_owner && hist->chains.frames.at[node->frame].user;
	}
	flame->frames.at[0].owner = true;
	add_up(flame);
	return 0;
}

/* --- off the CPU ---------------------------------------------------------------------------------------------------------- */

struct states {
	struct flame *flame;
	const struct offcpu *off;
	bool owners;
	struct keys keys;      /* the keys of frames; frames of tasks that are not told apart have the same key */
	VEC(uint32_t) numbers; /* element i is the frame of key i */
	uint32_t *frames;      /* element i is the frame of node i */
	uint64_t *weights;     /* element i is the weight of node i with all nodes below it */
};

/* Returns the frame of @what below @parent, and makes it if needed. Returns -ENOMEM when memory runs out. */
static int64_t state_frame(struct states *states, uint32_t parent, uint32_t what, bool is_owner)
{
	const struct chains *chains = &states->off->chains;
	int64_t i = keys_index(&states->keys, (struct key){ parent, what, is_owner }), frame;

	if (i < (int64_t)states->numbers.n)
		return i < 0 ? i : states->numbers.at[i];
	frame = add_frame(states->flame, parent,
			  is_owner ? owner_name(states->flame, states->off->inputs, &chains->owners.at[what]) : chains->frames.at[what].name);
	if (frame < 0 || vec_push(&states->numbers, (uint32_t)frame))
		return -ENOMEM;
	states->flame->frames.at[frame].owner = is_owner;
	states->flame->frames.at[frame].program = !is_owner && chains->frames.at[what].user;
	return frame;
}

/* Adds the frames of a state below a frame for this state. Returns 0 or -ENOMEM. */
static int add_state(struct states *states, enum offcpu_state state)
{
	const struct chains *chains = &states->off->chains;
	int64_t top = add_frame(states->flame, 0, offcpu_names[state]);
	const size_t n = MIN(states->off->sums.n, chains->nodes.n);

	if (top < 0)
		return -ENOMEM;
	states->flame->frames.at[top].state = (uint8_t)(state + 1);
	for (size_t i = 0; i < chains->nodes.n; i++)
		states->weights[i] = i < n ? states->off->sums.at[i].ns[state] : 0;
	for (size_t i = chains->nodes.n; i-- > 0;)
		if (chains->nodes.at[i].caller != i)
			states->weights[chains->nodes.at[i].caller] += states->weights[i];
	for (uint32_t i = 0; i < chains->nodes.n; i++) {
		const struct chain_node *node = &chains->nodes.at[i];
		const bool is_owner = node->caller == i;
		int64_t frame = top;

		if (!states->weights[i])
			continue;
		if (!is_owner || states->owners)
			frame = state_frame(states, is_owner ? (uint32_t)top : states->frames[node->caller], node->frame, is_owner);
		if (frame < 0)
			return -ENOMEM;
		states->frames[i] = (uint32_t)frame;
		states->flame->frames.at[frame].own += i < n ? states->off->sums.at[i].ns[state] : 0;
	}
	return 0;
}

int flame_of_states(struct flame *flame, const struct offcpu *off, bool owners)
{
	const size_t n = MAX(off->chains.nodes.n, (size_t)1);
	struct states states = { .flame = flame, .off = off, .owners = owners, .frames = calloc(n, sizeof(uint32_t)), .weights = calloc(n, sizeof(uint64_t)) };
	int err = states.frames && states.weights ? 0 : -ENOMEM;

	*flame = (struct flame){ .by = FLAME_OFF_CPU };
	if (!err && add_frame(flame, 0, "all") < 0)
		err = -ENOMEM;
	for (unsigned int state = 0; !err && state < OFFCPU_STATES; state++) {
		bool any = false;

		vec_each (&off->sums, sums)
			any |= sums->ns[state] != 0;
		err = any ? add_state(&states, state) : 0;
	}
	if (!err) {
		flame->frames.at[0].owner = true;
		add_up(flame);
	}
	keys_fini(&states.keys);
	vec_fini(&states.numbers);
	free(states.frames);
	free(states.weights);
	return err;
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
	/* Frame 0 has no caller and stays at the front. */
	if (order && flame->frames.n > 1)
		qsort_r(order + 1, flame->frames.n - 1, sizeof(*order), by_place, (void *)flame);
	return order;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/callgraph.h"
#include "lib/analysis/callgraph-fold.h"
#include "lib/base/str.h"

enum { DEFAULT_BYTES = 112 << 20, FIRST_SLOTS = 256 };

/*
 * As long as a node has at most this many children, they are found by going through the list of its children. Then they are not in the hash table
 * .node_slots, which is called the index here. Where paths differ, most nodes have no more children than this, and so the index stays small.
 */
enum { FEW_CHILDREN = 4 };

/* --- names ------------------------------------------------------------------------------------------------------ */

static uint64_t hash_name(const char *name, size_t len)
{
	uint64_t a = KEY_MIX, b = len;

	for (size_t i = 0; i < len; i++)
		key_mix(&a, &b, (unsigned char)name[i]);
	return a ^ b;
}

static uint32_t *name_slot(const struct callgraph *graph, const char *name, size_t len)
{
	for (size_t i = hash_name(name, len) >> 20 & graph->name_mask;; i = (i + 1) & graph->name_mask) {
		uint32_t *slot = &graph->name_slots[i];
		const char *there = *slot ? graph->names.at[*slot - 1] : NULL;

		if (!there || (strncmp(there, name, len) == 0 && !there[len]))
			return slot;
	}
}

static int grow_names(struct callgraph *graph)
{
	size_t n = graph->name_slots ? (graph->name_mask + 1) * 2 : FIRST_SLOTS;
	uint32_t *slots = calloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	free(graph->name_slots);
	graph->name_slots = slots;
	graph->name_mask = n - 1;
	for (size_t i = 0; i < graph->names.n; i++)
		*name_slot(graph, graph->names.at[i], strlen(graph->names.at[i])) = (uint32_t)i + 1;
	return 0;
}

int64_t callgraph_name(struct callgraph *graph, const char *name, size_t len)
{
	uint32_t *slot;

	len = strnlen(name, len);
	if ((!graph->name_slots || graph->names.n * 2 >= graph->name_mask) && grow_names(graph))
		return -ENOMEM;
	slot = name_slot(graph, name, len);
	if (!*slot) {
		if (strv_own(&graph->names, strndup(name, len)))
			return -ENOMEM;
		*slot = (uint32_t)graph->names.n;
	}
	return *slot - 1;
}

int64_t callgraph_find_name(const struct callgraph *graph, const char *name)
{
	return graph->name_slots ? (int64_t)*name_slot(graph, name, strlen(name)) - 1 : -1;
}

/* --- nodes by their caller and name -------------------------------------------------------------------------------- */

static inline uint64_t hash_node(uint32_t parent, uint32_t name)
{
	return (((uint64_t)parent << 32) | name) * 0x9e3779b97f4a7c15ULL;
}

static struct callgraph_slot *node_slot(const struct callgraph *graph, uint32_t parent, uint32_t name)
{
	const uint64_t hash = hash_node(parent, name);

	for (size_t i = hash >> 32 & graph->node_mask;; i = (i + 1) & graph->node_mask) {
		struct callgraph_slot *slot = &graph->node_slots[i];
		const struct callgraph_node *node = &graph->nodes.at[slot->node];

		if (!slot->node || (slot->tag == (uint32_t)hash && node->parent == parent && node->name == name))
			return slot;
	}
}

static void put_slot(const struct callgraph *graph, uint32_t at)
{
	const struct callgraph_node *node = &graph->nodes.at[at];

	*node_slot(graph, node->parent, node->name) = (struct callgraph_slot){ at, (uint32_t)hash_node(node->parent, node->name) };
}

/*
 * Is the node in the index? A node whose function is not known yet (CALLGRAPH_UNKNOWN) is for one call only. It is never looked for by its name, so it is
 * not in the index.
 */
static bool is_indexed(const struct callgraph *graph, uint32_t at)
{
	const struct callgraph_node *node = &graph->nodes.at[at];

	return !(node->flags & (CALLGRAPH_FREE | CALLGRAPH_UNKNOWN)) && graph->nodes.at[node->parent].flags & CALLGRAPH_INDEXED;
}

int callgraph_index(struct callgraph *graph, size_t nslots)
{
	const size_t size = nslots * sizeof(struct callgraph_slot);
	/*
	 * After many nodes were removed, the index keeps its size and its memory. A look-up may touch any place in the index, so text_room() puts it into
	 * huge pages.
	 */
	struct callgraph_slot *slots = graph->node_slots && graph->node_mask + 1 == nslots ? graph->node_slots : (void *)text_room(size);

	if (!slots)
		return -ENOMEM;
	memset(slots, 0, size);
	if (slots != graph->node_slots)
		free(graph->node_slots);
	graph->node_slots = slots;
	graph->node_mask = nslots - 1;
	graph->indexed = 0;
	for (uint32_t i = 1; i < graph->nodes.n; i++) {
		if (!is_indexed(graph, i))
			continue;
		put_slot(graph, i);
		graph->indexed++;
	}
	return 0;
}

/* Makes room in the index for one more node. Returns 0 or -ENOMEM. */
static inline int grow_index(struct callgraph *graph)
{
	return unlikely(graph->indexed * 2 >= graph->node_mask) ? callgraph_index(graph, (graph->node_mask + 1) * 2) : 0;
}

/* Takes the node out of the index. The nodes in the slots behind it are put in again, because they might not be found beyond a free slot. */
static void unindex(struct callgraph *graph, uint32_t node)
{
	struct callgraph_slot *slot = node_slot(graph, graph->nodes.at[node].parent, graph->nodes.at[node].name);
	size_t i = (size_t)(slot - graph->node_slots);

	if (slot->node != node)
		return;
	slot->node = 0;
	graph->indexed--;
	for (;;) {
		uint32_t moved;

		i = (i + 1) & graph->node_mask;
		moved = graph->node_slots[i].node;
		if (!moved)
			return;
		graph->node_slots[i].node = 0;
		put_slot(graph, moved);
	}
}

static bool among_callers(const struct callgraph *graph, uint32_t parent, uint32_t name)
{
	const struct callgraph_node *at = &graph->nodes.at[parent];

	for (; at->depth; at = &graph->nodes.at[at->parent])
		if (at->name == name)
			return true;
	return false;
}

static void set_place(struct callgraph *graph, struct callgraph_node *node)
{
	const struct callgraph_node *parent = &graph->nodes.at[node->parent];

	node->depth = parent->depth < UINT16_MAX ? (uint16_t)(parent->depth + 1) : UINT16_MAX;
	node->flags &= (uint8_t) ~(CALLGRAPH_RECURSIVE | CALLGRAPH_IRQ);
	node->flags |= parent->flags & CALLGRAPH_IRQ;
	if (node->name != CALLGRAPH_UNKNOWN_NAME && node->name != CALLGRAPH_REST_NAME && among_callers(graph, node->parent, node->name))
		node->flags |= CALLGRAPH_RECURSIVE;
}

/* Makes a new node below @parent, and does not put it into the index. Returns the node, or 0 when memory runs out. */
static uint32_t new_node(struct callgraph *graph, uint32_t parent, uint32_t name, uint8_t flags)
{
	struct callgraph_node *node;
	uint32_t at = graph->free_node;

	if (at) {
		graph->free_node = graph->nodes.at[at].next;
	} else {
		if (graph->nodes.n >= UINT32_MAX || vec_push(&graph->nodes, (struct callgraph_node){ 0 }))
			return 0;
		at = (uint32_t)graph->nodes.n - 1;
	}
	node = &graph->nodes.at[at];
	*node = (struct callgraph_node){ .name = name, .parent = parent, .flags = flags };
	if (parent) {
		node->next = graph->nodes.at[parent].first;
		graph->nodes.at[parent].first = at;
		set_place(graph, node);
	} else {
		node->next = graph->owners;
		graph->owners = at;
	}
	graph->bytes += CALLGRAPH_NODE_BYTES;
	return at;
}

/* Puts the children of @parent into the index. From now on they are found there. They are so few that the index has room for them. */
static void index_children(struct callgraph *graph, uint32_t parent)
{
	graph->nodes.at[parent].flags |= CALLGRAPH_INDEXED;
	for (uint32_t i = graph->nodes.at[parent].first; i; i = graph->nodes.at[i].next) {
		if (!is_indexed(graph, i))
			continue;
		put_slot(graph, i);
		graph->indexed++;
	}
}

/*
 * Looks for the child of @parent with this name in the list of children. Returns the child, or 0 if there is none. In the latter case, *@many tells
 * whether @parent has too many children for the list.
 */
static uint32_t find_listed(const struct callgraph *graph, uint32_t parent, uint32_t name, bool *many)
{
	const struct callgraph_node *nodes = graph->nodes.at;
	unsigned int n = 0;

	for (uint32_t i = nodes[parent].first; i; i = nodes[i].next, n++)
		if (nodes[i].name == name && !(nodes[i].flags & (CALLGRAPH_UNKNOWN | CALLGRAPH_FREE)))
			return i;
	*many = n >= FEW_CHILDREN;
	return 0;
}

/*
 * Returns the child of @parent with this name, 0 if there is none, or -ENOMEM. *@slot becomes the slot of the index that the child has or would get. It
 * becomes NULL if the children of @parent are not in the index. The slot is valid until something is put into the index.
 */
static int64_t find_child(struct callgraph *graph, uint32_t parent, uint32_t name, struct callgraph_slot **slot)
{
	*slot = NULL;
	if (!(graph->nodes.at[parent].flags & CALLGRAPH_INDEXED)) {
		bool many = false;
		const uint32_t at = find_listed(graph, parent, name, &many);

		if (at || !many)
			return at;
		index_children(graph, parent);
	}
	if (grow_index(graph))
		return -ENOMEM;
	*slot = node_slot(graph, parent, name);
	return (*slot)->node;
}

/* Puts the node @at into the free slot that find_child() has found for it. Does nothing if @slot is NULL. */
static void take_slot(struct callgraph *graph, struct callgraph_slot *slot, uint32_t at)
{
	const struct callgraph_node *node = &graph->nodes.at[at];

	if (!slot)
		return;
	*slot = (struct callgraph_slot){ at, (uint32_t)hash_node(node->parent, node->name) };
	graph->indexed++;
}

static int64_t find_or_add(struct callgraph *graph, uint32_t parent, uint32_t name, uint8_t flags)
{
	struct callgraph_slot *slot;
	int64_t found = find_child(graph, parent, name, &slot);
	uint32_t at;

	if (found)
		return found;
	at = new_node(graph, parent, name, flags);
	if (!at)
		return -ENOMEM;
	/* new_node() does not change the index, so the slot is still valid. */
	take_slot(graph, slot, at);
	return at;
}

int64_t callgraph_owner(struct callgraph *graph, uint32_t name, uint8_t flags)
{
	return find_or_add(graph, 0, name, CALLGRAPH_OWNER | (flags & CALLGRAPH_IRQ));
}

static void make_hot(struct callgraph *graph, uint32_t parent, uint32_t node)
{
	graph->nodes.at[graph->nodes.at[parent].hot].after = node;
	graph->nodes.at[parent].hot = node;
}

int64_t callgraph_child(struct callgraph *graph, uint32_t parent, uint32_t name)
{
	const uint32_t hot = graph->nodes.at[parent].hot;
	int64_t node;

	if (hot && graph->nodes.at[hot].name == name)
		return hot;
	node = find_or_add(graph, parent, name, name == CALLGRAPH_REST_NAME ? CALLGRAPH_REST : 0);
	if (node > 0)
		make_hot(graph, parent, (uint32_t)node);
	return node;
}

void callgraph_empty(struct callgraph *graph, uint32_t at)
{
	struct callgraph_node *node = &graph->nodes.at[at], *parent = &graph->nodes.at[node->parent];

	if (parent->hot == at)
		parent->hot = 0;
	graph->bytes -= CALLGRAPH_NODE_BYTES;
	if (node->sums)
		callgraph_drop_sums(graph, node->sums);
	*node = (struct callgraph_node){ .flags = CALLGRAPH_FREE, .next = node->next };
}

void callgraph_release(struct callgraph *graph, uint32_t at)
{
	graph->nodes.at[at].next = graph->free_node;
	graph->free_node = at;
}

/* Frees a node that has no children. */
static void remove_node(struct callgraph *graph, uint32_t at)
{
	const struct callgraph_node *node = &graph->nodes.at[at];
	uint32_t *link = &graph->nodes.at[node->parent].first;

	if (is_indexed(graph, at))
		unindex(graph, at);
	while (*link != at)
		link = &graph->nodes.at[*link].next;
	*link = node->next;
	callgraph_empty(graph, at);
	callgraph_release(graph, at);
}

/* --- calls whose function is not known yet ------------------------------------------------------------------------ */

int64_t callgraph_unknown(struct callgraph *graph, uint32_t parent)
{
	uint32_t node = new_node(graph, parent, CALLGRAPH_UNKNOWN_NAME, CALLGRAPH_UNKNOWN);

	return node ? (int64_t)node : -ENOMEM;
}

/*
 * Moves the figures of the node @from to the node @to, and moves all nodes below @from below @to. Nodes with the same path become one node. Then frees
 * @from. Returns 0 or -ENOMEM.
 */
static int move_below(struct callgraph *graph, uint32_t from, uint32_t to)
{
	int err = callgraph_move(graph, from, to);

	while (!err && graph->nodes.at[from].first) {
		uint32_t child = graph->nodes.at[from].first;
		int64_t there = callgraph_child(graph, to, graph->nodes.at[child].name);

		err = there < 0 ? (int)there : move_below(graph, child, (uint32_t)there);
	}
	if (!err)
		remove_node(graph, from);
	return err;
}

/* Gives the node its name. This is used if no sibling has the name, so that nothing below the node has to be moved. */
static void rename_unknown(struct callgraph *graph, uint32_t at, uint32_t name)
{
	struct callgraph_node *node = &graph->nodes.at[at];
	uint32_t below = 0;

	node->name = name;
	node->flags &= (uint8_t)~CALLGRAPH_UNKNOWN;
	set_place(graph, node);
	while (name != CALLGRAPH_UNKNOWN_NAME && callgraph_walk(graph, at, &below))
		if (graph->nodes.at[below].name == name)
			graph->nodes.at[below].flags |= CALLGRAPH_RECURSIVE;
	make_hot(graph, node->parent, at);
}

int64_t callgraph_resolve(struct callgraph *graph, uint32_t node, uint32_t name)
{
	struct callgraph_slot *slot;
	int64_t to;
	int err;

	if (!(graph->nodes.at[node].flags & CALLGRAPH_UNKNOWN))
		return node;
	to = find_child(graph, graph->nodes.at[node].parent, name, &slot);
	if (!to) {
		rename_unknown(graph, node, name);
		take_slot(graph, slot, node);
		return node;
	}
	err = to < 0 ? (int)to : move_below(graph, node, (uint32_t)to);
	return err ? err : to;
}

int64_t callgraph_resolve_below(struct callgraph *graph, uint32_t node, uint32_t parent, uint32_t name)
{
	const int64_t to = callgraph_child(graph, parent, name);

	return to < 0 || move_below(graph, node, (uint32_t)to) ? -ENOMEM : to;
}

/* --- several trees, reading ------------------------------------------------------------------------------------------ */

bool callgraph_walk(const struct callgraph *graph, uint32_t top, uint32_t *node)
{
	const struct callgraph_node *nodes = graph->nodes.at;
	uint32_t at = *node;

	if (!at)
		return (*node = top ? nodes[top].first : graph->owners) != 0;
	if (nodes[at].first) {
		*node = nodes[at].first;
		return true;
	}
	while (at && !nodes[at].next) {
		at = nodes[at].parent;
		if (at == top)
			return false;
	}
	return (*node = at ? nodes[at].next : 0) != 0;
}

int callgraph_merge(struct callgraph *graph, const struct callgraph *more)
{
	__cleanup(free_ptr) uint32_t *to = calloc(MAX(more->nodes.n, (size_t)1), sizeof(*to));
	__cleanup(free_ptr) uint32_t *names = calloc(MAX(more->names.n, (size_t)1), sizeof(*names));
	uint32_t node = 0;

	if (!to || !names || callgraph_settle(graph))
		return -ENOMEM;
	for (size_t i = 0; i < more->names.n; i++) {
		int64_t name = callgraph_name(graph, more->names.at[i], SIZE_MAX);

		if (name < 0)
			return (int)name;
		names[i] = (uint32_t)name;
	}
	while (callgraph_walk(more, 0, &node)) {
		const struct callgraph_node *from = &more->nodes.at[node];
		uint32_t name = from->flags & CALLGRAPH_REST ? CALLGRAPH_REST_NAME : names[from->name];
		int64_t at = from->parent ? callgraph_child(graph, to[from->parent], name) : callgraph_owner(graph, name, from->flags);
		const struct callgraph_figures figures = callgraph_figures(more, from);
		int err = at < 0 ? (int)at : callgraph_add_figures(graph, (uint32_t)at, &figures);

		if (err)
			return err;
		to[node] = (uint32_t)at;
	}
	return callgraph_merge_folded(graph, more, to, names) ?: graph->bytes > graph->fold_at ? callgraph_fold(graph) : 0;
}

int callgraph_new(struct callgraph **out, const struct callgraph_options *opt)
{
	struct callgraph *graph = calloc(1, sizeof(*graph));

	if (!graph)
		return -ENOMEM;
	graph->opt = *opt;
	if (!graph->opt.most_bytes)
		graph->opt.most_bytes = DEFAULT_BYTES;
	graph->fold_at = graph->opt.most_bytes;
	if (vec_push(&graph->nodes, (struct callgraph_node){ .flags = CALLGRAPH_FREE | CALLGRAPH_INDEXED }) ||
	    vec_push(&graph->sums, (struct callgraph_sums){ 0 }) || vec_push(&graph->parts, (struct callgraph_parts){ 0 }) ||
	    callgraph_index(graph, FIRST_SLOTS) || callgraph_name(graph, "[unknown]", SIZE_MAX) != CALLGRAPH_UNKNOWN_NAME) {
		callgraph_free(graph);
		return -ENOMEM;
	}
	*out = graph;
	return 0;
}

void callgraph_free(struct callgraph *graph)
{
	if (!graph)
		return;
	callgraph_settle(graph);
	for (size_t i = 0; i < ARRAY_LEN(graph->late); i++)
		free(graph->late[i]);
	vec_each (&graph->sums, sums)
		quantiles_fini(&sums->calls);
	vec_fini(&graph->sums);
	vec_fini(&graph->parts);
	vec_fini(&graph->nodes);
	callgraph_fini_folded(graph);
	strv_fini(&graph->names);
	free(graph->name_slots);
	free(graph->node_slots);
	free(graph);
}

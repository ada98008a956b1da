/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/chains.h"

#include <stdio.h>

/* A node takes about 50 bytes, and up to a hundred more when it is shown. */
#define MOST_NODES 1500000

void chains_init(struct chains *chains, size_t most)
{
	*chains = (struct chains){ .most = most ? most : MOST_NODES };
}

void chains_fini(struct chains *chains)
{
	vec_each (&chains->frames, frame)
		free(frame->name);
	vec_fini(&chains->frames);
	vec_fini(&chains->nodes);
	vec_fini(&chains->owners);
	vec_fini(&chains->address_frames);
	vec_fini(&chains->addresses);
	keys_fini(&chains->frame_keys);
	map_fini(&chains->places);
	keys_fini(&chains->owner_keys);
	keys_fini(&chains->address_keys);
}

/* --- frames -------------------------------------------------------------------------------------------------- */

static int64_t frame_of_kind(struct chains *chains, const char *name, bool event, bool user)
{
	struct key key = { KEY_MIX, 0, event | user << 1 };
	struct chain_frame frame = { .event = event, .user = user };
	int64_t i;

	for (const char *at = name; *at; at++)
		key_mix(&key.a, &key.b, (unsigned char)*at);
	i = keys_index(&chains->frame_keys, key);
	if (i < (int64_t)chains->frames.n)
		return i;
	frame.name = strdup(name);
	if (!frame.name || vec_push(&chains->frames, frame)) {
		free(frame.name);
		return -ENOMEM;
	}
	return i;
}

int64_t chains_named(struct chains *chains, const char *name, bool event)
{
	return frame_of_kind(chains, name, event, false);
}

static int64_t frame_at(struct chains *chains, struct key key, const char *name, bool user)
{
	int64_t at = keys_index(&chains->address_keys, key), frame;
	char hex[24];

	if (at < (int64_t)chains->address_frames.n)
		return at < 0 ? at : chains->address_frames.at[at];
	if (!name)
		snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)key.a);
	frame = frame_of_kind(chains, name ? name : hex, false, user);
	return frame < 0 || vec_push(&chains->address_frames, (uint32_t)frame) ? -ENOMEM : frame;
}

int64_t chains_at(struct chains *chains, struct key key, const char *name)
{
	return frame_at(chains, key, name, false);
}

int64_t chains_kernel(struct chains *chains, const struct trace *trace, uint64_t addr)
{
	const struct symbol *sym = symbols_function(trace->symbols, addr);

	return frame_at(chains, (struct key){ addr, (uint64_t)trace->index << 1, 0 }, sym ? sym->name : NULL, false);
}

static int64_t user_frame(struct chains *chains, const struct trace *trace, int pid, const struct record *rec, uint64_t addr, bool returns)
{
	const char *name = NULL, *path = NULL, *slash;
	char text[256];

	if (trace->usermaps)
		usermaps_find(trace->usermaps, pid, rec->ts, addr, returns, &name, &path);
	if (name)
		return frame_at(chains, (struct key){ (uintptr_t)name, 1, 1 }, name, true);
	slash = path ? strrchr(path, '/') : NULL;
	snprintf(text, sizeof(text), "[%s]", slash ? slash + 1 : path ? path : "");
	return frame_at(chains, (struct key){ path ? (uintptr_t)path : addr, 1, path ? 2 : 3 }, path ? text : NULL, true);
}

/* --- nodes --------------------------------------------------------------------------------------------------- */

static bool is_root(const struct chains *chains, uint32_t node)
{
	return chains->nodes.at[node].caller == node;
}

/* Returns the node of this frame below this caller, or 0 if there is none. */
static uint32_t find_below(const struct chains *chains, uint32_t caller, uint32_t frame)
{
	const struct chain_node *nodes = chains->nodes.at;
	const map_entry(&chains->places) entry;
	uint32_t i;

	if (nodes[caller].below >= CHAIN_MANY) {
		entry = map_find(&chains->places, (uint64_t)caller << 32 | frame);
		return entry ? entry->value : 0;
	}
	for (i = nodes[caller].first; i && nodes[i].frame != frame;)
		i = nodes[i].next;
	return i;
}

/* Adds the newest node below @caller to .places. When @caller gets its CHAIN_MANY-th node, adds all nodes below it. Returns 0 or -ENOMEM. */
static int add_places(struct chains *chains, uint32_t caller)
{
	const struct chain_node *nodes = chains->nodes.at;
	uint32_t i = nodes[caller].first;

	do {
		map_entry(&chains->places) entry = map_add(&chains->places, (uint64_t)caller << 32 | nodes[i].frame);

		if (!entry)
			return -ENOMEM;
		entry->value = i;
		i = nodes[i].next;
	} while (i && nodes[caller].below == CHAIN_MANY);
	return 0;
}

/* Adds a node of this frame below this caller, which must not have one yet. Returns the node or -ENOMEM. */
static int64_t add_below(struct chains *chains, uint32_t caller, uint32_t frame)
{
	const uint32_t i = (uint32_t)chains->nodes.n;

	if (vec_push(&chains->nodes, (struct chain_node){ .frame = frame, .caller = caller, .next = chains->nodes.at[caller].first }))
		return -ENOMEM;
	chains->nodes.at[caller].first = i;
	return ++chains->nodes.at[caller].below >= CHAIN_MANY && add_places(chains, caller) ? -ENOMEM : (int64_t)i;
}

int64_t chains_find_below(struct chains *chains, uint32_t caller, uint32_t frame)
{
	int64_t i = find_below(chains, caller, frame);

	if (unlikely(!i && chains->nodes.n >= chains->most && !is_root(chains, caller))) {
		chains->cut++;
		while (!is_root(chains, caller))
			caller = chains->nodes.at[caller].caller;
		i = find_below(chains, caller, frame);
	}
	i = i ? i : add_below(chains, caller, frame);
	if (i < 0)
		return i;
	/* The first node of all is a root. It is below no caller, so 0 can stand for "none". */
	if (chains->nodes.at[caller].hot)
		chains->nodes.at[chains->nodes.at[caller].hot].after = (uint32_t)i;
	chains->nodes.at[caller].hot = (uint32_t)i;
	return i;
}

int64_t chains_root(struct chains *chains, int pid, uint8_t file)
{
	struct chain_owner owner = { .pid = pid, .file = file, .root = (uint32_t)chains->nodes.n };
	int64_t i = keys_index(&chains->owner_keys, (struct key){ file, (uint32_t)pid, 1 });

	if (i < (int64_t)chains->owners.n)
		return i < 0 ? i : chains->owners.at[i].root;
	if (vec_push(&chains->nodes, (struct chain_node){ .frame = (uint32_t)i, .caller = owner.root }))
		return -ENOMEM;
	return vec_push(&chains->owners, owner) ? -ENOMEM : (int64_t)owner.root;
}

int64_t chains_outer(struct chains *chains, int64_t node, const chain_frames_t *frames, size_t inside)
{
	for (size_t i = frames->n; node >= 0 && i-- > inside;)
		node = chains_below(chains, (uint32_t)node, frames->at[i]);
	return node;
}

/* --- stacks -------------------------------------------------------------------------------------------------- */

int chains_stack(struct chains *chains, const struct event *event, const struct record *rec, chain_frames_t *out)
{
	const bool user = stack_is_user(event);
	const int pid = user ? stack_tgid(event, rec) : 0;

	chains->addresses.n = 0;
	if (stack_get(event, rec, &chains->addresses))
		return -ENOMEM;
	for (size_t i = 0; i < chains->addresses.n; i++) {
		uint64_t addr = chains->addresses.at[i];
		int64_t frame = user ? user_frame(chains, event->trace, pid, rec, addr, i > 0) : chains_kernel(chains, event->trace, addr);

		if (frame < 0 || vec_push(out, (uint32_t)frame))
			return -ENOMEM;
	}
	return 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chains of callers as one tree, with the outermost at its roots: functions of the kernel and of programs, and events, by name. A chain's frames are
 * found by address, or by name, and put below each other; who keeps the tree adds to its nodes what it counts.
 * Memory grows with the number of different chains and ends at a limit.
 */
#ifndef RINGSIDE_CHAINS_H
#define RINGSIDE_CHAINS_H

#include "lib/analysis/keys.h"
#include "lib/event/text.h"

/* Something that is called, or an event; the same name is the same frame. */
struct chain_frame {
	char *name;			/* owned by the chains */
	bool event, user;		/* user: of a program */
};

/* A frame below its callers. */
struct chain_node {
	uint32_t frame;			/* index into frames; of a root: into owners */
	uint32_t caller;		/* index of a node that comes before it; a root's is its own */
	uint32_t hot;			/* the node below it that was asked for last; 0: none was */
	uint32_t after;			/* the one below the same caller that was asked for after this one; 0: none was */
	uint64_t count;			/* the chains that end here */
};

struct chain_owner {
	int pid;			/* -1: all */
	uint8_t file;
	uint32_t root;			/* its node */
};

struct chains {
	size_t most;			/* so many nodes, then new chains lose their callers */
	VEC(struct chain_frame) frames;
	VEC(struct chain_node) nodes;
	MAP(uint64_t, struct {}) places;	/* of the nodes, in the same order: caller and frame */
	VEC(struct chain_owner) owners;	/* with owner_keys */
	VEC(uint32_t) address_frames;	/* what is at an address, with address_keys */
	struct keys frame_keys, owner_keys, address_keys;
	addresses_t addresses;		/* of the last stack */
	uint64_t cut;			/* chains that lost callers at the limit */
};

typedef VEC(uint32_t) chain_frames_t;

/* All zero is an empty one; @most: 0: a million and a half. */
void chains_init(struct chains *chains, size_t most);
void chains_fini(struct chains *chains);

/* Frames, as indices or -ENOMEM: of that name; of what stands at @key, which needs no name when it is known (@name NULL: the address key.a); of the kernel's code. */
int64_t chains_named(struct chains *chains, const char *name, bool event);
int64_t chains_at(struct chains *chains, struct key key, const char *name);
int64_t chains_kernel(struct chains *chains, const struct trace *trace, uint64_t addr);

/* Appends the frames of a record of EVENT_STACK, innermost first. 0 or -ENOMEM. */
int chains_stack(struct chains *chains, const struct event *event, const struct record *rec, chain_frames_t *out);

/* The root of a task, @pid -1: of all tasks, which is made when it is asked for first: its index, or -ENOMEM. */
int64_t chains_root(struct chains *chains, int pid, uint8_t file);

/* What chains_below() does when the node is not at hand. */
int64_t chains_find_below(struct chains *chains, uint32_t caller, uint32_t frame);

/* The node of @frame below @caller, without callers when there may be no more: its index, or -ENOMEM. */
static inline int64_t chains_below(struct chains *chains, uint32_t caller, uint32_t frame)
{
	struct chain_node *nodes = chains->nodes.at;
	uint32_t hot = nodes[caller].hot, next;

	/* Mostly it is the one that was asked for last, or what came after that the time before. */
	if (hot && nodes[hot].frame == frame)
		return hot;
	next = hot ? nodes[hot].after : 0;
	if (!next || nodes[next].frame != frame)
		return chains_find_below(chains, caller, frame);
	return nodes[caller].hot = next;
}

/* The node of @frames, innermost first, below @node without the first @inside of them. @node below 0 is given back. */
int64_t chains_outer(struct chains *chains, int64_t node, const chain_frames_t *frames, size_t inside);

#endif

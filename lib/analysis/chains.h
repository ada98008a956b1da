/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps chains of callers as one tree with the outermost callers at its roots. A frame is a function of the kernel, a function of a
 * program, or an event, and its name identifies it. The user of the tree finds the frames of a chain by address or by name, puts them below
 * each other, and adds to the nodes what is counted. Memory grows with the number of different chains, up to a limit.
 */
#ifndef RINGSIDE_CHAINS_H
#define RINGSIDE_CHAINS_H

#include "lib/analysis/keys.h"
#include "lib/event/text.h"

/* This is a function or an event. Those of the same name are one frame. */
struct chain_frame {
	char *name;	  /* owned by the chains */
	bool event, user; /* it is an event; it is a function of a program */
};

/* When a caller has this many nodes below it, they are looked up by a hash; fewer are searched one by one. */
#define CHAIN_MANY 32

/* This is a frame below its callers. */
struct chain_node {
	uint32_t frame;	      /* an index into frames; for a root, into owners */
	uint32_t caller;      /* the index of a node that comes before it; for a root its own index */
	uint32_t hot;	      /* the node below it that was asked for last; 0: none */
	uint32_t after;	      /* the node below the same caller that was asked for after this one; 0: none */
	uint32_t first, next; /* the newest node below it; the next older one below the same caller; 0: none */
	uint32_t below;	      /* how many nodes stand below it; from CHAIN_MANY on all of them are in .places */
	uint64_t count;	      /* how many chains end here */
};

struct chain_owner {
	int pid; /* -1: all tasks */
	uint8_t file;
	uint32_t root; /* the index of its node */
};

struct chains {
	size_t most; /* the greatest number of nodes; when it is reached, new chains lose their callers */
	VEC(struct chain_frame) frames;
	VEC(struct chain_node) nodes;
	MAP(uint64_t, uint32_t) places; /* nodes by caller and frame, where many have the same caller */
	VEC(struct chain_owner) owners; /* by the numbers of owner_keys */
	VEC(uint32_t) address_frames;	/* the frame at an address, by the numbers of address_keys */
	struct keys frame_keys, owner_keys, address_keys;
	addresses_t addresses; /* the addresses of the last stack */
	uint64_t cut;	       /* how many chains have lost callers at the limit */
};

typedef VEC(uint32_t) chain_frames_t;

/* Makes an empty tree of at most @most nodes; 0 means a million and a half. */
void chains_init(struct chains *chains, size_t most);
void chains_fini(struct chains *chains);

/*
 * These return the index of a frame, or -ENOMEM. chains_named() finds the frame with this name. chains_at() finds the frame for @key. A new key gets the
 * frame that is named @name. When @name is NULL, the key is for the address key.a, and the frame is named after this address. chains_kernel() finds the
 * frame for the kernel's function at @addr.
 */
int64_t chains_named(struct chains *chains, const char *name, bool event);
int64_t chains_at(struct chains *chains, struct key key, const char *name);
int64_t chains_kernel(struct chains *chains, const struct trace *trace, uint64_t addr);

/* Appends the frames of a record of EVENT_STACK, the innermost first. Returns 0 or -ENOMEM. */
int chains_stack(struct chains *chains, const struct event *event, const struct record *rec, chain_frames_t *out);

/* Returns the index of the root of a task (@pid -1: of all tasks), which is made when it is new, or -ENOMEM. */
int64_t chains_root(struct chains *chains, int pid, uint8_t file);

/* Does what chains_below() does, when the node is not the hot one or the one after it. */
int64_t chains_find_below(struct chains *chains, uint32_t caller, uint32_t frame);

/*
 * Returns the index of the node of @frame below @caller, which is made when it is new, or -ENOMEM. When no more nodes may be made, it is a node of
 * @frame right below the root, which has lost its callers.
 */
static inline int64_t chains_below(struct chains *chains, uint32_t caller, uint32_t frame)
{
	struct chain_node *nodes = chains->nodes.at;
	uint32_t hot = nodes[caller].hot, next;

	/* Mostly it is the node that was asked for last, or the one that was asked for after that node the time before. */
	if (hot && nodes[hot].frame == frame)
		return hot;
	next = hot ? nodes[hot].after : 0;
	if (!next || nodes[next].frame != frame)
		return chains_find_below(chains, caller, frame);
	return nodes[caller].hot = next;
}

/*
 * Puts @frames below @node, the outermost one first, and returns the last node. The innermost of @frames comes first, and the first @inside of them
 * are left out. When @node is negative, it is returned.
 */
int64_t chains_outer(struct chains *chains, int64_t node, const chain_frames_t *frames, size_t inside);

#endif

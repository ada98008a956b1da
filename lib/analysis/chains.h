/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps chains of callers in trees. There is a root for each task, or one root for all tasks together. The outermost callers are right below a root. A frame is
 * a function of the kernel, a function of a program, or an event. A frame is identified by its kind and its name. To count a chain, the calling code first
 * finds the frames of the chain by address or by name. It then puts each frame below its caller, and adds to the .count of the innermost frame's node. Memory
 * grows with the number of different chains, up to a limit.
 */
#ifndef RINGSIDE_CHAINS_H
#define RINGSIDE_CHAINS_H

#include "lib/analysis/keys.h"
#include "lib/event/text.h"

/*
 * This is a function or an event. Functions of the kernel with the same name are one frame. Functions of programs with the same name are one frame,
 * too.
 */
struct chain_frame {
	char *name; /* owned by the chains */
	bool event; /* it is an event */
	bool user;  /* it is a function of a program */
};

/* If a caller has this many nodes or more right below it, a node is looked up by a hash. If it has fewer, the nodes are searched one by one. */
#define CHAIN_MANY 32

/* This is a frame below its callers. */
struct chain_node {
	uint32_t frame;	 /* index into chains.frames; for a root, index into chains.owners */
	uint32_t caller; /* the index of its caller's node, which is smaller than the node's own index; for a root, its own index */
	uint32_t hot;	 /* the node right below it that chains_below() has returned last; 0: none */
	uint32_t after;	 /* the node below the same caller that chains_below() will probably return next after this node; 0: not known */
	uint32_t first;	 /* the newest node right below it; 0: none */
	uint32_t next;	 /* the next older node below the same caller; 0: none */
	uint32_t below;	 /* how many nodes are right below this one; CHAIN_MANY or more: chains.places has all of them */
	/* What was counted for the chains that end at this node. It is the number of chains, or a sum of times or of values. */
	uint64_t count;
};

/* An owner is one task, or all tasks together. The chains of each owner have a root of their own. */
struct chain_owner {
	int pid; /* -1: all tasks */
	uint8_t file;
	uint32_t root; /* the index of the root's node */
};

struct chains {
	size_t most; /* When there are this many nodes, only roots and nodes right below roots are made. So new chains lose their callers. */
	VEC(struct chain_frame) frames;
	VEC(struct chain_node) nodes;
	MAP(uint64_t, uint32_t) places; /* the index of a node by its caller and frame, for callers with CHAIN_MANY nodes or more right below them */
	VEC(struct chain_owner) owners; /* element i is for the key with the number i in .owner_keys */
	VEC(uint32_t) address_frames;	/* element i is the index of the frame for the key with the number i in .address_keys: see chains_at() */
	struct keys frame_keys, owner_keys, address_keys;
	addresses_t addresses; /* the addresses of the last stack */
	/*
	 * How often a frame was put below the root instead of below its caller, because of .most. A struct hist (lib/analysis/hist.h) counts something else
	 * here: the calls and events whose chains have at least one such frame.
	 */
	uint64_t cut;
};

typedef VEC(uint32_t) chain_frames_t;

/* Makes an empty struct chains. @most is for chains.most; 0 means a million and a half. */
void chains_init(struct chains *chains, size_t most);
void chains_fini(struct chains *chains);

/*
 * chains_named(), chains_at() and chains_kernel() return the index of a frame, or -ENOMEM. A frame that does not exist yet is made. chains_named() finds
 * the frame with this name. chains_at() finds the frame for @key. A key stands for a function or another kind of call (lib/analysis/calls.h). A new @key gets
 * the frame with the name @name. If @name is NULL, key.a must be the address of a function, and the frame's name is this address in hexadecimal, such as
 * "0xffffffff81000000". chains_kernel() finds the frame for the kernel's function at @addr.
 */
int64_t chains_named(struct chains *chains, const char *name, bool event);
int64_t chains_at(struct chains *chains, struct key key, const char *name);
int64_t chains_kernel(struct chains *chains, const struct trace *trace, uint64_t addr);

/* Appends the frames of a record of EVENT_STACK, the innermost first. Returns 0 or -ENOMEM. */
int chains_stack(struct chains *chains, const struct event *event, const struct record *rec, chain_frames_t *out);

/*
 * Returns the index of the root of the task @pid, or of the root for all tasks if @pid is -1. A root that does not exist yet is made. Returns -ENOMEM
 * when memory runs out.
 */
int64_t chains_root(struct chains *chains, int pid, uint8_t file);

/* Does what chains_below() does, but more slowly. Only chains_below() calls this. */
int64_t chains_find_below(struct chains *chains, uint32_t caller, uint32_t frame);

/*
 * Returns the index of the node of @frame right below @caller, or -ENOMEM. If there is no such node, it is made. There is one exception: when there are
 * chains->most nodes, new nodes are made only right below a root. If a new node would then be needed anywhere else, the node of @frame right below the
 * root is returned instead. So the chain loses its callers.
 */
static inline int64_t chains_below(struct chains *chains, uint32_t caller, uint32_t frame)
{
	struct chain_node *nodes = chains->nodes.at;
	uint32_t hot = nodes[caller].hot, next;

	/* In most cases, the wanted node is .hot of the caller, or the .after of that node. */
	if (hot && nodes[hot].frame == frame)
		return hot;
	next = hot ? nodes[hot].after : 0;
	if (!next || nodes[next].frame != frame)
		return chains_find_below(chains, caller, frame);
	return nodes[caller].hot = next;
}

/*
 * Puts a chain below @node. @frames are the frames of the chain, the innermost first. The first @inside frames are left out. Returns the node of the
 * innermost frame that is not left out, or -ENOMEM. If @node is negative, @node is an error and is returned.
 */
int64_t chains_outer(struct chains *chains, int64_t node, const chain_frames_t *frames, size_t inside);

#endif

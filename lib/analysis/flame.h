/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the frames of a flame graph. The width of a frame shows its weight. The weight is the frame's own weight plus the weights of all frames right below it.
 * Callees are below their callers. A struct flame is made from one of three sources:
 * - a tree of calls (lib/analysis/callgraph.h);
 * - a histogram of stacks, which are called chains (lib/analysis/hist.h);
 * - the stacks with which tasks left the CPU (lib/analysis/offcpu.h).
 * Calls or stacks are grouped by owners, such as tasks. The source must live as long as the struct flame.
 */
#ifndef RINGSIDE_FLAME_H
#define RINGSIDE_FLAME_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/hist.h"
#include "lib/analysis/offcpu.h"

/* This tells what a frame's own weight is. The own weight does not include the frames below the frame. */
enum flame_weight {
	FLAME_TIME,    /* ns on the CPU and off it */
	FLAME_CPU,     /* ns on the CPU, the time "self" of the calls */
	FLAME_OFF,     /* ns off the CPU */
	FLAME_CALLS,   /* the number of its complete calls */
	FLAME_EVENTS,  /* what a histogram has counted for the chains that end at this frame: see chain_node.count in lib/analysis/chains.h */
	FLAME_OFF_CPU, /* ns off the CPU, with a frame for each reason; from the stacks of sched_switch */
};

struct flame_frame {
	const char *name; /* borrowed from the source or from flame.texts */
	/* The index of the frame above this frame. The frame above is the caller, the owner or the reason, and comes earlier. Frame 0 has 0 here. */
	uint32_t parent;
	uint32_t depth;			   /* 0 for frame 0 */
	uint64_t own;			   /* its own weight, without the frames below it */
	uint64_t weight;		   /* its weight, with the frames below it */
	const struct callgraph_node *node; /* its node in flame.graph; NULL: the frame is an owner, or there is no flame.graph */
	bool event;			   /* it is an event */
	bool owner;			   /* it is not a function but the owner of the functions below it, such as a task */
	bool program;			   /* it is a function of a program */
	uint8_t state;			   /* 1 + enum offcpu_state for a frame that is a reason why tasks were off the CPU; 0 for any other frame */
};

struct flame {
	enum flame_weight by;
	const struct callgraph *graph;	/* if the source is a tree of calls: this tree, borrowed; NULL: the source is not a tree of calls */
	VEC(struct flame_frame) frames; /* frame 0 stands for everything; callers come before their callees */
	strv_t texts;			/* the names that are not borrowed from the source */
};

/*
 * flame_of_calls(), flame_of_chains() and flame_of_states() make the frames. If @owners is true, each owner has a frame, and the frames of its
 * functions are below that frame. In flame_of_calls(), the owner of the calls inside of interrupts always has a frame. In flame_of_chains(), owners
 * have frames if hist->opt.all_tasks is false. All three return 0 or -ENOMEM. The caller must call flame_fini(), even after -ENOMEM.
 */
int flame_of_calls(struct flame *flame, const struct callgraph *graph, enum flame_weight by, bool owners);
int flame_of_chains(struct flame *flame, const struct hist *hist);
int flame_of_states(struct flame *flame, const struct offcpu *off, bool owners);
void flame_fini(struct flame *flame);

/*
 * Returns the indices of all frames in the order in which they are drawn. Frame 0 is the first. The others are sorted by the index of their parent. Frames
 * with the same parent are sorted by their weight, the heaviest first. The caller frees the array. Returns NULL when memory runs out.
 */
uint32_t *flame_order(const struct flame *flame);

/* These are the words for enum flame_weight: "time", "cpu" and so on. A NULL ends them. */
extern const char *const flame_weights[];

#endif

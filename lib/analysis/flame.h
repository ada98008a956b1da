/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A merged tree as flame graphs show it: frames below their callers, each as wide as what it weighs itself and all below it do. It is
 * made of a tree of calls (lib/analysis/callgraph.h), of a histogram of chains (lib/analysis/hist.h), or of where tasks left the CPU
 * (lib/analysis/offcpu.h), which must outlive it.
 */
#ifndef RINGSIDE_FLAME_H
#define RINGSIDE_FLAME_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/hist.h"
#include "lib/analysis/offcpu.h"

/* What a frame weighs itself, without those below it. */
enum flame_weight {
	FLAME_TIME,		/* ns on the CPU and off it */
	FLAME_CPU,		/* ns on the CPU: self */
	FLAME_OFF,		/* ns off it */
	FLAME_CALLS,		/* its complete calls */
	FLAME_EVENTS,		/* of a histogram: how often the chain ends here, or the sum of a field */
	FLAME_OFF_CPU,		/* ns off the CPU, told apart by why, of the stacks of sched_switch */
};

struct flame_frame {
	const char *name;	/* of the tree, or of flame.texts */
	uint32_t parent;	/* index of a frame before it; a frame without a caller: 0 */
	uint32_t depth;		/* of frame 0 it is 0 */
	uint64_t own, weight;	/* without those below it; with them */
	const struct callgraph_node *node;	/* the calls; NULL: it is no function, or of a histogram */
	bool event, owner;	/* it is an event; it is no function, but whose the functions below it are */
	bool program;		/* it is a function of a program */
	uint8_t state;		/* it is no function, but why tasks were off the CPU: 1 + enum offcpu_state */
};

struct flame {
	enum flame_weight by;
	VEC(struct flame_frame) frames;	/* frame 0 is all of them; callers come before what they call */
	strv_t texts;			/* names that had to be made */
};

/* 0 or -ENOMEM; flame_fini() in any case. @owners: whose the calls are stands below frame 0; what interrupts did has a frame there anyhow. */
int flame_of_calls(struct flame *flame, const struct callgraph *graph, enum flame_weight by, bool owners);
int flame_of_chains(struct flame *flame, const struct hist *hist);
int flame_of_states(struct flame *flame, const struct offcpu *off, bool owners);
void flame_fini(struct flame *flame);

/*
 * The frames in the order in which they are drawn, as indices: those of the same caller stand together, the heaviest first, behind those of the
 * callers before it. NULL: out of memory. The caller frees it.
 */
uint32_t *flame_order(const struct flame *flame);

/* "time", "cpu", …, ends with NULL; the words of enum flame_weight. */
extern const char *const flame_weights[];

#endif

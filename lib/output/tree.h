/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Function graphs as the kernel's own trace file draws them (options funcgraph-cpu, -proc and -duration), but one
 * task at a time, its calls put together wherever it ran. Long calls and calls whose entry is not recorded have
 * their name at the closing brace; what the recording's edges or losses cut is said; interrupts are marked; events
 * of other kinds stand between the calls as comments.
 */
#ifndef RINGSIDE_TREE_H
#define RINGSIDE_TREE_H

#include "lib/analysis/analysis.h"

struct tree_options {
	bool live;		/* draws each outermost call as it ends, not all in the end */
	uint64_t min_duration;	/* ns; only calls that last so long, and losses; 0: all there is. What has to be decided as calls end */
};

/* Writes to reading->out; its options are a struct tree_options. */
extern const struct analysis tree_analysis;

#endif

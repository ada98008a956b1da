/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Draws function graphs as the kernel's own trace file does (options funcgraph-cpu, funcgraph-proc and funcgraph-duration), but one task after the other. All
 * calls of a task are drawn together, even if the task ran on several CPUs. A long call, or a call whose entry is not recorded, has its name at the closing
 * brace. A call is marked if the beginning or the end of the recording, or a loss of events, cuts the call. Interrupts are marked. All events that are neither
 * calls nor losses stand between the calls as comments.
 */
#ifndef RINGSIDE_TREE_H
#define RINGSIDE_TREE_H

#include "lib/analysis/analysis.h"

struct tree_options {
	bool live; /* true: each outermost call is drawn when it ends; false: all calls are drawn at the end */
	/*
	 * In ns. A call that is shorter than this is not drawn, unless events were lost during the call. Losses are always drawn.
	 * Events that are neither calls nor losses are drawn only if this member is 0. 0: everything is drawn.
	 */
	uint64_t min_duration;
};

/* Writes to reading->out. The options of the analysis are a struct tree_options. */
extern const struct analysis tree_analysis;

#endif

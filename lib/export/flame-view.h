/* SPDX-License-Identifier: GPL-2.0 */
/* Makes flame graphs of recordings, as pages, pictures or folded stacks (lib/export/folded.h). */
#ifndef RINGSIDE_FLAME_VIEW_H
#define RINGSIDE_FLAME_VIEW_H

#include "lib/analysis/diff.h"
#include "lib/analysis/flame.h"
#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"

enum flame_form { FLAME_HTML, FLAME_SVG, FLAME_FOLDED };

/* These are the options and the results of the analyses below. */
struct flame_view {
	enum flame_form form;
	enum flame_weight weight;
	/* The next two members are used only for calls. */
	struct paths_options paths;
	/* The recordings of the sides OLD and NEW (lib/analysis/diff.h). The two sides are compared, and NEW is drawn. NULL: nothing is compared. */
	diff_runs_t *runs;
	/* This is used for events and for time off the CPU. */
	bool told_apart; /* true: stacks of different tasks are kept apart */
	/* This is used only for events. */
	const char *sum; /* the values of this field are added up; NULL: the events are counted */
	/* The analyses set the members below. */
	bool empty; /* there was nothing to draw, and nothing was written */
	/* For calls: the number of complete calls if no call has a known time (units_why_timeless() in lib/analysis/units.h). Otherwise this is 0. */
	uint64_t timeless;
	bool done;	   /* The graph has been written, or .empty is true. If a file was damaged, the graph shows the part that could be read. */
	uint64_t switches; /* for time off the CPU: how often tasks left a CPU */
	bool lacking;	   /* for time off the CPU: tasks that lack switches were left out */
	uint64_t stacks;   /* for time off the CPU: how many of the .switches have a stack */
	/* For events and for time off the CPU: how many stacks or chains of calls were shortened, because there were too many different ones. */
	uint64_t cut;
};

/*
 * These analyses make graphs:
 *  - flame_calls_analysis: of calls, by their times
 *  - flame_events_analysis: of events, by the stacks and calls that led to them
 *  - flame_off_analysis: of the time off the CPU, by the stacks of sched_switch
 */
extern const struct analysis flame_calls_analysis, flame_events_analysis, flame_off_analysis;

/*
 * Appends the JSON from which a page draws its flame graph of calls. This graph merges all tasks. If @both is true, there is a second graph, which keeps
 * tasks apart in the same way as @paths. Returns 0 or -ENOMEM.
 */
int flame_calls_data(const struct paths *paths, struct reading *reading, bool both, struct str *out);

#endif

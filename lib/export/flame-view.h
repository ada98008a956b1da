/* SPDX-License-Identifier: GPL-2.0 */
/* Makes flame graphs of recordings: as pages, pictures or folded stacks. */
#ifndef RINGSIDE_FLAME_VIEW_H
#define RINGSIDE_FLAME_VIEW_H

#include "lib/analysis/diff.h"
#include "lib/analysis/flame.h"
#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"

enum flame_form { FLAME_HTML, FLAME_SVG, FLAME_FOLDED };

/* These are options of the analyses below. */
struct flame_view {
	enum flame_form form;
	enum flame_weight weight;
	/* These are used only for calls. */
	struct paths_options paths;
	diff_runs_t *runs; /* the runs of the sides OLD and NEW (lib/analysis/diff.h): they are compared, and NEW is drawn; NULL: nothing is compared */
	/* This is used for events and for time off the CPU. */
	bool told_apart; /* stacks of different tasks are kept apart */
	/* This is used only for events. */
	const char *sum; /* the values of this field are added up; NULL: the events are counted */
	/* The analyses set the members below. */
	bool empty;	   /* there was nothing to draw, and nothing was written */
	bool done;	   /* the graph has been written, or .empty is true; when a file was damaged, the graph has what could be read */
	uint64_t switches; /* for time off the CPU: how often tasks left a CPU */
	uint64_t stacks;   /* for time off the CPU: for how many of .switches there is a stack */
	/* For events and time off the CPU: how many stacks or chains of calls were shortened, because there were too many different ones. */
	uint64_t cut;
};

/*
 * These analyses make graphs of calls by their times, of events by the stacks and calls that led to them, and of the time off the CPU by the stacks of
 * sched_switch.
 */
extern const struct analysis flame_calls_analysis, flame_events_analysis, flame_off_analysis;

/*
 * Appends the JSON from which a page draws its flame graph of calls. This graph merges all tasks. If @both is true, there is a second graph, which
 * tells tasks apart as @paths does. Returns 0 or -ENOMEM.
 */
int flame_calls_data(const struct paths *paths, struct reading *reading, bool both, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Flame graphs of recordings: as a page, as a picture, as folded stacks. */
#ifndef RINGSIDE_FLAME_VIEW_H
#define RINGSIDE_FLAME_VIEW_H

#include "lib/analysis/diff.h"
#include "lib/analysis/flame.h"
#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"

enum flame_form { FLAME_HTML, FLAME_SVG, FLAME_FOLDED };

/* Options of both analyses below. */
struct flame_view {
	enum flame_form form;
	enum flame_weight weight;
	struct paths_options paths; /* of calls */
	bool told_apart;	    /* of events, and off the CPU: for each task */
	const char *sum;	    /* of events: add up this field; NULL: count */
	diff_runs_t *runs;	    /* of calls: OLD and NEW by path, to be compared; the new ones are what is drawn; NULL: nothing is compared */
	/* The result: there was nothing to draw, and nothing was written. */
	bool empty;
	bool done;		   /* all that there was has been written, also of a damaged file */
	uint64_t switches, stacks; /* off the CPU: how often tasks left it, and with how many stacks */
	uint64_t cut;		   /* of events, and off the CPU: so many chains have lost callers, because there were too many different ones */
};

/* Of calls, by their times; of events, by the stacks and calls that led to them; of the time off the CPU, by the stacks of sched_switch. */
extern const struct analysis flame_calls_analysis, flame_events_analysis, flame_off_analysis;

/* Appends what a page's flame graph of calls is drawn from, JSON. @both: with tasks told apart, too, as @paths has them. Returns 0 or -ENOMEM. */
int flame_calls_data(const struct paths *paths, struct reading *reading, bool both, struct str *out);

#endif

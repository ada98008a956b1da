/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the merged tree of calls as a table. A path is the sequence of functions from a root to a call. Each path has a row below the row of its caller. */
#ifndef RINGSIDE_GRAPH_TEXT_H
#define RINGSIDE_GRAPH_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/callgraph.h"
#include "lib/analysis/path-facts.h"
#include "lib/output/table.h"

extern const struct table_spec graph_spec;

struct graph_show {
	unsigned int depth; /* how many levels of calls are shown (the roots are the first level); 0: all */
	/*
	 * A path that takes less than this percentage of its root's time has no row of its own. All such paths below one caller are put into one row. In
	 * the same way, the small roots of one owner are put into one row. An owner is a task, a CPU, or all tasks of one name. A root is small if it takes
	 * less than this percentage of the time that all roots of its owner take together.
	 */
	double min_percent;
	bool owners;  /* true: all roots are shown below their owners; false: only the roots in interrupts are shown below their owners */
	bool callers; /* true: the rows below a root are its callers; false: the rows are the functions that the root calls */
};

struct graph_view {
	struct paths_options paths;
	/*
	 * Globs. The functions whose names match one of the globs are shown, with their callees below them. If .show.callers is true, their callers are below
	 * them instead. Empty: all functions are shown.
	 */
	strv_t globs;
	const char *path; /* only this path and the paths below it are shown; NULL: all paths are shown */
	struct graph_show show;
	struct table_show table;
};

/* The options of the analysis are a struct graph_view. */
extern const struct analysis graph_analysis;

/* Fills @table, which was made from graph_spec. Returns 0 or -ENOMEM. Returns -ENOENT when there are no calls. */
int graph_table(struct table *table, const struct callgraph *graph, const struct graph_show *show, const struct path_facts *facts);

#endif

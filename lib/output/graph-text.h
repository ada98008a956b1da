/* SPDX-License-Identifier: GPL-2.0 */
/* The merged tree of calls as a table: a row for each path, below that of its caller. */
#ifndef RINGSIDE_GRAPH_TEXT_H
#define RINGSIDE_GRAPH_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/callgraph.h"
#include "lib/analysis/paths.h"
#include "lib/output/table.h"

extern const struct table_spec graph_spec;

struct graph_show {
	unsigned int depth;	/* so many levels below the owners; 0: all */
	double min_percent;	/* paths below this share of their root are told in one row of their caller */
	bool owners;		/* the roots stand below their owners */
};

struct graph_view {
	struct paths_options paths;
	strv_t globs;		/* only these functions and what they call, or with .callers what calls them; empty: all */
	const char *path;	/* only what is at and below this path; NULL: all */
	bool callers;
	struct graph_show show;
	struct table_show table;
};

/* Its options are a struct graph_view. */
extern const struct analysis graph_analysis;

/* Fills @table, which was made from graph_spec. 0; -ENOENT: there is nothing; -ENOMEM. */
int graph_table(struct table *table, const struct callgraph *graph, const struct graph_show *show, const struct timed_facts *facts);

#endif

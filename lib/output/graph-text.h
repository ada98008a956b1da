/* SPDX-License-Identifier: GPL-2.0 */
/* The merged tree of calls as a table: a row for each path, below that of its caller. */
#ifndef RINGSIDE_GRAPH_TEXT_H
#define RINGSIDE_GRAPH_TEXT_H

#include "lib/analysis/callgraph.h"
#include "lib/analysis/timed.h"
#include "lib/output/table.h"

extern const struct table_spec graph_spec;

struct graph_show {
	unsigned int depth;	/* so many levels below the owners; 0: all */
	double min_percent;	/* paths below this share of their root are told in one row of their caller */
	bool owners;		/* the roots stand below their owners */
};

/* Fills @table, which was made from graph_spec. 0; -ENOENT: there is nothing; -ENOMEM. */
int graph_table(struct table *table, const struct callgraph *graph, const struct graph_show *show, const struct timed_facts *facts);

#endif

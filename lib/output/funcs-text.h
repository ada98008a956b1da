/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the table of functions: how often each function was called, and where its time went. */
#ifndef RINGSIDE_FUNCS_TEXT_H
#define RINGSIDE_FUNCS_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/path-facts.h"
#include "lib/output/table.h"

struct funcs_view {
	struct paths_options paths;
	struct callgraph_choice choice;
	strv_t globs, callees_of, callers_of; /* the texts from which .choice is made */
	struct table_show table;
};

/* The options of the analysis are a struct funcs_view. */
extern const struct analysis funcs_analysis;

/*
 * Returns the columns of the table. @by says how many rows a function has: one for each task, one for each name of tasks, one for each CPU, or only one
 * row.
 */
const struct table_spec *funcs_spec(enum paths_by by);

/*
 * Fills @table, which was made from funcs_spec(@by), with the functions that @choice chooses. Returns 0 or -ENOMEM. Returns -ENOENT when @choice chooses
 * no function.
 */
int funcs_table(struct table *table, const struct callgraph *graph, enum paths_by by, const struct callgraph_choice *choice, const struct path_facts *facts);

#endif

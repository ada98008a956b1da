/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the text of `report --profile`. */
#ifndef RINGSIDE_PROFILE_TEXT_H
#define RINGSIDE_PROFILE_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/profile.h"
#include "lib/output/table.h"

struct profile_view {
	struct profile_options opt;
	bool as_table; /* true: print a table without stacks, which has a row for each thing that a task did; false: print a text for people */
	struct table_show table;
};

/*
 * The options of the analysis are a struct profile_view. A hook is a pair of events that the user defines with -H. If the files name hooks, these are added
 * to the hooks in .opt. If the user selects tasks by name or pid, only these tasks are shown.
 */
extern const struct analysis profile_analysis;

#endif

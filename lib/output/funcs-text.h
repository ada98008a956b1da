/* SPDX-License-Identifier: GPL-2.0 */
/* The table of functions: how often each was called, and where its time went. */
#ifndef RINGSIDE_FUNCS_TEXT_H
#define RINGSIDE_FUNCS_TEXT_H

#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/timed.h"
#include "lib/output/table.h"

/* @by: the name of the first column, which tells owners apart: "task", "comm" or "cpu"; NULL: they are not. */
const struct table_spec *funcs_spec(const char *by);

/* Fills @table, which was made from funcs_spec(), with what @choice chooses. 0; -ENOENT: there is nothing; -ENOMEM. */
int funcs_table(struct table *table, const struct callgraph *graph, const struct callgraph_choice *choice, const struct timed_facts *facts);

#endif

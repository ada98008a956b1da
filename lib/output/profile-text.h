/* SPDX-License-Identifier: GPL-2.0 */
/* What `report --profile` prints. */
#ifndef RINGSIDE_PROFILE_TEXT_H
#define RINGSIDE_PROFILE_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/profile.h"
#include "lib/output/table.h"

struct profile_view {
	struct profile_options opt;
	bool as_table;			/* a row for each thing that a task did, without the stacks, for programs */
	struct table_show table;
};

/*
 * Its options are a struct profile_view; the hooks that were recorded are added to them. Only the tasks that the reading
 * selects are shown: of these names, of these numbers.
 */
extern const struct analysis profile_analysis;

#endif

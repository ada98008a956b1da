/* SPDX-License-Identifier: GPL-2.0 */
/* What the tables of calls merged by path have in common: they take calls in, and keep the table that the user wants of them. */
#ifndef RINGSIDE_PATHS_VIEW_H
#define RINGSIDE_PATHS_VIEW_H

#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"
#include "lib/output/table.h"

struct paths_view {
	struct handler handler;		/* first */
	struct paths *paths;
	struct table *table;
};

/* As analysis.make(). */
int paths_view_make(struct handler **out, struct reading *reading, const struct paths_options *opt, const struct table_spec *spec,
		    const struct table_show *show);

/* Writes the table, which has been filled with @err as the result; -ENOENT: with nothing, and @what says of what. As analysis.show(). */
int paths_view_show(struct paths_view *view, struct reading *reading, int err, const char *what);

#endif

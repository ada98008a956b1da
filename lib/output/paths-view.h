/* SPDX-License-Identifier: GPL-2.0 */
/* Defines the common part of handlers that merge calls by path and show them in a table. Such a handler takes calls in, and keeps the table. */
#ifndef RINGSIDE_PATHS_VIEW_H
#define RINGSIDE_PATHS_VIEW_H

#include "lib/analysis/paths.h"
#include "lib/analysis/reading.h"
#include "lib/output/table.h"

struct paths_view {
	struct handler handler; /* must be the first member */
	struct paths *paths;
	struct table *table;
};

/* Does what analysis.make() does. */
int paths_view_make(struct handler **out, struct reading *reading, const struct paths_options *opt, const struct table_spec *spec,
		    const struct table_show *show);

/*
 * Writes the table. @err is what the function that filled the table has returned. When it is -ENOENT, a message says that there is no @what. Returns what
 * analysis.show() returns.
 */
int paths_view_show(struct paths_view *view, struct reading *reading, int err, const char *what);

#endif

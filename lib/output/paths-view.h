/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the common part of the handlers that merge calls by path and show them in a table. A handler takes in records (lib/analysis/handler.h). Each of
 * these handlers owns a table, and the struct paths (lib/analysis/paths.h) that takes in the calls.
 */
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
 * Writes the table. @err is the result of the function that filled the table. @what is the function or path that was asked for, or NULL. When no row was made,
 * @err is -ENOENT, and the function does one of these:
 *  - If there are calls, but none of @what, a message says so. The table is not written, and -ENOENT is returned.
 *  - If there are no calls at all, or @what is NULL, the empty table is written. A note says that there are no calls. There is no such note if the handlers got
 *    no records (pass.passed). There is also no such note if none of the chosen tasks has a record (reading.asked and .found).
 *  - If reading->quiet is true, the empty table is written in both of these cases, without a message or note.
 * Any other error in @err is returned at once, without a message. Otherwise returns what analysis.show() returns.
 */
int paths_view_show(struct paths_view *view, struct reading *reading, int err, const char *what);

#endif

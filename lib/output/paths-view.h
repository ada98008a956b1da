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
 * Writes the table. @err is what the function that filled the table has returned, and @what is the function or path that was asked for, or NULL. When
 * @err is -ENOENT, no row was made. Then a message says that there is no call of @what, and the table is not written. When @what is NULL, or there
 * are no calls at all, a note can say that there are no calls, and the empty table is written. If reading->quiet is true, the empty table is written
 * without a message. Any other error in @err is returned at once. Returns what analysis.show() returns.
 */
int paths_view_show(struct paths_view *view, struct reading *reading, int err, const char *what);

#endif

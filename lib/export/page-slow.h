/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Describes the slowest calls for an HTML page. For each of a few functions, the page shows the slowest calls and why these calls were slow, as `ringside slow`
 * does.
 */
#ifndef RINGSIDE_PAGE_SLOW_H
#define RINGSIDE_PAGE_SLOW_H

#include "lib/analysis/reading.h"
#include "lib/analysis/timeline.h"

/*
 * Chooses functions from the tree of calls in @timeline with slowest_functions() (lib/analysis/slowest.h). Appends JSON that describes the slowest calls of
 * these functions to @out. The files of @reading must have been read to the end. This function reads them a second time. Returns 0, -ENOMEM, or another -errno
 * after a message.
 */
int page_slow(const struct timeline *timeline, struct reading *reading, struct str *out);

/* Appends the JSON for a page that has no room for slow calls. The JSON says that the slow calls were left out. Returns 0 or -ENOMEM. */
int page_slow_left_out(struct str *out);

#endif

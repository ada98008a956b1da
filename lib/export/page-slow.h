/* SPDX-License-Identifier: GPL-2.0 */
/* The slowest calls of a page with their causes, as `ringside slow` tells them for each function. */
#ifndef RINGSIDE_PAGE_SLOW_H
#define RINGSIDE_PAGE_SLOW_H

#include "lib/analysis/reading.h"
#include "lib/analysis/timeline.h"

/*
 * Reads the files of @reading once more, when all their records have been seen, for the functions with the slowest calls in @timeline's tree. Appends
 * what is found to @out as JSON. Returns 0, -ENOMEM, or another -errno after a message.
 */
int page_slow(const struct timeline *timeline, struct reading *reading, struct str *out);

/* Appends what a page has instead when there is no room for slow calls. Returns 0 or -ENOMEM. */
int page_slow_left_out(struct str *out);

#endif

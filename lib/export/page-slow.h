/* SPDX-License-Identifier: GPL-2.0 */
/* The slowest calls of a page, with their causes: as `ringside slow` tells them of each function. */
#ifndef RINGSIDE_PAGE_SLOW_H
#define RINGSIDE_PAGE_SLOW_H

#include "lib/analysis/reading.h"
#include "lib/analysis/timeline.h"

/*
 * Reads the files of @reading, whose records have all been seen, once more, for the functions with the slowest calls of @timeline's tree, and appends
 * what is found to @out, as JSON. Returns 0; -ENOMEM; another -errno after a message.
 */
int page_slow(const struct timeline *timeline, struct reading *reading, struct str *out);

/* The same of a page that has no room for it. */
int page_slow_left_out(struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* What every table of what was read tells beside its rows: which files, how long, what was lost. */
#ifndef RINGSIDE_READING_META_H
#define RINGSIDE_READING_META_H

#include "lib/analysis/reading.h"
#include "lib/output/table.h"

/* Fills @meta, which borrows from @reading and from @files, which the caller frees. 0 or -ENOMEM. */
int reading_meta(struct reading *reading, struct table_meta *meta, strv_t *files);

#endif

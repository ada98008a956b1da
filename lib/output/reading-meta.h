/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives the facts that every table shows in addition to its rows: the files that were read, the span of time that they cover, and the number of lost
 * events.
 */
#ifndef RINGSIDE_READING_META_H
#define RINGSIDE_READING_META_H

#include "lib/analysis/reading.h"
#include "lib/output/table.h"

/*
 * Fills in @meta, and appends the paths of the files that were read to @files. @meta points into @reading and @files. So the caller frees @files only
 * when @meta is no longer used. Returns 0 or -ENOMEM.
 */
int reading_meta(struct reading *reading, struct table_meta *meta, strv_t *files);

/*
 * Adapts the facts that reading_meta() has filled in, for a table whose durations are those of calls. These durations are known only in ns, whatever the
 * trace's clock counts. When the clock counts ticks, points of time stay in ticks, and the span is not known.
 */
void reading_meta_of_calls(struct table_meta *meta);

/* Returns the options that selected the records, as a text. Returns NULL when there were no such options. The text is valid until the next call. */
const char *reading_selection(struct reading *reading);

#endif

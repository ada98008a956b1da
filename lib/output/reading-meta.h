/* SPDX-License-Identifier: GPL-2.0 */
/* Tells what every table tells in addition to its rows: which files were read, which span of time they cover, and how many events were lost. */
#ifndef RINGSIDE_READING_META_H
#define RINGSIDE_READING_META_H

#include "lib/analysis/reading.h"
#include "lib/output/table.h"

/*
 * Fills in @meta, and appends the paths of the files that were read to @files. @meta borrows from @reading and from @files, so the caller frees @files only
 * when @meta is no longer used. Returns 0 or -ENOMEM.
 */
int reading_meta(struct reading *reading, struct table_meta *meta, strv_t *files);

/* Returns the options that selected the records, as a text, or NULL when none did. The reading keeps the text until the next call. */
const char *reading_selection(struct reading *reading);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the data from which an HTML page draws its timeline. A struct timeline (lib/analysis/timeline.h) becomes parts of the page's document
 * (lib/export/document.h).
 */
#ifndef RINGSIDE_PAGE_DATA_H
#define RINGSIDE_PAGE_DATA_H

#include "lib/analysis/reading.h"
#include "lib/analysis/timeline.h"
#include "lib/export/document.h"

enum page_part { PAGE_HEAD, PAGE_SLICES, PAGE_CPUS, PAGE_MARKS, PAGE_FLAME, PAGE_SLOW, PAGE_PARTS };

/* Fills and packs (document_pack()) all parts but PAGE_FLAME and PAGE_SLOW. Returns 0, -ENOMEM, or -EINVAL when zlib fails. */
int page_data(const struct timeline *timeline, struct reading *reading, struct document_part parts[PAGE_PARTS]);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* What a page tells of the recording that it was made of: which files, of which machine, how long, what was lost, what was selected. */
#ifndef RINGSIDE_ABOUT_H
#define RINGSIDE_ABOUT_H

#include "lib/analysis/reading.h"

/* The time between the first and the last record, in ns or in ticks. */
uint64_t about_span(const struct reading *reading);

/* Appends it as a JSON object, after all has been read. -ENOMEM shows in @out. */
void about_json(const struct reading *reading, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the facts about a recording that an HTML page shows:
 * - the files of the recording;
 * - the machine on which the recording was made;
 * - the duration of the recording;
 * - the number of lost events;
 * - the options that selected the records.
 */
#ifndef RINGSIDE_ABOUT_H
#define RINGSIDE_ABOUT_H

#include "lib/analysis/reading.h"

/* Appends these facts as a JSON object. All records must have been read. Returns 0 or a negative errno. When memory runs out, out->oom is set. */
int about_json(struct reading *reading, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes what an HTML page tells about its recording: its files and its machine, its length, the number of lost events, and the options that selected the
 * records.
 */
#ifndef RINGSIDE_ABOUT_H
#define RINGSIDE_ABOUT_H

#include "lib/analysis/reading.h"

/* Appends a JSON object with what a page tells about its recording. All records must have been read. When memory runs out, out->oom is set. */
void about_json(const struct reading *reading, struct str *out);

#endif

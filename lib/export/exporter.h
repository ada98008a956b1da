/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recordings for other programs: a row of a table for each format, a file of this room for each row. An exporter is an analysis
 * (lib/analysis/analysis.h) that writes to reading->out while it takes in, and whose options are a struct export_options.
 * Nothing that it keeps grows with the recording.
 */
#ifndef RINGSIDE_EXPORTER_H
#define RINGSIDE_EXPORTER_H

#include "lib/analysis/analysis.h"
#include "lib/export/flame-view.h"

struct export_options {
	bool columns;		/* of csv: the events that are selected are one, and each of its fields has a column */
	struct flame_view flame;	/* folded's own */
};

enum { EXPORT_SUFFIXES = 4 };

struct exporter {
	const char *name;
	const char *suffixes[EXPORT_SUFFIXES];	/* of files that have this format; ends with NULL */
	const char *summary;
	const struct analysis *analysis;	/* NULL: this program was built without it */
	const char *missing;			/* of such a one: what the build lacked */
	bool binary;				/* it is nothing for a terminal */
	bool seeks;				/* it cannot be written through a pipe */
	const char *folder;			/* it is a folder, in which there is always this file: reading->out is that folder; NULL: a file */
};

/* All there are; ends with a row without a name. */
extern const struct exporter exporters[];

/* By its name; by the name of a file that is to have it. NULL: there is none. */
const struct exporter *exporter_named(const char *name);
const struct exporter *exporter_of_file(const char *path);

/* The rows' analyses. */
extern const struct analysis chrome_analysis, csv_analysis, ctf_analysis, folded_analysis, jsonl_analysis, perfetto_analysis, speedscope_analysis, sqlite_analysis;

#endif

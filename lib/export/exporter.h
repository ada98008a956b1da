/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes recordings for other programs. Each format has a row in the table below and a file of its own in lib/export. An exporter is an analysis
 * (lib/analysis/analysis.h) whose options are a struct export_options. An exporter writes to reading->out while it takes in the records. The memory of an
 * exporter does not grow with the recording.
 */
#ifndef RINGSIDE_EXPORTER_H
#define RINGSIDE_EXPORTER_H

#include "lib/analysis/analysis.h"
#include "lib/export/flame-view.h"

struct export_options {
	bool columns;		 /* for the format "csv": true if only one event is selected, so that each of its fields has a column */
	struct flame_view flame; /* for the format "folded" */
};

enum { EXPORT_SUFFIXES = 4 };

struct exporter {
	const char *name;
	const char *suffixes[EXPORT_SUFFIXES]; /* a file of this format has one of these suffixes; a NULL ends the array */
	const char *summary;
	const struct analysis *analysis; /* NULL: this program was built without the exporter */
	const char *missing;		 /* if .analysis is NULL: what the build of this program lacked */
	bool binary;			 /* the output cannot be shown on a terminal */
	bool seeks;			 /* the output cannot be written to a pipe */
	/*
	 * NULL: the output is a file. Otherwise the output is a folder, and reading->out is the descriptor of this folder. .folder is the name of a file that
	 * the exporter makes in the folder.
	 */
	const char *folder;
};

/* These are all exporters. The table ends with a row without a name. */
extern const struct exporter exporters[];

/*
 * exporter_named() returns the exporter of this name. exporter_of_file() returns the exporter whose .suffixes include the suffix of the file name @path. Both
 * functions return NULL when there is no such exporter.
 */
const struct exporter *exporter_named(const char *name);
const struct exporter *exporter_of_file(const char *path);

/* These are the analyses of the table's rows. */
extern const struct analysis chrome_analysis, csv_analysis, ctf_analysis, folded_analysis, jsonl_analysis, perfetto_analysis, speedscope_analysis,
	sqlite_analysis;

#endif

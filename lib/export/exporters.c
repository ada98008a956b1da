/* SPDX-License-Identifier: GPL-2.0 */
/* The table of export formats. */
#include "lib/export/exporter.h"
#include "lib/base/str.h"

/* clang-format off */
const struct exporter exporters[] = {
	{ .name = "csv", .suffixes = { ".csv" }, .analysis = &csv_analysis,
	  .summary = "a line for each event, for spreadsheets and DuckDB; with --events a column for each field" },
	{ .name = "jsonl", .suffixes = { ".jsonl", ".ndjson" }, .analysis = &jsonl_analysis,
	  .summary = "a line with a JSON object for each event, for jq, pandas and DuckDB" },
	{ .name = "speedscope", .suffixes = { ".speedscope.json" }, .analysis = &speedscope_analysis,
	  .summary = "for speedscope.app: the calls of each task on a time axis and merged, stacks of events" },
	{ .name = "chrome", .suffixes = { ".json" }, .analysis = &chrome_analysis,
	  .summary = "JSON trace events, for chrome://tracing and Perfetto: CPUs, calls, events on a time axis" },
	{ .name = "perfetto", .suffixes = { ".pftrace", ".perfetto-trace" }, .analysis = &perfetto_analysis, .binary = true,
	  .summary = "for ui.perfetto.dev and its trace_processor: CPUs, states of threads, calls, events" },
	{ .name = "folded", .suffixes = { ".folded" }, .analysis = &folded_analysis,
	  .summary = "stacks of calls, each with the time in the innermost function itself in ns, for flamegraph.pl and speedscope" },
	{ .name = "sqlite", .suffixes = { ".sqlite", ".db" }, .binary = true, .seeks = true, .missing = "libsqlite3",
#ifdef RINGSIDE_SQLITE
	  .analysis = &sqlite_analysis,
#endif
	  .summary = "a database with tables of each event, of calls, of which task ran, and of losses" },
	{ .name = "ctf", .suffixes = { ".ctf" }, .analysis = &ctf_analysis, .folder = "metadata",
	  .summary = "a folder in the Common Trace Format, for babeltrace2 and Trace Compass: every event with typed fields" },
	{ .name = NULL },
};
/* clang-format on */

const struct exporter *exporter_named(const char *name)
{
	for (const struct exporter *e = exporters; e->name; e++)
		if (strcmp(e->name, name) == 0)
			return e;
	return NULL;
}

const struct exporter *exporter_of_file(const char *path)
{
	for (const struct exporter *e = exporters; e->name; e++)
		for (unsigned int i = 0; i < EXPORT_SUFFIXES && e->suffixes[i]; i++)
			if (str_ends(path, e->suffixes[i]))
				return e;
	return NULL;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the files of `ringside report` share. */
#ifndef RINGSIDE_CMD_REPORT_H
#define RINGSIDE_CMD_REPORT_H

#include "cmd/reading.h"
#include "cmd/table-options.h"
#include "lib/output/profile-text.h"
#include "lib/output/tree.h"
#include "lib/output/wakeups-text.h"

/* These are the values of all options of `ringside report`. */
struct report {
	struct reading_opts read;    /* must be the first member */
	bool tree, profile, wakeups; /* which analysis is printed; when all are false, the records are printed */
	struct tree_options tree_opts;
	struct profile_view prof;
	struct table_opts table; /* how --profile is printed as a table */
	struct wakeups_view woken;
	int verbose; /* trace-cmd's levels: 4 is "info" */
	/* This tells what to print instead of the records. */
	strv_t event_patterns; /* --event: the formats of events that match one of these patterns are printed */
	bool byte_order, page_size, functions, printk, list_events, formats, some_formats, check_events, stat, uname, version, list_cpus, first, last,
		test_filters;
};

/* Returns false when the user has asked for the records. Otherwise prints what the user has asked for, sets *@status to the exit status, and returns true. */
bool report_info(struct report *report, int *status);

/*
 * Prints "cpus=N" for each file. When @verbose (the level of --verbose) is 4 or more, first prints the lines that trace-cmd prints in front of "cpus=N": the
 * version of the file, the plug-ins, and the CPUs that are empty.
 */
void report_heads(const inputs_t *inputs, int verbose);

/* Prints the records, through a pager if the user wants a pager. Returns the exit status. */
int report_records(struct report *report);

#endif

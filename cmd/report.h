/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of `ringside report`: what was asked for, and the files that it is asked of. */
#ifndef RINGSIDE_CMD_REPORT_H
#define RINGSIDE_CMD_REPORT_H

#include "cmd/output.h"
#include "cmd/view.h"
#include "lib/analysis/hist.h"
#include "lib/analysis/input.h"
#include "lib/analysis/profile.h"
#include "lib/output/hist-text.h"

/* Everything that the options say. */
struct report {
	inputs_t inputs;
	struct pool *pool;		/* while they are open */
	int64_t ts_offset;		/* for inputs named after it, when no -i came before */
	uint64_t hz;
	bool invert;			/* a -v has been seen */
	struct view_opts view;
	struct cpuset cpus;
	bool has_cpus;
	strv_t buffers;
	bool raw_ts, no_date, ts_check, debug, quiet, no_pager, tree, profile, wakeups;
	struct profile_options prof;	/* for profile */
	bool hist;			/* a histogram of call chains */
	struct hist_options chains;	/* for hist */
	struct hist_show hist_show;
	const char *kallsyms, *since, *until;
	int verbose;			/* trace-cmd's levels: 4 is "info" */
	/* What to print instead of the records. */
	bool byte_order, page_size, functions, printk, list_events, formats, check_events, stat, uname, version,
		list_cpus, first, last, test_filters;
};

/* The rows of "What to read" and "Which records"; behind the latter those of view_which belong. */
extern const struct opt report_read_options[], report_which_options[];

/* The files to read beside those of -i; trace.dat when there are none at all. 0 or -ENOMEM. */
int report_operands(struct report *report, int n, char **operands);

/* Opens all inputs, up to their symbols, which report_ready() waits for. 0, or -errno after a message. */
int report_open(struct report *report);
int report_ready(struct report *report);
void report_close(struct report *report);

/* Closes them, and frees what the options have brought. */
void report_fini(struct report *report);

/* Was something else than the records asked for? Then it is printed and *@status is the exit status. */
bool report_info(struct report *report, int *status);

/* Prints the records; the exit status. */
int report_records(struct report *report);

/* The same through a pager, where one is wanted. */
int report_paged(struct report *report);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the text of a histogram of call chains (lib/analysis/hist.h). */
#ifndef RINGSIDE_HIST_TEXT_H
#define RINGSIDE_HIST_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/hist.h"
#include "lib/output/table.h"

enum hist_form {
	HIST_TREE,   /* each event and function with its callers, in trace-cmd's layout */
	HIST_FLAT,   /* a line for each event and function, without its callers */
	HIST_FOLDED, /* lines "TASK;OUTERMOST;...;INNERMOST COUNT", which flamegraph.pl reads; the lines are sorted */
};

struct hist_show {
	enum hist_form form;
	uint64_t top;  /* how many of the most frequent events and functions are shown; 0: all */
	bool as_table; /* true: print the table that .table describes; false: print the text that .form names */
	struct table_show table;
};

/* These are the options of hist_analysis. */
struct hist_view {
	struct hist_options opt;
	struct hist_show show;
};

extern const struct analysis hist_analysis, hist_time_analysis; /* hist_time_analysis is used when hist_options.time is set */

/*
 * Writes the histogram to reading->out. The threads of reading->pool make the text. Returns 0, -EPIPE when nobody reads, -ENOMEM, or another -errno after a
 * message.
 */
int hist_print(const struct hist *hist, const struct hist_show *show, const struct reading *reading);

#endif

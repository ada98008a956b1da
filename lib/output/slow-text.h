/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the slowest calls of functions. For each call it prints where the time of the call went, and why the call was slow. */
#ifndef RINGSIDE_SLOW_TEXT_H
#define RINGSIDE_SLOW_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/output/table.h"

struct slow_view {
	strv_t globs;  /* the functions whose calls are shown */
	uint64_t top;  /* at most this number of calls is shown; 0: the default */
	uint64_t over; /* only calls that took longer than this, in ns, are shown; 0: all */
	uint64_t call; /* which call is shown alone and in full; 1: the slowest, 2: the second slowest; 0: all chosen calls are shown, in fewer words */
	strv_t vcpus;  /* which threads of a host are the CPUs of a guest, for vcpus_new() */
	bool as_table; /* true: print a table; false: print a text for people; JSON and CSV always have the table */
	struct table_show table;
};

/* The options of the analysis are a struct slow_view. */
extern const struct analysis slow_analysis;

#endif

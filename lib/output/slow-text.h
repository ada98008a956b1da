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
	uint64_t call; /* K: only the K-th slowest call is shown, in full (1 is the slowest); 0: all chosen calls are shown, in fewer words */
	strv_t vcpus;  /* which threads of a host are the CPUs of a guest, for vcpus_new() */
	bool as_table; /* JSON and CSV always have the table; true: people see the table, too; false: people see a text instead */
	struct table_show table;
};

/* The options of the analysis are a struct slow_view. */
extern const struct analysis slow_analysis;

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the table of how often events happened. */
#ifndef RINGSIDE_COUNTS_TEXT_H
#define RINGSIDE_COUNTS_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/counts.h"
#include "lib/output/table.h"

struct counts_view {
	struct count_spec spec;
	bool absent;		 /* events were named, and those of them that did not happen have a row, too */
	const char *place, *why; /* as in struct table_meta */
	/*
	 * Adds, before a table is shown, what the kernel has counted since the last call. Returns 0 or -errno after a message. NULL: the kernel
	 * counts nothing.
	 */
	int (*fill)(void *ctx, struct reading *reading, struct counts *counts);
	void *ctx;
	uint64_t every_ns;	    /* a table for each period of this length; 0: one of the whole */
	bool more;		    /* counting goes on, and reading_show() was called because a period is over; set by whoever sets .fill */
	const uint64_t *elapsed_ns; /* for how long events were counted; 0 while counting goes on; NULL: from the first to the last record */
	struct table_show table;
	/*
	 * Is given the counts of the whole, which took @elapsed_ns, and no table is shown. Returns 0 or -errno after a message. NULL: a
	 * table is shown.
	 */
	int (*sink)(void *to, const struct counts *counts, uint64_t elapsed_ns);
	void *to;
};

/* The options of the analysis are a struct counts_view. */
extern const struct analysis counts_analysis;

#endif

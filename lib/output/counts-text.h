/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a table that tells how often events happened. */
#ifndef RINGSIDE_COUNTS_TEXT_H
#define RINGSIDE_COUNTS_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/counts.h"
#include "lib/output/table.h"

struct counts_view {
	struct count_spec spec;
	bool absent;		 /* true: the user has named events, and each of them has a row, even an event that did not happen */
	const char *place, *why; /* where the figures come from, and why they come from there (struct table_meta) */
	/*
	 * This function is called before a table is shown. It adds what the kernel has counted since the last call, and returns 0 or -errno after a
	 * message. NULL: the kernel counts nothing.
	 */
	int (*fill)(void *ctx, struct reading *reading, struct counts *counts);
	void *ctx;
	uint64_t every_ns; /* a table is shown for each period of this length; 0: one table is shown at the end */
	/*
	 * Used if .every_ns is not 0. True: reading_show() was called because a period is over, and counting goes on. False: counting has ended. Code that
	 * sets .fill sets .more before it calls reading_show().
	 */
	bool more;
	/*
	 * Points to the time for which events were counted, in ns. While counting goes on, the value is 0. If the value is 0 or the pointer is NULL, the time
	 * from the first to the last record is shown instead.
	 */
	const uint64_t *elapsed_ns;
	struct table_show table;
	/*
	 * When .sink is not NULL, no table is shown. Instead .sink() is called at the end with all counts. @elapsed_ns is how long counting took, in ns.
	 * .sink() returns 0, or -errno after a message.
	 */
	int (*sink)(void *to, const struct counts *counts, uint64_t elapsed_ns);
	void *to;
};

/*
 * Events are counted by keys (lib/analysis/counts.h). Returns the type of the column for a key. @numeric and @is_signed are the key's elements of .numeric
 * and .is_signed of struct counts.
 */
static inline enum table_type counts_type(bool numeric, bool is_signed)
{
	return !numeric ? TABLE_TEXT : is_signed ? TABLE_ID : TABLE_NUMBER;
}

/* The options of the analysis are a struct counts_view. */
extern const struct analysis counts_analysis;

#endif

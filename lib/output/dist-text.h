/* SPDX-License-Identifier: GPL-2.0 */
/* Prints one distribution in full: the figures, the bars, and where the largest values occurred. */
#ifndef RINGSIDE_DIST_TEXT_H
#define RINGSIDE_DIST_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/dist.h"
#include "lib/analysis/pairs.h"
#include "lib/output/table.h"

struct dist_view {
	struct dist_options opt;
	struct table_show table; /* how the table of the bars is shown */
	const struct pair *pair; /* only for dist_pairs_analysis */
	const char *place, *why; /* where the figures come from, and why they come from there (struct table_meta) */
	/* Called before the distribution is shown, to add what the kernel has counted. Returns 0 or -errno after a message. NULL: the kernel counts nothing. */
	int (*fill)(void *ctx, struct reading *reading, struct dist *dist);
	void *ctx;
	/*
	 * Points to the time for which events were traced, in ns. The value is 0 when nothing was traced. If the value is 0 or the pointer is NULL, the time
	 * from the first to the last record is shown instead.
	 */
	const uint64_t *elapsed_ns;
};

/*
 * These analyses make the distributions of calls, of a field of events, and of pairs of events. dist_is_event() (lib/analysis/dist.h) tells whether a name
 * means calls or a field of events. The options of each analysis are a struct dist_view.
 */
extern const struct analysis dist_calls_analysis, dist_events_analysis, dist_pairs_analysis;

#endif

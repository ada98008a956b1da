/* SPDX-License-Identifier: GPL-2.0 */
/* One distribution in full: its figures, its bars, and where its largest numbers were. */
#ifndef RINGSIDE_DIST_TEXT_H
#define RINGSIDE_DIST_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/dist.h"
#include "lib/output/table.h"

struct dist_view {
	struct dist_options opt;
	struct table_show table;	/* of the bars */
};

/* Of calls; of a field of events: dist_is_event() says which. Their options are a struct dist_view. */
extern const struct analysis dist_calls_analysis, dist_events_analysis;

#endif

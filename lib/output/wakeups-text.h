/* SPDX-License-Identifier: GPL-2.0 */
/* Prints for `report -w` how long tasks have waited for a CPU. */
#ifndef RINGSIDE_WAKEUPS_TEXT_H
#define RINGSIDE_WAKEUPS_TEXT_H

#include "lib/analysis/analysis.h"
#include "lib/analysis/wakeups.h"

/*
 * This is the analysis that `report -w` adds to lines_analysis (lib/output/lines.h). It marks the records of switches, so that their lines tell how long the
 * next task has waited for the CPU. At the end it shows averages and extremes of these times. The options of the analysis are a struct wakeups_view.
 */
extern const struct analysis wakeups_analysis;

struct wakeups_view {
	struct wakeups *wakeups; /* only the analysis uses it; NULL at first */
};

/*
 * Appends averages and extremes of the times in @result. Appends nothing when there was no wakeup. @ns is true if the times are in ns, and false if they
 * are in ticks of the clock. If @ns and @exact are true, the timestamps of the extremes have all their nanoseconds (text_time() in lib/event/text.h).
 * Returns 0 or -ENOMEM.
 */
int wakeups_text(const struct wakeups_result *result, bool ns, bool exact, struct str *out);

/* Appends the time @took. If @ns is true, @took is in ns, and the text is " Latency: 12.345 usecs". If @ns is false, @took is in ticks: " Latency: 12345". */
void wakeup_add(uint64_t took, bool ns, struct str *out);

#endif

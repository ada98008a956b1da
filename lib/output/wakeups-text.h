/* SPDX-License-Identifier: GPL-2.0 */
/* What stands behind the records of `report -w`: how long tasks have waited for a CPU. */
#ifndef RINGSIDE_WAKEUPS_TEXT_H
#define RINGSIDE_WAKEUPS_TEXT_H

#include "lib/analysis/wakeups.h"

/* Appends averages and extremes, nothing when there was no wakeup. @ns: times count ns; @exact as in lines.h. 0 or -ENOMEM. */
int wakeups_text(const struct wakeups_result *result, bool ns, bool exact, struct str *out);

/* Appends " Latency: 12.345 usecs". */
void wakeup_add(uint64_t took, bool ns, struct str *out);

#endif

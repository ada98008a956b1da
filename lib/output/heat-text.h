/* SPDX-License-Identifier: GPL-2.0 */
/* A heat map: the time goes to the right, durations go up, and how dark a place is says how many there were. */
#ifndef RINGSIDE_HEAT_TEXT_H
#define RINGSIDE_HEAT_TEXT_H

#include "lib/analysis/heat.h"
#include "lib/base/str.h"
#include "lib/output/table.h"

/* For programs: a table of "ts", "from", "to" and "count", a row for each place that is not empty. The caller frees it. Returns 0 or -errno after a message. */
int heat_table(struct table **out, const struct heat *heat, const struct table_show *show);

/* For people. @ticks: the trace's clock counts no time. */
void heat_text(const struct heat *heat, bool ticks, struct str *out);

#endif

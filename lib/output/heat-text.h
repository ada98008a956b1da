/* SPDX-License-Identifier: GPL-2.0 */
/* Draws a heat map: time goes to the right and durations go up. A cell with more durations in it is darker. */
#ifndef RINGSIDE_HEAT_TEXT_H
#define RINGSIDE_HEAT_TEXT_H

#include "lib/analysis/heat.h"
#include "lib/base/str.h"
#include "lib/output/table.h"

/*
 * Makes a table of the map for programs, such as the readers of JSON. The table has the columns "ts", "from", "to" and "count", and a row for each cell that
 * is not empty. Only the member .form of @show is used. The caller frees the table. Returns 0 or -errno after a message.
 */
int heat_table(struct table **out, const struct heat *heat, const struct table_show *show);

/* Appends the map as a text for people. @ticks and @ts_ticks are as in struct table_meta. */
void heat_text(const struct heat *heat, bool ticks, bool ts_ticks, struct str *out);

#endif

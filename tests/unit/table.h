/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the unit tests of tables share. */
#ifndef RINGSIDE_UNIT_TABLE_H
#define RINGSIDE_UNIT_TABLE_H

#include "lib/output/table.h"

/* Checks that table_show() prints @want in the locale C, and frees the table. */
void check_table(struct table *t, const struct table_meta *meta, const char *want);

/* Adds two rows with a text in the first column, and a count in the second one. The first text is long. The second text has an escape, and its row has a tint. */
void add_two_rows(struct table *t);

#endif

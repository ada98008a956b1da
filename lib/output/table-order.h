/* SPDX-License-Identifier: GPL-2.0 */
/* Puts the rows of a table into the order in which they are shown. Only lib/output/table*.c uses this. */
#ifndef RINGSIDE_TABLE_ORDER_H
#define RINGSIDE_TABLE_ORDER_H

#include "lib/output/table-rows.h"

/* Sets the table's .order, .n, .cut and .depths. The caller has set .sums before. Returns 0 or -ENOMEM. */
int table_order(struct table *table);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* The rows of a table in the order in which they are shown. Inside lib/output/table*.c only. */
#ifndef RINGSIDE_TABLE_ORDER_H
#define RINGSIDE_TABLE_ORDER_H

#include "lib/output/table-rows.h"

/* Sets the table's .order, .n, .cut and .depths; the sums are known already. 0 or -ENOMEM. */
int table_order(struct table *table);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans what a query asks of a table. SQLite keeps the plan as a text until it asks: "c3:0 k4:0 l5:0 o2+" says that column 3 is compared by the
 * operator 0, column 4 with a constant, column 5 with a list, and that rows are wanted in the order of column 2 upwards. Inside lib/query only.
 */
#ifndef RINGSIDE_QUERY_VTAB_PLAN_H
#define RINGSIDE_QUERY_VTAB_PLAN_H

#include "lib/query/wants.h"

enum { PLAN_KEYS = 3 };

/* Says in @info what of the question the table can answer, and at which cost. Returns SQLITE_OK or SQLITE_NOMEM. */
int vtab_plan(struct relation *table, sqlite3_index_info *info);

/* Adds to @wants and @keys, which begin empty, what a plan says, with the values that SQLite has for it. Returns 0 or -ENOMEM. */
int vtab_plan_read(const char *plan, sqlite3_value **values, wants_t *wants, struct store_key keys[PLAN_KEYS], unsigned int *nkeys);

#endif

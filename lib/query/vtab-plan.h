/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Plans how a table answers a query. The plan is a text. SQLite keeps the plan until it asks the table for rows. For example, the plan "c3:0 k4:0 l5:0 o2+"
 * says:
 *  - c3:0: column 3 is compared by operator 0 (of enum want_op in lib/query/wants.h) with a value that can change while the statement runs.
 *  - k4:0: column 4 is compared by operator 0 with a constant.
 *  - l5:0: column 5 is compared by operator 0 with a list.
 *  - o2+: the rows are wanted in the ascending order of column 2.
 * Only lib/query uses this.
 */
#ifndef RINGSIDE_QUERY_VTAB_PLAN_H
#define RINGSIDE_QUERY_VTAB_PLAN_H

#include "lib/query/wants.h"

enum { PLAN_KEYS = 3 }; /* the most columns that the order of a plan can have */

/*
 * Makes a plan in @info. @info also tells SQLite which conditions the table checks itself. @info has estimates of how many rows fit these conditions, and of
 * how long it takes to read these rows. Adds to table->wanted the columns that the statement needs. Returns SQLITE_OK or SQLITE_NOMEM.
 */
int vtab_plan(struct relation *table, sqlite3_index_info *info);

/*
 * Reads a plan. Adds the conditions of the plan to @wants. Puts the columns of the plan's order into @keys, and the number of these columns into *@nkeys.
 * When this function is called, @wants must be empty, and *@nkeys must be 0. Element i of @values is the value for condition i of the plan. SQLite passes
 * these values together with the plan. When @patterns is false, conditions with LIKE or GLOB are not added to @wants, and only SQLite checks them. Returns
 * 0 or -ENOMEM.
 */
int vtab_plan_read(const char *plan, sqlite3_value **values, bool patterns, wants_t *wants, struct store_key keys[PLAN_KEYS], unsigned int *nkeys);

#endif

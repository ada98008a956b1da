/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Translates a query of `ringside sql` into ClickHouse's SQL. Some parts of a query would work differently in ClickHouse than in SQLite or in ringside's
 * functions. These parts are rewritten. So the ClickHouse server gives the answer that `ringside sql` gives for a file. Parts of the query that the translation
 * does not know go to the server unchanged.
 */
#ifndef RINGSIDE_QUERY_DIALECT_H
#define RINGSIDE_QUERY_DIALECT_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

/*
 * Translates @sql and appends the translation of each of its statements to @out. @columns are the columns of the server's tables, as "table.column".
 * Returns 0, or -EINVAL or -ENOMEM after a message. -EINVAL means that the query asks for something that a ClickHouse server cannot do.
 */
int dialect_translate(const char *sql, const strv_t *columns, strv_t *out);

/*
 * Returns the name that the query gave to a column of the server's answer. dialect_translate() may have put a mark in front of that name. The result
 * points into @name, behind the mark if there is one.
 */
const char *dialect_name(const char *name);

#endif

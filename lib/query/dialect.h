/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A query as `ringside sql` takes it, in the words of a ClickHouse server: what SQLite and our own functions do otherwise is written so that the server
 * finds the same. What the dialect does not know goes to the server as it is.
 */
#ifndef RINGSIDE_QUERY_DIALECT_H
#define RINGSIDE_QUERY_DIALECT_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

/*
 * Appends each statement of @sql to @out. @columns are those of the server's tables, as "table.column". 0; -EINVAL after a
 * message: there is something in it that a server cannot do; -ENOMEM.
 */
int dialect_translate(const char *sql, const strv_t *columns, strv_t *out);

/* The name of an answer's column as the query has it, which may be in front of what the server was told to call it. */
const char *dialect_name(const char *name);

#endif

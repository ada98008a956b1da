/* SPDX-License-Identifier: GPL-2.0 */
/* Values for the columns of a database's rows: each is bound to the column @at of @stmt. */
#ifndef RINGSIDE_SQLITE_BIND_H
#define RINGSIDE_SQLITE_BIND_H

#include "lib/export/timeline.h"

#include <sqlite3.h>

/* SQLite's integers have a sign: what is larger is a text. */
void db_bind_unsigned(sqlite3_stmt *stmt, int at, uint64_t v);

/* As UTF-8. */
void db_bind_text(struct timeline *t, sqlite3_stmt *stmt, int at, const char *text, size_t n);

/* The same of a task's name; NULL: not known. */
void db_bind_comm(struct timeline *t, sqlite3_stmt *stmt, int at, const char *comm);

/* A text that is UTF-8 and lives longer than the statement; NULL: none. */
void db_bind_name(sqlite3_stmt *stmt, int at, const char *text);

/* All fields of an event, from the column @at on. */
void db_bind_fields(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan *plan, const struct record *rec);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Values for the columns of a database's rows. */
#ifdef RINGSIDE_SQLITE
#include "lib/export/sqlite-bind.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/export/cell.h"

void db_bind_unsigned(sqlite3_stmt *stmt, int at, uint64_t v)
{
	char text[24];

	if (likely(v <= INT64_MAX))
		sqlite3_bind_int64(stmt, at, (int64_t)v);
	else
		sqlite3_bind_text(stmt, at, text, (int)(put_u64(text, v) - text), SQLITE_TRANSIENT);
}

void db_bind_text(struct timeline *t, sqlite3_stmt *stmt, int at, const char *text, size_t n)
{
	str_clear(&t->scratch);
	quote_utf8(text, n, &t->scratch);
	sqlite3_bind_text(stmt, at, str_text(&t->scratch), (int)t->scratch.len, SQLITE_TRANSIENT);
}

void db_bind_comm(struct timeline *t, sqlite3_stmt *stmt, int at, const char *comm)
{
	if (comm)
		db_bind_text(t, stmt, at, comm, strlen(comm));
	else
		sqlite3_bind_null(stmt, at);
}

void db_bind_name(sqlite3_stmt *stmt, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, at);
}

static void bind_cell(sqlite3_stmt *stmt, int at, const struct cell *cell)
{
	if (cell->kind == CELL_INTEGER)
		sqlite3_bind_int64(stmt, at, cell->number);
	else if (cell->kind == CELL_TEXT)
		sqlite3_bind_text(stmt, at, cell->text, (int)cell->size, SQLITE_TRANSIENT);
	else
		sqlite3_bind_null(stmt, at);
}

void db_bind_fields(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan *plan, const struct record *rec)
{
	struct str text = { 0 };

	vec_each (&plan->fields, f) {
		struct cell cell;

		cell_field(&cell, plan, f, rec, &text, &t->scratch);
		bind_cell(stmt, at++, &cell);
	}
	t->out.oom |= text.oom;
	str_fini(&text);
}
#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Values for the columns of a database's rows. */
#ifdef RINGSIDE_SQLITE
#include "lib/export/sqlite-bind.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/event/text.h"
#include "lib/export/cell.h"

void db_bind_unsigned(sqlite3_stmt *stmt, int at, uint64_t v)
{
	char text[24];

	if (likely(v <= INT64_MAX))
		sqlite3_bind_int64(stmt, at, (int64_t)v);
	else
		sqlite3_bind_text(stmt, at, text, (int)(put_u64(text, v) - text), SQLITE_TRANSIENT);
}

/* Eight bytes at a time: none of them has its highest bit. */
static bool is_ascii(const char *text, size_t n)
{
	uint64_t any = 0, eight;

	for (; n >= sizeof(eight); n -= sizeof(eight), text += sizeof(eight)) {
		memcpy(&eight, text, sizeof(eight));
		any |= eight;
	}
	for (; n; n--)
		any |= (uint64_t)(uint8_t)*text++;
	return !(any & 0x8080808080808080ULL);
}

void db_bind_text(struct timeline *t, sqlite3_stmt *stmt, int at, const char *text, size_t n)
{
	/* What is bound holds until the row is inserted. */
	if (likely(is_ascii(text, n))) {
		sqlite3_bind_text(stmt, at, text, (int)n, SQLITE_STATIC);
		return;
	}
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

static void bind_address(sqlite3_stmt *stmt, int at, uint64_t address)
{
	char text[24];

	sqlite3_bind_text(stmt, at, text, (int)(put_hex(put_bytes(text, "0x", 2), address) - text), SQLITE_TRANSIENT);
}

/* What cell_field() makes of most fields, without a copy of it. False: it is another kind of field. */
static bool bind_quickly(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan_field *f, const struct record *rec)
{
	const struct symbol *sym = NULL;
	struct value value;

	if (f->how < PLAN_UNSIGNED || f->how > PLAN_STRING || !value_get(f->field, rec->data, rec->size, &value))
		return false;
	if (f->how == PLAN_FUNCTION)
		sym = symbols_find(f->field->symbols, value.number);
	if (f->how == PLAN_STRING)
		db_bind_text(t, stmt, at, (const char *)value.at, value.size);
	else if (sym)
		db_bind_text(t, stmt, at, sym->name, sym->name_len);
	else if (f->how == PLAN_FUNCTION || f->how == PLAN_ADDRESS)
		bind_address(stmt, at, value.number);
	else if (f->how == PLAN_UNSIGNED)
		db_bind_unsigned(stmt, at, value.number);
	else
		sqlite3_bind_int64(stmt, at, f->how == PLAN_BOOL ? !!value.number : (int64_t)value.number);
	return true;
}

void db_bind_fields(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan *plan, const struct record *rec)
{
	struct str text = { 0 };

	vec_each (&plan->fields, f) {
		struct cell cell;

		if (!bind_quickly(t, stmt, at++, f, rec)) {
			cell_field(&cell, plan, f, rec, &text, &t->scratch);
			bind_cell(stmt, at - 1, &cell);
		}
	}
	t->out.oom |= text.oom;
	str_fini(&text);
}
#endif

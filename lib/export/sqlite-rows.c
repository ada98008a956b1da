/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/export/sqlite-rows.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/event/text.h"
#include "lib/export/cell.h"

#include <stdio.h>

/*
 * So many values wait of each table: a kernel has some thousand events, each of which can have a table. Those with keys, which are few,
 * have more, as it costs less to insert many that are in order.
 */
enum { MOST_VALUES = 1024, MOST_KEYED = 32 * MOST_VALUES };

/* --- the virtual table that SQLite reads the rows from (https://www.sqlite.org/vtab.html) ------------------------------------- */

struct table {
	sqlite3_vtab base;
	const struct db_rows *rows;
};

struct cursor {
	sqlite3_vtab_cursor base;
	const struct db_value **at, **end;
};

static int table_connect(sqlite3 *sqlite, void *rows, __unused int argc, __unused const char *const *argv, sqlite3_vtab **out, __unused char **why)
{
	struct table *table = sqlite3_malloc(sizeof(*table));
	struct str columns = { 0 };
	int status;

	str_add(&columns, "CREATE TABLE rows (c0");
	for (unsigned int i = 1; i < ((const struct db_rows *)rows)->columns; i++)
		str_addf(&columns, ", c%u", i);
	str_addc(&columns, ')');
	status = !table || str_ok(&columns) ? SQLITE_NOMEM : sqlite3_declare_vtab(sqlite, str_text(&columns));
	str_fini(&columns);
	if (status == SQLITE_OK) {
		*table = (struct table){ .rows = rows };
		*out = &table->base;
	} else {
		sqlite3_free(table);
	}
	return status;
}

static int table_disconnect(sqlite3_vtab *vtab)
{
	sqlite3_free(vtab);
	return SQLITE_OK;
}

static int table_plan(__unused sqlite3_vtab *vtab, __unused sqlite3_index_info *info)
{
	return SQLITE_OK;
}

static int cursor_open(__unused sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
	struct cursor *cursor = sqlite3_malloc(sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	*cursor = (struct cursor){ 0 };
	*out = &cursor->base;
	return SQLITE_OK;
}

static int cursor_close(sqlite3_vtab_cursor *cursor)
{
	sqlite3_free(cursor);
	return SQLITE_OK;
}

static int cursor_first(sqlite3_vtab_cursor *base, __unused int index, __unused const char *name, __unused int argc, __unused sqlite3_value **argv)
{
	struct cursor *cursor = (struct cursor *)base;
	const struct db_rows *rows = ((struct table *)base->pVtab)->rows;

	cursor->at = rows->order;
	cursor->end = rows->order + rows->n;
	return SQLITE_OK;
}

static int cursor_next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	cursor->at++;
	return SQLITE_OK;
}

static int cursor_over(sqlite3_vtab_cursor *base)
{
	const struct cursor *cursor = (const struct cursor *)base;

	return cursor->at == cursor->end;
}

static int cursor_value(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	const struct db_value *v = *((const struct cursor *)base)->at + column;

	if (v->kind == DB_INTEGER)
		sqlite3_result_int64(out, v->number);
	else if (v->kind == DB_TEXT)
		sqlite3_result_text(out, v->text, (int)v->size, SQLITE_STATIC);
	else if (v->kind == DB_COPY)
		sqlite3_result_text(out, ((const struct table *)base->pVtab)->rows->copies.at + v->copy, (int)v->size, SQLITE_STATIC);
	return SQLITE_OK;
}

static int cursor_rowid(__unused sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = 0;
	return SQLITE_OK;
}

/* Without .xCreate it is there as soon as its module is. */
/* clang-format off */
static const sqlite3_module module = {
	.xConnect = table_connect, .xBestIndex = table_plan, .xDisconnect = table_disconnect, .xOpen = cursor_open, .xClose = cursor_close,
	.xFilter = cursor_first, .xNext = cursor_next, .xEof = cursor_over, .xColumn = cursor_value, .xRowid = cursor_rowid,
};
/* clang-format on */

/* --- rows --------------------------------------------------------------------------------------------------------------------- */

int db_rows_open(struct db_rows *rows, sqlite3 *sqlite, const char *table, unsigned int columns, bool keyed, size_t nr)
{
	struct str sql = { 0 };
	char name[32];
	int status;

	*rows = (struct db_rows){ .columns = columns, .most = MAX((keyed ? MOST_KEYED : MOST_VALUES) / columns, 1U), .keyed = keyed };
	rows->next = rows->values = malloc((size_t)rows->most * columns * sizeof(*rows->values));
	rows->order = malloc(rows->most * sizeof(*rows->order));
	/* No event has a name of two lines. */
	snprintf(name, sizeof(name), "rows\n%zu", nr);
	str_addf(&sql, "INSERT INTO %s SELECT * FROM \"%s\"", table, name);
	status = !rows->values || !rows->order || str_ok(&sql) ? SQLITE_NOMEM : sqlite3_create_module(sqlite, name, &module, rows);
	if (status == SQLITE_OK)
		status = sqlite3_prepare_v3(sqlite, str_text(&sql), -1, SQLITE_PREPARE_PERSISTENT, &rows->insert, NULL);
	str_fini(&sql);
	return status;
}

static int by_key(const void *a, const void *b)
{
	const int64_t x = (*(const struct db_value *const *)a)->number, y = (*(const struct db_value *const *)b)->number;

	return (x > y) - (x < y);
}

static void set_order(struct db_rows *rows)
{
	for (unsigned int i = 0; i < rows->n; i++)
		rows->order[i] = rows->values + (size_t)i * rows->columns;
	if (rows->keyed)
		qsort(rows->order, rows->n, sizeof(*rows->order), by_key);
}

int db_rows_flush(struct db_rows *rows)
{
	int status = str_ok(&rows->copies) ? SQLITE_NOMEM : SQLITE_OK;

	if (status == SQLITE_OK && rows->n) {
		set_order(rows);
		sqlite3_step(rows->insert);
		status = sqlite3_reset(rows->insert);
	}
	rows->n = 0;
	rows->next = rows->values;
	str_clear(&rows->copies);
	return status;
}

int db_row(struct db_rows *rows)
{
	return ++rows->n == rows->most ? db_rows_flush(rows) : SQLITE_OK;
}

void db_rows_fini(struct db_rows *rows)
{
	sqlite3_finalize(rows->insert);
	free(rows->values);
	free(rows->order);
	str_fini(&rows->copies);
	*rows = (struct db_rows){ 0 };
}

/* --- values ------------------------------------------------------------------------------------------------------------------- */

static void lasting(struct db_rows *rows, const char *text, size_t n)
{
	*db_next(rows) = (struct db_value){ .kind = DB_TEXT, .text = text, .size = (uint32_t)n };
}

static void copy(struct db_rows *rows, const char *text, size_t n)
{
	*db_next(rows) = (struct db_value){ .kind = DB_COPY, .copy = rows->copies.len, .size = (uint32_t)n };
	str_addn(&rows->copies, text, n);
}

void db_unsigned(struct db_rows *rows, uint64_t v)
{
	char text[24];

	if (likely(v <= INT64_MAX))
		db_integer(rows, (int64_t)v);
	else
		copy(rows, text, (size_t)(put_u64(text, v) - text));
}

void db_name(struct db_rows *rows, const char *text)
{
	if (text)
		lasting(rows, text, strlen(text));
	else
		db_null(rows);
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

static void as_utf8(struct timeline *t, struct db_rows *rows, const char *text, size_t n)
{
	str_clear(&t->scratch);
	quote_utf8(text, n, &t->scratch);
	t->out.oom |= t->scratch.oom;
	copy(rows, str_text(&t->scratch), t->scratch.len);
}

void db_text(struct timeline *t, struct db_rows *rows, const char *text, size_t n)
{
	if (likely(is_ascii(text, n)))
		copy(rows, text, n);
	else
		as_utf8(t, rows, text, n);
}

static void symbol(struct timeline *t, struct db_rows *rows, const char *text, size_t n)
{
	if (likely(is_ascii(text, n)))
		lasting(rows, text, n);
	else
		as_utf8(t, rows, text, n);
}

void db_lasting(struct timeline *t, struct db_rows *rows, const char *text)
{
	if (text)
		symbol(t, rows, text, strlen(text));
	else
		db_null(rows);
}

static void cell(struct db_rows *rows, const struct cell *cell)
{
	if (cell->kind == CELL_INTEGER)
		db_integer(rows, cell->number);
	else if (cell->kind == CELL_TEXT)
		copy(rows, cell->text, cell->size);
	else
		db_null(rows);
}

static void address(struct db_rows *rows, uint64_t address)
{
	char text[24];

	copy(rows, text, (size_t)(put_hex(put_bytes(text, "0x", 2), address) - text));
}

/* What cell_field() makes of most fields, without its costs. False: it is another kind of field. */
static bool quickly(struct timeline *t, struct db_rows *rows, const struct plan_field *f, const struct record *rec)
{
	const struct symbol *sym = NULL;
	struct value value;

	if (f->how < PLAN_UNSIGNED || f->how > PLAN_STRING || !value_get(f->field, rec->data, rec->size, &value))
		return false;
	if (f->how == PLAN_FUNCTION)
		sym = symbols_find(f->field->symbols, value.number);
	if (f->how == PLAN_STRING)
		db_text(t, rows, (const char *)value.at, value.size);
	else if (sym)
		symbol(t, rows, sym->name, sym->name_len);
	else if (f->how == PLAN_FUNCTION || f->how == PLAN_ADDRESS)
		address(rows, value.number);
	else if (f->how == PLAN_UNSIGNED)
		db_unsigned(rows, value.number);
	else
		db_integer(rows, f->how == PLAN_BOOL ? !!value.number : (int64_t)value.number);
	return true;
}

void db_fields(struct timeline *t, struct db_rows *rows, const struct plan *plan, const struct record *rec)
{
	struct str text = { 0 };

	vec_each (&plan->fields, f) {
		struct cell v;

		if (!quickly(t, rows, f, rec)) {
			cell_field(&v, plan, f, rec, &text, &t->scratch);
			cell(rows, &v);
		}
	}
	t->out.oom |= text.oom;
	str_fini(&text);
}
#endif

/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/export/sqlite-rows.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/event/text.h"
#include "lib/export/cell.h"

#include <stdio.h>

/*
 * Rows wait in a batch, which has room for this many values. A kernel has some thousand events, so most of their tables get FEW. The few tables with keys get
 * MANY, because inserting many rows in order costs less. MORE is for other tables that have turned out to be busy.
 */
enum { FEW, MORE, MANY };
static const unsigned int room[] = { [FEW] = 1024, [MORE] = 16 * 1024, [MANY] = 256 * 1024 };

/* BUSY: a table is busy when it has been flushed this often. MOST_BUSY: at most this many tables get the larger batch. */
enum { BUSY = 32, MOST_BUSY = 64 };

/* At most this many bytes of text wait in a table's batch. */
enum { MOST_TEXT = 256 * 1024 };

/* When a batch is sorted, this many keys below the largest one have a place of their own. */
enum { PLACES = 128 * 1024 };

/* At least this many rows with consecutive keys are inserted by a statement of their own. */
enum { WORTH_A_STATEMENT = 16 };

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

	cursor->at = rows->at;
	cursor->end = rows->end;
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
		sqlite3_result_text(out, ((const struct table *)base->pVtab)->rows->writer->batch->copies.at + v->copy, (int)v->size, SQLITE_STATIC);
	return SQLITE_OK;
}

static int cursor_rowid(__unused sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = 0;
	return SQLITE_OK;
}

/* A module without .xCreate has its table as soon as it is registered. */
/* clang-format off */
static const sqlite3_module module = {
	.xConnect = table_connect, .xBestIndex = table_plan, .xDisconnect = table_disconnect, .xOpen = cursor_open, .xClose = cursor_close,
	.xFilter = cursor_first, .xNext = cursor_next, .xEof = cursor_over, .xColumn = cursor_value, .xRowid = cursor_rowid,
};
/* clang-format on */

/* --- batches ------------------------------------------------------------------------------------------------------------------ */

static void batch_fini(struct db_batch *batch)
{
	free(batch->values);
	free(batch->order);
	str_fini(&batch->copies);
	*batch = (struct db_batch){ 0 };
}

/* Makes the batch unless it has been made already. */
static int batch_make(struct db_batch *batch, unsigned int size)
{
	if (batch->values)
		return SQLITE_OK;
	batch->values = malloc(room[size] * sizeof(*batch->values));
	batch->order = malloc(room[size] * sizeof(*batch->order));
	if (batch->values && batch->order)
		return SQLITE_OK;
	batch_fini(batch);
	return SQLITE_NOMEM;
}

static int by_key(const void *a, const void *b)
{
	const int64_t x = (*(const struct db_value *const *)a)->number, y = (*(const struct db_value *const *)b)->number;

	return (x > y) - (x < y);
}

/* Inserts the rows from @at to before @end with @statement. */
static int insert(struct db_rows *rows, sqlite3_stmt *statement, unsigned int at, unsigned int end)
{
	if (at == end)
		return SQLITE_OK;
	rows->at = rows->writer->batch->order + at;
	rows->end = rows->writer->batch->order + end;
	sqlite3_step(statement);
	return sqlite3_reset(statement);
}

/*
 * SQLite gives a row that is inserted without a key the next key after the largest, and need not search for the row's place. So rows whose keys follow one
 * another without a gap are inserted without keys, if there are enough of them to be worth a statement.
 */
static int insert_keyed(struct db_rows *rows)
{
	const struct db_batch *batch = rows->writer->batch;
	unsigned int waiting = 0, at = 0, end;
	int status = SQLITE_OK;

	for (; status == SQLITE_OK && at < batch->n; at = end) {
		int64_t key = batch->order[at]->number;

		for (end = at + 1; end < batch->n && batch->order[end]->number == key + 1; end++)
			key++;
		if (end - at < WORTH_A_STATEMENT || batch->order[at]->number <= rows->largest)
			continue;
		/* The first row of them is inserted with its key, from which SQLite counts on. */
		status = insert(rows, rows->insert, waiting, at + 1);
		if (status == SQLITE_OK)
			status = insert(rows, rows->append, at + 1, end);
		waiting = end;
		rows->largest = key;
	}
	if (batch->n)
		rows->largest = MAX(rows->largest, batch->order[batch->n - 1]->number);
	return status == SQLITE_OK ? insert(rows, rows->insert, waiting, batch->n) : status;
}

static void insert_batch(struct job *job)
{
	struct db_writer *writer = container_of(job, struct db_writer, job);
	struct db_rows *rows = writer->rows;

	writer->status = rows->keyed ? insert_keyed(rows) : insert(rows, rows->insert, 0, writer->batch->n);
}

void db_writer_init(struct db_writer *writer, struct pool *pool)
{
	*writer = (struct db_writer){ .pool = pool, .job.run = insert_batch };
}

int db_writer_wait(struct db_writer *writer)
{
	if (writer->begun)
		pool_wait(writer->pool, &writer->job);
	writer->begun = false;
	return writer->status;
}

void db_writer_fini(struct db_writer *writer)
{
	db_writer_wait(writer);
	for (size_t i = 0; i < ARRAY_LEN(writer->spare); i++)
		batch_fini(&writer->spare[i]);
}

/* --- rows --------------------------------------------------------------------------------------------------------------------- */

int db_rows_open(struct db_rows *rows, struct db_writer *writer, sqlite3 *sqlite, const char *table, unsigned int columns, bool keyed, size_t nr)
{
	struct str sql = { 0 };
	char name[32];
	int status = db_writer_wait(writer);

	*rows = (struct db_rows){ .writer = writer, .columns = columns, .keyed = keyed, .size = keyed || columns > room[FEW] ? MANY : FEW };
	rows->most = room[rows->size] / columns;
	if (status == SQLITE_OK && !rows->most)
		status = SQLITE_TOOBIG;
	if (status == SQLITE_OK)
		status = batch_make(&rows->batch, rows->size);
	if (status == SQLITE_OK)
		status = batch_make(&writer->spare[rows->size], rows->size);
	if (status == SQLITE_OK && keyed && !(rows->places = malloc(PLACES * sizeof(*rows->places))))
		status = SQLITE_NOMEM;
	rows->next = rows->batch.values;
	/* A line break in the name keeps it apart from any event's name. */
	snprintf(name, sizeof(name), "rows\n%zu", nr);
	str_addf(&sql, "INSERT INTO %s SELECT * FROM \"%s\"", table, name);
	if (status == SQLITE_OK)
		status = str_ok(&sql) ? SQLITE_NOMEM : sqlite3_create_module(sqlite, name, &module, rows);
	if (status == SQLITE_OK)
		status = sqlite3_prepare_v3(sqlite, str_text(&sql), -1, SQLITE_PREPARE_PERSISTENT, &rows->insert, NULL);
	if (status == SQLITE_OK && keyed) {
		str_clear(&sql);
		str_addf(&sql, "INSERT INTO %s SELECT NULL", table);
		for (unsigned int i = 1; i < columns; i++)
			str_addf(&sql, ", c%u", i);
		str_addf(&sql, " FROM \"%s\"", name);
		status = str_ok(&sql) ? SQLITE_NOMEM : sqlite3_prepare_v3(sqlite, str_text(&sql), -1, SQLITE_PREPARE_PERSISTENT, &rows->append, NULL);
	}
	str_fini(&sql);
	return status;
}

/* Gives a busy table a larger batch if there is memory. */
static void grow(struct db_rows *rows)
{
	struct db_writer *writer = rows->writer;
	struct db_batch larger = { 0 };

	if (rows->size != FEW || ++rows->flushes != BUSY || writer->busy == MOST_BUSY)
		return;
	if (batch_make(&writer->spare[MORE], MORE) || batch_make(&larger, MORE))
		return;
	batch_fini(&rows->batch);
	rows->batch = larger;
	rows->size = MORE;
	rows->most = room[MORE] / rows->columns;
	writer->busy++;
}

/* Sorts the batch by key. Most keys are close below the largest one and occur once, so each has its own place. qsort() sorts the others. */
static void order_by_key(struct db_rows *rows)
{
	struct db_batch *batch = &rows->batch;
	unsigned int n = 0;
	int64_t largest = 0;

	for (unsigned int i = 0; i < batch->n; i++)
		largest = MAX(largest, batch->values[(size_t)i * rows->columns].number);
	memset(rows->places, 0, PLACES * sizeof(*rows->places));
	for (unsigned int i = 0; i < batch->n; i++) {
		const struct db_value *row = batch->values + (size_t)i * rows->columns;
		const uint64_t less = (uint64_t)largest - (uint64_t)row->number;

		if (less < PLACES)
			rows->places[PLACES - 1 - less] = i + 1;
		else
			batch->order[n++] = row;
	}
	qsort(batch->order, n, sizeof(*batch->order), by_key);
	for (unsigned int i = 0; i < PLACES; i++)
		if (rows->places[i])
			batch->order[n++] = batch->values + (size_t)(rows->places[i] - 1) * rows->columns;
}

static void set_order(struct db_rows *rows)
{
	if (rows->keyed)
		order_by_key(rows);
	for (unsigned int i = 0; !rows->keyed && i < rows->batch.n; i++)
		rows->batch.order[i] = rows->batch.values + (size_t)i * rows->columns;
}

int db_rows_flush(struct db_rows *rows)
{
	struct db_writer *writer = rows->writer;
	int status;

	/* The order is made here because the thread that inserts has more to do than this one. */
	set_order(rows);
	status = str_ok(&rows->batch.copies) ? SQLITE_NOMEM : db_writer_wait(writer);

	if (status == SQLITE_OK && rows->batch.n) {
		writer->batch = &writer->spare[rows->size];
		swap(rows->batch, *writer->batch);
		writer->rows = rows;
		writer->begun = true;
		pool_submit(writer->pool, &writer->job);
	}
	rows->batch.n = 0;
	str_clear(&rows->batch.copies);
	grow(rows);
	rows->next = rows->batch.values;
	return status;
}

int db_row(struct db_rows *rows)
{
	return ++rows->batch.n == rows->most || rows->batch.copies.len >= MOST_TEXT ? db_rows_flush(rows) : SQLITE_OK;
}

void db_rows_fini(struct db_rows *rows)
{
	sqlite3_finalize(rows->insert);
	sqlite3_finalize(rows->append);
	batch_fini(&rows->batch);
	free(rows->places);
	*rows = (struct db_rows){ 0 };
}

/* --- values ------------------------------------------------------------------------------------------------------------------- */

static void lasting(struct db_rows *rows, const char *text, size_t n)
{
	*db_next(rows) = (struct db_value){ .kind = DB_TEXT, .text = text, .size = (uint32_t)n };
}

static void copy(struct db_rows *rows, const char *text, size_t n)
{
	*db_next(rows) = (struct db_value){ .kind = DB_COPY, .copy = rows->batch.copies.len, .size = (uint32_t)n };
	str_addn(&rows->batch.copies, text, n);
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

/* Are all bytes ASCII, that is, is no highest bit set? Looks at eight bytes at a time. */
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

/* Stores most fields as cell_field() would, at less cost. Returns false if the field is of another kind. */
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

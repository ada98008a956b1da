/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of a query as virtual tables of SQLite. The conditions of a query come here as a plan (lib/query/vtab-plan.h). */
#ifdef RINGSIDE_SQLITE
#include "lib/base/err.h"
#include "lib/query/scan.h"
#include "lib/query/vtab-plan.h"

#include <string.h>

struct vtab {
	sqlite3_vtab base;
	struct relation *table;
};

struct cursor {
	sqlite3_vtab_cursor base;
	struct relation *table;
	unsigned int times; /* how often a scan of it has begun */
	wants_t wants;
	struct store_key keys[PLAN_KEYS];
	unsigned int nkeys;
	bool eof;
	int64_t nth; /* number of the row, of a table that is read from the recording */
	/* For a table that is read from the recording. */
	bool scans;
	struct scan scan;
	/* For a table that has been made in memory. */
	struct store *store;
	const uint32_t *rows; /* the order of the rows; NULL: as they are in the store */
	uint32_t at, end;
	uint64_t reads; /* the columns that SQLite has asked for, as store->wanted has them */
};

int query_failed(struct query *query, int err)
{
	if (err == -ENOMEM)
		return SQLITE_NOMEM;
	query->err = query->err ? query->err : err;
	return SQLITE_ERROR;
}

/* --- the table -------------------------------------------------------------------------------------------------- */

static int connect_table(sqlite3 *db, void *aux, __unused int argc, __unused const char *const *argv, sqlite3_vtab **out, __unused char **message)
{
	static const char *const types
		[] = { [COLUMN_TIME] = "INTEGER", [COLUMN_INTEGER] = "INTEGER", [COLUMN_UNSIGNED] = "INTEGER COLLATE " WANT_DIGITS, [COLUMN_TEXT] = "TEXT" };
	struct relation *table = aux;
	struct str sql = { 0 };
	struct vtab *vtab;
	int ret = SQLITE_NOMEM;

	str_add(&sql, "CREATE TABLE x(");
	vec_each (&table->columns, column) {
		str_add(&sql, column == table->columns.at ? "" : ", ");
		cell_identifier(column->name, &sql);
		str_addf(&sql, " %s%s", types[column->type], column->hidden ? " HIDDEN" : "");
	}
	str_addc(&sql, ')');
	vtab = sqlite3_malloc(sizeof(*vtab));
	if (vtab && !sql.oom) {
		*vtab = (struct vtab){ .table = table };
		table->query->declaring = true;
		ret = sqlite3_declare_vtab(db, str_text(&sql));
		table->query->declaring = false;
	}
	if (ret == SQLITE_OK)
		*out = &vtab->base;
	else
		sqlite3_free(vtab);
	str_fini(&sql);
	return ret;
}

static int disconnect_table(sqlite3_vtab *base)
{
	sqlite3_free(base);
	return SQLITE_OK;
}

static int best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	return vtab_plan(((struct vtab *)base)->table, info);
}

/* --- cursors ---------------------------------------------------------------------------------------------------- */

static int open_cursor(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct cursor *cursor = calloc(1, sizeof(*cursor));

	if (!cursor)
		return SQLITE_NOMEM;
	cursor->table = ((struct vtab *)base)->table;
	*out = &cursor->base;
	return SQLITE_OK;
}

static void end_cursor(struct cursor *cursor)
{
	scan_close(&cursor->scan);
	store_put(take(cursor->store));
	wants_fini(&cursor->wants);
	cursor->nkeys = 0;
	cursor->rows = NULL;
	cursor->at = cursor->end = 0;
	cursor->scans = false;
}

static int close_cursor(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	end_cursor(cursor);
	free(cursor);
	return SQLITE_OK;
}

/* --- a table that is read --------------------------------------------------------------------------------------- */

static bool event_wanted(void *ctx, const struct event *event)
{
	const struct cursor *cursor = ctx;

	if (cursor->table->kind != &kind_events)
		return true;
	vec_each (&cursor->wants, want) {
		const char *name = want->column == EVENTS_NAME ? event->name : want->column == EVENTS_SYSTEM ? event->system : NULL;
		const struct cell cell = { .kind = CELL_TEXT, .text = name, .size = name ? strlen(name) : 0 };

		if (name && !want_fits(want, &cell))
			return false;
	}
	return true;
}

static bool row_fits(struct cursor *cursor)
{
	vec_each (&cursor->wants, want) {
		struct cell cell;

		/* The time has been compared by the scan, and the event's names by event_wanted(). */
		if (want->column == EVENT_TS || (cursor->table->kind == &kind_events && (want->column == EVENTS_NAME || want->column == EVENTS_SYSTEM)))
			continue;
		scan_cell(&cursor->scan, want->column, &cell);
		if (!want_fits(want, &cell))
			return false;
	}
	return true;
}

static int next_scanned(struct cursor *cursor)
{
	int err;

	do {
		err = scan_next(&cursor->scan);
	} while (err > 0 && cursor->wants.n && !row_fits(cursor));
	cursor->eof = err <= 0;
	if (cursor->scan.room.oom || cursor->scan.scratch.oom)
		err = -ENOMEM;
	return err < 0 ? query_failed(cursor->table->query, err) : SQLITE_OK;
}

static int begin_scan(struct cursor *cursor)
{
	int64_t from = 0, to = INT64_MAX, cpu = -1;
	struct scan_want want = { .event = event_wanted, .ctx = cursor };
	int err;

	vec_each (&cursor->wants, w) {
		if (w->column == EVENT_TS)
			want_narrow(w, &from, &to);
		else if (w->column == EVENT_CPU && want_number(w, &cpu) && (cpu < 0 || cpu > UINT16_MAX))
			to = -1;
	}
	want.from = (uint64_t)from;
	want.to = to == INT64_MAX ? UINT64_MAX : (uint64_t)MAX(to, 0);
	want.cpu = cpu >= 0 && cpu <= UINT16_MAX ? cpu : -1;
	cursor->scans = true;
	if (to < from) {
		cursor->eof = true;
		return SQLITE_OK;
	}
	err = scan_open(&cursor->scan, cursor->table, &want);
	return err ? query_failed(cursor->table->query, err) : next_scanned(cursor);
}

/* --- one that has been made ------------------------------------------------------------------------------------- */

/*
 * Rows in another order than the store's lie far apart in memory, so each is fetched this many rows before it is read.
 * The function must be inlined: GCC would take a function that only prefetches to have no effect, and would leave out its calls.
 */
enum { ROWS_AHEAD = 24 };

static __always_inline void fetch_ahead(const struct cursor *cursor)
{
	if (cursor->rows && cursor->at + ROWS_AHEAD < cursor->end)
		store_fetch(cursor->store, cursor->rows[cursor->at + ROWS_AHEAD], cursor->reads);
}

static void stored_cell(const struct cursor *cursor, unsigned int column, struct str *room, struct cell *out)
{
	store_value(cursor->store, cursor->rows ? cursor->rows[cursor->at] : cursor->at, column, room, out);
}

static bool stored_fits(const struct cursor *cursor)
{
	struct str room = { 0 };
	bool fits = true;

	for (size_t i = 0; fits && i < cursor->wants.n; i++) {
		struct cell cell;

		stored_cell(cursor, cursor->wants.at[i].column, &room, &cell);
		fits = want_fits(&cursor->wants.at[i], &cell);
	}
	str_fini(&room);
	return fits;
}

static void skip_stored(struct cursor *cursor)
{
	while (cursor->at < cursor->end && cursor->wants.n && !stored_fits(cursor))
		cursor->at++;
	cursor->eof = cursor->at >= cursor->end;
}

/* Can the store look for rows by this condition? */
static bool is_key(const struct cursor *cursor, const struct want *want)
{
	return want->op == WANT_EQ && want->values.n == 1 &&
	       want->values.at[0].kind == (cursor->store->columns[want->column].type == COLUMN_TEXT ? QUERY_TEXT : QUERY_INTEGER);
}

/*
 * Narrows the cursor to the rows that have the key's value, in the wanted order. Leaves the cursor as it is if these rows are not fewer than its present ones.
 */
static int find_rows(struct cursor *cursor, const struct want *key)
{
	struct store *store = cursor->store;
	const struct want_value *value = &key->values.at[0];
	struct store_key keys[PLAN_KEYS + 1] = { { (uint8_t)key->column, false } };
	int64_t v = value->number;
	const uint32_t *rows;
	uint32_t at, end;

	memcpy(keys + 1, cursor->keys, cursor->nkeys * sizeof(*keys));
	if (value->kind == QUERY_TEXT)
		v = store_rank(store, value->text, value->size);
	if (v == -ENOMEM)
		return -ENOMEM;
	if (v < 0 && (value->kind == QUERY_TEXT || store->columns[key->column].type != COLUMN_INTEGER)) {
		cursor->at = cursor->end = 0;
		return 0;
	}
	rows = store_order(store, keys, cursor->nkeys + 1);
	if (!rows)
		return -ENOMEM;
	at = store_find(store, rows, key->column, v, 0, false);
	end = store_find(store, rows, key->column, v, at, true);
	if (cursor->rows && end - at >= cursor->end - cursor->at)
		return 0;
	cursor->rows = rows;
	cursor->at = at;
	cursor->end = end;
	return 0;
}

/* Of several keys, chooses the one that leaves the fewest rows. */
static int find_fewest(struct cursor *cursor, bool *found)
{
	int err = 0;

	*found = false;
	for (size_t i = 0; !err && i < cursor->wants.n && cursor->end > cursor->at; i++) {
		if (!is_key(cursor, &cursor->wants.at[i]))
			continue;
		*found = true;
		err = find_rows(cursor, &cursor->wants.at[i]);
	}
	return err;
}

/* Narrows the cursor to the wanted times. The rows must be in the order of time. */
static void find_times(struct cursor *cursor)
{
	const struct store *store = cursor->store;
	int64_t from = INT64_MIN, to = INT64_MAX;

	vec_each (&cursor->wants, want)
		if ((int)want->column == store->ts)
			want_narrow(want, &from, &to);
	if (from != INT64_MIN)
		cursor->at = store_find(store, NULL, (unsigned int)store->ts, from, 0, false);
	if (to != INT64_MAX)
		cursor->end = to < 0 ? 0 : store_find(store, NULL, (unsigned int)store->ts, to, 0, true);
}

static int begin_stored(struct cursor *cursor)
{
	struct relation *table = cursor->table;
	int err = relation_chosen(table, &cursor->wants, &cursor->store);
	bool by_time, found = false;

	if (err)
		return query_failed(table->query, err);
	cursor->end = cursor->store->n;
	if (cursor->times > 1)
		err = find_fewest(cursor, &found);
	by_time = cursor->store->in_order && (!cursor->nkeys || (cursor->nkeys == 1 && cursor->keys[0].column == cursor->store->ts && !cursor->keys[0].down));
	if (err || found) {
		/* The cursor has its rows already. */
	} else if (by_time) {
		find_times(cursor);
	} else if (cursor->nkeys) {
		cursor->rows = store_order(cursor->store, cursor->keys, cursor->nkeys);
		err = cursor->rows ? 0 : -ENOMEM;
	}
	if (err)
		return query_failed(table->query, err);
	skip_stored(cursor);
	return SQLITE_OK;
}

/* --- rows ------------------------------------------------------------------------------------------------------- */

static bool wants_nothing(const struct cursor *cursor)
{
	vec_each (&cursor->wants, want)
		if (!want->values.n)
			return true;
	return false;
}

/*
 * Begins a scan. A table of events is read from the recording the first time. If it is scanned again, as for each row of another table in a join, it is kept in
 * memory.
 */
static int filter(sqlite3_vtab_cursor *base, __unused int n, const char *plan, __unused int argc, sqlite3_value **values)
{
	struct cursor *cursor = (struct cursor *)base;
	int err;

	end_cursor(cursor);
	cursor->times++;
	cursor->nth = 0;
	/*
	 * For an outer join, SQLite 3.40 also hands on LIKE and GLOB conditions behind ON that are about the left table, although all rows of that table are in
	 * the result.
	 */
	err = vtab_plan_read(plan, values, !cursor->table->query->outer, &cursor->wants, cursor->keys, &cursor->nkeys);
	if (err)
		return query_failed(cursor->table->query, err);
	vec_each (&cursor->wants, want)
		want->digits = cursor->table->columns.at[want->column].type == COLUMN_UNSIGNED;
	cursor->eof = wants_nothing(cursor);
	if (cursor->eof)
		return SQLITE_OK;
	return cursor->table->kind->stream && cursor->times < 2 && !cursor->table->query->numbered ? begin_scan(cursor) : begin_stored(cursor);
}

static int next(sqlite3_vtab_cursor *base)
{
	struct cursor *cursor = (struct cursor *)base;

	cursor->nth++;
	if (cursor->scans)
		return next_scanned(cursor);
	cursor->at++;
	fetch_ahead(cursor);
	skip_stored(cursor);
	return SQLITE_OK;
}

static int eof(sqlite3_vtab_cursor *base)
{
	return ((struct cursor *)base)->eof;
}

static int column(sqlite3_vtab_cursor *base, sqlite3_context *ctx, int i)
{
	struct cursor *cursor = (struct cursor *)base;
	struct str room = { 0 };
	struct cell cell;

	if (cursor->scans)
		scan_cell(&cursor->scan, (unsigned int)i, &cell);
	else
		stored_cell(cursor, (unsigned int)i, &room, &cell);
	cursor->reads |= 1ULL << MIN(i, 63);
	/* If files differ in the type of a column, the column is text. */
	if (cell.kind == CELL_INTEGER && cursor->table->columns.at[i].type == COLUMN_TEXT) {
		sqlite3_result_text(ctx, sqlite3_mprintf("%lld", (long long)cell.number), -1, sqlite3_free);
	} else if (cell.kind == CELL_INTEGER) {
		sqlite3_result_int64(ctx, cell.number);
	} else if (cell.kind == CELL_TEXT) {
		/* A text of the store outlives the statement, so SQLite need not copy it. */
		sqlite3_result_text(ctx, cell.text, (int)strnlen(cell.text, cell.size), cursor->scans || room.at ? SQLITE_TRANSIENT : SQLITE_STATIC);
	}
	str_fini(&room);
	return SQLITE_OK;
}

static int rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	const struct cursor *cursor = (const struct cursor *)base;

	*out = cursor->scans ? cursor->nth : cursor->rows ? cursor->rows[cursor->at] : cursor->at;
	return SQLITE_OK;
}

/* Without xCreate, a table exists by its name, and CREATE VIRTUAL TABLE is refused. */
/* clang-format off */
static const sqlite3_module module = {
	.xConnect = connect_table, .xBestIndex = best_index, .xDisconnect = disconnect_table, .xOpen = open_cursor, .xClose = close_cursor,
	.xFilter = filter, .xNext = next, .xEof = eof, .xColumn = column, .xRowid = rowid,
};
/* clang-format on */

int relation_register(struct relation *table)
{
	struct str name = { 0 };
	int ret;

	cell_text(&(struct cell){ 0 }, table->name, strlen(table->name), &name);
	ret = name.oom ? SQLITE_NOMEM : sqlite3_create_module_v2(table->query->db, str_text(&name), &module, table, NULL);
	str_fini(&name);
	return ret == SQLITE_OK ? 0 : -ENOMEM;
}
#endif

/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/base/utf8.h"
#include "lib/query/tables.h"

/* --- what a query may do ----------------------------------------------------------------------------------------- */

/* These functions have effects besides their result, so they are refused. */
static bool is_refused(const char *function)
{
	return strcasecmp(function, "load_extension") == 0 || strcasecmp(function, "fts3_tokenizer") == 0;
}

/* Allows statements that read. They may create temporary tables, and may ask about tables. */
static int authorize(void *ctx, int action, const char *first, const char *second, const char *db, __unused const char *trigger)
{
	const struct query *query = ctx;

	if (query->declaring)
		return SQLITE_OK;
	switch (action) {
	case SQLITE_SELECT:
	case SQLITE_READ:
	case SQLITE_RECURSIVE:
	case SQLITE_CREATE_TEMP_TABLE:
	case SQLITE_CREATE_TEMP_VIEW:
	case SQLITE_CREATE_TEMP_INDEX:
	case SQLITE_DROP_TEMP_TABLE:
	case SQLITE_DROP_TEMP_VIEW:
	case SQLITE_DROP_TEMP_INDEX:
	case SQLITE_REINDEX:
		return SQLITE_OK;
	case SQLITE_INSERT:
	case SQLITE_UPDATE:
	case SQLITE_DELETE:
		return db && strcmp(db, "temp") == 0 ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_PRAGMA:
		return first && (strcasecmp(first, "table_info") == 0 || strcasecmp(first, "table_xinfo") == 0) ? SQLITE_OK : SQLITE_DENY;
	case SQLITE_FUNCTION:
		return second && is_refused(second) ? SQLITE_DENY : SQLITE_OK;
	default:
		return SQLITE_DENY;
	}
}

/* Sets limits, so that no query takes all memory at once or overflows the stack. */
static void set_limits(sqlite3 *db)
{
	static const struct {
		int what, most;
	} limits[] = {
		{ SQLITE_LIMIT_LENGTH, 100 << 20 }, { SQLITE_LIMIT_SQL_LENGTH, 1 << 20 }, { SQLITE_LIMIT_ATTACHED, 0 },
		{ SQLITE_LIMIT_EXPR_DEPTH, 500 },   { SQLITE_LIMIT_TRIGGER_DEPTH, 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(limits); i++)
		sqlite3_limit(db, limits[i].what, limits[i].most);
	sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
	sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
}

/* --- its life ---------------------------------------------------------------------------------------------------- */

int query_open(struct query **out, struct reading *reading)
{
	struct query *query = calloc(1, sizeof(*query));
	int err = query ? 0 : -ENOMEM;

	*out = query;
	if (!err) {
		query->reading = reading;
		err = sqlite3_open_v2(":memory:", &query->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK ? 0 : -ENOMEM;
	}
	if (!err)
		set_limits(query->db);
	err = err ? err : tables_make(query);
	for (size_t i = 0; !err && i < query->tables.n; i++)
		err = relation_register(query->tables.at[i]);
	err = err ? err : functions_register(query);
	if (!err)
		sqlite3_set_authorizer(query->db, authorize, query);
	return err ? fail(ENOMEM, "out of memory") : 0;
}

void query_close(struct query *query)
{
	if (!query)
		return;
	sqlite3_close(query->db);
	vec_each (&query->tables, table)
		relation_free(*table);
	vec_fini(&query->tables);
	strv_fini(&query->hosts);
	free(query);
}

uint64_t query_lost(const struct query *query, bool *more)
{
	*more = query->lost_more;
	return query->lost;
}

const struct datfile *query_file(const struct query *query)
{
	return query->reading->inputs.at[0].file;
}

bool query_damaged(const struct query *query)
{
	return query->damaged;
}

bool query_is_complete(const char *text)
{
	return sqlite3_complete(text);
}

/* --- who watches -------------------------------------------------------------------------------------------------- */

enum { STEPS = 20000 }; /* of SQLite's virtual machine between two calls, which take less than a millisecond */

int query_tick(const struct query *query, const struct record *rec)
{
	const struct query_watch *watch = &query->watch;
	const uint64_t total = rec ? query->extent.size : 0;

	if (!watch->tell)
		return 0;
	return watch->tell(watch->ctx, total ? extent_done(&query->extent, &query->reading->inputs, rec) : 0, total) ? -EINTR : 0;
}

static int on_steps(void *ctx)
{
	return query_tick(ctx, NULL) != 0;
}

void query_watch(struct query *query, const struct query_watch *watch)
{
	query->watch = *watch;
	if (extent_find(&query->extent, &query->reading->inputs))
		query->extent.size = 0;
	sqlite3_progress_handler(query->db, STEPS, on_steps, query);
}

int query_tables(struct query *query, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx)
{
	int err = 0;

	vec_each (&query->tables, table)
		vec_each (&(*table)->columns, column)
			err = err ? err : each(ctx, (*table)->name, column->name, column->type == COLUMN_TEXT ? "text" : "integer", column->hidden);
	return err;
}

int query_keywords(strv_t *out)
{
	int err = 0;

	for (int i = 0; !err && i < sqlite3_keyword_count(); i++) {
		const char *word;
		int n;

		if (sqlite3_keyword_name(i, &word, &n) == SQLITE_OK)
			err = strv_own(out, strndup(word, (size_t)n));
	}
	return err;
}

int query_functions(struct query *query, strv_t *out)
{
	sqlite3_stmt *stmt = NULL;
	int err = 0;

	query->declaring = true;
	if (sqlite3_prepare_v2(query->db, "SELECT DISTINCT name FROM pragma_function_list ORDER BY name", -1, &stmt, NULL) != SQLITE_OK)
		stmt = NULL;
	while (!err && stmt && sqlite3_step(stmt) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(stmt, 0);

		/* Operators are in the list, too; they are left out. */
		if (name && ((name[0] | 0x20) >= 'a' && (name[0] | 0x20) <= 'z') && !is_refused(name))
			err = strv_add(out, name);
	}
	sqlite3_finalize(stmt);
	query->declaring = false;
	return err;
}

/* --- what is wrong with it --------------------------------------------------------------------------------------- */

/* Returns the name of the first table that has a column called @name, or NULL. */
static const char *has_column(const struct query *query, const char *name)
{
	vec_each (&query->tables, t)
		vec_each (&(*t)->columns, c)
			if (strcasecmp(c->name, name) == 0)
				return (*t)->name;
	return NULL;
}

/* Are the @n bytes at @name the name of the table? */
static bool is_named(const struct relation *t, const char *name, size_t n)
{
	return n && strlen(t->name) == n && strncasecmp(t->name, name, n) == 0;
}

/* Adds names similar to the table or column that SQLite does not know. Its message has the unknown name after ": ". */
static void add_nearest(const struct query *query, const char *message, struct str *out)
{
	const bool table = str_starts(message, "no such table: "), column = str_starts(message, "no such column: ");
	const char *word = table || column ? strstr(message, ": ") + 2 : NULL;
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };
	const char *other, *dot = column ? strrchr(word, '.') : NULL;
	const size_t of = dot ? (size_t)(dot - word) : 0;
	const char *whose = word;
	bool named = false;

	if (!word)
		return;
	word = dot ? dot + 1 : word;
	other = column ? has_column(query, word) : NULL;
	if (other) {
		str_addf(out, " (the table %s has one)", other);
		return;
	}
	vec_each (&query->tables, t)
		named |= is_named(*t, whose, of);
	vec_each (&query->tables, t) {
		if (table)
			strv_add(&names, (*t)->name);
		else if (!named || is_named(*t, whose, of))
			vec_each (&(*t)->columns, c)
				if (!strv_has(&names, c->name))
					strv_add(&names, c->name);
	}
	nearest_names(word, &names, 2, &best);
	near = best.n || !named ? join_names(&best, " (did you mean ", "?)") : join_names(&names, " (it has ", ")");
	str_add(out, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
}

/* Adds the line and column of @at in the text of the query. */
static void add_place(const char *sql, const char *at, struct str *out)
{
	unsigned int line = 1, column = 1;

	for (const char *c = sql; c < at && *c; c++) {
		column = *c == '\n' ? 1 : column + utf8_begins(*c);
		line += *c == '\n';
	}
	str_addf(out, ", at line %u, column %u of the query", line, column);
}

static int tell(struct query *query, const char *sql, const char *statement)
{
	const char *message = sqlite3_errmsg(query->db);
	const int code = sqlite3_errcode(query->db), err = query->err;
	const bool refused = strcmp(message, "not authorized") == 0 || strcmp(message, "authorization denied") == 0;
	struct str text = { 0 };
	int offset = -1;

	/* The reader has already printed a message. */
	query->err = 0;
	if (err)
		return err;
	if (code == SQLITE_INTERRUPT)
		return -EINTR;
	if (code == SQLITE_NOMEM)
		return fail(ENOMEM, "out of memory");
	if (code == SQLITE_FULL || code == SQLITE_IOERR)
		return fail(ENOSPC, "sql: there is no room for what the query has to sort (%s); TMPDIR says where", message);
	if (refused)
		str_add(&text, "a query can only read, and make tables and views that are temporary: this statement is not allowed");
	else
		str_add(&text, message);
	add_nearest(query, message, &text);
#if SQLITE_VERSION_NUMBER >= 3038000
	offset = sqlite3_error_offset(query->db);
#endif
	if (offset >= 0 || refused)
		add_place(sql, statement + MAX(offset, 0), &text);
	fail(EINVAL, "sql: %s", str_text(&text));
	str_fini(&text);
	return -EINVAL;
}

/* --- running it -------------------------------------------------------------------------------------------------- */

static void get_value(sqlite3_stmt *stmt, int i, struct query_value *out)
{
	*out = (struct query_value){ 0 };
	switch (sqlite3_column_type(stmt, i)) {
	case SQLITE_INTEGER:
		out->kind = QUERY_INTEGER;
		out->number = sqlite3_column_int64(stmt, i);
		break;
	case SQLITE_FLOAT:
		out->kind = QUERY_REAL;
		out->real = sqlite3_column_double(stmt, i);
		break;
	case SQLITE_NULL:
		break;
	default:
		/* Of a blob, the text of its bytes is taken. */
		out->kind = QUERY_TEXT;
		out->text = (const char *)sqlite3_column_text(stmt, i);
		break;
	}
}

static int give_names(sqlite3_stmt *stmt, const struct query_sink *sink)
{
	strv_t names = { 0 };
	int err = 0;

	for (int i = 0; !err && i < sqlite3_column_count(stmt); i++)
		err = strv_add(&names, sqlite3_column_name(stmt, i) ? sqlite3_column_name(stmt, i) : "");
	err = err ? fail(ENOMEM, "out of memory") : sink->begin(sink->ctx, &names);
	strv_fini(&names);
	return err;
}

static int give_row(sqlite3_stmt *stmt, const struct query_sink *sink, struct query_value *values)
{
	for (int i = 0; i < sqlite3_column_count(stmt); i++)
		get_value(stmt, i, &values[i]);
	return sink->row(sink->ctx, values);
}

static int run_statement(struct query *query, const char *sql, const char *at, sqlite3_stmt *stmt, const struct query_sink *sink)
{
	const int n = sqlite3_column_count(stmt);
	__cleanup(free_ptr) struct query_value *values = calloc((size_t)n + 1, sizeof(*values));
	int err = values ? 0 : fail(ENOMEM, "out of memory"), ret = SQLITE_ROW;

	if (!err && n)
		err = give_names(stmt, sink);
	while (!err && (ret = sqlite3_step(stmt)) == SQLITE_ROW)
		err = n ? give_row(stmt, sink, values) : 0;
	if (!err && ret != SQLITE_DONE)
		err = tell(query, sql, at);
	/* The rows found so far are shown even after an error, but not if the output was closed or the user interrupted. */
	if (n && err != -EPIPE && err != -EINTR) {
		ret = sink->end(sink->ctx);
		err = err ? err : ret;
	}
	return err;
}

/* Prepares the statement from @at to @rest with @word, a form of EXPLAIN, in front of it. Returns SQLite's code. */
static int prepare_explained(struct query *query, const char *word, const char *at, const char *rest, sqlite3_stmt **stmt)
{
	__cleanup(free_ptr) char *asked = str_printf("%s %.*s", word, (int)(rest - at), at);

	return asked ? sqlite3_prepare_v2(query->db, asked, -1, stmt, NULL) : SQLITE_NOMEM;
}

static int prepare(struct query *query, const char *at, bool explain, sqlite3_stmt **stmt, const char **rest)
{
	int ret = sqlite3_prepare_v2(query->db, at, -1, stmt, rest);

	if (ret != SQLITE_OK || !*stmt || !explain || sqlite3_stmt_isexplain(*stmt))
		return ret;
	sqlite3_finalize(take(*stmt));
	return prepare_explained(query, "EXPLAIN QUERY PLAN", at, *rest, stmt);
}

/*
 * Finds out from the program of a statement what its tables must know before it runs.
 *
 * - SQLite reads row numbers for OR between conditions that a table can check, so that a row found by several of them is taken once.
 * - SQLite reads them for RIGHT and FULL JOIN, to find the rows without a partner when it scans the table a second time.
 * - With each outer join, it makes a row of NULLs for a missing partner.
 */
static void look_ahead(struct query *query, const char *at, const char *rest)
{
	sqlite3_stmt *stmt = NULL;
	uint64_t tables = 0; /* one bit for each cursor; cursors from number 63 on share one */

	query->numbered = query->outer = prepare_explained(query, "EXPLAIN", at, rest, &stmt) != SQLITE_OK;
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		const char *op = (const char *)sqlite3_column_text(stmt, 1) ?: "";
		const uint64_t cursor = 1ULL << MIN((unsigned int)sqlite3_column_int(stmt, 2), 63U);

		if (strcmp(op, "VOpen") == 0)
			tables |= cursor;
		query->numbered |= strcmp(op, "Rowid") == 0 && tables & cursor;
		query->outer |= strcmp(op, "NullRow") == 0;
	}
	sqlite3_finalize(stmt);
}

int query_run(struct query *query, const char *sql, bool explain, const struct query_sink *sink)
{
	bool any = false;
	int err = 0;

	for (const char *at = sql, *rest = at; !err && *at; at = rest) {
		sqlite3_stmt *stmt = NULL;

		vec_each (&query->tables, table)
			(*table)->wanted = 0;
		if (prepare(query, at, explain, &stmt, &rest) != SQLITE_OK) {
			err = tell(query, sql, at);
		} else if (stmt) {
			if (!sqlite3_stmt_isexplain(stmt))
				look_ahead(query, at, rest);
			err = run_statement(query, sql, at, stmt, sink);
		}
		any |= stmt != NULL;
		sqlite3_finalize(stmt);
		vec_each (&query->tables, table)
			relation_forget(*table);
	}
	return err || any ? err : fail(EINVAL, "sql: the query is empty");
}
#else
#include "lib/base/err.h"
#include "lib/query/query.h"

int query_open(struct query **out, __unused struct reading *reading)
{
	*out = NULL;
	return fail(ENOTSUP, "sql: this program was built without libsqlite3; build it again where that is installed");
}

void query_close(__unused struct query *query)
{
}

int query_run(__unused struct query *query, __unused const char *sql, __unused bool explain, __unused const struct query_sink *sink)
{
	return -ENOTSUP;
}

bool query_is_complete(__unused const char *text)
{
	return true;
}

void query_watch(__unused struct query *query, __unused const struct query_watch *watch)
{
}

int query_keywords(__unused strv_t *out)
{
	return 0;
}

int query_functions(__unused struct query *query, __unused strv_t *out)
{
	return 0;
}

int query_tables(__unused struct query *query, __unused int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden),
		 __unused void *ctx)
{
	return -ENOTSUP;
}

uint64_t query_lost(__unused const struct query *query, bool *more)
{
	*more = false;
	return 0;
}

const struct datfile *query_file(__unused const struct query *query)
{
	return NULL;
}

bool query_damaged(__unused const struct query *query)
{
	return false;
}
#endif

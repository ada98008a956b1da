/* SPDX-License-Identifier: GPL-2.0 */
#if defined(RINGSIDE_SQLITE) && defined(RINGSIDE_CURL)
#include "lib/base/err.h"
#include "lib/query/fleet-inside.h"

/* --- statements -------------------------------------------------------------------------------------------------- */

void fleet_where(const struct identity *identity, const struct dump_table *what, struct str *out)
{
	encode_identifier(what->columns.at[what->host].name, out);
	str_add(out, " = ");
	encode_literal(identity->host, out);
	str_add(out, " AND _recording = ");
	encode_literal(identity->recording, out);
}

/* Sends @query, and frees its text. */
int fleet_query(struct fleet *f, struct str *query)
{
	const int err = query->oom ? fail(ENOMEM, "out of memory") : fleet_ask(f->server, f->options, str_text(query), false);

	str_fini(query);
	return err;
}

int fleet_tell(struct fleet *f, bool no_database, struct str *statement)
{
	int err = statement->oom ? fail(ENOMEM, "out of memory") : 0;

	for (size_t i = 0; !err && i < f->options->address.hosts.n; i++) {
		struct server *server = NULL;

		err = server_open(&server, &f->options->address, i);
		err = err ? err : fleet_ask(server, f->options, str_text(statement), no_database);
		server_close(server);
	}
	str_fini(statement);
	return err;
}

int fleet_make(struct fleet *f, const char *name, struct str *statement)
{
	struct str over = { 0 };
	const int err = fleet_tell(f, false, statement);

	if (err || !f->options->cluster)
		return err;
	schema_over(&f->how, name, &over);
	return fleet_tell(f, false, &over);
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

static struct schema_column *column_of(struct fleet_table *t, const char *name)
{
	vec_each (&t->columns, column)
		if (strcmp(column->name, name) == 0)
			return column;
	return NULL;
}

static int alter(struct fleet *f, const struct fleet_table *t, const char *what, const struct schema_column *column, const char *type)
{
	int err = 0;

	if (!f->options->create)
		return fail(ENOENT, "%s: table %s there is without the column %s of this recording, or has another type for it; --create changes that",
			    server_name(f->server), t->what->name, column->name);
	for (int over = 0; !err && over <= (f->options->cluster != NULL); over++) {
		struct str query = { 0 };

		str_add(&query, "ALTER TABLE ");
		schema_name(&f->how, t->what->name, !over, &query);
		str_addf(&query, " %s COLUMN ", what);
		encode_identifier(column->name, &query);
		str_addf(&query, " %s", type);
		err = fleet_tell(f, false, &query);
	}
	return err;
}

/* Matches a column with the server's type. If it is a number here and a text there, it becomes a text, as in `ringside sql`. */
static int match(struct fleet *f, struct fleet_table *t, struct schema_column *column, const char *type)
{
	struct encode_column theirs;

	if (!encode_read_type(type, &theirs))
		return fail(EEXIST, "%s: column %s of table %s has the type %s, which this program does not write", server_name(f->server), column->name,
			    t->what->name, type);
	if (column->how.type == ENCODE_STRING && theirs.type != ENCODE_STRING) {
		column->how.nullable = true;
		return alter(f, t, "MODIFY", column, "Nullable(String)");
	}
	column->how = theirs;
	return 0;
}

static int find_columns(struct fleet *f, struct fleet_table *t)
{
	struct str query = { 0 }, local = { 0 };
	__cleanup(free_ptr) char *answer = NULL;
	VEC(bool) seen = { 0 };
	int err;

	str_addf(&local, "%s%s", t->what->name, f->options->cluster ? "_local" : "");
	str_add(&query, "SELECT name, type FROM system.columns WHERE database = ");
	encode_literal(f->how.database, &query);
	str_add(&query, " AND table = ");
	encode_literal(str_text(&local), &query);
	str_fini(&local);
	err = fleet_query(f, &query);
	answer = err ? NULL : strdup(server_answer(f->server));
	if (!err && !answer)
		err = -ENOMEM;
	if (!err && !*answer)
		err = fail(ENOENT, "%s: there is no table %s in %s: --create makes it", server_name(f->server), t->what->name, f->how.database);
	vec_each (&t->columns, column)
		err = err ? err : vec_push(&seen, false);
	for (char *name = answer, *type, *next; !err && name && *name; name = next) {
		struct schema_column *column;

		type = encode_cut(name);
		next = type ? encode_cut(type) : NULL;
		if (!type)
			break;
		column = column_of(t, name);
		if (!column)
			continue;
		seen.at[column - t->columns.at] = true;
		err = match(f, t, column, type);
	}
	for (size_t i = 0; !err && i < seen.n; i++)
		err = seen.at[i] ? 0 : alter(f, t, "ADD", &t->columns.at[i], t->columns.at[i].type);
	vec_fini(&seen);
	return err;
}

int fleet_table_done(struct fleet *f, struct fleet_table *t)
{
	struct str query = { 0 };
	int err;

	t->at_done = 0;
	t->done.n = 0;
	str_addf(&query, "SELECT _block, count() FROM %s WHERE ", t->name);
	fleet_where(&f->identity, t->what, &query);
	str_add(&query, " GROUP BY _block ORDER BY _block");
	err = fleet_query(f, &query);
	for (const char *at = server_answer(f->server); !err && *at; at += *at == '\n') {
		struct span span;
		char *end;

		span.first = strtoull(at, &end, 10);
		span.n = strtoull(end, &end, 10);
		if (end == at)
			break;
		err = vec_push(&t->done, span) ? fail(ENOMEM, "out of memory") : 0;
		at = end;
	}
	return err;
}

static void make_insert(struct fleet *f, struct fleet_table *t)
{
	struct str text = { 0 };

	schema_name(&f->how, t->what->name, true, &text);
	t->name = str_take(&text);
	str_addf(&text, "INSERT INTO %s (", t->name ? t->name : "");
	vec_each (&t->columns, column) {
		str_add(&text, column == t->columns.at ? "" : ", ");
		encode_identifier(column->name, &text);
	}
	str_add(&text, ") FORMAT RowBinary");
	t->insert = str_take(&text);
}

/* Makes the table when its first row comes, so that events without rows have no tables. */
int fleet_table_ready(struct fleet *f, struct fleet_table *t)
{
	struct str query = { 0 };
	int err;

	if (t->ready)
		return 0;
	t->ready = true;
	err = schema_columns(&f->how, t->what, &t->columns);
	make_insert(f, t);
	if (err || !t->name || !t->insert)
		return fail(ENOMEM, "out of memory");
	if (f->options->create) {
		schema_create(&f->how, t->what, &t->columns, &query);
		err = fleet_make(f, t->what->name, &query);
	}
	err = err ? err : find_columns(f, t);
	return err ? err : fleet_table_done(f, t);
}
#endif

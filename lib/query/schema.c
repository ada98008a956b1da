/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/schema.h"

const char schema_recordings[] = "recordings";

/* --- columns ----------------------------------------------------------------------------------------------------- */

/* By type and by whether the value is always known: how a value is encoded, the server's type, and the type for a server that knows codecs. */
static const struct {
	struct encode_column how;
	const char *type, *modern;
} types[][2] = {
	[DUMP_INTEGER] = { { { ENCODE_INT64, true }, "Nullable(Int64)", NULL }, { { ENCODE_INT64, false }, "Int64", NULL } },
	[DUMP_SMALL] = { { { ENCODE_INT32, true }, "Nullable(Int32)", NULL }, { { ENCODE_INT32, false }, "Int32", NULL } },
	[DUMP_UNSIGNED] = { { { ENCODE_UINT64, true }, "Nullable(UInt64)", NULL }, { { ENCODE_UINT64, false }, "UInt64", "UInt64 CODEC(Delta, LZ4)" } },
	[DUMP_TEXT] = { { { ENCODE_STRING, true }, "Nullable(String)", "LowCardinality(Nullable(String))" },
			{ { ENCODE_STRING, false }, "String", "LowCardinality(String)" } },
};

/* Texts of these columns are nearly all different, so a dictionary of them would not help. */
static bool varies(const char *name)
{
	return strcmp(name, "text") == 0 || strcmp(name, "value") == 0 || strcmp(name, "addr") == 0;
}

static int add(schema_columns_t *out, const char *name, int from, struct encode_column how, const char *type)
{
	struct schema_column column = { .name = strdup(name), .from = from, .how = how, .type = type };

	if (column.name && !vec_push(out, column))
		return 0;
	free(column.name);
	return -ENOMEM;
}

int schema_columns(const struct schema_how *how, const struct dump_table *table, schema_columns_t *out)
{
	int err = add(out, "_recording", SCHEMA_RECORDING, types[DUMP_TEXT][1].how, how->modern ? types[DUMP_TEXT][1].modern : "String");

	err = err ? err : add(out, "_day", SCHEMA_DAY, (struct encode_column){ ENCODE_DATE, false }, "Date");
	err = err ? err : add(out, "_block", SCHEMA_BLOCK, types[DUMP_UNSIGNED][1].how, "UInt64");
	vec_each (&table->columns, column) {
		const __typeof__(types[0][0]) *type = &types[column->type][column->known];

		err = err ? err
			  : add(out, column->name, (int)(column - table->columns.at), type->how,
				how->modern && type->modern && !varies(column->name) ? type->modern : type->type);
	}
	return err;
}

void schema_columns_fini(schema_columns_t *columns)
{
	vec_each (columns, column)
		free(column->name);
	vec_fini(columns);
}

/* --- statements -------------------------------------------------------------------------------------------------- */

static void add_name(const struct schema_how *how, const char *table, const char *suffix, struct str *out)
{
	char *name = str_printf("%s%s", table, suffix);

	encode_identifier(how->database, out);
	str_addc(out, '.');
	encode_identifier(name ? name : "", out);
	out->oom |= !name;
	free(name);
}

void schema_name(const struct schema_how *how, const char *table, bool local, struct str *out)
{
	add_name(how, table, local && how->cluster ? "_local" : "", out);
}

void schema_database(const struct schema_how *how, struct str *out)
{
	str_add(out, "CREATE DATABASE IF NOT EXISTS ");
	encode_identifier(how->database, out);
}

/* Adds the engine. All rows of a recording have the same day, so a block of them is one part, which is inserted as a whole or not at all. */
static void add_engine(const struct schema_how *how, const char *table, const char *order, struct str *out)
{
	struct str path = { 0 };

	str_add(out, "ENGINE = ");
	if (how->replicated) {
		str_addf(&path, "/clickhouse/tables/{shard}/%s/%s", how->database, table);
		str_add(out, "ReplicatedMergeTree(");
		encode_literal(str_text(&path), out);
		str_add(out, ", '{replica}')");
	} else {
		str_add(out, "MergeTree()");
	}
	str_addf(out, "\nPARTITION BY _day\nORDER BY (%s)", order);
	if (how->ttl_days)
		str_addf(out, "\nTTL _day + INTERVAL %u DAY", how->ttl_days);
	str_add(out, "\nSETTINGS index_granularity = 8192");
	out->oom |= path.oom;
	str_fini(&path);
}

void schema_create(const struct schema_how *how, const struct dump_table *table, const schema_columns_t *columns, struct str *out)
{
	struct str order = { 0 };

	str_add(out, "CREATE TABLE IF NOT EXISTS ");
	schema_name(how, table->name, true, out);
	str_add(out, " (\n");
	vec_each (columns, column) {
		str_add(out, column == columns->at ? "\t" : ",\n\t");
		encode_identifier(column->name, out);
		str_addf(out, " %s", column->type);
	}
	str_add(out, "\n) ");
	encode_identifier(table->columns.at[table->host].name, &order);
	str_add(&order, ", ");
	if (table->event >= 0)
		str_add(&order, "name, ");
	str_add(&order, table->ts >= 0 ? "ts" : "_recording, _block");
	add_engine(how, table->name, str_text(&order), out);
	out->oom |= order.oom;
	str_fini(&order);
}

void schema_over(const struct schema_how *how, const char *table, struct str *out)
{
	struct str local = { 0 };

	str_add(out, "CREATE TABLE IF NOT EXISTS ");
	schema_name(how, table, false, out);
	str_add(out, " AS ");
	schema_name(how, table, true, out);
	str_addf(&local, "%s_local", table);
	str_add(out, " ENGINE = Distributed(");
	encode_literal(how->cluster, out);
	str_add(out, ", ");
	encode_literal(how->database, out);
	str_add(out, ", ");
	encode_literal(str_text(&local), out);
	str_addc(out, ')');
	out->oom |= local.oom;
	str_fini(&local);
}

void schema_create_recordings(const struct schema_how *how, struct str *out)
{
	str_add(out, "CREATE TABLE IF NOT EXISTS ");
	schema_name(how, schema_recordings, true, out);
	str_add(out, " (\n\t`_recording` String,\n\t`_day` Date,\n\t`at` DateTime,\n\t`host` String,\n\t`file` String,\n\t`choice` String,\n\t`rows` UInt64,\n"
		     "\t`done` UInt8\n) ");
	add_engine(how, schema_recordings, "_recording, at", out);
}

/* --- views ------------------------------------------------------------------------------------------------------- */

static const struct view {
	const char *name, *columns, *table, *rest;
} views[] = {
	{ "slowest_calls_by_host",
	  "host, function, max(total) AS max, argMax(ts, total) AS ts, argMax(comm, total) AS comm, argMax(pid, total) AS pid, count() AS calls", "calls",
	  "WHERE isNull(cut) GROUP BY host, function ORDER BY max DESC" },
	{ "p99_by_function_and_hour",
	  "host, function, _day AS day, intDiv(ts, 3600000000000) AS hour, count() AS calls, quantileExact(0.5)(total) AS p50, quantileExact(0.99)(total) AS p99",
	  "calls", "WHERE isNull(cut) GROUP BY host, function, _day, hour ORDER BY p99 DESC" },
	{ "errors_by_syscall", "host, syscall, error, _day AS day, count() AS count", "syscalls",
	  "WHERE isNotNull(error) GROUP BY host, syscall, error, _day ORDER BY count DESC" },
};

bool schema_view(const struct schema_how *how, unsigned int index, struct str *out)
{
	if (index >= ARRAY_LEN(views))
		return false;
	str_add(out, "CREATE VIEW IF NOT EXISTS ");
	schema_name(how, views[index].name, false, out);
	str_addf(out, " AS SELECT %s FROM ", views[index].columns);
	schema_name(how, views[index].table, false, out);
	str_addf(out, " %s", views[index].rest);
	return true;
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

#ifdef RINGSIDE_SQLITE
int schema_print(const struct schema_how *how, const struct dump *dump, struct str *out)
{
	int err = 0;

	schema_database(how, out);
	str_add(out, ";\n\n");
	schema_create_recordings(how, out);
	str_add(out, ";\n");
	for (size_t i = 0; !err && i < dump_tables(dump); i++) {
		const struct dump_table *table = dump_table_at(dump, i);
		schema_columns_t columns = { 0 };

		str_addc(out, '\n');
		err = schema_columns(how, table, &columns);
		schema_create(how, table, &columns, out);
		str_add(out, ";\n");
		schema_columns_fini(&columns);
	}
	for (size_t i = 0; how->cluster && i <= dump_tables(dump); i++) {
		str_addc(out, '\n');
		schema_over(how, i ? dump_table_at(dump, i - 1)->name : schema_recordings, out);
		str_add(out, ";\n");
	}
	for (unsigned int i = 0; i < ARRAY_LEN(views); i++) {
		str_addc(out, '\n');
		schema_view(how, i, out);
		str_add(out, ";\n");
	}
	return err ? err : str_ok(out);
}
#endif

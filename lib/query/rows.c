/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"
#include "lib/query/fleet.h"

#ifdef RINGSIDE_SQLITE
#include "lib/query/fleet-inside.h"

enum { PART = 1 << 20 };

void fleet_row(struct dump *dump, const schema_columns_t *columns, const struct identity *identity, uint64_t block, enum encode_form form, struct str *out)
{
	vec_each (columns, column) {
		struct cell cell;

		if (form == ENCODE_TSV && column != columns->at)
			str_addc(out, '\t');
		if (column->from >= 0) {
			dump_cell(dump, (unsigned int)column->from, &cell);
			encode_cell(&column->how, form, &cell, out);
		} else if (column->from == SCHEMA_RECORDING) {
			encode_text(&column->how, form, identity->recording, strlen(identity->recording), out);
		} else {
			encode_number(&column->how, form, column->from == SCHEMA_DAY ? identity->day : (int64_t)block, out);
		}
	}
	if (form == ENCODE_TSV)
		str_addc(out, '\n');
}

static int write_rows(struct dump *dump, const struct identity *identity, enum encode_form form, int (*write)(void *ctx, struct str *text), void *ctx)
{
	const struct schema_how how = { .database = "" };
	schema_columns_t columns = { 0 };
	struct str text = { 0 };
	size_t table, known = SIZE_MAX;
	uint64_t row;
	int err = 0;

	while (!err && (err = dump_next(dump, &table, &row)) > 0) {
		err = 0;
		if (table != known) {
			schema_columns_fini(&columns);
			err = schema_columns(&how, dump_table_at(dump, table), &columns);
			known = table;
		}
		fleet_row(dump, &columns, identity, 0, form, &text);
		if (text.oom || err)
			err = fail(ENOMEM, "out of memory");
		else if (text.len > PART)
			err = write(ctx, &text);
	}
	if (!err && text.len)
		err = write(ctx, &text);
	schema_columns_fini(&columns);
	str_fini(&text);
	return err;
}

int fleet_rows(struct query *query, const char *table, enum encode_form form, int (*write)(void *ctx, struct str *text), void *ctx)
{
	struct identity identity;
	struct dump *dump = NULL;
	int err = identity_of(query, &identity);

	err = err ? err : dump_open(&dump, query, table);
	err = err ? err : write_rows(dump, &identity, form, write, ctx);
	dump_close(dump);
	return err;
}
#else
int fleet_rows(__unused struct query *query, __unused const char *table, __unused enum encode_form form, __unused int (*write)(void *ctx, struct str *text),
	       __unused void *ctx)
{
	return -ENOTSUP;
}
#endif

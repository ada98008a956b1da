/* SPDX-License-Identifier: GPL-2.0 */
/* Prints the answers of `ringside sql` as tables. */
#include "cmd/sql.h"
#include "cmd/output.h"
#include "lib/analysis/span.h"
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/base/visible.h"

#include <stdio.h>
#include <unistd.h>

enum { PART = 4096 }; /* rows; only output for people has to be laid out as a whole */

/* Returns a text as it may be shown. It is valid until the next call. */
static const char *shown(struct sql_show *show, const char *text)
{
	if (!show->visible)
		return text;
	str_clear(&show->text);
	str_add(&show->text, text);
	visible_str(&show->text, 0, false);
	return str_text(&show->text);
}

/* --- an answer --------------------------------------------------------------------------------------------------- */

/* Adds a column name, which is changed if it occurs twice, because a JSON object must not have two values of one name. */
static int add_name(strv_t *names, const char *name)
{
	char *longer = strdup(name);

	for (unsigned int i = 2; longer && strv_has(names, longer); i++) {
		free(longer);
		longer = str_printf("%s_%u", name, i);
	}
	return strv_own(names, longer);
}

static int begin(void *ctx, const strv_t *names)
{
	struct sql_show *show = ctx;
	int err = 0;

	if (names->n > TABLE_COLUMNS)
		return fail(EINVAL, "sql: an answer has at most %d columns, and this one has %zu: name those that are wanted", TABLE_COLUMNS, names->n);
	strv_fini(&show->names);
	table_free(take(show->table));
	vec_each (names, name)
		err = err ? err : add_name(&show->names, shown(show, *name));
	if (err)
		return fail(ENOMEM, "out of memory");
	memset(show->columns, 0, sizeof(show->columns));
	for (size_t i = 0; i < show->names.n; i++)
		show->columns[i] = (struct table_column){ .name = show->names.at[i], .type = TABLE_ANY };
	show->spec = (struct table_spec){ .columns = show->columns };
	return table_new(&show->table, &show->spec, &show->how);
}

static void put_real(struct sql_show *show, unsigned int column, double value)
{
	char text[40];

	if (show->how.form == TABLE_FOR_PEOPLE)
		snprintf(text, sizeof(text), "%.6g", value);
	else
		snprintf(text, sizeof(text), "%.15g", value);
	if (show->how.form != TABLE_FOR_PEOPLE && strtod(text, NULL) != value)
		snprintf(text, sizeof(text), "%.17g", value);
	/* Infinity and NaN are not numbers in JSON. */
	table_any(show->table, column, text, strcspn(text, "in") == strlen(text));
}

static int row(void *ctx, const struct query_value *values)
{
	struct sql_show *show = ctx;
	char text[24];

	table_row(show->table, TABLE_ROOT);
	for (unsigned int i = 0; i < show->names.n; i++) {
		switch (values[i].kind) {
		case QUERY_INTEGER:
			snprintf(text, sizeof(text), "%lld", (long long)values[i].number);
			table_any(show->table, i, text, true);
			break;
		case QUERY_REAL:
			put_real(show, i, values[i].real);
			break;
		case QUERY_TEXT:
			table_any(show->table, i, shown(show, values[i].text ? values[i].text : ""), false);
			break;
		default:
			break;
		}
	}
	if (show->how.form == TABLE_FOR_PEOPLE || table_rows(show->table) < PART)
		return 0;
	progress_end(&show->progress);
	return table_part(show->table, STDOUT_FILENO);
}

static int end(void *ctx)
{
	struct sql_show *show = ctx;
	const bool files_asked = show->query && !show->remote;
	struct table_meta meta = { .file = show->source, .ticks = files_asked && !input_in_ns(&show->reading->inputs.at[0], 0) };
	strv_t files = { 0 };
	int err = output_flush();

	progress_end(&show->progress);
	if (!show->table)
		return err;
	vec_each (&show->reading->inputs, input)
		if (files_asked && strv_add(&files, input->path))
			err = err ? err : fail(ENOMEM, "out of memory");
	meta.files = files.n > 1 ? &files : NULL;
	if (files_asked)
		meta.lost = query_lost(show->query, &meta.lost_more);
	if (!err && files_asked && show->how.form == TABLE_JSON)
		err = span_find(show->reading, &meta.span);
	/* At a terminal, empty output could mean that more is to come; a program knows the end. */
	if (!err && show->how.form == TABLE_FOR_PEOPLE && show->visible && !table_rows(show->table)) {
		puts("no rows");
		err = output_flush();
	} else if (!err && show->how.form == TABLE_FOR_PEOPLE) {
		err = table_show(show->table, &meta, STDOUT_FILENO);
	} else if (!err && !(err = table_part(show->table, STDOUT_FILENO))) {
		err = table_part_end(show->table, &meta, STDOUT_FILENO);
	}
	strv_fini(&files);
	table_free(take(show->table));
	return err;
}

struct query_sink sql_sink(struct sql_show *show)
{
	return (struct query_sink){ .begin = begin, .row = row, .end = end, .ctx = show };
}

void sql_show_fini(struct sql_show *show)
{
	table_free(take(show->table));
	strv_fini(&show->names);
	str_fini(&show->text);
}

/* Shows the progress of a query: the share read so far, or the time while only SQLite works. */
static int tell(void *ctx, uint64_t done, uint64_t total)
{
	struct sql_show *show = ctx;

	if (show->interrupted && *show->interrupted)
		return -EINTR;
	if (total)
		progress_bytes(&show->progress, done, total);
	else
		progress_seconds(&show->progress, (now_ns() - show->began) / NSEC_PER_SEC);
	return 0;
}

/* Watches the query, so that Ctrl-C at the prompt ends it. */
static void watch_query(struct sql_show *show, bool progress)
{
	const struct query_watch watch = { .tell = tell, .ctx = show };

	progress_init(&show->progress, "asking", progress);
	show->began = now_ns();
	if (show->query && (show->progress.live || show->interrupted))
		query_watch(show->query, &watch);
	if (show->remote && (show->progress.live || show->interrupted))
		remote_watch(show->remote, &watch);
}

int sql_run(struct sql_show *show, const char *sql, bool explain)
{
	const struct query_sink sink = sql_sink(show);
	int err;

	watch_query(show, true);
	err = show->remote ? remote_run(show->remote, sql, explain, &sink) : query_run(show->query, sql, explain, &sink);
	progress_end(&show->progress);
	return err;
}

/* --- tables ------------------------------------------------------------------------------------------------------ */

enum { NAME, COLUMNS };

struct tables_list {
	struct sql_show *show;
	const char *glob;
	char *name; /* the table whose columns are being listed */
	struct str columns;
	struct table *table;
};

static void add_table(struct tables_list *list)
{
	if (!list->name)
		return;
	table_row(list->table, TABLE_ROOT);
	table_copy(list->table, NAME, shown(list->show, list->name));
	table_copy(list->table, COLUMNS, shown(list->show, str_text(&list->columns)));
	str_clear(&list->columns);
	free(take(list->name));
}

static int add_column(void *ctx, const char *table, const char *column, __unused const char *type, bool hidden)
{
	struct tables_list *list = ctx;

	if (list->glob && !glob_match(list->glob, table))
		return 0;
	if (!list->name || strcmp(list->name, table))
		add_table(list);
	if (!list->name)
		list->name = strdup(table);
	if (!list->name)
		return fail(ENOMEM, "out of memory");
	if (!hidden)
		str_addf(&list->columns, "%s%s", list->columns.len ? ", " : "", column);
	return 0;
}

int sql_each_column(struct sql_show *show, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx)
{
	watch_query(show, false);
	return show->remote ? remote_tables(show->remote, each, ctx) : query_tables(show->query, each, ctx);
}

int sql_tables(struct sql_show *show, const char *glob)
{
	static const struct table_column columns[] = {
		[NAME] = { "table", TABLE_TEXT },
		[COLUMNS] = { "columns", TABLE_TEXT, .wrap = true },
		{ NULL },
	};
	static const struct table_spec spec = { .columns = columns };
	const struct table_meta meta = { .file = show->source };
	struct tables_list list = { .show = show, .glob = glob };
	int err = table_new(&list.table, &spec, &show->how);

	if (!err)
		err = sql_each_column(show, add_column, &list);
	add_table(&list);
	if (!err && glob && !table_rows(list.table))
		err = fail(EINVAL, "there is no table '%s'; `ringside sql --tables` lists them", glob);
	err = err ? err : output_flush();
	err = err ? err : table_show(list.table, &meta, STDOUT_FILENO);
	str_fini(&list.columns);
	table_free(list.table);
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of `ringside sql` share: how answers are shown, queries that are built in, the prompt. */
#ifndef RINGSIDE_CMD_SQL_H
#define RINGSIDE_CMD_SQL_H

#include "cmd/progress.h"
#include "lib/output/table.h"
#include "lib/query/query.h"
#include "lib/query/remote.h"

/* How answers are shown, and what of the one that comes. */
struct sql_show {
	struct query *query;   /* NULL: there are no files */
	struct remote *remote; /* is asked instead of files; NULL: these are */
	const char *source;    /* the first file, or the server, for "meta" */
	const inputs_t *inputs;
	struct table_show how;
	struct table *table;
	struct table_column columns[TABLE_COLUMNS + 1];
	struct table_spec spec;
	strv_t names;
	bool visible; /* it is for a terminal, which no text from a recording is to command */
	struct str text;
	const volatile int *interrupted; /* NULL: nobody can */
	struct progress progress;
	uint64_t began; /* by now_ns() */
};

/* The sink that shows what query_run() finds. */
struct query_sink sql_sink(struct sql_show *show);
void sql_show_fini(struct sql_show *show);

/* Runs queries and shows what they find; as query_run(). */
int sql_run(struct sql_show *show, const char *sql, bool explain);

/* As query_tables(), of what is asked. */
int sql_each_column(struct sql_show *show, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* Shows the tables whose names @glob matches (NULL: all) with their columns. Returns 0; -EPIPE; -errno after a message. */
int sql_tables(struct sql_show *show, const char *glob);

/* The text of a query that is built in; NULL after a message that names the nearest. */
const char *sql_example(const char *name);

/* Appends the names of all of them. */
void sql_example_names(strv_t *names);

/* Lists them. Returns 0; -EPIPE; -errno after a message. */
int sql_examples(const struct table_show *how);

#endif

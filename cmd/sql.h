/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the parts of `ringside sql` share: how answers are shown, the queries that are built in, and the prompt. */
#ifndef RINGSIDE_CMD_SQL_H
#define RINGSIDE_CMD_SQL_H

#include "cmd/progress.h"
#include "lib/output/table.h"
#include "lib/query/query.h"
#include "lib/query/remote.h"

/* This tells how answers are shown, and holds the answer that is being shown. */
struct sql_show {
	struct query *query;	 /* NULL: no files were given */
	struct remote *remote;	 /* the server that is asked instead of the files; NULL: the files are asked */
	const char *source;	 /* the first file, or the server, for the member "meta" of JSON */
	struct reading *reading; /* reads the records of the files (lib/analysis/reading.h) */
	struct table_show how;
	struct table *table;
	struct table_column columns[TABLE_COLUMNS + 1];
	struct table_spec spec;
	strv_t names;
	bool visible;			 /* the answer is shown on a terminal, so control characters in the texts of a recording are escaped */
	struct str text;		 /* used when .visible is true: the name or value that is being shown, escaped */
	const volatile int *interrupted; /* set when the user wants to stop the query; NULL: the user cannot stop it */
	struct progress progress;
	uint64_t began; /* when the query began, by now_ns() */
};

/* Returns the sink that shows what query_run() finds. */
struct query_sink sql_sink(struct sql_show *show);
void sql_show_fini(struct sql_show *show);

/* Runs the queries @sql and shows what they find. If @explain is true, shows SQLite's plans for the queries instead. Returns what query_run() returns. */
int sql_run(struct sql_show *show, const char *sql, bool explain);

/* Does what query_tables() does, for the server or the files that are asked. */
int sql_each_column(struct sql_show *show, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* Shows the tables whose names @glob matches (NULL: all) with their columns. Returns 0, -EPIPE, or another -errno after a message. */
int sql_tables(struct sql_show *show, const char *glob);

/*
 * Returns the text of the built-in query of this name. If there is no such query, returns NULL after a message. The message suggests similar names, if there
 * are any.
 */
const char *sql_example(const char *name);

/* Appends the names of all built-in queries. */
void sql_example_names(strv_t *names);

/* Prints a list of the built-in queries. Returns 0, -EPIPE, or another -errno after a message. */
int sql_examples(const struct table_show *how);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Runs SQL over recordings with SQLite. The recordings are not imported into a database. The rows of a table of events are read from the recording while the
 * query runs. Only the CPUs and times that the query wants are read. A table that an analysis makes ("calls", "sched" …) is made once, with only the columns
 * that queries use.
 *
 *	err = query_open(&query, &reading);
 *	err = query_run(query, "SELECT name, count(*) FROM events GROUP BY name", false, &sink);
 *	query_close(query);
 *
 * A query reads the recordings. It may also make temporary tables and views, which later queries of the same struct query can use. These tables and views are
 * gone after query_close(). A query cannot open another file, change a setting of SQLite, or change a file.
 */
#ifndef RINGSIDE_QUERY_H
#define RINGSIDE_QUERY_H

#include "lib/analysis/reading.h"

enum query_kind { QUERY_NULL, QUERY_INTEGER, QUERY_REAL, QUERY_TEXT };

struct query_value {
	enum query_kind kind;
	int64_t number;
	double real;
	const char *text; /* UTF-8; valid until the row() of struct query_sink returns */
};

/* Takes the answers. Each function returns 0, -EPIPE without a message, or another -errno after a message. An error ends the query. */
struct query_sink {
	/* Called when a statement that gives rows begins. @names are the names of its columns. */
	int (*begin)(void *ctx, const strv_t *names);
	/* Takes a row. @values has a value for each column. */
	int (*row)(void *ctx, const struct query_value *values);
	/* Called when the statement gives no more rows, even when the statement has failed. end() is not called after -EPIPE or -EINTR. */
	int (*end)(void *ctx);
	void *ctx;
};

struct query;

/*
 * Prepares queries over the files of @reading, which must be open and ready. Borrows @reading. Returns 0, or -errno after a message. The function fails when
 * this program was built without SQLite. The caller calls query_close() in any case.
 */
int query_open(struct query **out, struct reading *reading);
void query_close(struct query *query);

/*
 * Runs all statements of @sql. When @explain is true, the statements are not run. Instead, @sink is given the plan by which SQLite would run each statement.
 * Returns 0 or:
 *  - -EPIPE: a function of @sink has returned -EPIPE
 *  - -EINTR: tell() of struct query_watch ended the query; there was no message
 *  - -EINVAL: the query is wrong; a message of one sentence says what is wrong, and where
 *  - another -errno, after a message
 */
int query_run(struct query *query, const char *sql, bool explain, const struct query_sink *sink);

/*
 * tell() is called again and again while a query runs. @done is how many of the @total bytes have been read so far. Both numbers are 0 while SQLite works on
 * rows that have been read already. When tell() does not return 0, the query ends and query_run() returns -EINTR without a message. query_watch() copies
 * @watch.
 */
struct query_watch {
	int (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};
void query_watch(struct query *query, const struct query_watch *watch);

/* Returns true if the last statement of @text is complete and ends with a semicolon. */
bool query_is_complete(const char *text);

/*
 * Calls @each for all columns of all tables, until a call does not return 0. Returns what the last call returned. @hidden is true if SELECT * leaves the
 * column out.
 */
int query_tables(struct query *query, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* query_keywords() appends the keywords of SQL. query_functions() appends the names of the functions that a query may use. Both return 0 or -ENOMEM. */
int query_keywords(strv_t *out);
int query_functions(struct query *query, strv_t *out);

/* Returns how many lost events the kernel counted in the parts of the files that have been read. *@more becomes true if there were losses without a count. */
uint64_t query_lost(const struct query *query, bool *more);

/* Returns the first of the query's files. */
const struct datfile *query_file(const struct query *query);

/* Returns true if damage has been found in the parts of the files that have been read so far. */
bool query_damaged(const struct query *query);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * SQL over recordings: SQLite, whose tables are the reader. Nothing is imported: a table of events is read while it is asked, only the CPUs and times
 * that the query wants; a table that an analysis makes (calls, sched …) is made once, of the columns that are asked for.
 *
 *	err = query_open(&query, &reading);
 *	err = query_run(query, "SELECT name, count(*) FROM events GROUP BY name", &sink);
 *	query_close(query);
 *
 * A query reads, and does nothing else: no other file, no setting of SQLite, nothing that stays.
 */
#ifndef RINGSIDE_QUERY_H
#define RINGSIDE_QUERY_H

#include "lib/analysis/reading.h"

enum query_kind { QUERY_NULL, QUERY_INTEGER, QUERY_REAL, QUERY_TEXT };

struct query_value {
	enum query_kind kind;
	int64_t number;
	double real;
	const char *text; /* UTF-8; holds until the function returns */
};

/* What takes the answers. Each returns 0, or -errno after a message, which ends the query. */
struct query_sink {
	/* A statement that gives rows begins: the names of its columns. */
	int (*begin)(void *ctx, const strv_t *names);
	int (*row)(void *ctx, const struct query_value *values);
	int (*end)(void *ctx);
	void *ctx;
};

struct query;

/* Borrows @reading, which is open and ready. Returns 0, or -errno after a message: also when this program was built without SQLite. */
int query_open(struct query **out, struct reading *reading);
void query_close(struct query *query);

/*
 * Runs all statements of @sql. @explain: tells how each would be run instead. Returns 0; -EINVAL after a message: there is something wrong with the
 * query, which is one sentence with the place; -EPIPE; another -errno after a message.
 */
int query_run(struct query *query, const char *sql, bool explain, const struct query_sink *sink);

/*
 * Is told again and again while a query runs how far the reader is: @done of @total bytes; both are 0 while SQLite reckons with what has been read. What
 * does not return 0 ends the query, for which query_run() returns -EINTR without a message.
 */
struct query_watch {
	int (*tell)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};
void query_watch(struct query *query, const struct query_watch *watch);

/* Does @text hold all of its last statement, with its semicolon? */
bool query_is_complete(const char *text);

/* Calls @each for all columns of all tables; 0 or what that returned. @hidden: SELECT * leaves it out. */
int query_tables(struct query *query, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* Appends the words of SQL, and the names of the functions that a query may use. Returns 0 or -ENOMEM. */
int query_keywords(strv_t *out);
int query_functions(struct query *query, strv_t *out);

/* How many events were lost on the way, as far as tables have been read. @more: and others that nobody counted. */
uint64_t query_lost(const struct query *query, bool *more);

/* The first of its files. */
const struct datfile *query_file(const struct query *query);

/* Was something in the files damaged, as far as they have been read? */
bool query_damaged(const struct query *query);

#endif

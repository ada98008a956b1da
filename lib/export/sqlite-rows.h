/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Inserts rows into the tables of a database. The rows are gathered, and SQLite takes many of them at once from a virtual table. This costs
 * less than binding the values of each row to a statement.
 */
#ifndef RINGSIDE_SQLITE_ROWS_H
#define RINGSIDE_SQLITE_ROWS_H

#include "lib/export/timeline.h"

#include <sqlite3.h>

enum db_kind { DB_NULL, DB_INTEGER, DB_TEXT, DB_COPY };

/* A value. */
struct db_value {
	union {
		int64_t number;
		const char *text; /* DB_TEXT: it lives until the row is inserted */
		size_t copy;	  /* DB_COPY: the offset of the text in db_rows.copies */
	};
	uint32_t size; /* of a text; bytes */
	uint8_t kind;  /* enum db_kind */
};

/* The rows of a table that have not been inserted yet. A struct that is all zero is empty. */
struct db_rows {
	sqlite3_stmt *insert;
	struct db_value *values, *next;
	const struct db_value **order; /* the first value of each row, in the order in which they are inserted */
	unsigned int columns, n, most; /* the numbers of columns, of rows, and of rows that there is room for */
	bool keyed;		       /* rows are ordered by their first value */
	struct str copies;
};

/*
 * Prepares the statement that inserts rows of @columns columns into @table, a name that has quotes where SQL needs them. With @keyed the first value
 * of each row is an integer, the key of the table, and rows that wait together are inserted in the order of their keys. @nr must be a different
 * number for each struct db_rows of the database. Returns SQLite's status. The caller ends @rows with db_rows_fini() in any case, before the database
 * is closed.
 */
int db_rows_open(struct db_rows *rows, sqlite3 *sqlite, const char *table, unsigned int columns, bool keyed, size_t nr);

/* Returns the next value of the row at hand. Every row must set one value for each column. */
static inline struct db_value *db_next(struct db_rows *rows)
{
	return rows->next++;
}

static inline void db_null(struct db_rows *rows)
{
	*db_next(rows) = (struct db_value){ .kind = DB_NULL };
}

static inline void db_integer(struct db_rows *rows, int64_t v)
{
	*db_next(rows) = (struct db_value){ .kind = DB_INTEGER, .number = v };
}

/* Sets an unsigned number. It becomes a text when it is too large for SQLite's integers, which have a sign. */
void db_unsigned(struct db_rows *rows, uint64_t v);

/* Sets a text that is UTF-8 and lives as long as @rows; NULL is no value. */
void db_name(struct db_rows *rows, const char *text);

/* Sets a text that lives as long as @rows, and makes it UTF-8; NULL is no value. */
void db_lasting(struct timeline *t, struct db_rows *rows, const char *text);

/* Sets any text, and makes it UTF-8. */
void db_text(struct timeline *t, struct db_rows *rows, const char *text, size_t n);

/* Sets the values of all fields of an event. */
void db_fields(struct timeline *t, struct db_rows *rows, const struct plan *plan, const struct record *rec);

/* Says that the row at hand is complete. Rows may be inserted now, so it returns SQLite's status: SQLITE_OK, SQLITE_NOMEM and so on. */
int db_row(struct db_rows *rows);

/* Inserts all rows that have been gathered. Returns SQLite's status. */
int db_rows_flush(struct db_rows *rows);

void db_rows_fini(struct db_rows *rows);

#endif

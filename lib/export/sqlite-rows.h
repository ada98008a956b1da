/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows for the tables of a database. They are gathered, and SQLite takes many of them at once from a virtual table. This costs less than binding the
 * values of each row to a statement. A thread of a pool inserts them, while the next ones are gathered.
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
		size_t copy;	  /* DB_COPY: the offset of the text in .copies of the batch */
	};
	uint32_t size; /* of a text; bytes */
	uint8_t kind;  /* enum db_kind */
};

/* Rows of a table that are inserted together. A struct that is all zero is empty. */
struct db_batch {
	struct db_value *values;
	const struct db_value **order; /* the first value of each row, in the order in which they are inserted */
	size_t room;		       /* so many values, and half as many rows */
	unsigned int n;		       /* rows */
	struct str copies;	       /* texts of DB_COPY */
};

/*
 * Inserts the rows of all tables of a database, one batch at a time. As long as it does, nobody else may use the database. A struct that has only
 * its .pool, which is borrowed, has nothing to do. The caller ends it with db_writer_fini() before the rows are ended.
 */
struct db_writer {
	struct pool *pool;
	struct job job;
	struct db_rows *rows;	  /* whose .going is being inserted; NULL: nothing is */
	struct db_batch spare[2]; /* [1] is for tables with keys */
	int status;		  /* SQLite's; the first that is not SQLITE_OK stays */
};

/* Waits until nothing is being inserted. Returns the status: when it is not SQLITE_OK, the database has the error. */
int db_writer_wait(struct db_writer *writer);
void db_writer_fini(struct db_writer *writer);

/* The rows of a table that have not been inserted yet. A struct that is all zero is empty. */
struct db_rows {
	struct db_writer *writer;
	sqlite3_stmt *insert;
	struct db_batch batch, going; /* what is gathered, and what is inserted meanwhile */
	struct db_value *next;
	unsigned int columns, most; /* the numbers of columns, and of rows that there is room for */
	bool keyed;		    /* rows are ordered by their first value */
};

/*
 * Prepares the statement by which @writer inserts rows of @columns columns into @table, a name that has quotes where SQL needs them. With @keyed the
 * first value of each row is an integer, the key of the table, and rows that wait together are inserted in the order of their keys. @nr must be a
 * different number for each struct db_rows of the database. The writer must have been waited for. Returns SQLite's status. The caller ends @rows with
 * db_rows_fini() in any case, before the database is closed.
 */
int db_rows_open(struct db_rows *rows, struct db_writer *writer, sqlite3 *sqlite, const char *table, unsigned int columns, bool keyed, size_t nr);

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

/*
 * Says that the row at hand is complete. Rows may be given to the writer now, so it returns the status of earlier ones: SQLITE_OK, SQLITE_NOMEM and
 * so on.
 */
int db_row(struct db_rows *rows);

/* Gives all rows that have been gathered to the writer. Returns the status of earlier ones. */
int db_rows_flush(struct db_rows *rows);

void db_rows_fini(struct db_rows *rows);

#endif

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

/* This is the value of one column in one row. */
struct db_value {
	union {
		int64_t number;
		const char *text; /* DB_TEXT: the text, which lives until the row is inserted */
		size_t copy;	  /* DB_COPY: the offset of the text in db_batch.copies */
	};
	uint32_t size; /* the size of a text in bytes */
	uint8_t kind;  /* enum db_kind */
};

/* These are values of rows that are inserted together. A struct that is all zero is empty. */
struct db_batch {
	struct db_value *values;       /* the values of the first row, then those of the second row, and so on */
	const struct db_value **order; /* element i points to the first value of a row; the rows are inserted in the order of the elements */
	unsigned int n;		       /* the number of rows */
	struct str copies;	       /* the texts of the values of DB_COPY */
};

/*
 * A writer inserts one batch at a time, on a thread of a pool, while the next batches are filled. Other code must not use the database before
 * db_writer_wait() has returned. Batches have one of three sizes. A table whose rows have a key, or very many columns, uses the largest size. Any other table
 * begins with the smallest size, and gets the middle size when it has filled many batches, if there is memory and not too many tables have that size.
 */
struct db_writer {
	struct job job;
	struct pool *pool;
	struct db_rows *rows; /* the rows whose batch is being inserted */
	/*
	 * Element i has a batch of the size i, where 0 is the smallest size and 2 the largest. When a struct db_rows hands its batch to the writer, the
	 * batch is swapped with the element of the same size.
	 */
	struct db_batch spare[3];
	struct db_batch *batch; /* the element of .spare that is being inserted */
	unsigned int busy;	/* how many tables were given a batch of the middle size */
	bool begun;		/* the job has been submitted, and has not been waited for */
	int status;		/* the first status of SQLite that was not SQLITE_OK */
};

/* These are the rows of a table that have not been inserted yet. A struct that is all zero is empty. */
struct db_rows {
	struct db_writer *writer;
	struct db_batch batch; /* the batch that is being filled */
	struct db_value *next; /* the next value to set, in .batch */
	unsigned int columns;  /* how many values a row has */
	unsigned int most;     /* for how many rows .batch has room */
	uint8_t size;	       /* the size of .batch, as an index into db_writer.spare */
	unsigned int flushes;  /* how often a batch of the smallest size was flushed */
	sqlite3_stmt *insert;  /* inserts rows with all of their values */
	bool keyed;	       /* the first value of a row is its key; the rows of a batch are inserted in the order of their keys */
	/*
	 * This statement inserts rows without their keys. SQLite then gives each row the key that follows the largest key of the table. The
	 * statement is NULL if .keyed is false.
	 */
	sqlite3_stmt *append;
	int64_t largest; /* if .keyed is true: the largest key that has been inserted into the table */
	/*
	 * This array is used to sort the rows of .batch by their keys. It is NULL if .keyed is false. Each element stands for a key. The last element stands
	 * for the largest key of the batch. The element before it stands for that key minus 1, and so on. The value of an element is 1 + the index, in .batch,
	 * of the row that has the element's key. The value is 0 when no row has this key. A row whose key is too small for this array is sorted by qsort().
	 */
	uint32_t *places;
	const struct db_value **at;  /* points into writer->batch->order: to the first row that the running statement inserts */
	const struct db_value **end; /* points into the same array, behind the last row that the running statement inserts */
};

/* Makes a writer. It borrows @pool. The writer and the pool must stay where they are until db_writer_fini(). */
void db_writer_init(struct db_writer *writer, struct pool *pool);

/*
 * Waits until no batch is being inserted. Returns SQLITE_OK if all batches so far were inserted. Otherwise returns SQLite's status of the first batch that
 * failed. After this call, other code can use the database until values of a row are set again.
 */
int db_writer_wait(struct db_writer *writer);

void db_writer_fini(struct db_writer *writer);

/*
 * Prepares the statement that inserts rows of @columns columns into @table. The name @table must already have the quotes that SQL needs. When @keyed is true,
 * the first value of each row is its key. A key is an integer. The rows of a batch are then inserted in the order of their keys, and no two rows may have the
 * same key. @nr must be a different number for each struct db_rows of the database. Returns SQLite's status. The caller ends @rows with db_rows_fini() in any
 * case, before the database is closed.
 */
int db_rows_open(struct db_rows *rows, struct db_writer *writer, sqlite3 *sqlite, const char *table, unsigned int columns, bool keyed, size_t nr);

/* Returns the next value of the current row. Every row must set one value for each column. */
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

/* Sets a text of @n bytes that is UTF-8 and lives as long as @rows. */
static inline void db_name_of(struct db_rows *rows, const char *text, size_t n)
{
	*db_next(rows) = (struct db_value){ .kind = DB_TEXT, .text = text, .size = (uint32_t)n };
}

/* Sets an unsigned number. It becomes a text when it is too large for SQLite's integers, which have a sign. */
void db_unsigned(struct db_rows *rows, uint64_t v);

/* Sets a text that is UTF-8 and lives as long as @rows. A NULL @text sets SQL's NULL. */
void db_name(struct db_rows *rows, const char *text);

/* Sets a text that lives as long as @rows, and makes it UTF-8. A NULL @text sets SQL's NULL. */
void db_lasting(struct timeline *t, struct db_rows *rows, const char *text);

/* Sets any text, and makes it UTF-8. */
void db_text(struct timeline *t, struct db_rows *rows, const char *text, size_t n);

/* Sets the values of all fields of an event. */
void db_fields(struct timeline *t, struct db_rows *rows, const struct plan *plan, const struct record *rec);

/*
 * Says that the current row is complete. If the batch is full now, or has many bytes of texts, calls db_rows_flush() and returns the result of that call.
 * Otherwise returns SQLITE_OK.
 */
int db_row(struct db_rows *rows);

/*
 * Hands all rows that have been gathered to the writer. Returns the result of db_writer_wait() for the earlier batches. Drops the gathered rows if there was no
 * memory for one of their texts, or if an earlier batch failed. When there was no memory, returns SQLITE_NOMEM.
 */
int db_rows_flush(struct db_rows *rows);

void db_rows_fini(struct db_rows *rows);

#endif

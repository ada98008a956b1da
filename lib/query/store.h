/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Keeps the rows of a table, column by column. A number takes 8 bytes. A text takes 4 bytes in each row, and texts that are equal are kept only once. Only the
 * columns that are asked for (store_new()) are kept. When the rows take more memory than a limit allows, further rows go into a mapped file without a name. The
 * kernel can write the pages of this file to disk and reuse their memory. The caller can go through the rows in the order of any columns, and can find rows by
 * a value. Each order is made when it is first needed.
 *
 *	err = store_new(&store, types, n, wanted);
 *	row = store_row(store);				a row in which nothing is known
 *	store_number(store, row, TS, 12);
 *	store_text(store, row, COMM, "cat", 3);
 *	err = store_done(store, TS);			no more rows
 */
#ifndef RINGSIDE_QUERY_STORE_H
#define RINGSIDE_QUERY_STORE_H

#include "lib/base/map.h"
#include "lib/export/cell.h"

enum column_type {
	COLUMN_TIME,	/* a time, unsigned; a value that is too large for SQLite is given as a text (lib/export/cell.h) */
	COLUMN_INTEGER, /* a number that fits into SQLite's integers */
	/*
	 * An unsigned number that is not a time. A value that is too large for SQLite's integers is given as a text, as in COLUMN_TIME. SQLite compares the
	 * values of this column by a collation (WANT_DIGITS in lib/query/wants.h).
	 */
	COLUMN_UNSIGNED,
	COLUMN_TEXT,
};

enum { STORE_ROWS = 1 << 16 }; /* how many rows a piece of a column has (.pieces of struct store_column) */

struct store_column {
	uint8_t type; /* enum column_type */
	bool kept;    /* false: nobody asks for this column */
	/*
	 * Element i is for STORE_ROWS rows, from row i * STORE_ROWS on. It begins with a bit for each row, which says whether the row's value is known. The
	 * values follow these bits.
	 */
	VEC(char *) pieces;
};

/* This is an order of the rows, made by store_order(). */
struct store_order {
	/* The rows are sorted by the first key. Rows with equal first keys are sorted by the second key, and so on. */
	struct store_key {
		uint8_t column;
		bool down; /* in descending order */
	} keys[4];
	unsigned int n; /* the number of keys */
	uint32_t *rows; /* element i: the number of the row that is at position i in this order */
};

struct store {
	unsigned int users; /* how many users the store has; store_put() takes one away */
	struct store_column *columns;
	unsigned int ncolumns;
	uint64_t wanted;		/* a bit for each column that is kept; bit 63 stands for the column 63 and all columns after it */
	uint32_t n;			/* the number of rows */
	MAP(struct text, uint32_t) ids; /* the ids of texts, from 0 on */
	strv_t texts;			/* element i: the text with the id i */
	/* Element i is the rank of the text with the id i. The rank is the position of the text when all texts are sorted. NULL: not needed yet. */
	uint32_t *ranks;
	VEC(struct store_order) orders;
	int ts;		       /* the column of the time; -1: there is none */
	bool in_order;	       /* the rows are in the order of the column .ts */
	uint64_t memory;       /* how many bytes of pieces are not in the file */
	uint64_t limit;	       /* the most that .memory may become */
	int fd;		       /* the file; -1: there is none yet */
	uint64_t file;	       /* the size of the file, in bytes */
	VEC(struct text) maps; /* the memory of the pieces of all columns, for munmap() */
	bool oom;
	bool told; /* a message has said why the store has failed */
	int err;
};

/*
 * Makes a store with @n columns of these @types. @wanted says which columns are kept, as .wanted of struct store does. The store has one user. Returns 0
 * or -ENOMEM.
 */
int store_new(struct store **out, const uint8_t *types, unsigned int n, uint64_t wanted);
void store_put(struct store *store); /* takes one user away, and frees the store when no user is left; accepts NULL */

static inline bool store_wants(uint64_t wanted, unsigned int column)
{
	return wanted >> MIN(column, 63u) & 1;
}

/*
 * Adds a row and returns its number. After a failure, store->err is not 0, and store_done() will return store->err. Even after a failure, the row's number can
 * be passed to the functions that set values, which then do nothing.
 */
uint32_t store_row(struct store *store);
void store_number(struct store *store, uint32_t row, unsigned int column, uint64_t v);
void store_forget(struct store *store, uint32_t row, unsigned int column); /* makes the value unknown again */
void store_text(struct store *store, uint32_t row, unsigned int column, const char *text, size_t n);

/* Returns the id of a text, for store_id(). When many rows get the same text, store_id() is faster than store_text(). */
uint32_t store_text_id(struct store *store, const char *text, size_t n);
void store_id(struct store *store, uint32_t row, unsigned int column, uint32_t id);

/* Sets a value. A cell of another type than the column is converted. If it cannot be converted, the value stays unknown. */
void store_cell(struct store *store, uint32_t row, unsigned int column, const struct cell *cell);

/* Must be called after the last row. @ts is the column of the time; -1: there is none. Returns 0, -ENOMEM, or another -errno after a message. */
int store_done(struct store *store, int ts);

/* Returns true and sets *@out to the number, or to the id of the text, if the value is known. */
static inline bool store_get(const struct store *store, uint32_t row, unsigned int column, uint64_t *out)
{
	const struct store_column *c = &store->columns[column];
	const uint32_t at = row % STORE_ROWS;
	const char *piece;
	uint32_t id;

	if (unlikely(!c->kept))
		return false;
	piece = c->pieces.at[row / STORE_ROWS];
	if (!(((const uint8_t *)piece)[at / 8] >> at % 8 & 1))
		return false;
	piece += STORE_ROWS / 8;
	if (c->type == COLUMN_TEXT) {
		memcpy(&id, piece + 4 * (size_t)at, sizeof(id));
		*out = id;
	} else {
		memcpy(out, piece + 8 * (size_t)at, sizeof(*out));
	}
	return true;
}

/* Prefetches the memory of the row's values in these columns. @columns has a bit for each column. */
static __always_inline void store_fetch(const struct store *store, uint32_t row, uint64_t columns)
{
	for (uint64_t left = columns; left; left &= left - 1) {
		const struct store_column *c = &store->columns[__builtin_ctzll(left)];

		if (c->kept)
			__builtin_prefetch(c->pieces.at[row / STORE_ROWS] + STORE_ROWS / 8 + (c->type == COLUMN_TEXT ? 4 : 8) * (size_t)(row % STORE_ROWS));
	}
}

/* Puts the value into *@out, or CELL_NULL when the value is not known. If *@out has a text, the text is valid until @room is changed or the store is freed. */
void store_value(const struct store *store, uint32_t row, unsigned int column, struct str *room, struct cell *out);

/* --- order ------------------------------------------------------------------------------------------------------- */

/*
 * Returns the numbers of the rows in the order of these @n keys. The array belongs to the store. @n is at most 4. Values are compared as in SQL. A value that
 * is not known is smaller than all other values. Returns NULL when memory runs out.
 */
const uint32_t *store_order(struct store *store, const struct store_key *keys, unsigned int n);

/*
 * Searches @rows from the index @from on. The first sort key of @rows must be @column, ascending. When @rows is NULL, the rows of the store are searched in the
 * order in which they were added. In this order, the values of @column must ascend. When @behind is false, returns the index of the first row whose value is
 * at least @v. When @behind is true, returns the index of the first row whose value is more than @v. Returns the number of rows when there is no such row.
 * For a column of texts, @v is a rank (store_rank()).
 */
uint32_t store_find(const struct store *store, const uint32_t *rows, unsigned int column, int64_t v, uint32_t from, bool behind);

/* Returns the rank of a text, which store_find() takes. Returns -1 when no row has the text. Returns -ENOMEM when memory runs out. */
int64_t store_rank(struct store *store, const char *text, size_t n);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Rows of a table, column by column: a number takes 8 bytes, a text 4 and its bytes once. Only the columns that are asked for are kept. What is
 * more than some memory goes into a file without a name, so that the kernel may take the memory away. Rows can be walked in the order of any
 * columns, and found by a value; what that takes is made when it is first asked for.
 *
 *	err = store_new(&store, columns, n, wanted);
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
	COLUMN_INTEGER,
	COLUMN_UNSIGNED, /* numbers of 64 bits without a sign: see lib/export/cell.h */
	COLUMN_TEXT,
};

enum { STORE_ROWS = 1 << 16 }; /* in a piece */

struct store_column {
	uint8_t type;	    /* enum column_type */
	bool kept;	    /* else nobody asks for it */
	VEC(char *) pieces; /* of STORE_ROWS values, and a bit for each that says whether it is known */
};

/* The rows in another order. */
struct store_order {
	struct store_key {
		uint8_t column;
		bool down;
	} keys[4];
	unsigned int n;
	uint32_t *rows;
};

struct store {
	unsigned int users;
	struct store_column *columns;
	unsigned int ncolumns;
	uint64_t wanted; /* a bit for each column; the last bit is of all from 63 on */
	uint32_t n;
	MAP(struct text, uint32_t) ids; /* of texts, from 0 on */
	strv_t texts;			/* by id */
	uint32_t *ranks;		/* of each text's id: its place among all of them; NULL: not asked for */
	VEC(struct store_order) orders;
	int ts;			/* the column of the time; -1: there is none */
	bool in_order;		/* the rows are in the order of that column */
	uint64_t memory, limit; /* bytes that are no file's; so many may be */
	int fd;			/* the file; -1: there is none yet */
	uint64_t file;		/* bytes of it */
	VEC(struct text) maps;
	bool oom;
	bool told; /* why it failed */
	int err;
};

/* @types: the types of its @n columns. Returns 0 or -ENOMEM. It has one user. */
int store_new(struct store **out, const uint8_t *types, unsigned int n, uint64_t wanted);
void store_put(struct store *store); /* one user less; accepts NULL */

static inline bool store_wants(uint64_t wanted, unsigned int column)
{
	return wanted >> MIN(column, 63u) & 1;
}

/* A new row. What fails is told by store_done(), and by the first bit of store->err meanwhile. */
uint32_t store_row(struct store *store);
void store_number(struct store *store, uint32_t row, unsigned int column, uint64_t v);
void store_text(struct store *store, uint32_t row, unsigned int column, const char *text, size_t n);

/* The number of a text for store_id(), which is faster for the same again. */
uint32_t store_text_id(struct store *store, const char *text, size_t n);
void store_id(struct store *store, uint32_t row, unsigned int column, uint32_t id);

/* A value of the kind that the column is not becomes one, or stays unknown. */
void store_cell(struct store *store, uint32_t row, unsigned int column, const struct cell *cell);

/* No more rows. Returns 0; -ENOMEM; another -errno after a message. */
int store_done(struct store *store, int ts);

/* Is it known? Then it is in *@out: a number, or the id of a text. */
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

/* The memory of these columns (a bit for each) of the row will be read soon. */
static __always_inline void store_fetch(const struct store *store, uint32_t row, uint64_t columns)
{
	for (uint64_t left = columns; left; left &= left - 1) {
		const struct store_column *c = &store->columns[__builtin_ctzll(left)];

		if (c->kept)
			__builtin_prefetch(c->pieces.at[row / STORE_ROWS] + STORE_ROWS / 8 + (c->type == COLUMN_TEXT ? 4 : 8) * (size_t)(row % STORE_ROWS));
	}
}

/* The same as a cell, whose text holds as long as the store, or until @room is changed. */
void store_value(const struct store *store, uint32_t row, unsigned int column, struct str *room, struct cell *out);

/* --- order ------------------------------------------------------------------------------------------------------- */

/* The rows by these keys, each as SQL compares it: what is not known comes first. Returns NULL when there is no memory. */
const uint32_t *store_order(struct store *store, const struct store_key *keys, unsigned int n);

/*
 * Of rows in an order (NULL: as they are) whose first key is @column, upwards, and of those from the @from-th on: where those begin that are at least,
 * or when @behind more than, the number @v. For a text column @v is a rank.
 */
uint32_t store_find(const struct store *store, const uint32_t *rows, unsigned int column, int64_t v, uint32_t from, bool behind);

/* The rank of a text, for store_find(); -1: no row has it. -ENOMEM. */
int64_t store_rank(struct store *store, const char *text, size_t n);

#endif

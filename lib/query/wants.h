/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks rows before SQLite sees them. Only conditions on a single column are checked here. A row is left out if it certainly fails at least one of these
 * conditions. Every other row is given to SQLite, which checks all conditions again. Only lib/query uses this header.
 */
#ifndef RINGSIDE_QUERY_WANTS_H
#define RINGSIDE_QUERY_WANTS_H

#include "lib/query/tables.h"

enum want_op { WANT_EQ, WANT_GT, WANT_GE, WANT_LT, WANT_LE, WANT_GLOB, WANT_LIKE, WANT_OPS };

struct want_value {
	uint8_t kind; /* enum query_kind; QUERY_NULL: the value is a blob. A blob is not compared here, so every row fits. */
	int64_t number;
	double real;
	char *text;
	size_t size;
};

/* A want is a condition of the query on one column. */
struct want {
	unsigned int column;
	enum want_op op;
	bool digits;   /* the column has unsigned numbers; a number that is too large for SQLite's integers is a text of its digits */
	bool constant; /* the values of the want stay the same while the statement runs */
	/* A row fits if its value fits at least one of these values. If there are none, the query compares with NULL or with an empty list, so no row fits. */
	VEC(struct want_value) values;
};

typedef VEC(struct want) wants_t;

/* Adds a want with @value. When @list is true, @value is a list, and the want gets all values of the list. Returns 0 or -ENOMEM. */
int wants_add(wants_t *wants, unsigned int column, enum want_op op, sqlite3_value *value, bool list);
void wants_fini(wants_t *wants);

/*
 * This is the name of the collation that SQLite uses for columns of unsigned numbers. In these columns, a number that is too large for SQLite's integers is
 * a text of its digits. The collation compares two such texts by their length, and then digit by digit. digits_order() is the function of the collation,
 * for sqlite3_create_collation().
 */
#define WANT_DIGITS "digits"
int digits_order(void *ctx, int an, const void *a, int bn, const void *b);

/*
 * Returns false if the value certainly does not fit the want. A value that is not known (CELL_NULL) does not fit. Returns true if the value fits, or if
 * only SQLite can tell.
 */
bool want_fits(const struct want *want, const struct cell *cell);

/*
 * *@from and *@to are the first and the last number of a range. Narrows this range by a want on a column of whole numbers. Afterwards the range still has all
 * of its values that fit the want. The range may also have values that do not fit. If the want has no values, the range becomes empty: *@from is larger than
 * *@to.
 */
void want_narrow(const struct want *want, int64_t *from, int64_t *to);

/*
 * A choice is a set of wants. fill() of struct relation_kind (lib/query/tables.h) puts the rows of a table into a store. It leaves out rows that do not fit the
 * choice. The values of the wants of a choice stay the same while the statement runs. Each want of a choice is on one of .columns. When fill() does not know a
 * row's value in such a column yet, fill() keeps the row.
 */
struct choice {
	uint64_t columns;     /* a bit for each column by which fill() can choose rows (.chooses of struct relation_kind) */
	const wants_t *wants; /* all wants that relation_chosen() was given, even those that do not belong to the choice */
};

/*
 * Returns false if a row with the value @cell in @column certainly does not fit the choice. Otherwise returns true. When @choice is NULL, or when no want of
 * the choice is on @column, the result is true.
 */
bool choice_fits(const struct choice *choice, unsigned int column, const struct cell *cell);

/*
 * Finds a store (lib/query/store.h) with the rows of @table that fit @wants. Makes the store if there is none. The store may also have rows that do not fit
 * @wants: it has all rows of the table, or all rows that fit a choice from @wants. A store for a choice is kept until relation_forget(). *@out becomes the
 * store, which the caller gives to store_put(). Returns 0, -ENOMEM, or another -errno after a message.
 */
int relation_chosen(struct relation *table, const wants_t *wants, struct store **out);

/* If the want asks for exactly one whole number, sets *@out to this number and returns true. Otherwise returns false. */
bool want_number(const struct want *want, int64_t *out);

#endif

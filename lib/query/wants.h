/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a query wants of a column, as far as it can be asked before SQLite sees the row, which compares once more: a row that is left out
 * here is one that cannot match. Inside lib/query only.
 */
#ifndef RINGSIDE_QUERY_WANTS_H
#define RINGSIDE_QUERY_WANTS_H

#include "lib/query/tables.h"

enum want_op { WANT_EQ, WANT_GT, WANT_GE, WANT_LT, WANT_LE, WANT_GLOB, WANT_LIKE, WANT_OPS };

struct want_value {
	uint8_t kind; /* enum query_kind, but QUERY_NULL: anything may match */
	int64_t number;
	double real;
	char *text;
	size_t size;
};

struct want {
	unsigned int column;
	enum want_op op;
	bool constant;		       /* it is the same as long as the statement runs */
	VEC(struct want_value) values; /* of WANT_EQ any of them; none: no row fits, as nothing is equal to, more or less than NULL */
};

typedef VEC(struct want) wants_t;

/* Takes @value, or when @list all that it lists, into a new want. Returns 0 or -ENOMEM. */
int wants_add(wants_t *wants, unsigned int column, enum want_op op, sqlite3_value *value, bool list);
void wants_fini(wants_t *wants);

bool want_fits(const struct want *want, const struct cell *cell);

/* A want of whole numbers in a column of them: narrows *@from to *@to, both included. */
void want_narrow(const struct want *want, int64_t *from, int64_t *to);

/*
 * The constant wants of columns by which a table's fill() leaves rows out by itself. A row of which it is not known yet what it has there is
 * not left out.
 */
struct choice {
	uint64_t columns; /* a bit for each */
	const wants_t *wants;
};

/* Of no choice (NULL) everything fits. */
bool choice_fits(const struct choice *choice, unsigned int column, const struct cell *cell);

/*
 * Makes the rows of @table that @wants leave, or more of them, as far as they are not there: all, or those of a choice, which are kept until
 * relation_forget(). The rows have one more user in *@out. Returns 0; -ENOMEM; another -errno after a message.
 */
int relation_chosen(struct relation *table, const wants_t *wants, struct store **out);

/* The one number that it wants; false: it is none, or not one. */
bool want_number(const struct want *want, int64_t *out);

#endif

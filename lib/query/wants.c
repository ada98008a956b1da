/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/wants.h"

#include <math.h>

static int add_value(struct want *want, sqlite3_value *value)
{
	struct want_value v = { 0 };

	switch (sqlite3_value_type(value)) {
	case SQLITE_INTEGER:
		v.kind = QUERY_INTEGER;
		v.number = sqlite3_value_int64(value);
		break;
	case SQLITE_FLOAT:
		v.real = sqlite3_value_double(value);
		/* A whole number becomes an integer in any form, so that rows can be looked up by it. */
		if (fabs(v.real) < 0x1p53 && v.real == (double)(int64_t)v.real) {
			v.kind = QUERY_INTEGER;
			v.number = (int64_t)v.real;
		} else {
			v.kind = QUERY_REAL;
		}
		break;
	case SQLITE_TEXT:
		v.kind = QUERY_TEXT;
		v.text = strdup((const char *)sqlite3_value_text(value));
		if (!v.text)
			return -ENOMEM;
		v.size = strlen(v.text);
		break;
	case SQLITE_NULL:
		return 0;
	default:
		break;
	}
	if (!vec_push(&want->values, v))
		return 0;
	free(v.text);
	return -ENOMEM;
}

int wants_add(wants_t *wants, unsigned int column, enum want_op op, sqlite3_value *value, bool list)
{
	struct want want = { .column = column, .op = op };
	sqlite3_value *one;
	int err = vec_push(wants, want);

	if (err)
		return err;
	if (!list)
		return add_value(&wants->at[wants->n - 1], value);
#if SQLITE_VERSION_NUMBER >= 3038000
	for (int ret = sqlite3_vtab_in_first(value, &one); !err && ret == SQLITE_OK && one; ret = sqlite3_vtab_in_next(value, &one))
		err = add_value(&wants->at[wants->n - 1], one);
#else
	(void)one;
#endif
	return err;
}

void wants_fini(wants_t *wants)
{
	vec_each (wants, want) {
		vec_each (&want->values, value)
			free(value->text);
		vec_fini(&want->values);
	}
	vec_fini(wants);
}

static bool holds(enum want_op op, int order)
{
	switch (op) {
	case WANT_EQ:
		return order == 0;
	case WANT_GT:
		return order > 0;
	case WANT_GE:
		return order >= 0;
	case WANT_LT:
		return order < 0;
	case WANT_LE:
		return order <= 0;
	default:
		return true;
	}
}

static bool number_fits(enum want_op op, const struct want_value *value, int64_t number)
{
	if (value->kind == QUERY_INTEGER)
		return holds(op, number < value->number ? -1 : number > value->number);
	/* A double near the number may not have all its digits, so SQLite decides. */
	if (value->kind != QUERY_REAL || isnan(value->real) || fabs(value->real - (double)number) < 4096)
		return true;
	return holds(op, (double)number < value->real ? -1 : 1);
}

int digits_order(__unused void *ctx, int an, const void *a, int bn, const void *b)
{
	return an != bn ? an - bn : memcmp(a, b, (size_t)an);
}

static bool text_fits(const struct want *want, const struct want_value *value, const struct cell *cell)
{
	const enum want_op op = want->op;
	int order;

	if (value->kind != QUERY_TEXT)
		return true;
	if (op == WANT_GLOB)
		return sqlite3_strglob(value->text, cell->text) == 0;
	if (op == WANT_LIKE)
		return sqlite3_strlike(value->text, cell->text, 0) == 0;
	if (want->digits)
		return holds(op, digits_order(NULL, (int)cell->size, cell->text, (int)value->size, value->text));
	order = memcmp(cell->text, value->text, MIN(cell->size, value->size));
	return holds(op, order ? order : cell->size < value->size ? -1 : cell->size > value->size);
}

bool want_fits(const struct want *want, const struct cell *cell)
{
	if (cell->kind == CELL_NULL)
		return false;
	vec_each (&want->values, value) {
		if (cell->kind == CELL_TEXT ? text_fits(want, value, cell) : want->op >= WANT_GLOB || number_fits(want->op, value, cell->number))
			return true;
	}
	return false;
}

static void narrow(enum want_op op, const struct want_value *value, int64_t *from, int64_t *to)
{
	int64_t low = value->number, high = value->number;

	if (value->kind == QUERY_REAL && fabs(value->real) < 9e18) {
		low = (int64_t)floor(value->real);
		high = (int64_t)ceil(value->real);
	} else if (value->kind != QUERY_INTEGER) {
		return;
	}
	if (op == WANT_EQ || op == WANT_GT || op == WANT_GE)
		*from = MAX(*from, low);
	if (op == WANT_EQ || op == WANT_LT || op == WANT_LE)
		*to = MIN(*to, high);
}

void want_narrow(const struct want *want, int64_t *from, int64_t *to)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	if (!want->values.n)
		*to = INT64_MIN;
	vec_each (&want->values, value) {
		int64_t from_one = INT64_MIN, to_one = INT64_MAX;

		narrow(want->op, value, &from_one, &to_one);
		low = MIN(low, from_one);
		high = MAX(high, to_one);
	}
	*from = MAX(*from, low);
	*to = MIN(*to, high);
}

bool want_number(const struct want *want, int64_t *out)
{
	if (want->op != WANT_EQ || want->values.n != 1 || want->values.at[0].kind != QUERY_INTEGER)
		return false;
	*out = want->values.at[0].number;
	return true;
}
#endif

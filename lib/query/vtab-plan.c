/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/query/vtab-plan.h"

#include <string.h>

enum { MOST_WANTS = 16 };

static int op_of(int constraint)
{
	static const struct {
		int constraint;
		enum want_op op;
	} ops[] = {
		{ SQLITE_INDEX_CONSTRAINT_EQ, WANT_EQ },     { SQLITE_INDEX_CONSTRAINT_GT, WANT_GT }, { SQLITE_INDEX_CONSTRAINT_GE, WANT_GE },
		{ SQLITE_INDEX_CONSTRAINT_LT, WANT_LT },     { SQLITE_INDEX_CONSTRAINT_LE, WANT_LE }, { SQLITE_INDEX_CONSTRAINT_GLOB, WANT_GLOB },
		{ SQLITE_INDEX_CONSTRAINT_LIKE, WANT_LIKE },
	};

	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		if (ops[i].constraint == constraint)
			return (int)ops[i].op;
	return -1;
}

static bool is_list(sqlite3_index_info *info, int i)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	return sqlite3_vtab_in(info, i, -1);
#else
	return info->nConstraint < 0 && i;
#endif
}

/* Is the other side of the comparison known before the statement runs? Then rows can be chosen while they are made. */
static bool is_constant(sqlite3_index_info *info, int i)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	sqlite3_value *value;

	return sqlite3_vtab_rhs_value(info, i, &value) == SQLITE_OK && value;
#else
	return info->nConstraint < 0 && i;
#endif
}

/* Does SQLite compare the values as the table does? */
static bool compares_alike(const struct relation *table, sqlite3_index_info *info, int i)
{
	const bool digits = table->columns.at[info->aConstraint[i].iColumn].type == COLUMN_UNSIGNED;

	return strcmp(sqlite3_vtab_collation(info, i), digits ? WANT_DIGITS : "BINARY") == 0;
}

/* Writes the constraints that the table can check into the plan. *@rows is multiplied by the share of rows that should be left. */
static int plan_wants(const struct relation *table, sqlite3_index_info *info, struct str *plan, double *rows)
{
	int n = 0;

	for (int i = 0; i < info->nConstraint && n < MOST_WANTS; i++) {
		const struct sqlite3_index_constraint *c = &info->aConstraint[i];
		const int op = op_of(c->op);
		const bool list = c->usable && op == WANT_EQ && is_list(info, i);

		if (!c->usable || op < 0 || c->iColumn < 0 || !compares_alike(table, info, i))
			continue;
		if (op >= WANT_GLOB && table->columns.at[c->iColumn].type != COLUMN_TEXT)
			continue;
#if SQLITE_VERSION_NUMBER >= 3038000
		if (list)
			sqlite3_vtab_in(info, i, 1);
#endif
		info->aConstraintUsage[i].argvIndex = ++n;
		str_addf(plan, "%c%d:%d ", list ? 'l' : is_constant(info, i) ? 'k' : 'c', c->iColumn, op);
		*rows /= op != WANT_EQ ? 3 : c->iColumn == (int)table->ts ? 1e5 : list ? 20 : 100;
	}
	return n;
}

/* Can the table give its rows in the wanted order? */
static bool plan_order(const struct relation *table, sqlite3_index_info *info, struct str *plan)
{
	if (!info->nOrderBy || info->nOrderBy > PLAN_KEYS)
		return false;
	if (table->kind->stream)
		return info->nOrderBy == 1 && info->aOrderBy[0].iColumn == table->ts && !info->aOrderBy[0].desc;
	for (int i = 0; i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn < 0 || table->columns.at[info->aOrderBy[i].iColumn].type == COLUMN_UNSIGNED)
			return false;
	for (int i = 0; i < info->nOrderBy; i++)
		str_addf(plan, "o%d%c ", info->aOrderBy[i].iColumn, info->aOrderBy[i].desc ? '-' : '+');
	return true;
}

int vtab_plan(struct relation *table, sqlite3_index_info *info)
{
	struct str plan = { 0 };
	double rows = 1e6;
	int n = plan_wants(table, info, &plan, &rows);
	char *text;

	info->orderByConsumed = plan_order(table, info, &plan);
	text = sqlite3_mprintf("%s", str_text(&plan));
	if (plan.oom || !text) {
		str_fini(&plan);
		sqlite3_free(text);
		return SQLITE_NOMEM;
	}
	str_fini(&plan);
	/* SQLite may not report a column that it compares itself, but .colUsed has all columns that it reads. */
	table->wanted |= info->colUsed;
	for (int i = 0; i < info->nConstraint; i++)
		if (info->aConstraint[i].iColumn >= 0)
			table->wanted |= 1ULL << MIN(info->aConstraint[i].iColumn, 63);
	for (int i = 0; i < info->nOrderBy; i++)
		if (info->aOrderBy[i].iColumn >= 0)
			table->wanted |= 1ULL << MIN(info->aOrderBy[i].iColumn, 63);
	info->idxStr = text;
	info->needToFreeIdxStr = 1;
	info->idxNum = n;
	info->estimatedRows = (sqlite3_int64)MAX(rows, 1.0);
	info->estimatedCost = MAX(rows, 1.0) + 10;
	return SQLITE_OK;
}

int vtab_plan_read(const char *plan, sqlite3_value **values, bool patterns, wants_t *wants, struct store_key keys[PLAN_KEYS], unsigned int *nkeys)
{
	int err = 0;

	for (char *end; !err && *plan; plan = end + strspn(end, " ")) {
		const char what = *plan;
		const unsigned int column = (unsigned int)strtoul(plan + 1, &end, 10);

		if (what == 'o') {
			keys[(*nkeys)++] = (struct store_key){ (uint8_t)column, *end == '-' };
			end++;
		} else {
			const enum want_op op = (enum want_op)strtoul(end + 1, &end, 10);
			sqlite3_value *value = *values++;

			if (op >= WANT_GLOB && !patterns)
				continue;
			err = wants_add(wants, column, op, value, what == 'l');
			if (!err)
				wants->at[wants->n - 1].constant = what != 'c';
		}
	}
	return err;
}
#endif

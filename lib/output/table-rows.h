/* SPDX-License-Identifier: GPL-2.0 */
/* Defines struct table for the source files that write tables. Only lib/output/table*.c uses this. */
#ifndef RINGSIDE_TABLE_ROWS_H
#define RINGSIDE_TABLE_ROWS_H

#include "lib/base/str.h"
#include "lib/output/table.h"

/* The type of the column tells which member is set. */
union table_value {
	uint64_t n;	  /* TABLE_COUNT, TABLE_NUMBER, TABLE_TS, TABLE_NS, TABLE_BYTES */
	int64_t id;	  /* TABLE_ID, TABLE_DEPTH */
	double real;	  /* TABLE_PERCENT, TABLE_REAL */
	const char *text; /* TABLE_TEXT, TABLE_ANY */
	bool is;	  /* TABLE_BOOL */
};

/* A column by which rows are sorted. */
struct table_key {
	unsigned int column;
	bool down; /* the largest first */
};

/* This is a number that table_fact() has added. */
struct table_fact {
	const char *name;
	uint64_t value;
};

/* This is another table, which table_also() has added. */
struct table_other {
	const char *name;
	struct table *table;
};

/* This is the colour of a value, which table_tint() has set. */
struct table_spot {
	uint32_t row;
	uint8_t column;
	uint8_t tint; /* enum table_tint */
};

enum { TABLE_KEYS = 8 };

struct table {
	const struct table_spec *spec;
	struct table_show show;
	unsigned int ncolumns;
	uint8_t wholes[TABLE_COLUMNS]; /* element i: the column whose sum is 100 % for column i; TABLE_COLUMNS: there is none */
	int tree;		       /* the column that is drawn as a tree; -1: none */
	uint8_t shown[TABLE_COLUMNS];  /* the columns that are shown, in this order */
	unsigned int nshown;
	struct table_key keys[TABLE_KEYS];
	unsigned int nkeys;
	VEC(union table_value) values; /* .ncolumns values of row 0, then those of row 1, and so on */
	VEC(uint64_t) known;	       /* element i is for row i: bit k says that the value of column k was set */
	VEC(uint64_t) numbers;	       /* element i is for row i: bit k says that column k is of TABLE_ANY, and that its value is a number */
	VEC(uint32_t) parents;	       /* element i: the parent of row i; TABLE_ROOT: row i is a root */
	VEC(struct table_spot) spots;  /* coloured values, in the order of their rows */
	VEC(struct table_fact) facts;
	VEC(struct table_other) others;
	strv_t notes, copies;
	bool oom;
	/* The next three members are used when table_part() writes the table. */
	bool begun;	  /* table_part() has been called */
	size_t told;	  /* how many rows table_part() has written */
	size_t parts_cut; /* how many rows were not written because of show.top */
	/* The members below are set while the table is shown. */
	uint32_t *order;		       /* element i: the row that is shown as number i, counted from 0 */
	size_t n;			       /* how many rows are shown */
	size_t cut;			       /* how many rows are not shown because of show.top */
	uint16_t *depths;		       /* element i: the depth of row i in the tree; NULL: no row is below another */
	union table_value sums[TABLE_COLUMNS]; /* element i: the sum of column i over all rows, or over the roots of a tree */
};

/*
 * Returns true if the row's value in this column was set or can be computed. Then *@value becomes this value. For a column of TABLE_PATH, returns false,
 * because table_path() makes the values of this column.
 */
bool table_value(const struct table *table, uint32_t row, unsigned int column, union table_value *value);

/* Appends the row's value for a column of TABLE_PATH. */
void table_path(const struct table *table, uint32_t row, struct str *out);

/* Returns true if the values of the column are numbers with a fraction. The values are then in table_value.real. */
static inline bool table_is_real(const struct table_column *column)
{
	return column->type == TABLE_REAL || column->type == TABLE_PERCENT;
}

/* Returns true if the row's value in this column is a number. The column must be of TABLE_ANY. */
static inline bool table_is_number(const struct table *table, uint32_t row, unsigned int column)
{
	return table->numbers.at[row] >> column & 1;
}

enum table_tint table_tint_of(const struct table *table, uint32_t row, unsigned int column);

/* Returns true if one of the columns that are shown has .sum set. */
bool table_sums(const struct table *table);

/*
 * table_order_rows() adds up the rows and puts them in order. It sets .sums, .order, .n, .cut and .depths, and returns 0 or -ENOMEM. When the rows have been
 * shown, table_order_done() frees .order and .depths. Both functions do the same for the tables that table_also() has added.
 */
int table_order_rows(struct table *table);
void table_order_done(struct table *table);

/* When *@out has more than @much bytes, writes them to @fd and empties *@out. Returns 0, -EPIPE, or -errno after a message. */
int table_flush(int fd, struct str *out, size_t much);

/*
 * Writes the line above a table that is neither JSON nor CSV. The line says where the figures come from (meta->place: the kernel, the stream of events, or
 * files). It also says why they come from there (meta->why). meta->place must not be NULL. Returns 0, -EPIPE, or -errno after a message.
 */
int table_place(const struct table_meta *meta, int fd);

/* These functions write the rows in table.order. They return 0, -EPIPE, or -errno after a message. */
int table_for_people(const struct table *table, const struct table_meta *meta, int fd);
int table_json(const struct table *table, const struct table_meta *meta, int fd);
int table_csv(const struct table *table, const struct table_meta *meta, int fd);

#endif

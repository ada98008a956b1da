/* SPDX-License-Identifier: GPL-2.0 */
/* Defines what a table consists of, for the files that write it. Only lib/output/table*.c uses this. */
#ifndef RINGSIDE_TABLE_ROWS_H
#define RINGSIDE_TABLE_ROWS_H

#include "lib/base/str.h"
#include "lib/output/table.h"

union table_value {
	uint64_t n;
	int64_t id;
	double real;
	const char *text;
	bool is;
};

struct table_key {
	unsigned int column;
	bool down; /* the largest first */
};

struct table_fact {
	const char *name;
	uint64_t value;
};

struct table_other {
	const char *name;
	struct table *table;
};

struct table_spot {
	uint32_t row;
	uint8_t column;
	uint8_t tint;
};

enum { TABLE_KEYS = 8 };

struct table {
	const struct table_spec *spec;
	struct table_show show;
	unsigned int ncolumns;
	uint8_t wholes[TABLE_COLUMNS]; /* for each column, the column whose sum its percentages refer to; TABLE_COLUMNS: none */
	int tree;		       /* the column that is drawn as a tree; -1: none */
	uint8_t shown[TABLE_COLUMNS];  /* the columns that are shown, in this order */
	unsigned int nshown;
	struct table_key keys[TABLE_KEYS];
	unsigned int nkeys;
	VEC(union table_value) values; /* .ncolumns for each row */
	VEC(uint64_t) known;	       /* for each row a bit for each column, which says that the value is known */
	VEC(uint64_t) numbers;	       /* for each row a bit for each column whose value is of TABLE_ANY and is a number */
	VEC(uint32_t) parents;
	VEC(struct table_spot) spots; /* coloured values, by row */
	VEC(struct table_fact) facts;
	VEC(struct table_other) others;
	strv_t notes, copies;
	bool oom;
	bool begun;	  /* a part of the table has been written */
	size_t told;	  /* how many rows of parts (table_part()) have been written */
	size_t parts_cut; /* how many rows of parts .top left out, so that they were not written */
	/* These are set while the table is shown. */
	uint32_t *order;		       /* the rows as they are shown */
	size_t n;			       /* how many rows are shown */
	size_t cut;			       /* rows that .top left out */
	uint16_t *depths;		       /* the depth of each row in the tree; NULL: no row is below another */
	union table_value sums[TABLE_COLUMNS]; /* over all rows, or over the roots of a tree */
};

/* Returns whether the row has a value in this column, set or computed. *@value becomes that value. A value of TABLE_PATH has to be made by table_path(). */
bool table_value(const struct table *table, uint32_t row, unsigned int column, union table_value *value);

/* Appends the row's TABLE_PATH. */
void table_path(const struct table *table, uint32_t row, struct str *out);

/* Returns whether the values of the column are numbers with a fraction; they are in .real. */
static inline bool table_is_real(const struct table_column *column)
{
	return column->type == TABLE_REAL || column->type == TABLE_PERCENT;
}

/* Returns whether the value of TABLE_ANY is a number. */
static inline bool table_is_number(const struct table *table, uint32_t row, unsigned int column)
{
	return table->numbers.at[row] >> column & 1;
}

enum table_tint table_tint_of(const struct table *table, uint32_t row, unsigned int column);

/* Returns whether any column that is shown has a sum. */
bool table_sums(const struct table *table);

/*
 * table_order_rows() adds up the rows and puts them in order, in .sums, .order, .n, .cut and .depths. It returns 0 or -ENOMEM.
 * table_order_done() frees these when the rows have been shown.
 */
int table_order_rows(struct table *table);
void table_order_done(struct table *table);

/* When *@out has more than @much bytes, writes them to @fd and empties *@out. Returns 0, -EPIPE, or -errno after a message. */
int table_flush(int fd, struct str *out, size_t much);

/* Writes the line above a table for people: where the answer was found, and why. meta->place must not be NULL. Returns 0 or -errno. */
int table_place(const struct table_meta *meta, int fd);

/* These write the rows in table.order. They return 0, -EPIPE, or -errno after a message. */
int table_for_people(const struct table *table, const struct table_meta *meta, int fd);
int table_json(const struct table *table, const struct table_meta *meta, int fd);
int table_csv(const struct table *table, const struct table_meta *meta, int fd);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives all rows of the tables that a query can use, one after the other. The order is always the same for the same recording. First come the events, in the
 * order in which they happened. Each event gives two rows, one right after the other: a row of the table `events`, and a row of the table that has only events
 * of its kind. The rows of all other tables come after the events.
 *
 *	err = dump_open(&dump, query, NULL);
 *	while ((err = dump_next(dump, &table, &row)) > 0)
 *		dump_cell(dump, column, &cell);		a column of dump_table_at(dump, table)
 *	dump_close(dump);
 */
#ifndef RINGSIDE_QUERY_DUMP_H
#define RINGSIDE_QUERY_DUMP_H

#include "lib/export/cell.h"
#include "lib/query/query.h"

enum dump_type {
	DUMP_INTEGER,  /* an int64_t */
	DUMP_SMALL,    /* an int64_t that fits into an int32_t and is always known */
	DUMP_UNSIGNED, /* a uint64_t; the cell of a number above INT64_MAX is a text */
	DUMP_TEXT,
};

struct dump_column {
	const char *name;
	enum dump_type type;
	bool known; /* the column has a value in each row */
};

struct dump_table {
	const char *name;
	VEC(struct dump_column) columns;
	int ts;		   /* the index of the column of the time; -1: rows of this table may lack a time */
	int event;	   /* the index of the column of the event's name; -1: all rows are of the same event, or are of no event */
	unsigned int host; /* the index of the column of the machine's name */
	bool of_event;	   /* all rows are of the same event */
};

struct dump;

/*
 * @only names the table whose rows are wanted. If @only is NULL, the rows of all tables are wanted. Returns 0, or -errno after a message. The caller calls
 * dump_close() in any case.
 */
int dump_open(struct dump **out, struct query *query, const char *only);
void dump_close(struct dump *dump);

/*
 * dump_tables() returns the number of tables, and dump_table_at() returns a table by its index. The index of a table is the same in each
 * dump of the same recording.
 */
size_t dump_tables(const struct dump *dump);
const struct dump_table *dump_table_at(const struct dump *dump, size_t index);

/*
 * Goes to the next row. Returns 1 when there is a row. Then *@table is the index of the row's table. *@row is the row's number in that table, and the first row
 * has the number 0. Returns 0 at the end, or -errno after a message.
 */
int dump_next(struct dump *dump, size_t *table, uint64_t *row);

/* Puts the row's value in @column into @out. A text is valid until the next call of dump_cell() or dump_next(). */
void dump_cell(struct dump *dump, unsigned int column, struct cell *out);

#endif

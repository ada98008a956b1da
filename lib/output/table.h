/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shows tables of typed values. From one description of the columns, a table is written for people (lib/output/table-text.c), or as JSON or CSV. A table sorts
 * its rows, and leaves out the rows after the first table_show.top rows, before it makes any text. So a table can hold a million rows.
 *
 *	enum { FUNCTION, CALLS, TOTAL, SHARE };
 *	static const struct table_column columns[] = {
 *		[FUNCTION] = { "function", TABLE_TEXT, .tree = true },
 *		[CALLS] = { "calls", TABLE_COUNT },
 *		[TOTAL] = { "total", TABLE_NS },
 *		[SHARE] = { "percent", TABLE_PERCENT, .of = "total" },
 *		{ NULL },
 *	};
 *	static const struct table_spec spec = { .columns = columns, .sort = "-total" };
 *	err = table_new(&table, &spec, &show);		call it early, because it checks the user's options
 *	row = table_row(table, TABLE_ROOT);
 *	table_text(table, FUNCTION, name);
 *	table_count(table, CALLS, 7);
 *	err = table_show(table, &meta, STDOUT_FILENO);
 *
 * The names of columns are a promise to scripts. A column may be added. A column is renamed only if --columns and --sort still take its earlier name
 * (table_column.once). CSV and JSON have the names of the columns as table_column.name has them, and numbers without units. Times are in ns, and sizes are in
 * bytes. If table_meta.ticks is true, durations are in ticks of the trace's clock. If table_meta.ts_ticks is true, points of time are in ticks. A value that is
 * not known is an empty field in CSV, null in JSON, and a dash for people.
 */
#ifndef RINGSIDE_TABLE_H
#define RINGSIDE_TABLE_H

#include "lib/base/vec.h"

/* These are the types of values. The comments also tell which rows come first when rows are sorted by a column of the type. */
enum table_type {
	TABLE_TEXT,    /* a string; rows are sorted from A to Z */
	TABLE_COUNT,   /* an unsigned number of things: the largest come first */
	TABLE_ID,      /* a signed number that names something (pid, cpu, depth): the smallest come first */
	TABLE_NUMBER,  /* an unsigned number that names something: the smallest come first */
	TABLE_TS,      /* a point of time in ns, shown in seconds: the earliest come first */
	TABLE_NS,      /* a duration in ns, shown in us, ms or s (one unit for the column, in its heading, or see .own_unit): the largest come first */
	TABLE_BYTES,   /* a size in bytes, shown in B, kB or MB (one unit for the whole column, which the heading names): the largest come first */
	TABLE_PERCENT, /* a share, where 100 is the whole: the largest come first */
	TABLE_REAL,    /* a number with a fraction, such as a mean or a rate: the largest come first */
	TABLE_BOOL,    /* yes or no: yes comes first */
	TABLE_ANY,     /* a number or a text, shown as it was set: values are sorted as texts, from A to Z, even if they are numbers */
	TABLE_DEPTH,   /* how many ancestors this row has in the tree, computed by the table: the smallest come first */
	TABLE_PATH,    /* the values of the tree column from the root to this row, joined by ';', computed by the table: sorted as the tree column is */
};

/* This is a column. An array of columns ends with a column without a name. It has at most TABLE_COLUMNS columns. */
struct table_column {
	const char *name; /* lower case, as JSON and CSV have it; the text for people has it in capitals in its heading */
	enum table_type type;
	/*
	 * For TABLE_PERCENT: the name of another column. When the share of a row is not set, it is computed: the row's value in that other column, as a
	 * percentage of the sum of that other column. In a tree, the sum is the sum of the roots.
	 */
	const char *of;
	const char *once; /* a name that the column had in an earlier version: --columns and --sort still take it; NULL: none */
	const char *head; /* the heading in the text for people; NULL: the name */
	bool own_unit;	  /* of TABLE_NS: each value has its own unit behind it, so that small values can be told apart beside large ones */
	bool tree;	  /* rows are drawn below their parents in this column; it must be the first column and a TABLE_TEXT */
	bool more;	  /* people see the column only when they ask for it with --columns; JSON and CSV always have it */
	bool drawn;	  /* the column is a drawing; rows cannot be sorted by this column */
	bool people;	  /* the column is made for people, such as a column of bars; JSON and CSV have it only when --columns names it */
	bool heat;	  /* of TABLE_PERCENT: large values are coloured */
	bool sum;	  /* people see the sum of all rows in a last line, and JSON has it in "sums" */
	bool left;	  /* a number that is left-aligned */
	bool lines;	  /* a text whose newlines are kept for people: its parts stand below each other */
	/* A text that is wrapped on a narrow terminal. When no column has .wrap, all left-aligned columns are wrapped, except the tree column and drawings. */
	bool wrap;
};

enum { TABLE_COLUMNS = 63 };

/* The value of --sort that leaves the rows in the order in which they were added. No column has this name. */
#define TABLE_UNSORTED "none"

struct table_spec {
	const struct table_column *columns;
	const char *sort; /* the default of --sort; NULL: rows stay in the order in which they were added */
	const char *all;  /* what stands in the first column of the line of sums; NULL: "all" */
	/* True: table_part() sorts the rows that it writes, and applies table_show.top to them. False: table_part() writes all rows, as they were added. */
	bool parts;
};

enum table_form {
	TABLE_FOR_PEOPLE,
	TABLE_JSON,
	TABLE_CSV,
};

/*
 * This tells how the user wants a table to be shown. cmd/table-options.h fills this in from the options of a command. When all members are zero, the table is
 * the text for people, with the columns and the order that its spec gives.
 */
struct table_show {
	enum table_form form;
	/* Names with commas between them. With a '+' in front, these columns are shown in addition to the usual columns. NULL: the usual columns are shown. */
	const char *columns;
	/*
	 * These are names with commas between them, the most important first. A '-' in front of a name puts the largest values first (texts from Z to A).
	 * A '+' puts the smallest values first. Without '-' and '+', a column is sorted as its type says. TABLE_UNSORTED: rows stay as they were added.
	 * NULL: rows are sorted as table_spec.sort says.
	 */
	const char *sort;
	uint64_t top; /* at most this many rows are shown; in a tree, at most this many roots are shown, each with all rows below it; 0: all */
	size_t width; /* the width of the terminal, in characters; 0: lines may be of any length */
	/*
	 * If this is not NULL, the text for people has one line for each row, and no such line is longer than *.fit characters. Texts of more than half of
	 * *.fit are cut, and columns on the right that have no room are left out. A line below the rows names these columns. *.fit is read each time that the
	 * table is shown, and .width is not used. Borrowed.
	 */
	const size_t *fit;
	bool colour;
};

/* These facts are shown in addition to the rows. JSON has them as "meta". People see some of them below the table. */
struct table_meta {
	const char *file;    /* the name of the file; "the running kernel" when events were traced and no file was read; NULL: the table is not about a trace */
	const strv_t *files; /* all files, when there are several; else NULL */
	/*
	 * The time from the first to the last record, or the time of the measurement, in ns. This is 0 when the time is not known, and when no time passed. For
	 * 0, JSON has null.
	 */
	uint64_t span;
	uint64_t lost;	       /* how many events the kernel could not keep; these events are not in the figures */
	bool lost_more;	       /* more events were lost, and nobody counted them */
	bool lost_told;	       /* the notes of the table tell the losses, for example those of each file; so people get no other sentence about losses */
	uint64_t deep;	       /* how many calls of functions were left out of all figures, because their recorded depths are impossible */
	const char *selection; /* the options that chose the records, as typed; NULL: there were none, so all records are in the figures */
	const char *place;     /* where the figures come from: "kernel", "stream", "file"; NULL: this is not shown */
	const char *why;       /* why the figures come from .place, for people; NULL: no reason is shown */
	bool ticks;	       /* durations are in ticks of the trace's clock, whose length is not known */
	bool ts_ticks;	       /* points of time are in such ticks */
};

struct table;

enum { TABLE_ROOT = UINT32_MAX };

/*
 * Makes an empty table and finds the columns that @show names. It copies *@show, but borrows @spec and the texts in *@show. The caller makes the table before
 * it does the work, so that a wrong name is found at once. Returns 0, or -EINVAL or -ENOMEM after a message. If a name is unknown, the message lists all
 * columns, and names the nearest ones, if any.
 */
int table_new(struct table **out, const struct table_spec *spec, const struct table_show *show);
void table_free(struct table *table); /* accepts NULL */

/* Forgets all rows, notes, facts and other tables (table_also()), so that the table can be filled again. */
void table_clear(struct table *table);

/*
 * Adds a row below the row @parent, or a root when @parent is TABLE_ROOT, and returns the row's number. Rows are counted from 0 in the order in which
 * they were added. The values that are set next belong to this row. A value that is not set is not known. When memory runs out, table_show() reports
 * it.
 */
uint32_t table_row(struct table *table, uint32_t parent);

/* These functions set a value of the last row. @column is the column's index in the spec. */
void table_text(struct table *table, unsigned int column, const char *text); /* borrowed until the table is freed or cleared; NULL: not known */
void table_copy(struct table *table, unsigned int column, const char *text); /* the table keeps a copy */
void table_count(struct table *table, unsigned int column, uint64_t value);  /* of TABLE_COUNT, _TS, _NS, _BYTES */
void table_id(struct table *table, unsigned int column, int64_t value);	     /* of TABLE_ID; of TABLE_NUMBER: the unsigned number, converted to int64_t */
void table_real(struct table *table, unsigned int column, double value);     /* of TABLE_PERCENT, _REAL; infinite or not a number: not known */
void table_bool(struct table *table, unsigned int column, bool value);	     /* of TABLE_BOOL */

/*
 * Sets a value of TABLE_ANY. The table keeps a copy of @text. @number is true if the text is a valid number in JSON. If @text is NULL, the value is not
 * known.
 */
void table_any(struct table *table, unsigned int column, const char *text, bool number);

/* table_tint() colours a value of the last row when colours are wanted. */
enum table_tint {
	TABLE_PLAIN,
	TABLE_HOT,  /* red */
	TABLE_WARM, /* yellow */
	TABLE_GOOD, /* green */
	TABLE_FAINT,
	TABLE_STRONG, /* bold */
};
void table_tint(struct table *table, unsigned int column, enum table_tint tint);

/*
 * Adds a sentence that belongs to the table ("12 calls were cut by losses"). People read it below the table, and JSON has it in meta's "notes". CSV has no
 * place for such a sentence, so the sentence goes to stderr.
 */
void table_note(struct table *table, const char *fmt, ...) __printf(2, 3);

/*
 * Adds a number that belongs to the table and is for programs only. JSON has it in "meta" under the name @name. @name is a constant, and differs from all names
 * that "meta" has for the members of struct table_meta.
 */
void table_fact(struct table *table, const char *name, uint64_t value);

/*
 * Adds another table that belongs to @table. In JSON, the rows of @other stand behind the rows of @table, under the name @name. @name is a constant other than
 * "meta", "sums" and "rows". For people, the caller shows @other by another call of table_show(). CSV has no place for @other. @other is borrowed until @table
 * is freed or cleared.
 */
void table_also(struct table *table, const char *name, struct table *other);

/* Returns how many rows there are. */
size_t table_rows(const struct table *table);

/*
 * Returns true if a column is needed. A column is needed in these cases:
 * - The user sees it.
 * - The user sorts by it.
 * - The user sees a column of percentages that names it in .of.
 * The caller need not compute costly values for other columns.
 */
bool table_wants(const struct table *table, unsigned int column);

/*
 * Sorts the rows, leaves out rows as table_show.top says, and writes the table to @fd. The function can be called again when more rows have
 * been added. @meta may be NULL, which means the same as a struct table_meta that is all zero. Returns 0, -EPIPE when nobody reads, or -errno after a message.
 */
int table_show(struct table *table, const struct table_meta *meta, int fd);

/* Writes the notes that stand below a table for people, without the table itself. @meta must not be NULL. Returns what table_show() returns. */
int table_notes(const struct table *table, const struct table_meta *meta, int fd);

/*
 * These functions write a table of any length as JSON or CSV. table_part() writes the rows that have been added since its last call, and then does what
 * table_clear() does. table_spec.parts says whether table_part() sorts these rows and applies table_show.top to them. table_part() is called at least
 * once. table_part_end() then ends the table, with the notes and facts that were added after the last call of table_part(). Its @meta must not be NULL.
 * Both return what table_show() returns. In JSON written by these functions, "meta" stands behind "rows".
 */
int table_part(struct table *table, int fd);
int table_part_end(struct table *table, const struct table_meta *meta, int fd);

#endif

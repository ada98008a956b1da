/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the fields of events as values of a database, and makes the names of the database's tables and columns. `ringside export --to sqlite` and
 * `ringside sql` have the same values and names. A number is an integer, or a text when it is too large for SQLite. A boolean is 0 or 1. Texts are UTF-8.
 * Every other value is the text that `export --to jsonl` writes for the value.
 */
#ifndef RINGSIDE_CELL_H
#define RINGSIDE_CELL_H

#include "lib/export/plan.h"

enum cell_kind { CELL_NULL, CELL_INTEGER, CELL_TEXT };

struct cell {
	enum cell_kind kind;
	int64_t number;
	const char *text; /* .size bytes and a NUL; they are in the argument @room of the functions below, and valid until @room is changed */
	size_t size;
};

/* These functions make the cell of a number, or of a text of @n bytes. If the cell is a text, the text is kept in @room, a string that the caller owns. */
void cell_unsigned(struct cell *cell, uint64_t v, struct str *room);
void cell_text(struct cell *cell, const char *text, size_t n, struct str *room);

/*
 * Makes the cell of the field @f in the record @rec. @f is a field of @plan, which lists the fields of the record's event (lib/export/plan.h). The cell is
 * CELL_NULL when the record does not have the field. The style of @plan must be PLAN_JSON. @scratch is working memory.
 */
void cell_field(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch);

/*
 * Returns true if the values of the field become integers. A value that is too large for SQLite still becomes a text. Returns false if all values of the
 * field become texts.
 */
bool cell_is_integer(const struct plan_field *f);

/* Returns true if a value of the field can be too large for SQLite's integers. */
bool cell_is_wide(const struct plan_field *f);

/* Appends a name in SQL's quotation marks, so that it may consist of any bytes. */
void cell_identifier(const char *name, struct str *out);

/*
 * Adds to @tables the names of all tables and indexes that do not belong to an event, so that cell_table() does not choose these names. Returns 0 or -ENOMEM.
 */
int cell_reserve(strv_t *tables);

/*
 * Chooses a name for the table of @event, and adds it to @tables. A name is not free if it is already in @tables, in upper or lower case, or if SQLite reserves
 * it. The function tries EVENT first. If EVENT is not free, the function tries SYSTEM_EVENT. If SYSTEM_EVENT is not free either, the function appends
 * underscores to SYSTEM_EVENT. When SQLite reserves the name of the system, "event" stands in place of SYSTEM. Returns the string in @tables, or NULL when
 * memory runs out.
 */
const char *cell_table(strv_t *tables, const struct event *event);

/* The table of each event has these columns in front of the columns of its fields. A NULL ends the names. */
extern const char *const cell_event_columns[];

/*
 * Appends the names of the columns for @plan's fields. The name of a column is the name of its field. If cell_event_columns or @out already has this name, in
 * upper or lower case, "field_" is put in front of the name until the name is unique. Returns 0 or -ENOMEM.
 */
int cell_columns(const struct plan *plan, strv_t *out);

/*
 * Returns a name for a column that comes behind the columns @names. The name is @name. If @names
 * already has @name, in upper or lower case, underscores are put in front of the name. The caller
 * frees the name. Returns NULL when memory runs out.
 */
char *cell_last_column(const strv_t *names, const char *name);

#endif

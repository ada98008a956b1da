/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the fields of events as values of a database, and makes the names of its tables and columns. `export --to sqlite` and `sql` use
 * the same ones. A number is an integer, or a text when it is too large for SQLite. Texts are UTF-8. Every other value is the text that a
 * line of JSON has for it.
 */
#ifndef RINGSIDE_CELL_H
#define RINGSIDE_CELL_H

#include "lib/export/plan.h"

enum cell_kind { CELL_NULL, CELL_INTEGER, CELL_TEXT };

struct cell {
	enum cell_kind kind;
	int64_t number;
	const char *text; /* with a NUL behind its @size bytes; valid until the str that was given is changed */
	size_t size;
};

void cell_unsigned(struct cell *cell, uint64_t v, struct str *room);
void cell_text(struct cell *cell, const char *text, size_t n, struct str *room);

/* Makes the cell of the field @f of @plan, which has the style PLAN_JSON. @scratch is working memory. */
void cell_field(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch);

/* Are all values of the field integers? If so, only those that are too large for SQLite become texts. If not, all become texts. */
bool cell_is_integer(const struct plan_field *f);

/* Can a value of the field be too large for SQLite's integers? */
bool cell_is_wide(const struct plan_field *f);

/* Appends a name in SQL's quotation marks, so that it may consist of any bytes. */
void cell_identifier(const char *name, struct str *out);

/* Adds the names of all tables and indexes that do not belong to an event. Returns 0 or -ENOMEM. */
int cell_reserve(strv_t *tables);

/*
 * Finds a name for the table of @event that none of @tables has, whether in upper or lower case, and adds it to @tables. It is EVENT, else
 * SYSTEM_EVENT, else SYSTEM_EVENT with underscores behind it. Returns the string in @tables, or NULL when there is no memory.
 */
const char *cell_table(strv_t *tables, const struct event *event);

/* The columns that the table of each event has in front of the columns of its fields. NULL ends them. */
extern const char *const cell_event_columns[];

/*
 * Appends the names of the columns for @plan's fields. Each has the field's name, with field_ in front when another column has that name. Returns 0
 * or -ENOMEM.
 */
int cell_columns(const struct plan *plan, strv_t *out);

/*
 * Returns the name of a column of our own that comes behind the columns @names, in which a field keeps its name: @name, with as many underscores in
 * front as make it another one. Returns NULL when there is no memory; the caller frees it.
 */
char *cell_last_column(const strv_t *names, const char *name);

#endif

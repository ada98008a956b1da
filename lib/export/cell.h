/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of events as the values of a database, and the names of its tables and columns: those of `export --to sqlite` and of `sql`
 * are the same. A number is an integer, what is larger than SQLite's are is a text; texts are UTF-8; all else is what a line of JSON has of it.
 */
#ifndef RINGSIDE_CELL_H
#define RINGSIDE_CELL_H

#include "lib/export/plan.h"

enum cell_kind { CELL_NULL, CELL_INTEGER, CELL_TEXT };

struct cell {
	enum cell_kind kind;
	int64_t number;
	const char *text; /* with a NUL behind its @size bytes; holds until the str that was given is changed */
	size_t size;
};

void cell_unsigned(struct cell *cell, uint64_t v, struct str *room);
void cell_text(struct cell *cell, const char *text, size_t n, struct str *room);

/* The field @f of @plan, which has the style PLAN_JSON. @scratch is for the callee. */
void cell_field(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch);

/* Are all its values integers, as far as they fit? Else they are texts. */
bool cell_is_integer(const struct plan_field *f);

/* May it be too large for one of SQLite's? */
bool cell_is_wide(const struct plan_field *f);

/* Appends a name with its quotation marks, as SQL wants names that may be of any bytes. */
void cell_identifier(const char *name, struct str *out);

/* Adds the names of all tables that are of no event. Returns 0 or -ENOMEM. */
int cell_reserve(strv_t *tables);

/*
 * A name for the table of @event that none of @tables has (capitals or not), and adds it to them: EVENT, else SYSTEM_EVENT, else with lines
 * behind it. It is one of @tables; NULL: out of memory.
 */
const char *cell_table(strv_t *tables, const struct event *event);

/* The columns that the table of each event has in front of those of its fields; ends with NULL. */
extern const char *const cell_event_columns[];

/* Appends the names of the columns of @plan's fields: the field's, with field_ in front where another column has it. Returns 0 or -ENOMEM. */
int cell_columns(const struct plan *plan, strv_t *out);

#endif

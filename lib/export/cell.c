/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/cell.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"

#include <string.h>

/* --- values ----------------------------------------------------------------------------------------------------- */

void cell_text(struct cell *cell, const char *text, size_t n, struct str *room)
{
	str_clear(room);
	quote_utf8(text, n, room);
	*cell = (struct cell){ .kind = CELL_TEXT, .text = str_text(room), .size = room->len };
}

void cell_unsigned(struct cell *cell, uint64_t v, struct str *room)
{
	char text[24];

	if (likely(v <= INT64_MAX))
		*cell = (struct cell){ .kind = CELL_INTEGER, .number = (int64_t)v };
	else
		cell_text(cell, text, (size_t)(put_u64(text, v) - text), room);
}

static void take_text(struct cell *cell, size_t less, struct str *room)
{
	*cell = (struct cell){ .kind = CELL_TEXT, .text = str_text(room), .size = room->len - MIN(less, room->len) };
	if (room->len)
		room->at[cell->size] = '\0';
}

/* Makes the value as a line of JSON has it, from a plan with only this field. */
static void as_json(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch)
{
	struct plan one = { .event = plan->event, .room = plan->room };
	struct plan_field field = *f;
	char key[SHORT_ROOM] = "";

	field.key = key;
	field.key_len = 0;
	one.fields.at = &field;
	one.fields.n = 1;
	plan_write(&one, rec, PLAN_JSON, scratch, room);
	/* The bracket behind the last field is left out. */
	take_text(cell, 1, room);
}

/* Makes a value that is neither a plain number nor a string. It is what a line of JSON has, without quotation marks around a text. */
static void other(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch)
{
	const struct symbol *sym;
	struct value value;

	*cell = (struct cell){ 0 };
	str_clear(room);
	if (f->how == PLAN_TOOK && rec->flags & RECORD_TIMED) {
		cell_unsigned(cell, rec->took, room);
	} else if (f->how == PLAN_TOOK || f->how == PLAN_ABSENT || (f->how != PLAN_STACK && !value_get(f->field, rec->data, rec->size, &value))) {
		return;
	} else if (f->how == PLAN_STRING) {
		cell_text(cell, (const char *)value.at, value.size, room);
	} else if (f->how == PLAN_FUNCTION && (sym = symbols_find(f->field->symbols, value.number))) {
		cell_text(cell, sym->name, sym->name_len, room);
	} else if (f->how == PLAN_FUNCTION || f->how == PLAN_ADDRESS) {
		str_addf(room, "0x%llx", (unsigned long long)value.number);
		take_text(cell, 0, room);
	} else if (f->how == PLAN_TEXT) {
		str_clear(scratch);
		value_text(f->field, rec->data, rec->size, scratch);
		cell_text(cell, str_text(scratch), scratch->len, room);
		room->oom |= scratch->oom;
	} else {
		as_json(cell, plan, f, rec, room, scratch);
	}
}

void cell_field(struct cell *cell, const struct plan *plan, const struct plan_field *f, const struct record *rec, struct str *room, struct str *scratch)
{
	struct value value;

	if (f->how < PLAN_UNSIGNED || f->how > PLAN_BOOL || !value_get(f->field, rec->data, rec->size, &value))
		other(cell, plan, f, rec, room, scratch);
	else if (f->how == PLAN_UNSIGNED)
		cell_unsigned(cell, value.number, room);
	else
		*cell = (struct cell){ .kind = CELL_INTEGER, .number = f->how == PLAN_BOOL ? !!value.number : (int64_t)value.number };
}

bool cell_is_integer(const struct plan_field *f)
{
	return (f->how >= PLAN_UNSIGNED && f->how <= PLAN_BOOL) || f->how == PLAN_TOOK;
}

bool cell_is_wide(const struct plan_field *f)
{
	return f->how == PLAN_UNSIGNED && f->field->at.size >= 8;
}

/* --- names ------------------------------------------------------------------------------------------------------ */

void cell_identifier(const char *name, struct str *out)
{
	struct str clean = { 0 };

	quote_utf8(name, strlen(name), &clean);
	str_addc(out, '"');
	for (const char *at = str_text(&clean); *at; at++)
		*at == '"' ? str_add(out, "\"\"") : str_addc(out, *at);
	str_addc(out, '"');
	out->oom |= clean.oom;
	str_fini(&clean);
}

static bool is_among(const strv_t *names, const char *name)
{
	vec_each (names, other)
		if (strcasecmp(*other, name) == 0)
			return true;
	return false;
}

int cell_reserve(strv_t *tables)
{
	/* The last names are those of indexes: in SQLite, a table cannot have the name of an index. */
	static const char *const names[] = {
		"events",    "calls", "sched",	      "syscalls",  "wakeups",	     "irqs",	   "losses",	   "lost",	 "meta",
		"functions", "files", "calls_parent", "sched_pid", "calls_function", "calls_data", "calls_tracks", "calls_rare",
	};
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_LEN(names); i++)
		err = strv_add(tables, names[i]);
	return err;
}

/* Is the name one of those that SQLite reserves for itself? */
static bool is_reserved(const char *name)
{
	return strncasecmp(name, "sqlite_", strlen("sqlite_")) == 0;
}

const char *cell_table(strv_t *tables, const struct event *event)
{
	char *name = strdup(event->name);

	for (unsigned int i = 0; name && (is_reserved(name) || is_among(tables, name)); i++) {
		char *longer = i ? str_printf("%s_", name) : str_printf("%s_%s", is_reserved(event->system) ? "event" : event->system, name);

		free(name);
		name = longer;
	}
	return strv_own(tables, name) ? NULL : name;
}

const char *const cell_event_columns[] = { "ts", "cpu", "pid", "comm", "buffer", "flags", "preempt", NULL };

static bool is_taken(const strv_t *names, const char *name)
{
	for (size_t i = 0; cell_event_columns[i]; i++)
		if (strcasecmp(cell_event_columns[i], name) == 0)
			return true;
	return is_among(names, name);
}

int cell_columns(const struct plan *plan, strv_t *out)
{
	for (size_t i = 0; i < plan->fields.n; i++) {
		char *name = strdup(plan->fields.at[i].name);

		while (name && is_taken(out, name)) {
			char *longer = str_printf("field_%s", name);

			free(name);
			name = longer;
		}
		if (strv_own(out, name))
			return -ENOMEM;
	}
	return 0;
}

char *cell_last_column(const strv_t *names, const char *name)
{
	char *mine = strdup(name);

	while (mine && is_among(names, mine)) {
		char *longer = str_printf("_%s", mine);

		free(mine);
		mine = longer;
	}
	return mine;
}

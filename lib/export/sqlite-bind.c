/* SPDX-License-Identifier: GPL-2.0 */
/* Values for the columns of a database's rows. */
#ifdef RINGSIDE_SQLITE
#include "lib/export/sqlite-bind.h"
#include "lib/base/digits.h"
#include "lib/base/quote.h"
#include "lib/event/text.h"

void db_bind_unsigned(sqlite3_stmt *stmt, int at, uint64_t v)
{
	char text[24];

	if (likely(v <= INT64_MAX))
		sqlite3_bind_int64(stmt, at, (int64_t)v);
	else
		sqlite3_bind_text(stmt, at, text, (int)(put_u64(text, v) - text), SQLITE_TRANSIENT);
}

void db_bind_text(struct timeline *t, sqlite3_stmt *stmt, int at, const char *text, size_t n)
{
	str_clear(&t->scratch);
	quote_utf8(text, n, &t->scratch);
	sqlite3_bind_text(stmt, at, str_text(&t->scratch), (int)t->scratch.len, SQLITE_TRANSIENT);
}

void db_bind_comm(struct timeline *t, sqlite3_stmt *stmt, int at, const char *comm)
{
	if (comm)
		db_bind_text(t, stmt, at, comm, strlen(comm));
	else
		sqlite3_bind_null(stmt, at);
}

void db_bind_name(sqlite3_stmt *stmt, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(stmt, at, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, at);
}

/* What is neither a plain number nor a string is what a line of JSON has, texts without their marks. */
static void bind_other(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan *plan, const struct plan_field *f, const struct record *rec)
{
	const struct symbol *sym;
	struct str text = { 0 };
	struct value value;

	if (f->how == PLAN_TOOK) {
		rec->flags & RECORD_TIMED ? db_bind_unsigned(stmt, at, rec->took) : (void)sqlite3_bind_null(stmt, at);
	} else if (f->how == PLAN_ABSENT || (f->how != PLAN_STACK && !value_get(f->field, rec->data, rec->size, &value))) {
		sqlite3_bind_null(stmt, at);
	} else if (f->how == PLAN_STRING) {
		db_bind_text(t, stmt, at, (const char *)value.at, value.size);
	} else if (f->how == PLAN_FUNCTION && (sym = symbols_find(f->field->symbols, value.number))) {
		db_bind_text(t, stmt, at, sym->name, sym->name_len);
	} else if (f->how == PLAN_FUNCTION || f->how == PLAN_ADDRESS) {
		str_addf(&text, "0x%llx", (unsigned long long)value.number);
		sqlite3_bind_text(stmt, at, str_text(&text), (int)text.len, SQLITE_TRANSIENT);
	} else if (f->how == PLAN_TEXT) {
		value_text(f->field, rec->data, rec->size, &text);
		db_bind_text(t, stmt, at, str_text(&text), text.len);
	} else {
		struct plan one = { .event = plan->event };
		struct plan_field field = *f;

		field.key = (char[SHORT_ROOM]){ "" };
		field.key_len = 0;
		one.fields.at = &field;
		one.fields.n = 1;
		plan_write(&one, rec, PLAN_JSON, &t->scratch, &text);
		/* Without the bracket behind the last field. */
		sqlite3_bind_text(stmt, at, str_text(&text), (int)text.len - 1, SQLITE_TRANSIENT);
	}
	t->out.oom |= text.oom;
	str_fini(&text);
}

void db_bind_fields(struct timeline *t, sqlite3_stmt *stmt, int at, const struct plan *plan, const struct record *rec)
{
	vec_each (&plan->fields, f) {
		struct value value;

		if (f->how >= PLAN_UNSIGNED && f->how <= PLAN_BOOL && value_get(f->field, rec->data, rec->size, &value)) {
			if (f->how == PLAN_UNSIGNED)
				db_bind_unsigned(stmt, at++, value.number);
			else
				sqlite3_bind_int64(stmt, at++, f->how == PLAN_BOOL ? !!value.number : (int64_t)value.number);
		} else {
			bind_other(t, stmt, at++, plan, f, rec);
		}
	}
}
#endif

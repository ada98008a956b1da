/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How the fields of an event are written as text: found out once for each event, so that a record takes a walk over an array.
 * A number stays a number. An address is a text, "0xffffffff81000000", as no spreadsheet keeps 64 bits; one of the kernel's code is
 * the name of the function. What the kernel gives names to (states, flags) is its number, and the names are a field of their own
 * behind it, FIELD_name. Stacks and arrays are arrays; a set of CPUs is a text such as "0-3,7".
 */
#ifndef RINGSIDE_EXPORT_PLAN_H
#define RINGSIDE_EXPORT_PLAN_H

#include "lib/analysis/input.h"
#include "lib/event/values.h"

/* In what the values stand. */
enum plan_style {
	PLAN_JSON,	  /* JSON */
	PLAN_JSON_IN_CSV, /* JSON between the quotation marks of a field of CSV: those inside are written twice */
	PLAN_CSV,	  /* each in a field of CSV of its own */
};

enum plan_how {
	PLAN_ABSENT, /* the event has no such field */
	PLAN_UNSIGNED,
	PLAN_SIGNED,
	PLAN_BOOL,
	PLAN_ADDRESS,
	PLAN_FUNCTION,
	PLAN_STRING,
	PLAN_ARRAY,
	PLAN_STACK, /* of EVENT_STACK */
	PLAN_TEXT,  /* what value_text() says */
	PLAN_TOOK,  /* how long the call lasted whose return it is; of --latency */
};

struct plan_field {
	const struct value_field *field;
	uint8_t how; /* enum plan_how */
	char *name;  /* NULL: of a column */
	char *key;   /* what stands in front of the value: {"name": or ,"name": or commas */
	size_t key_len;
};

struct plan {
	const struct event *event;
	VEC(struct plan_field) fields;
	char *mid; /* the user's own: what stands between the record's head and its fields; freed by plan_free() */
	size_t mid_len;
	void *mine; /* the same for a format that makes something else of the fields */
};

/* Returns 0 or -ENOMEM. @style is one of JSON's: the fields make one object. */
int plan_new(struct plan **out, struct event *event, enum plan_style style);
void plan_free(struct plan *plan);

/* The same for CSV: the fields are those that the columns name, in their order; columns that the event has no field for are part of the next one's key. */
struct plan_column {
	char *name;  /* of the column */
	char *field; /* of the event */
	bool text;   /* its names, not its number */
};
typedef VEC(struct plan_column) plan_columns_t;
int plan_new_columns(struct plan **out, struct event *event, const plan_columns_t *columns);

/* Adds the columns that @event's fields need and that are not there. @taken: names that are in use, ends with NULL. Returns 0 or -ENOMEM. */
int plan_columns_add(plan_columns_t *columns, struct event *event, const char *const taken[]);
void plan_columns_fini(plan_columns_t *columns);

/* Appends all fields of @rec; @scratch is for the callee. Any thread. */
void plan_write(const struct plan *plan, const struct record *rec, enum plan_style style, struct str *scratch, struct str *out);

/*
 * A copy of a text that put_short() can read, in the place of the text itself, which is freed; for what stands on every line.
 * NULL: out of memory, or there was none.
 */
char *plan_pad(char *text);

/* Appends a text in a style, with its quotation marks where they are needed. */
void plan_text(const char *bytes, size_t n, enum plan_style style, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the fields of an event as text. A plan is made once for each event. It is an array that says how each field is written. To write a record,
 * plan_write() goes once through this array.
 *
 * A number stays a number. An address becomes a text, "0xffffffff81000000", because no spreadsheet keeps all bits of a 64-bit number. An address in the
 * kernel's code becomes the name of the function in which the address lies. If the values of a field FIELD have names (states, flags), FIELD keeps the number,
 * and an additional field FIELD_name follows with the names. Stacks and arrays are JSON arrays. A set of CPUs is a text such as "0-3,7".
 */
#ifndef RINGSIDE_EXPORT_PLAN_H
#define RINGSIDE_EXPORT_PLAN_H

#include "lib/analysis/input.h"
#include "lib/event/values.h"

/* This is the form in which values are written. */
enum plan_style {
	PLAN_JSON,	  /* JSON */
	PLAN_JSON_IN_CSV, /* JSON inside of a quoted field of CSV, where quotation marks are doubled */
	PLAN_CSV,	  /* each value is a field of CSV */
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
	PLAN_STACK, /* the addresses of an EVENT_STACK */
	PLAN_TEXT,  /* the text that value_text() makes */
	PLAN_TOOK,  /* the duration of the call that this event ends; used only for calls of `record --latency` */
};

struct plan_field {
	const struct value_field *field; /* NULL: .how is PLAN_ABSENT or PLAN_TOOK */
	uint8_t how;			 /* enum plan_how */
	uint8_t quick;			 /* for plan.c: a faster way to read the most frequent kinds of values */
	uint16_t offset;		 /* for plan.c: where the field is in the record; set only if .quick names a faster way */
	uint32_t end;			 /* for plan.c, used only together with .offset: where the field ends in the record */
	char *name;			 /* NULL in CSV, where only the heading of the column has a name */
	/*
	 * The text in front of the value. In JSON it is a brace or a comma, then the field's name in quotation marks, then a colon. In CSV it is one comma
	 * for this column, and one more comma for each empty column that plan.fields leaves out right before this column.
	 */
	char *key;
	size_t key_len;
};

struct plan {
	const struct event *event;
	VEC(struct plan_field) fields;
	size_t room; /* for plan.c: how many bytes are reserved in the output before a record is written */
	char *mid;   /* for the user of the plan: the text between the record's head and its fields; plan_free() frees it */
	size_t mid_len;
	void *mine; /* for a format that does not use plan_write(); plan_free() frees it */
};

/* Makes a plan that writes the fields as one object of JSON. @style is PLAN_JSON or PLAN_JSON_IN_CSV. Returns 0 or -ENOMEM. */
int plan_new(struct plan **out, struct event *event, enum plan_style style);
void plan_free(struct plan *plan);

/* This is a column of a CSV file. */
struct plan_column {
	char *name;  /* the column's name */
	char *field; /* the event's field */
	bool text;   /* true: the column has the names of the field's value; false: it has the value itself */
};
typedef VEC(struct plan_column) plan_columns_t;

/*
 * Makes a plan for CSV. The plan writes the fields that the columns name, in the order of the columns. If the event lacks the field of a column, the
 * column stays empty. Returns 0 or -ENOMEM.
 */
int plan_new_columns(struct plan **out, struct event *event, const plan_columns_t *columns);

/*
 * For each field of @event, adds a column if the field has no column yet. If the values of a field have names, the field gets a second column for these names.
 * If the event ends a call of `record --latency`, adds the column "took", too (PLAN_TOOK). @taken are names that no column may have. A NULL ends @taken. If the
 * name of a new column is in @taken or belongs to another column, "field_" is put in front of the name until the name is free. Returns 0 or -ENOMEM.
 */
int plan_columns_add(plan_columns_t *columns, struct event *event, const char *const taken[]);
void plan_columns_fini(plan_columns_t *columns);

/* Appends all fields of @rec. @scratch is working memory. Any thread may call plan_write() with a @scratch of its own. */
void plan_write(const struct plan *plan, const struct record *rec, enum plan_style style, struct str *scratch, struct str *out);

/*
 * Frees @text and returns a copy of it, padded so that put_short() (lib/base/digits.h) can read SHORT_ROOM bytes of it. This is meant for texts that are
 * written on every line. Returns NULL when there is no memory or @text is NULL.
 */
char *plan_pad(char *text);

/* Appends a text in this style, with quotation marks where they are needed. */
void plan_text(const char *bytes, size_t n, enum plan_style style, struct str *out);

#endif

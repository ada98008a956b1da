/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The fields of an event by their names, as typed values. What a field is (a number, a string, a set of flags …) is found out once for each event,
 * from its declaration and from what its print format does with it; reading one then takes a few nanoseconds. Nothing is read outside of a record,
 * whatever offsets it has in it.
 *
 *	err = values_of(&values, event);		once for each event, from one thread
 *	field = values_field(values, "bytes_req");	NULL: the event has none of that name
 *	if (value_get(field, rec->data, rec->size, &value)) …
 */
#ifndef RINGSIDE_VALUES_H
#define RINGSIDE_VALUES_H

#include "lib/event/print.h"
#include "lib/event/trace.h"

enum value_kind {
	/* Numbers: value.number. */
	VALUE_UNSIGNED,
	VALUE_SIGNED,	/* value.number is sign-extended to 64 bits */
	VALUE_BOOL,
	VALUE_POINTER,	/* an address */
	VALUE_FUNCTION,	/* an address in the kernel's code, whose name is the field's text */
	VALUE_SYMBOL,	/* a number that the print format gives names to, one at a time (__print_symbolic) */
	VALUE_FLAGS,	/* bits that it gives names to (__print_flags) */
	/* Others: value.at and value.size. */
	VALUE_STRING,	/* without the NUL behind it */
	VALUE_ARRAY,	/* numbers: value_element() */
	VALUE_BITMASK,	/* a set of CPUs or other small numbers, as the kernel keeps it in longs */
};

struct value_field {
	char *name;
	char *type;			/* as it is declared in C */
	struct field at;		/* .dynamic: also of __rel_loc */
	uint8_t kind;			/* enum value_kind */
	uint8_t element;		/* of arrays: bytes of an element: 1, 2, 4 or 8 */
	bool common;			/* one that all events have (common_pid …) */
	bool relative;			/* __rel_loc: offsets count from behind the field */
	bool swap;			/* the recorded machine's byte order is not ours */
	struct print_program *text;	/* what the print format makes of it; NULL: nothing else than it is */
	const struct symbols *symbols;
};

struct values {
	VEC(struct value_field) fields;	/* in the order of the format, the common ones first */
};

struct value {
	uint64_t number;
	const uint8_t *at;		/* in the record */
	size_t size;
};

/*
 * The event's values, which are the event's and made when they are first asked for. Asks libtraceevent to parse the event if
 * nobody has. An event whose format cannot be parsed at all has no fields. 0 or -ENOMEM.
 */
int values_of(const struct values **out, struct event *event);
void values_free(struct values *values);

const struct value_field *values_field(const struct values *values, const char *name);

static inline bool value_is_number(const struct value_field *field)
{
	return field->kind < VALUE_STRING;
}

bool value_bytes(const struct value_field *field, const void *data, size_t size, struct value *out);

/* The field's value in a record's payload of @size bytes; false: the record ends before it. */
static inline bool value_get(const struct value_field *field, const void *data, size_t size, struct value *out)
{
	if (likely(value_is_number(field)))
		return field_get(&field->at, data, size, field->swap, &out->number);
	return value_bytes(field, data, size, out);
}

/* The elements of a VALUE_ARRAY: how many, and one of them, sign-extended where they are signed. */
static inline size_t value_elements(const struct value_field *field, const struct value *value)
{
	return value->size / field->element;
}
uint64_t value_element(const struct value_field *field, const struct value *value, size_t i);

/*
 * Appends the value as people read it: the names of symbols, flags and functions, numbers in decimal, addresses in hexadecimal, yes and no,
 * a string's bytes as they are, arrays as {1,2}, bitmasks as a list (0-3,7). Nothing, when the record ends before the field.
 */
void value_text(const struct value_field *field, const void *data, size_t size, struct str *out);

#endif

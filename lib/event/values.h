/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the fields of an event by their names, as typed values. The type of a field (a number, a string, a set of flags …) is found out once for each
 * event. The type follows from the declaration of the field and from what the print format does with the field. Nothing outside of a record is read, even if
 * the record contains wrong offsets.
 *
 *	err = values_of(&values, event);		once for each event, by one thread
 *	field = values_field(values, "bytes_req");	NULL: the event has no field of that name
 *	if (value_get(field, rec->data, rec->size, &value)) …
 */
#ifndef RINGSIDE_VALUES_H
#define RINGSIDE_VALUES_H

#include "lib/event/print.h"
#include "lib/event/trace.h"

enum value_kind {
	/* The values of these kinds are numbers, in value.number. */
	VALUE_UNSIGNED,
	VALUE_SIGNED, /* value.number is sign-extended to 64 bits */
	VALUE_BOOL,
	VALUE_POINTER,	/* an address */
	VALUE_FUNCTION, /* an address in the kernel's code; value_text() writes its symbol */
	VALUE_SYMBOL,	/* a number whose values have names in the print format (__print_symbolic) */
	VALUE_FLAGS,	/* a number whose bits have names in the print format (__print_flags) */
	/* The values of these kinds are bytes, given by value.at and value.size. */
	VALUE_STRING,  /* without the NUL behind it */
	VALUE_ARRAY,   /* several numbers, which value_element() returns */
	VALUE_BITMASK, /* a set of CPUs or other small numbers, as the kernel keeps it in longs */
};

struct value_field {
	char *name;
	char *type;		    /* as the format declares it, in C */
	struct field at;	    /* .dynamic is set for __rel_loc, too */
	uint8_t kind;		    /* enum value_kind */
	uint8_t element;	    /* the number of bytes of an element (VALUE_ARRAY) or of a long (VALUE_BITMASK): 1, 2, 4 or 8 */
	bool common;		    /* a field that all events have (common_pid …) */
	bool relative;		    /* __rel_loc: the offset of the data is relative to the end of the field */
	bool swap;		    /* the recorded machine's byte order is not ours */
	struct print_program *text; /* prints the value as the print format does; NULL: value_text() prints the value by its kind */
	const struct symbols *symbols;
};

struct values {
	VEC(struct value_field) fields; /* in the order of the format, the common ones first */
};

struct value {
	uint64_t number;
	const uint8_t *at; /* in the record */
	size_t size;
};

/*
 * Sets *@out to the fields of the event. The first call for an event makes the struct values, which the event owns. If need be, libtraceevent parses the
 * event's format. An event whose format cannot be parsed at all has no fields. Returns 0 or -ENOMEM.
 */
int values_of(const struct values **out, struct event *event);
void values_free(struct values *values);

/* Returns the field of this name, or NULL when there is none. */
const struct value_field *values_field(const struct values *values, const char *name);

/*
 * Appends the names of the event's own fields, for did_you_mean(). When @numbers is true, only fields that are numbers are named. A name that is already
 * in *@out is not added again. Returns 0 or -ENOMEM.
 */
int values_names(struct event *event, bool numbers, strv_t *out);

static inline bool value_is_number(const struct value_field *field)
{
	return field->kind < VALUE_STRING;
}

/* Returns true if the field is a number that can be negative. Such a number may have names (VALUE_SYMBOL, VALUE_FLAGS). Addresses are never negative. */
static inline bool value_is_signed(const struct value_field *field)
{
	return field->at.is_signed && (field->kind == VALUE_SIGNED || field->kind == VALUE_SYMBOL || field->kind == VALUE_FLAGS);
}

/*
 * Reads a value that is not a number. Returns false when the record ends before the end of the field. A dynamic field points to its data. For such a field,
 * also returns false when the record ends before the beginning of these data.
 */
bool value_bytes(const struct value_field *field, const void *data, size_t size, struct value *out);

/*
 * Reads the field's value in a record's payload of @size bytes. For a field that is a number, returns false when the record ends before the end of the
 * field. For any other field, returns what value_bytes() returns.
 */
static inline bool value_get(const struct value_field *field, const void *data, size_t size, struct value *out)
{
	if (likely(value_is_number(field)))
		return field_get(&field->at, data, size, field->swap, &out->number);
	return value_bytes(field, data, size, out);
}

/*
 * value_elements() returns the number of elements of a VALUE_ARRAY, or of longs of a VALUE_BITMASK. value_element() returns element @i. A signed element is
 * sign-extended.
 */
static inline size_t value_elements(const struct value_field *field, const struct value *value)
{
	return value->size / field->element;
}
uint64_t value_element(const struct value_field *field, const struct value *value, size_t i);

/*
 * Appends the value as people read it. Appends nothing when value_get() would return false. These are the forms:
 *  - symbols, flags and functions by name;
 *  - numbers in decimal, and addresses in hexadecimal;
 *  - booleans as yes and no;
 *  - a string's bytes as they are;
 *  - arrays as {1,2}, and bitmasks as a list (0-3,7).
 */
void value_text(const struct value_field *field, const void *data, size_t size, struct str *out);

#endif

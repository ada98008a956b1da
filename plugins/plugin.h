/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines what ringside's plug-ins for libtraceevent share. ringside, trace-cmd and perf can load these plug-ins. A plug-in changes the texts of events only
 * when it is asked to. `-O decode` asks all plug-ins, and `-O NAME:decode` asks one plug-in. Without these options every text is the kernel's own.
 *
 * A plug-in has a printer for each event whose text it makes. A printer is a list of columns. A column has a label, a field and a function that shows the
 * field. When the event lacks the field, or the record ends before the field, the column and its label are left out. When the record ends within a string,
 * only the part of the string that is inside the record is shown.
 */
#ifndef RINGSIDE_PLUGIN_PLUGIN_H
#define RINGSIDE_PLUGIN_PLUGIN_H

#include "lib/event/meanings.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#define PLUGIN_EXPORT __attribute__((visibility("default")))
#define PLUGIN_UNUSED __attribute__((unused))
#define PLUGIN_LEN(a) (sizeof(a) / sizeof((a)[0]))

enum { COLUMNS_MAX = 16 };

struct column;
struct shown;

/* This is one field of one record. */
struct cell {
	struct trace_seq *s;
	struct tep_event *event;
	struct tep_record *record;
	const struct tep_format_field *field;
	uint64_t value; /* the number in the field, sign-extended if the field is signed; for a __data_loc field, the word that has offset and size */
	struct shown *shown;
};

typedef void (*show_fn)(const struct cell *cell, const struct column *column);

struct column {
	const char *label; /* printed before the value, such as " ret="; the separator from the column before is part of the label */
	const char *field;
	show_fn show;
	const struct meaning *meanings; /* the names of the field's numbers, for .show; NULL: none */
};

#define COLUMNS(...) ((const struct column[]){ __VA_ARGS__, { NULL, NULL, NULL, NULL } })

struct shown;

struct printer {
	const char *system, *event;
	const struct column *columns; /* COLUMNS(); at most COLUMNS_MAX */
	/* NULL: the columns are printed. Otherwise this function prints the record, and the columns only tell which fields are in shown->fields. */
	void (*print)(struct shown *shown, struct trace_seq *s, struct tep_record *record, struct tep_event *event);
};

/* This is a printer in one trace, with the event that it prints. */
struct shown {
	struct shown *next;
	const struct printer *printer;
	struct tep_handle *tep;
	struct tep_event *event;			    /* the event to which .fields belong */
	const struct tep_format_field *fields[COLUMNS_MAX]; /* fields[i] is the field of the printer's column i; NULL: the event lacks it */
	void *own;					    /* only the printer uses it; freed when .event changes, and with this structure */
	bool swapped;					    /* the byte order of the trace is not that of this machine */
};

/* --- writing: without printf(), which is too slow for numbers --------------------------------------------------------- */

PLUGIN_UNUSED static inline void put_str(struct trace_seq *s, const char *text)
{
	size_t n = strlen(text);

	if (s->state != TRACE_SEQ__GOOD || s->len + n >= s->buffer_size) {
		trace_seq_puts(s, text);
		return;
	}
	memcpy(s->buffer + s->len, text, n);
	s->len += n;
}

PLUGIN_UNUSED static inline void put_char(struct trace_seq *s, char c)
{
	if (s->state != TRACE_SEQ__GOOD || s->len + 1 >= s->buffer_size)
		trace_seq_putc(s, c);
	else
		s->buffer[s->len++] = c;
}

PLUGIN_UNUSED static void put_u64(struct trace_seq *s, uint64_t value)
{
	char text[24], *at = text + sizeof(text) - 1;

	*at = '\0';
	do
		*--at = '0' + value % 10;
	while (value /= 10);
	put_str(s, at);
}

PLUGIN_UNUSED static void put_s64(struct trace_seq *s, int64_t value)
{
	if (value < 0)
		put_char(s, '-');
	put_u64(s, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

PLUGIN_UNUSED static void put_hex(struct trace_seq *s, uint64_t value)
{
	char text[24], *at = text + sizeof(text) - 1;

	*at = '\0';
	do
		*--at = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	*--at = 'x';
	*--at = '0';
	put_str(s, at);
}

PLUGIN_UNUSED static void put_octal(struct trace_seq *s, uint64_t value)
{
	char text[24], *at = text + sizeof(text) - 1;

	*at = '\0';
	do
		*--at = '0' + (value & 7);
	while (value >>= 3);
	if (*at != '0')
		*--at = '0';
	put_str(s, at);
}

/* Writes @text up to its NUL, but at most @n bytes. */
PLUGIN_UNUSED static void put_text(struct trace_seq *s, const char *text, size_t n)
{
	char copy[64];

	n = strnlen(text, n);
	while (n) {
		size_t part = n < sizeof(copy) ? n : sizeof(copy) - 1;

		memcpy(copy, text, part);
		copy[part] = '\0';
		put_str(s, copy);
		text += part;
		n -= part;
	}
}

PLUGIN_UNUSED static void put_meaning(struct trace_seq *s, const struct meaning *m, uint64_t value)
{
	const char *name = meaning_of(m, value);

	if (name)
		put_str(s, name);
	else
		put_s64(s, value);
}

/*
 * Writes the names of the flags in @value, with '|' between them. The bits without a name follow as one hexadecimal number: "A|B|0x…". In @m, a row with
 * several bits must stand before the rows with some of these bits. If @value is 0, writes the name of the row whose value is 0. If there is no such row, writes
 * "0".
 */
PLUGIN_UNUSED static void put_flags(struct trace_seq *s, const struct meaning *m, uint64_t value)
{
	uint64_t rest = value;

	for (; m->name && (rest || !value); m++) {
		if (m->value ? (rest & m->value) != m->value : value != 0)
			continue;
		if (rest != value)
			put_char(s, '|');
		put_str(s, m->name);
		rest &= ~m->value;
		if (!value)
			return;
	}
	if (rest || !value) {
		if (rest != value)
			put_char(s, '|');
		if (value)
			put_hex(s, rest);
		else
			put_char(s, '0');
	}
}

PLUGIN_UNUSED static void put_symbol(struct trace_seq *s, struct tep_handle *tep, uint64_t addr)
{
	const char *name = tep_find_function(tep, addr);

	if (name)
		put_str(s, name);
	else
		put_hex(s, addr);
}

/* --- reading ------------------------------------------------------------------------------------- */

/* Reads a number of @size bytes in the byte order of the trace. */
PLUGIN_UNUSED static uint64_t read_bytes(const struct shown *shown, const void *at, int size)
{
	uint64_t whole;
	uint32_t half;
	uint16_t quarter;

	if (shown->swapped)
		return tep_read_number(shown->tep, at, size);
	switch (size) {
	case 8:
		memcpy(&whole, at, 8);
		return whole;
	case 4:
		memcpy(&half, at, 4);
		return half;
	case 2:
		memcpy(&quarter, at, 2);
		return quarter;
	default:
		return *(const uint8_t *)at;
	}
}

/* Reads the number in @field. Returns false when @field is NULL, when its size is not 1, 2, 4 or 8 bytes, or when a part of it is outside the record. */
PLUGIN_UNUSED static bool read_field(const struct shown *shown, const struct tep_format_field *field, const struct tep_record *record, uint64_t *value)
{
	int size = field ? field->size : 0;

	if (size <= 0 || size > 8 || (size & (size - 1)) || field->offset < 0 || field->offset + size > record->size)
		return false;
	*value = read_bytes(shown, (char *)record->data + field->offset, size);
	if (field->flags & TEP_FIELD_IS_SIGNED && size < 8)
		*value = (uint64_t)((int64_t)(*value << (64 - 8 * size)) >> (64 - 8 * size));
	return true;
}

/* Returns the number in the field of the printer's column @i, or 0 when there is none. */
PLUGIN_UNUSED static uint64_t number_of(const struct shown *shown, unsigned int i, const struct tep_record *record)
{
	uint64_t value;

	return read_field(shown, shown->fields[i], record, &value) ? value : 0;
}

/*
 * Returns the bytes of an array (fixed, __data_loc or __rel_loc) that are inside the record. *@n becomes the number of these bytes. Returns NULL when @field is
 * NULL, when the array begins behind the end of the record, or when the __data_loc or __rel_loc word cannot be read.
 */
PLUGIN_UNUSED static const char *bytes_of(const struct shown *shown, const struct tep_format_field *field, const struct tep_record *record, size_t *n)
{
	uint64_t where, offset;

	if (!field || field->offset < 0 || field->offset > record->size)
		return NULL;
	offset = field->offset;
	*n = field->size;
	if (field->flags & TEP_FIELD_IS_DYNAMIC) {
		if (!read_field(shown, field, record, &where))
			return NULL;
		offset = where & 0xffff;
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			offset += field->offset + field->size;
		*n = where >> 16 & 0xffff;
	}
	if (offset > (uint64_t)record->size)
		return NULL;
	if (*n > record->size - offset)
		*n = record->size - offset;
	return (char *)record->data + offset;
}

PLUGIN_UNUSED static void put_string(struct trace_seq *s, const struct shown *shown, const struct tep_format_field *field, const struct tep_record *record)
{
	size_t n = 0;
	const char *text = bytes_of(shown, field, record, &n);

	if (text)
		put_text(s, text, n);
}

/* --- names that the kernel's print format gives to numbers ------------------------------------------ */

PLUGIN_UNUSED static const struct tep_print_flag_sym *find_flags(const struct tep_print_arg *arg)
{
	const struct tep_print_flag_sym *found;

	if (!arg)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_FLAGS:
		return arg->flags.flags;
	case TEP_PRINT_TYPE:
		return find_flags(arg->typecast.item);
	case TEP_PRINT_OP:
		found = find_flags(arg->op.left);
		return found ? found : find_flags(arg->op.right);
	default:
		return NULL;
	}
}

/*
 * Returns the first __print_flags() of the event's print format as a table, which the caller frees. The names in the table belong to the event. Returns
 * NULL when there is no __print_flags(), and when memory runs out.
 */
PLUGIN_UNUSED static struct meaning *kernel_flags(const struct tep_event *event)
{
	const struct tep_print_flag_sym *first = NULL, *flag;
	struct meaning *table;
	size_t n = 0;

	for (const struct tep_print_arg *arg = event->print_fmt.args; arg && !first; arg = arg->next)
		first = find_flags(arg);
	for (flag = first; flag; flag = flag->next)
		n++;
	table = n ? calloc(n + 1, sizeof(*table)) : NULL;
	n = 0;
	for (flag = first; table && flag; flag = flag->next)
		table[n++] = (struct meaning){ strtoull(flag->value, NULL, 0), flag->str };
	return table;
}

/* --- ways to show a column ------------------------------------------------------------------------ */

PLUGIN_UNUSED static void show_dec(const struct cell *cell, PLUGIN_UNUSED const struct column *column)
{
	if (cell->field->flags & TEP_FIELD_IS_SIGNED)
		put_s64(cell->s, cell->value);
	else
		put_u64(cell->s, cell->value);
}

PLUGIN_UNUSED static void show_hex(const struct cell *cell, PLUGIN_UNUSED const struct column *column)
{
	put_hex(cell->s, cell->value);
}

PLUGIN_UNUSED static void show_symbol(const struct cell *cell, PLUGIN_UNUSED const struct column *column)
{
	put_symbol(cell->s, cell->event->tep, cell->value);
}

PLUGIN_UNUSED static void show_string(const struct cell *cell, PLUGIN_UNUSED const struct column *column)
{
	put_string(cell->s, cell->shown, cell->field, cell->record);
}

PLUGIN_UNUSED static void show_meaning(const struct cell *cell, const struct column *column)
{
	put_meaning(cell->s, column->meanings, cell->value);
}

PLUGIN_UNUSED static void show_flags(const struct cell *cell, const struct column *column)
{
	put_flags(cell->s, column->meanings, cell->value);
}

/* Shows a dev_t of the kernel as "MAJOR,MINOR". */
PLUGIN_UNUSED static void show_dev(const struct cell *cell, PLUGIN_UNUSED const struct column *column)
{
	put_u64(cell->s, cell->value >> 20);
	put_char(cell->s, ',');
	put_u64(cell->s, cell->value & 0xfffff);
}

/* --- loading ------------------------------------------------------------------------------------- */

static void find_fields(struct shown *shown, struct tep_event *event)
{
	const struct column *column = shown->printer->columns;

	shown->event = event;
	shown->swapped = tep_is_file_bigendian(event->tep) != tep_is_local_bigendian(event->tep);
	for (unsigned int i = 0; i < COLUMNS_MAX && column[i].field; i++)
		shown->fields[i] = tep_find_any_field(event, column[i].field);
	free(shown->own);
	shown->own = NULL;
}

/* Returns true if the record has the cell's field, and sets .value to the number in the field. For a string of fixed size, .value has no meaning. */
static bool has_field(struct cell *cell)
{
	const struct tep_format_field *field = cell->field;
	bool number = read_field(cell->shown, field, cell->record, &cell->value);
	size_t n;

	if (!field || !(field->flags & TEP_FIELD_IS_STRING))
		return number;
	/* A dynamic string may be empty. A string of fixed size that has no byte in the record lies behind the record's end. */
	return bytes_of(cell->shown, field, cell->record, &n) && (n || field->flags & TEP_FIELD_IS_DYNAMIC);
}

static int print_event(struct trace_seq *s, struct tep_record *record, struct tep_event *event, void *context)
{
	struct shown *shown = context;
	const struct column *column = shown->printer->columns;

	if (shown->event != event)
		find_fields(shown, event);
	if (shown->printer->print) {
		shown->printer->print(shown, s, record, event);
		return 0;
	}
	for (unsigned int i = 0; i < COLUMNS_MAX && column[i].field; i++) {
		struct cell cell = { s, event, record, shown->fields[i], 0, shown };

		if (!has_field(&cell))
			continue;
		put_str(s, column[i].label);
		column[i].show(&cell, &column[i]);
	}
	return 0;
}

static int plugin_load(struct shown **all, struct tep_handle *tep, const struct printer *printers, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct shown *shown = calloc(1, sizeof(*shown));

		if (!shown)
			return -1;
		shown->printer = &printers[i];
		shown->tep = tep;
		shown->next = *all;
		*all = shown;
		tep_register_event_handler(tep, -1, printers[i].system, printers[i].event, print_event, shown);
	}
	return 0;
}

static void plugin_unload(struct shown **all, struct tep_handle *tep)
{
	while (*all) {
		struct shown *shown = *all;

		if (shown->tep != tep) {
			all = &shown->next;
			continue;
		}
		tep_unregister_event_handler(tep, -1, shown->printer->system, shown->printer->event, print_event, shown);
		*all = shown->next;
		free(shown->own);
		free(shown);
	}
}

PLUGIN_UNUSED static int load_no_more(PLUGIN_UNUSED struct shown **all, PLUGIN_UNUSED struct tep_handle *tep)
{
	return 0;
}

/*
 * Makes a plug-in from the array of printers @PRINTERS. @NAME is the name of the plug-in for -O. @WHAT describes what the plug-in decodes, for the list of
 * options. PLUGIN_WITH() also takes a function @MORE. This function makes further printers at run time and loads them.
 */
#define PLUGIN(NAME, WHAT, PRINTERS) PLUGIN_WITH(NAME, WHAT, PRINTERS, load_no_more)

#define PLUGIN_WITH(NAME, WHAT, PRINTERS, MORE) \
	static struct tep_plugin_option plugin_options[] = { \
		{ .name = (char *)"decode", .plugin_alias = (char *)(NAME), .description = (char *)(WHAT) }, \
		{ .name = NULL }, \
	}; \
	static struct shown *plugin_shown; \
	static unsigned int plugin_loads; \
	PLUGIN_EXPORT int TEP_PLUGIN_LOADER(struct tep_handle *tep); \
	PLUGIN_EXPORT int TEP_PLUGIN_LOADER(struct tep_handle *tep) \
	{ \
		if (!plugin_loads++) \
			tep_plugin_add_options(NAME, plugin_options); \
		if (!plugin_options[0].set) \
			return 0; \
		if (plugin_load(&plugin_shown, tep, PRINTERS, PLUGIN_LEN(PRINTERS))) \
			return -1; \
		return MORE(&plugin_shown, tep); \
	} \
	PLUGIN_EXPORT int TEP_PLUGIN_UNLOADER(struct tep_handle *tep); \
	PLUGIN_EXPORT int TEP_PLUGIN_UNLOADER(struct tep_handle *tep) \
	{ \
		plugin_unload(&plugin_shown, tep); \
		if (!--plugin_loads) \
			tep_plugin_remove_options(plugin_options); \
		return 0; \
	}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
#include "tests/tools/print/records.h"
#include <sys/socket.h>
#include <traceevent/event-parse.h>

uint64_t generator_next(struct generator *g)
{
	uint64_t z = g->state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static uint64_t below(struct generator *g, uint64_t n)
{
	return generator_next(g) % n;
}

static void put_number(const struct generator *g, uint8_t *at, uint64_t value, int size)
{
	bool big_endian = g->swap != (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	for (int i = 0; i < size; i++)
		at[big_endian ? size - 1 - i : i] = value >> (i * 8);
}

static bool is_dynamic(const struct tep_format_field *f)
{
	return f->flags & TEP_FIELD_IS_DYNAMIC;
}

/* --- what the event's format says ------------------------------------------------------------------- */

static int note_length(struct generator *g, const struct tep_print_arg *arg)
{
	if (!arg)
		return 0;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		return vec_push(&g->lengths, arg->field.field);
	case TEP_PRINT_TYPE:
		return note_length(g, arg->typecast.item);
	case TEP_PRINT_OP:
		return note_length(g, arg->op.left) ?: note_length(g, arg->op.right);
	default:
		return 0;
	}
}

static int note_values(struct generator *g, const struct tep_print_flag_sym *sym)
{
	int err = 0;

	for (; sym && !err; sym = sym->next)
		err = vec_push(&g->values, strtoull(sym->value, NULL, 0));
	return err;
}

static int note_arg(struct generator *g, const struct tep_print_arg *arg)
{
	if (!arg)
		return 0;
	switch (arg->type) {
	case TEP_PRINT_FLAGS:
		return note_values(g, arg->flags.flags);
	case TEP_PRINT_SYMBOL:
		return note_values(g, arg->symbol.symbols);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return note_length(g, arg->hex.size);
	case TEP_PRINT_INT_ARRAY:
		return note_length(g, arg->int_array.count);
	case TEP_PRINT_TYPE:
		return note_arg(g, arg->typecast.item);
	case TEP_PRINT_ATOM:
		return vec_push(&g->values, strtoull(arg->atom.atom, NULL, 0));
	case TEP_PRINT_OP:
		if (!strcmp(arg->op.op, "["))
			return note_length(g, arg->op.right);
		return note_arg(g, arg->op.left) ?: note_arg(g, arg->op.right);
	default:
		return 0;
	}
}

/* The arguments that are widths or precisions (*) of the format. */
static int note_stars(struct generator *g)
{
	const struct tep_print_arg *arg = g->event->print_fmt.args;
	const char *at = g->event->print_fmt.format;
	int err = 0;

	while (at && (at = strchr(at, '%')) && arg && !err) {
		at++;
		if (*at == '%') {
			at++;
			continue;
		}
		for (; *at && strchr("#0-+.123456789*", *at); at++) {
			if (*at != '*' || !arg)
				continue;
			err = note_length(g, arg);
			arg = arg->next;
		}
		arg = arg ? arg->next : NULL;
	}
	return err;
}

int generator_event(struct generator *g, const struct tep_event *event)
{
	int err;

	g->event = event;
	g->values.n = 0;
	g->lengths.n = 0;
	g->base = 8;
	g->least = 8;
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		g->base = MAX(g->base, (uint32_t)(f->offset + f->size));
		/* For a field that has the rest of the record, libtraceevent copies size - offset bytes: 4 GiB if that is negative. */
		if (!f->size)
			g->least = MAX(g->least, (uint32_t)f->offset);
	}
	g->base = MIN(g->base, MOST_RECORD / 2);
	err = note_stars(g);
	for (const struct tep_print_arg *a = event->print_fmt.args; a && !err; a = a->next)
		err = note_arg(g, a);
	return err;
}

void generator_fini(struct generator *g)
{
	vec_fini(&g->addresses);
	vec_fini(&g->values);
	vec_fini(&g->lengths);
}

/* --- a record ----------------------------------------------------------------------------------------- */

static uint64_t one_of(struct generator *g, const uint64_t *values, size_t n, uint64_t otherwise)
{
	return n ? values[below(g, n)] : otherwise;
}

static uint64_t some_number(struct generator *g)
{
	switch (below(g, 12)) {
	case 0:
		return 0;
	case 1:
		return UINT64_MAX;
	case 2:
		return 1ULL << below(g, 64);
	case 3:
		return below(g, 16);
	case 4:
		return below(g, 300);
	case 5:
		return -below(g, 300);
	case 6:
		return ' ' + below(g, 95);
	case 7:
		return one_of(g, g->addresses.at, g->addresses.n, 1) + below(g, 2) * below(g, 40);
	case 8:
		return one_of(g, g->values.at, g->values.n, 2);
	case 9:
		return one_of(g, g->values.at, g->values.n, 4) | one_of(g, g->values.at, g->values.n, 8);
	case 10:
		return generator_next(g) >> below(g, 64);
	default:
		return generator_next(g);
	}
}

static void some_bytes(struct generator *g, uint8_t *at, size_t n)
{
	unsigned int kind = below(g, 6);
	size_t nul = below(g, n + 1);

	for (size_t i = 0; i < n; i++) {
		if (kind == 0)
			at[i] = generator_next(g);
		else if (kind == 1)
			at[i] = 0;
		else if (kind == 2)
			at[i] = below(g, 4) ? 0 : generator_next(g);
		else
			at[i] = ' ' + below(g, 95);
	}
	if (kind >= 4 && nul < n)
		at[nul] = 0;
	if (n >= 2 && below(g, 4) == 0)
		put_number(g, at, below(g, 2) ? AF_INET : AF_INET6, 2);
}

/* Appends a dynamic array to the record, and writes its place into its field. */
static void some_dynamic(struct generator *g, const struct tep_format_field *f, uint8_t *record, uint32_t *size)
{
	uint32_t len = below(g, 5) ? below(g, 40) : 0, offset = *size;

	if (f->elementsize > 1 && below(g, 4))
		len = len / f->elementsize * f->elementsize;
	some_bytes(g, record + offset, len);
	*size += len;
	if (f->flags & TEP_FIELD_IS_RELATIVE)
		offset -= f->offset + f->size;
	put_number(g, record + f->offset, offset | len << 16, f->size);
}

static bool is_length(const struct generator *g, const struct tep_format_field *f)
{
	vec_each (&g->lengths, length)
		if (*length == f)
			return true;
	return false;
}

static void some_field(struct generator *g, const struct tep_format_field *f, uint8_t *record, uint32_t *size)
{
	if (f->offset + f->size > (int)g->base)
		return;
	if (is_dynamic(f)) {
		some_dynamic(g, f, record, size);
	} else if (is_length(g, f)) {
		uint32_t left = *size > g->base ? *size - g->base : 12;

		put_number(g, record + f->offset, below(g, 3) ? below(g, 12) : below(g, left + 1), f->size);
	} else if (f->flags & TEP_FIELD_IS_ARRAY || f->size > 8) {
		some_bytes(g, record + f->offset, f->size);
	} else {
		put_number(g, record + f->offset, some_number(g), f->size);
	}
}

static uint32_t plausible(struct generator *g, uint8_t *record)
{
	const struct tep_format_field *fields = g->event->format.fields;
	uint32_t size = g->base;

	for (const struct tep_format_field *f = fields; f; f = f->next)
		if (is_dynamic(f))
			some_field(g, f, record, &size);
	for (const struct tep_format_field *f = fields; f; f = f->next)
		if (!is_dynamic(f))
			some_field(g, f, record, &size);
	/* A field of size 0 has the rest of the record. */
	some_bytes(g, record + size, 24);
	size += below(g, 24);
	record[size] = 0;
	return (size + 3) & ~3u;
}

/* Most of @n records are plausible. The others have the same byte throughout, are random, have wild offsets, or are cut off. */
size_t generator_record(struct generator *g, uint8_t *record)
{
	unsigned int kind = below(g, 16);
	uint32_t size, id;

	memset(record, 0, MOST_RECORD);
	size = plausible(g, record);
	if (kind == 0)
		memset(record, 0, size);
	else if (kind == 1)
		memset(record, 0xff, size);
	else if (kind == 2)
		for (uint32_t i = 8; i < size; i++)
			record[i] = generator_next(g);
	else if (kind == 3)
		size = g->least + below(g, size - g->least + 1);
	for (struct tep_format_field *f = g->event->format.fields; f && kind == 4; f = f->next)
		if (is_dynamic(f) && f->offset + f->size <= (int)g->base)
			put_number(g, record + f->offset, below(g, 2) ? generator_next(g) : (below(g, size + 8) | below(g, size + 8) << 16), f->size);
	memset(record + size, 0, MOST_RECORD - size);
	id = g->event->id;
	put_number(g, record, id, 2);
	return size;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints the arguments of trace_printk() from a record of ftrace:bprint. The record has the packed values and the address of the format, which is a constant
 * string of the kernel.
 *
 * vbin_printf() in the kernel's lib/vsprintf.c packs the values:
 * - A number of up to 4 bytes is aligned to its size, and one of 8 bytes to 4, counted from the beginning of the buffer.
 * - A string is stored with its NUL.
 * - A pointer that the kernel has followed itself (%pI4, %pM, ...) is stored as text with its NUL.
 */
#include "lib/event/print-program.h"
#include <ctype.h>
#include <traceevent/event-parse.h>

/* The place of the next value. Beyond the record, all values are 0. */
struct packed {
	struct printer *p;
	uint64_t base, at; /* offsets in the record: of the buffer, and of the next value */
};

/* Returns the size of a value by the number of l (positive) or h (negative) in its conversion. */
static int size_of(const struct packed *from, int longs)
{
	if (longs < 0)
		return longs == -1 ? 2 : 1;
	return longs == 0 ? 4 : longs == 1 ? from->p->program->env.long_size : 8;
}

static uint64_t take_number(struct packed *from, int size)
{
	uint64_t align = (uint64_t)MIN(size, 4), value;

	from->at = from->base + ((from->at - from->base + align - 1) & -align);
	value = record_number(from->p, from->at, size);
	from->at += (uint64_t)size;
	return value;
}

/* Returns the string at the current place, and moves on. *@n is its length. */
static const char *take_string(struct packed *from, size_t *n)
{
	const char *text = (const char *)from->p->data + MIN(from->at, (uint64_t)from->p->size);

	*n = strnlen(text, from->p->size - MIN(from->at, (uint64_t)from->p->size));
	from->at += *n + 1;
	return text;
}

static int take_size(struct packed *from, const char **at)
{
	int value = 0;

	if (**at == '*') {
		++*at;
		value = (int)take_number(from, 4);
		return MAX(MIN(value, MOST_WIDTH), -MOST_WIDTH);
	}
	for (; **at >= '0' && **at <= '9'; ++*at)
		value = MIN(value * 10 + (**at - '0'), MOST_WIDTH);
	return value;
}

/* Does the record have the pointer itself? Otherwise it has text that the kernel made of what the pointer led to. */
static bool keeps_pointer(const struct packed *from, const char *letters)
{
	char letter = *letters, first;

	if (!isalnum((unsigned char)letter) || strchr("sSxKe", letter))
		return true;
	/* In kernels before 5.5, %pf and %pF are functions; later kernels have only %pfw. */
	if ((letter == 'f' || letter == 'F') && letters[1] != 'w')
		return true;
	/* Kernels before 4.17 stored all pointers. The first byte of a pointer is not printable. */
	first = record_has(from->p, from->at, 1) ? (char)from->p->data[from->at] : '\0';
	return first && !isprint((unsigned char)first);
}

static void print_hex_pointer(struct printer *p, uint64_t value)
{
	struct spec spec = { .base = 16,
			     .zero = true,
			     .width = 2 * p->program->env.long_size,
			     .precision = -1,
			     .width_expr = NO_EXPR,
			     .precision_expr = NO_EXPR };

	print_number(p, &spec, value, 8);
}

/* Prints a pointer. @letters are those after %p. Returns where the format goes on. */
static const char *print_packed_pointer(struct packed *from, const struct spec *spec, const char *letters)
{
	struct printer *p = from->p;
	const char *after = letters;
	const char *text;
	uint64_t value;
	size_t n;

	while (isalnum((unsigned char)*after))
		after++;
	if (!keeps_pointer(from, letters)) {
		text = take_string(from, &n);
		print_padded_as(p, spec, text, n);
		return after;
	}
	value = take_number(from, p->program->env.long_size);
	if (*letters && strchr("sSfF", *letters))
		print_symbol(p, value, *letters == 'S' || *letters == 'F' ? SYMBOL_OFFSET : SYMBOL_NAME);
	else if (*letters == 'x')
		print_hex_pointer(p, value);
	else
		print_pointer(p, value);
	return after;
}

static void print_packed_number(struct packed *from, struct spec *spec, char letter, int longs)
{
	int size = letter == 'c' ? 1 : size_of(from, longs);

	spec->is_signed = letter == 'd' || letter == 'i';
	spec->upper = letter == 'X';
	spec->base = letter == 'c' ? 0 : letter == 'o' ? 8 : (letter | 0x20) == 'x' ? 16 : 10;
	print_number(from->p, spec, take_number(from, size), size);
}

/* Prints one conversion; @at is after its '%'. Returns where the format goes on. */
static const char *print_packed(struct packed *from, const char *at)
{
	struct spec spec = { .precision = -1, .width_expr = NO_EXPR, .precision_expr = NO_EXPR };
	const char *start = at, *text;
	int longs = 0;
	size_t n;

	at = conversion_flags(at, &spec);
	spec.width = take_size(from, &at);
	if (*at == '.') {
		at++;
		spec.precision = take_size(from, &at);
	}
	at = conversion_longs(at, &longs);
	if (*at == 'p')
		return print_packed_pointer(from, &spec, at + 1);
	if (*at && strchr("cduixXo", *at)) {
		print_packed_number(from, &spec, *at, longs);
	} else if (*at == 's') {
		text = take_string(from, &n);
		print_padded_as(from->p, &spec, text, n);
	} else {
		/* The kernel does not know the conversion either, so it is printed as it is. */
		print_bytes(from->p, "%", 1);
		return start;
	}
	return at + 1;
}

void print_binary(struct printer *p, const struct step *step)
{
	struct packed from = { .p = p, .base = step->offset, .at = step->offset };
	uint64_t addr = record_number(p, step->table, step->size);
	const char *at = printk_find(p->program->env.printk, addr);

	if (!at) {
		print_bytes(p, "(NO FORMAT FOUND at ", 20);
		if (printer_room(p, 17))
			p->at = put_hex(p->at, addr);
		print_bytes(p, ")\n", 2);
		return;
	}
	while (*at) {
		char byte;

		if (at[0] == '%' && at[1] != '%') {
			at = print_packed(&from, at + 1);
			continue;
		}
		at += *at == '%';
		at = format_byte(at, &byte);
		print_bytes(p, &byte, 1);
	}
}

void compile_binary(struct compiler *c)
{
	const struct tep_format_field *ip = named_field(c, "ip"), *fmt = named_field(c, "fmt"), *buf = named_field(c, "buf");

	if (!ip || !fmt || !buf || (fmt->size != 4 && fmt->size != 8)) {
		give_up(c, -ENOTSUP, "trace_printk's fields are not as kernels have them");
		return;
	}
	compile_one(c, "%ps: ", ip);
	add_step(c, (struct step){ .code = STEP_BINARY, .size = fmt->size, .table = fmt->offset, .offset = buf->offset }, 0);
}

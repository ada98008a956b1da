/* SPDX-License-Identifier: GPL-2.0 */
/* Prints numbers and padded strings as C's printf() does. */
#include "lib/event/print-program.h"

static char *put_octal(char *at, uint64_t value)
{
	char *end = at + (64 - __builtin_clzll(value | 1) + 2) / 3;

	for (char *to = end; to > at; value >>= 3)
		*--to = '0' + (value & 7);
	return end;
}

/* Returns a width or precision: what the format says, or a number from the record, which printf() takes as an int. */
static int resolve(const struct printer *p, uint32_t expr, int fixed)
{
	int value;

	if (expr == NO_EXPR)
		return fixed;
	value = (int)eval(p, expr);
	return MAX(MIN(value, MOST_WIDTH), -MOST_WIDTH);
}

/* A number without its padding: the sign or prefix, how many zeros follow, and the digits. */
struct pieces {
	char sign[3];
	unsigned int n_sign;
	int zeros;
	char digits[24];
	int n_digits;
};

static void take_apart(struct pieces *t, const struct spec *spec, uint64_t value, int width, int precision)
{
	int unused = 64 - width * 8;

	value <<= unused;
	if (spec->is_signed) {
		int64_t number = (int64_t)value >> unused;

		value = number < 0 ? -(uint64_t)number : (uint64_t)number;
		if (number < 0 || spec->plus)
			t->sign[t->n_sign++] = number < 0 ? '-' : '+';
	} else {
		value >>= unused;
	}
	if (spec->base == 10)
		t->n_digits = put_u64(t->digits, value) - t->digits;
	else if (spec->base == 8)
		t->n_digits = put_octal(t->digits, value) - t->digits;
	else
		t->n_digits = put_hex(t->digits, value) - t->digits;
	if (value == 0 && precision == 0)
		t->n_digits = 0;
	t->zeros = MAX(precision - t->n_digits, 0);
	if (spec->alternate && spec->base == 16 && value) {
		t->sign[t->n_sign++] = '0';
		t->sign[t->n_sign++] = spec->upper ? 'X' : 'x';
	}
	if (spec->alternate && spec->base == 8 && t->zeros == 0 && (value || !t->n_digits))
		t->zeros = 1;
	for (int i = 0; spec->upper && i < t->n_digits; i++)
		if (t->digits[i] >= 'a')
			t->digits[i] -= 'a' - 'A';
}

void print_number(struct printer *p, const struct spec *spec, uint64_t value, int width)
{
	int field = resolve(p, spec->width_expr, spec->width);
	int precision = resolve(p, spec->precision_expr, spec->precision);
	bool left = spec->left || field < 0;
	struct pieces t = { 0 };
	int pad;

	field = abs(field);
	if (!spec->base)
		t.digits[t.n_digits++] = (char)value;
	else
		take_apart(&t, spec, value, width, precision);
	pad = MAX(field - (int)t.n_sign - t.zeros - t.n_digits, 0);
	if (spec->zero && !left && precision < 0) {
		t.zeros += pad;
		pad = 0;
	}
	if (!printer_room(p, t.n_sign + t.zeros + t.n_digits + pad))
		return;
	if (!left) {
		memset(p->at, ' ', pad);
		p->at += pad;
	}
	memcpy(p->at, t.sign, t.n_sign);
	p->at += t.n_sign;
	memset(p->at, '0', t.zeros);
	p->at += t.zeros;
	memcpy(p->at, t.digits, t.n_digits);
	p->at += t.n_digits;
	if (left) {
		memset(p->at, ' ', pad);
		p->at += pad;
	}
}

void print_padded(struct printer *p, uint16_t index, const char *bytes, size_t n)
{
	if (index)
		print_padded_as(p, &p->program->specs.at[index], bytes, n);
	else
		print_bytes(p, bytes, n);
}

void print_padded_as(struct printer *p, const struct spec *spec, const char *bytes, size_t n)
{
	int width, precision;
	size_t pad;

	width = resolve(p, spec->width_expr, spec->width);
	precision = resolve(p, spec->precision_expr, spec->precision);
	if (precision >= 0)
		n = MIN(n, (size_t)precision);
	pad = (size_t)abs(width) > n ? abs(width) - n : 0;
	if (!printer_room(p, n + pad))
		return;
	if (spec->left || width < 0) {
		memcpy(p->at, bytes, n);
		memset(p->at + n, ' ', pad);
	} else {
		memset(p->at, ' ', pad);
		memcpy(p->at + pad, bytes, n);
	}
	p->at += n + pad;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles a print format and its arguments to the steps of a program. */
#include "lib/event/print-program.h"
#include <traceevent/event-parse.h>

void give_up(struct compiler *c, int err, const char *why)
{
	if (c->err)
		return;
	c->err = err;
	c->why = why;
}

/* Adds a step. @room is the most bytes that the step writes without making room for them itself. */
void add_step(struct compiler *c, struct step step, size_t room)
{
	if (c->err)
		return;
	if (vec_push(&c->program->steps, step))
		give_up(c, -ENOMEM, "memory");
	c->program->room += room;
}

uint32_t begin_jump(struct compiler *c, struct step jump)
{
	uint32_t at = c->program->steps.n;

	add_step(c, jump, 0);
	return at;
}

void end_jump(struct compiler *c, uint32_t jump)
{
	if (!c->err)
		c->program->steps.at[jump].table = c->program->steps.n;
	c->text_from = c->program->steps.n;
}

uint32_t add_pool(struct compiler *c, const char *text, size_t n)
{
	uint32_t at = c->program->pool.len;

	str_addn(&c->program->pool, text, n);
	if (str_ok(&c->program->pool))
		give_up(c, -ENOMEM, "memory");
	return at;
}

/* Adds text. It is joined to the text before it, unless a jump leads between them. */
void add_text(struct compiler *c, const char *text, size_t n)
{
	struct step *last;
	uint32_t at;

	if (c->err || !n)
		return;
	last = c->program->steps.n > c->text_from ? c->program->steps.at + c->program->steps.n - 1 : NULL;
	at = add_pool(c, text, n);
	if (last && last->code == STEP_TEXT && last->table + last->count == at) {
		last->count += n;
		c->program->room += n;
	} else {
		add_step(c, (struct step){ .code = STEP_TEXT, .count = n, .table = at }, n);
	}
}

/* A conversion in a format, and the arguments that it takes. */
struct conversion {
	struct spec spec;
	int longs; /* number of l or h, as libtraceevent counts: -2 for hh ... 2 for ll and L */
	char letter;
	const char *after; /* the text after the letter */
	const struct tep_print_arg *star;
};

static const struct tep_print_arg *next_arg(struct compiler *c, const struct tep_print_arg **args)
{
	const struct tep_print_arg *arg = *args;

	if (!arg)
		give_up(c, -ENOTSUP, "a conversion without an argument");
	else
		*args = arg->next;
	return arg;
}

const char *conversion_flags(const char *at, struct spec *spec)
{
	for (;; at++) {
		if (*at == '-')
			spec->left = true;
		else if (*at == '+')
			spec->plus = true;
		else if (*at == '0')
			spec->zero = true;
		else if (*at == '#')
			spec->alternate = true;
		else
			return at;
	}
}

static const char *parse_size(struct compiler *c, const char *at, int *fixed, uint32_t *expr, struct conversion *conv, const struct tep_print_arg **args)
{
	int value = 0;

	if (*at == '*') {
		if (conv->star)
			give_up(c, -ENOTSUP, "two lengths from arguments");
		conv->star = next_arg(c, args);
		*expr = compile_expr(c, conv->star);
		return at + 1;
	}
	for (; *at >= '0' && *at <= '9'; at++) {
		value = value * 10 + (*at - '0');
		if (value > MOST_WIDTH) {
			give_up(c, -ENOTSUP, "a very large width");
			value = 0;
		}
	}
	*fixed = value;
	return at;
}

const char *conversion_longs(const char *at, int *longs)
{
	for (;; at++) {
		if (*at == 'h')
			--*longs;
		else if (*at == 'l')
			++*longs;
		else if (*at == 'L')
			*longs = 2;
		else if (*at == 'z' || *at == 'Z')
			*longs = 1;
		else
			return at;
	}
}

static void parse_conversion(struct compiler *c, const char *at, struct conversion *conv, const struct tep_print_arg **args)
{
	*conv = (struct conversion){ .spec = { .precision = -1, .width_expr = NO_EXPR, .precision_expr = NO_EXPR } };
	at = conversion_flags(at, &conv->spec);
	at = parse_size(c, at, &conv->spec.width, &conv->spec.width_expr, conv, args);
	if (*at == '.')
		at = parse_size(c, at + 1, &conv->spec.precision, &conv->spec.precision_expr, conv, args);
	at = conversion_longs(at, &conv->longs);
	conv->letter = *at;
	conv->after = *at ? at + 1 : at;
}

/* Has the conversion nothing beside its letter? Spec 0 is such a conversion. */
static bool spec_is_plain(const struct spec *s)
{
	return !s->left && !s->plus && !s->zero && !s->alternate && !s->width && s->precision == -1 && s->width_expr == NO_EXPR && s->precision_expr == NO_EXPR;
}

uint16_t add_spec(struct compiler *c, const struct spec *spec)
{
	uint32_t at = c->program->specs.n;

	if (at > UINT16_MAX)
		give_up(c, -ENOTSUP, "too many conversions");
	else if (!c->err && vec_push(&c->program->specs, *spec))
		give_up(c, -ENOMEM, "memory");
	return at;
}

static void compile_digits(struct compiler *c, struct conversion *conv, const struct tep_print_arg *arg)
{
	static const uint8_t widths[] = { 1, 2, 4, sizeof(long), 8 };
	struct step step = { .code = STEP_NUMBER };
	struct spec *spec = &conv->spec;
	bool plain = spec_is_plain(spec);

	if (conv->longs < -2 || conv->longs > 2 || (conv->letter == 'c' && (conv->longs || spec->zero))) {
		give_up(c, -ENOTSUP, "a conversion of an unusual size");
		return;
	}
	step.width = widths[conv->longs + 2];
	spec->is_signed = conv->letter == 'd' || conv->letter == 'i';
	spec->upper = conv->letter == 'X';
	spec->base = conv->letter == 'c' ? 0 : conv->letter == 'o' ? 8 : (conv->letter | 0x20) == 'x' ? 16 : 10;
	if (plain && spec->base == 10)
		step.code = spec->is_signed ? STEP_DECIMAL : STEP_UNSIGNED;
	else if (plain && spec->base == 16 && !spec->upper)
		step.code = STEP_HEX;
	else
		step.spec = add_spec(c, spec);
	compile_number(c, &step, arg);
	add_step(c, step, step.code == STEP_NUMBER ? 0 : 20);
}

/* Returns how many letters after %p libtraceevent takes as a part of the conversion. */
static size_t pointer_letters(const char *at)
{
	size_t n = 2;

	switch (at[0]) {
	case 'F':
	case 'S':
	case 'f':
	case 's':
		return 1;
	case 'M':
	case 'm':
		return 1 + (at[1] == 'R' || at[1] == 'F');
	case 'U':
		return 1 + (at[1] && strchr("LlBb", at[1]));
	case 'h':
		return 1 + (at[1] && strchr("CDN", at[1]));
	case 'I':
	case 'i':
		if (!at[1] || !strchr("46S", at[1]))
			return 1;
		while (at[1] == 'S' && at[n] && strchr("pfs", at[n]))
			n++;
		if (at[1] != '6' && at[n] && strchr("hnlb", at[n]))
			n++;
		if (at[1] != '4' && at[n] == 'c')
			n++;
		return n;
	}
	return 0;
}

const char *compile_conversion(struct compiler *c, const char *at, const struct tep_print_arg **args)
{
	const struct tep_print_arg *arg;
	struct conversion conv;
	char unknown[] = "> <";

	parse_conversion(c, at + 1, &conv, args);
	if (!conv.letter)
		return conv.after; /* libtraceevent leaves it out */
	if (!strchr("cduixXosp", conv.letter)) {
		if (strchr("#.0123456789-+*hlLzZ", conv.letter))
			give_up(c, -ENOTSUP, "a conversion that C does not know");
		unknown[1] = conv.letter;
		add_text(c, unknown, 3);
		return conv.after;
	}
	arg = next_arg(c, args);
	if (c->err)
		return conv.after;
	if (conv.letter == 'p') {
		compile_pointer(c, arg, conv.after, conv.star);
		return conv.after + pointer_letters(conv.after);
	}
	if (conv.letter != 's') {
		compile_digits(c, &conv, arg);
	} else if (conv.longs || conv.spec.zero || conv.spec.plus || conv.spec.alternate) {
		give_up(c, -ENOTSUP, "an unusual conversion of a string");
	} else {
		compile_string(c, arg, spec_is_plain(&conv.spec) ? 0 : add_spec(c, &conv.spec));
	}
	return conv.after;
}

const char *format_byte(const char *at, char *byte)
{
	*byte = *at++;
	if (*byte != '\\')
		return at;
	*byte = *at == 'n' ? '\n' : *at == 't' ? '\t' : *at == 'r' ? '\r' : *at;
	return *at ? at + 1 : at;
}

/* Compiles text up to the next conversion. Its escapes are replaced. */
static const char *compile_text(struct compiler *c, const char *at)
{
	while (*at && !c->err) {
		char byte = *at++;

		if (byte == '%') {
			if (*at != '%')
				return at - 1;
			at++;
		} else {
			at = format_byte(at - 1, &byte);
		}
		if (byte)
			add_text(c, &byte, 1);
	}
	return at;
}

static void compile_parts(struct compiler *c, const char *at, const struct tep_print_arg *args)
{
	while (*at && !c->err) {
		if (at[0] == '%' && at[1] != '%')
			at = compile_conversion(c, at, &args);
		else
			at = compile_text(c, at);
	}
}

void compile_args(struct compiler *c, const struct tep_print_arg *args, size_t n)
{
	while (n-- > 0)
		compile_conversion(c, "%s", &args);
}

void compile_one(struct compiler *c, const char *format, const struct tep_format_field *f)
{
	struct tep_print_arg arg = { .type = TEP_PRINT_FIELD };

	arg.field.field = (struct tep_format_field *)f;
	compile_parts(c, format, &arg);
}

void compile_format(struct compiler *c)
{
	const char *at = c->event->print_fmt.format;

	if (c->event->flags & TEP_EVENT_FL_ISBPRINT) {
		compile_binary(c);
		return;
	}
	if (!at) {
		give_up(c, -ENOTSUP, "there is no print format");
		return;
	}
	compile_parts(c, at, c->event->print_fmt.args);
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints an event as a list of its fields. This is done if libtraceevent could not parse the print format, and with -R. With -R, numbers are printed by the
 * conversions that the print format has for them.
 */
#include "lib/event/print-program.h"
#include <traceevent/event-parse.h>

static void array(struct compiler *c, const struct tep_format_field *f)
{
	struct step step = { .code = STEP_RAW_BYTES, .offset = f->offset, .count = f->size };

	if (f->flags & TEP_FIELD_IS_STRING)
		step.code = STEP_RAW_STRING;
	if (f->flags & TEP_FIELD_IS_DYNAMIC) {
		step.place = f->flags & TEP_FIELD_IS_RELATIVE ? PLACE_RELATIVE : PLACE_DYNAMIC;
		step.size = f->size;
	}
	add_step(c, step, 0);
}

/* Compiles a number. Addresses, and longs that may be addresses, are printed in hexadecimal. A short is at least two characters wide. */
static void number(struct compiler *c, const struct tep_format_field *f)
{
	bool is_signed = f->flags & TEP_FIELD_IS_SIGNED, is_long = f->flags & TEP_FIELD_IS_LONG;
	struct step step = { .code = STEP_UNSIGNED, .width = 8 };

	if (f->flags & TEP_FIELD_IS_POINTER || (is_long && (!is_signed || f->size == 4))) {
		add_text(c, "0x", 2);
		step.code = STEP_HEX;
		if (is_signed && !(f->flags & TEP_FIELD_IS_POINTER))
			step.width = 4;
	} else if (is_signed) {
		step.code = STEP_DECIMAL;
		if (f->size == 1 || f->size == 2 || f->size == 4)
			step.width = f->size;
		if (f->size == 2) {
			step.code = STEP_NUMBER;
			step.spec = c->short_spec;
		}
	}
	step.expr = compile_cut_field(c, f);
	add_step(c, step, 20);
}

static void begin(struct compiler *c)
{
	struct spec spec = { .is_signed = true, .base = 10, .width = 2, .precision = -1, .width_expr = NO_EXPR, .precision_expr = NO_EXPR };

	c->short_spec = add_spec(c, &spec);
}

static void name(struct compiler *c, const struct tep_format_field *f)
{
	add_text(c, " ", 1);
	add_text(c, f->name, strlen(f->name));
	add_text(c, "=", 1);
}

static void content(struct compiler *c, const struct tep_format_field *f)
{
	if (f->flags & TEP_FIELD_IS_ARRAY)
		array(c, f);
	else
		number(c, f);
}

void compile_fields(struct compiler *c)
{
	begin(c);
	add_text(c, "[FAILED TO PARSE]", 17);
	for (const struct tep_format_field *f = c->event->format.fields; f; f = f->next) {
		name(c, f);
		content(c, f);
	}
}

/* A conversion in the print format. */
struct use {
	const char *at;			      /* the place of its % */
	const struct tep_print_arg *args;     /* the first argument that it takes */
	const struct tep_format_field *field; /* the field, if the argument is only a field */
	bool behind_0x;
};

typedef VEC(struct use) uses_t;

/* Returns how many arguments a conversion takes before its last one. Moves *@at behind the conversion's letter. */
static int stars(const char **at)
{
	int n = 0;

	for (++*at; **at && strchr("-+#.*0123456789hlLzZ", **at); ++*at)
		n += **at == '*';
	*at += **at != '\0';
	return n;
}

static void list_uses(struct compiler *c, uses_t *out)
{
	const struct tep_print_arg *args = c->event->print_fmt.args, *arg;
	const char *at = c->event->print_fmt.format, *text = at;

	while (at && *at && args && !c->err) {
		struct use use = { .at = at, .args = args };

		if (at[0] != '%' || at[1] == '%') {
			at += (*at == '%' || *at == '\\') && at[1] ? 2 : 1;
			continue;
		}
		use.behind_0x = at - text >= 2 && !memcmp(at - 2, "0x", 2);
		for (int n = stars(&at); n && args; n--)
			args = args->next;
		text = at;
		for (arg = args; arg && arg->type == TEP_PRINT_TYPE;)
			arg = arg->typecast.item;
		if (arg && arg->type == TEP_PRINT_FIELD)
			use.field = arg->field.field;
		if (args && vec_push(out, use))
			give_up(c, -ENOMEM, "memory");
		args = args ? args->next : NULL;
	}
}

/* Finds the use of a field. Fields usually are in the order of the print format, so the search begins after the last one found. */
static const struct use *find_use(const uses_t *uses, const struct tep_format_field *f, size_t *from)
{
	for (size_t i = 0; i < uses->n; i++) {
		const struct use *use = &uses->at[(*from + i) % uses->n];

		if (use->field != f)
			continue;
		*from = (*from + i + 1) % uses->n;
		return use;
	}
	return NULL;
}

void compile_raw(struct compiler *c)
{
	uses_t uses = { 0 };
	bool ended = false; /* libtraceevent does not start again at the end of the print format */
	size_t from = 0;

	begin(c);
	if (!(c->event->flags & (TEP_EVENT_FL_FAILED | TEP_EVENT_FL_ISBPRINT)))
		list_uses(c, &uses);
	for (const struct tep_format_field *f = c->event->format.fields; f; f = f->next) {
		bool plain = !(f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_STRING));
		const struct use *use = plain && !ended ? find_use(&uses, f, &from) : NULL;
		const struct tep_print_arg *args = use ? use->args : NULL;

		name(c, f);
		if (!use) {
			content(c, f);
			continue;
		}
		if (use->behind_0x)
			add_text(c, "0x", 2);
		ended = !*compile_conversion(c, use->at, &args);
	}
	vec_fini(&uses);
}

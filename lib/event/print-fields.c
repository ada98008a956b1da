/* SPDX-License-Identifier: GPL-2.0 */
/* An event whose print format libtraceevent could not parse is printed as a list of its fields. */
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

/* Addresses, and what may be one (a long), in hexadecimal; a short is at least two characters wide. */
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

void compile_fields(struct compiler *c)
{
	struct spec spec = { .is_signed = true,
			     .base = 10,
			     .width = 2,
			     .precision = -1,
			     .width_expr = NO_EXPR,
			     .precision_expr = NO_EXPR };

	c->short_spec = add_spec(c, &spec);
	add_text(c, "[FAILED TO PARSE]", 17);
	for (const struct tep_format_field *f = c->event->format.fields; f; f = f->next) {
		add_text(c, " ", 1);
		add_text(c, f->name, strlen(f->name));
		add_text(c, "=", 1);
		if (f->flags & TEP_FIELD_IS_ARRAY)
			array(c, f);
		else
			number(c, f);
	}
}

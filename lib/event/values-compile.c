/* SPDX-License-Identifier: GPL-2.0 */
/* Finds the kinds of values from the declarations of fields and from what a print format does with them. */
#include "lib/event/values.h"
#include "lib/event/tep.h"

#include <traceevent/event-parse.h>

/* What an argument of a print format refers to. */
struct use {
	const struct tep_event *event;
	const struct tep_format_field *field; /* the only field; NULL: none, or several */
	bool several;
	const struct tep_print_arg *names; /* a __print_flags or __print_symbolic in the argument */
	bool bitmask;
	bool plain; /* the argument is only the field, which may be cast */
};

static void use_field(struct use *use, const struct tep_format_field *field)
{
	use->several |= use->field && use->field != field;
	use->field = field;
}

static void use_arg(struct use *use, const struct tep_print_arg *arg, int depth);

static void use_names(struct use *use, const struct tep_print_arg *arg, const struct tep_print_arg *of, int depth)
{
	use->names = arg;
	use_arg(use, of, depth);
}

static const struct tep_format_field *field_named(const struct use *use, const char *name)
{
	return name ? tep_find_any_field((struct tep_event *)use->event, name) : NULL;
}

static void use_arg(struct use *use, const struct tep_print_arg *arg, int depth)
{
	if (!arg || depth > 32)
		return;
	use->plain &= arg->type == TEP_PRINT_FIELD || arg->type == TEP_PRINT_TYPE;
	switch (arg->type) {
	case TEP_PRINT_FIELD:
		use_field(use, arg->field.field ? arg->field.field : field_named(use, arg->field.name));
		break;
	case TEP_PRINT_TYPE:
		use_arg(use, arg->typecast.item, depth + 1);
		break;
	case TEP_PRINT_OP:
		use_arg(use, arg->op.left, depth + 1);
		use_arg(use, arg->op.right, depth + 1);
		break;
	case TEP_PRINT_FLAGS:
		use_names(use, arg, arg->flags.field, depth + 1);
		break;
	case TEP_PRINT_SYMBOL:
		use_names(use, arg, arg->symbol.field, depth + 1);
		break;
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		use->bitmask = true;
		use_field(use, arg->bitmask.field ? arg->bitmask.field : field_named(use, arg->bitmask.bitmask));
		break;
	case TEP_PRINT_NULL:
	case TEP_PRINT_ATOM:
	case TEP_PRINT_STRING:
	case TEP_PRINT_BSTRING:
		break;
	default:
		/* Functions, and arrays with their lengths, have more than one part. */
		use->several = true;
	}
}

static struct value_field *field_of(struct values *values, const struct tep_format_field *field)
{
	vec_each (&values->fields, f)
		if (strcmp(f->name, field->name) == 0)
			return f;
	return NULL;
}

struct making {
	struct values *values;
	const struct tep_event *event;
	struct print_env env;
};

/*
 * Does the next conversion print more about the same field, right behind the conversion %@letters? For sched_switch, "%s%s" prints the names of prev_state, and
 * then a + if the task was preempted.
 */
static bool goes_on(const struct making *m, const struct tep_format_field *field, const struct tep_print_arg *next, const char *letters)
{
	struct use use = { .event = m->event, .plain = true };

	if (!next || strncmp(letters, "s%s", 3) != 0)
		return false;
	use_arg(&use, next, 0);
	return use.field == field && !use.several && !use.names && !use.bitmask && !use.plain;
}

/* Learns from an argument of the conversion %@letters what its field is. Returns -ENOMEM or 0. */
static int learn_arg(const struct making *m, const struct tep_print_arg *arg, const char *letters)
{
	struct use use = { .event = m->event, .plain = true };
	struct value_field *f;
	int err = 0;

	use_arg(&use, arg, 0);
	f = use.field && !use.several ? field_of(m->values, use.field) : NULL;
	if (!f)
		return 0;
	if (use.bitmask) {
		f->kind = VALUE_BITMASK;
	} else if (use.names && value_is_number(f) && !f->text) {
		f->kind = use.names->type == TEP_PRINT_FLAGS ? VALUE_FLAGS : VALUE_SYMBOL;
		err = print_compile_args(&f->text, m->event, arg, goes_on(m, use.field, arg->next, letters) ? 2 : 1, &m->env);
	} else if (use.plain && letters[0] == 'p' && letters[1] && strchr("sSfFB", letters[1]) && value_is_number(f)) {
		f->kind = VALUE_FUNCTION;
	} else if (use.plain && letters[0] == 's' && f->kind == VALUE_POINTER && !f->text) {
		err = print_compile_args(&f->text, m->event, arg, 1, &m->env);
	} else if (use.plain && letters[0] == 's' && use.field->flags & TEP_FIELD_IS_STRING) {
		f->kind = VALUE_STRING;
	}
	return err == -ENOMEM ? err : 0;
}

/* Goes through the conversions of the print format with their arguments. */
static int learn_format(const struct making *m)
{
	const struct tep_print_arg *arg = m->event->print_fmt.args;
	const char *at = m->event->print_fmt.format;
	int err = 0;

	while (at && !err && (at = strchr(at, '%'))) {
		at++;
		if (*at == '%') {
			at++;
			continue;
		}
		for (; *at && strchr("-+#0123456789.*hlLzZ", *at); at++)
			if (*at == '*' && arg)
				arg = arg->next;
		if (!*at || !arg)
			break;
		err = learn_arg(m, arg, at);
		arg = arg->next;
	}
	return err;
}

/* --- declarations --------------------------------------------------------------------------------------------- */

static bool readable(unsigned int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

static enum value_kind kind_of(const struct tep_format_field *field)
{
	/*
	 * For libtraceevent, arrays of u8, s8 and unsigned char are also strings. Most of them are addresses, identifiers and packets. So they are text only if
	 * the print format prints them as text, see learn_arg().
	 */
	if (field->flags & TEP_FIELD_IS_STRING)
		return strstr(field->type, "char") && !strstr(field->type, "unsigned char") ? VALUE_STRING : VALUE_ARRAY;
	if (strstr(field->type, "cpumask_t") || strstr(field->type, "bitmask"))
		return VALUE_BITMASK;
	if (field->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC) || !readable((unsigned int)field->size))
		return VALUE_ARRAY;
	if (str_starts(field->type, "bool") || str_starts(field->type, "_Bool"))
		return VALUE_BOOL;
	if (field->flags & TEP_FIELD_IS_POINTER || str_ends(field->type, "*"))
		return VALUE_POINTER;
	return field->flags & TEP_FIELD_IS_SIGNED ? VALUE_SIGNED : VALUE_UNSIGNED;
}

static int add_field(const struct making *m, const struct trace *trace, const struct tep_format_field *field, bool common)
{
	enum value_kind kind = kind_of(field);
	unsigned int element = kind == VALUE_BITMASK ? trace->long_size : field->elementsize;
	/* clang-format off */
	struct value_field f = {
		.name = strdup(field->name), .type = strdup(field->type), .kind = (uint8_t)kind, .common = common, .swap = trace->swap,
		.element = (uint8_t)(readable(element) ? element : 1), .relative = field->flags & TEP_FIELD_IS_RELATIVE,
		.symbols = trace->symbols,
		.at = { .offset = (uint16_t)field->offset, .size = (uint16_t)field->size, .found = true,
			.is_signed = field->flags & TEP_FIELD_IS_SIGNED, .dynamic = field->flags & TEP_FIELD_IS_DYNAMIC },
	};
	/* clang-format on */

	if (!f.name || !f.type || vec_push(&m->values->fields, f)) {
		free(f.name);
		free(f.type);
		return -ENOMEM;
	}
	return 0;
}

static bool fits(const struct tep_format_field *field)
{
	return field->offset >= 0 && field->offset <= UINT16_MAX && field->size >= 0 && field->size <= UINT16_MAX;
}

static int add_fields(const struct making *m, const struct trace *trace, const struct tep_format_field *field, bool common)
{
	int err = 0;

	for (; field && !err; field = field->next)
		if (fits(field))
			err = add_field(m, trace, field, common);
	return err;
}

int values_of(const struct values **out, struct event *event)
{
	struct making m = { .values = event->values };
	int err = 0;

	*out = event->values;
	if (event->values)
		return 0;
	tep_prepare(event);
	m.values = calloc(1, sizeof(*m.values));
	m.event = event->tep;
	if (!m.values)
		return -ENOMEM;
	if (m.event) {
		m.env = trace_print_env(event->trace);
		err = add_fields(&m, event->trace, m.event->format.common_fields, true);
		err = err ? err : add_fields(&m, event->trace, m.event->format.fields, false);
		err = err || m.event->flags & TEP_EVENT_FL_FAILED ? err : learn_format(&m);
	}
	if (err) {
		values_free(m.values);
		return err;
	}
	*out = event->values = m.values;
	return 0;
}

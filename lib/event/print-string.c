/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the arguments that %s can have: names of values, strings in the record, arrays, and a choice among them. */
#include "lib/event/print-program.h"
#include <ctype.h>
#include <traceevent/event-parse.h>

static uint8_t place_of(const struct tep_format_field *f)
{
	return f->flags & TEP_FIELD_IS_RELATIVE ? PLACE_RELATIVE : PLACE_DYNAMIC;
}

/* Adds a text from the format itself. */
static void literal(struct compiler *c, const char *text, uint16_t spec)
{
	uint32_t len = strlen(text);

	if (spec)
		add_step(c, (struct step){ .code = STEP_PADDED_TEXT, .spec = spec, .count = len, .table = add_pool(c, text, len) }, 0);
	else
		add_text(c, text, len);
}

/*
 * Compiles a field as a string. An array is text up to a NUL. A field of pointer size that is not an array is taken for the address of a constant string of the
 * kernel.
 */
static void field_string(struct compiler *c, const struct tep_format_field *f, uint16_t spec)
{
	struct step step = { .code = STEP_STRING, .spec = spec };

	if (!f)
		return;
	step.offset = f->offset;
	step.count = f->size;
	if (!(f->flags & TEP_FIELD_IS_ARRAY) && f->size == c->program->env.long_size) {
		step.code = STEP_KERNEL_STRING;
		step.size = f->size;
	}
	if (step.code == STEP_STRING && step.count == 16 && !spec)
		step.code = STEP_STRING_16;
	add_step(c, step, 16);
}

static void dynamic_step(struct compiler *c, enum step_code code, const struct tep_format_field *f, uint16_t spec)
{
	if (f)
		add_step(c, (struct step){ .code = code, .size = f->size, .place = place_of(f), .spec = spec, .offset = f->offset }, 0);
}

struct known_value {
	const char *name;
	int64_t value;
};

/* Returns the value of an entry. Formats of kernels have some names of enumerations. libtraceevent knows these; other names count as -1. */
static int64_t entry_value(const char *text)
{
	static const struct known_value known[] = {
		{ "HI_SOFTIRQ", 0 },	  { "TIMER_SOFTIRQ", 1 },    { "NET_TX_SOFTIRQ", 2 },	 { "NET_RX_SOFTIRQ", 3 },
		{ "BLOCK_SOFTIRQ", 4 },	  { "IRQ_POLL_SOFTIRQ", 5 }, { "TASKLET_SOFTIRQ", 6 },	 { "SCHED_SOFTIRQ", 7 },
		{ "HRTIMER_SOFTIRQ", 8 }, { "RCU_SOFTIRQ", 9 },	     { "HRTIMER_NORESTART", 0 }, { "HRTIMER_RESTART", 1 },
	};

	if (isdigit((unsigned char)text[0]))
		return strtoull(text, NULL, 0);
	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (!strcmp(known[i].name, text))
			return known[i].value;
	return -1;
}

void add_entry(struct compiler *c, int64_t value, const char *text)
{
	uint32_t len = text ? strlen(text) : 0;
	struct entry entry = { value, add_pool(c, text ? text : "", len), len };

	if (!c->err && vec_push(&c->program->entries, entry))
		give_up(c, -ENOMEM, "memory");
}

static void flags(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec)
{
	struct step step = { .code = STEP_FLAGS, .spec = spec };

	step.table = c->program->entries.n;
	add_entry(c, 0, arg->flags.delim);
	for (const struct tep_print_flag_sym *f = arg->flags.flags; f; f = f->next) {
		int64_t value = entry_value(f->value);

		add_entry(c, value, f->str);
		step.flag |= value < 0;
	}
	step.count = c->program->entries.n - step.table - 1;
	compile_number(c, &step, arg->flags.field);
	add_step(c, step, 0);
}

/* Orders entries by value. Equal ones stay in the order of the format, which is that of their texts in the pool. */
static int by_value(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->text < y->text ? -1 : x->text > y->text;
}

static void symbolic(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec)
{
	struct step step = { .code = STEP_SYMBOLIC, .spec = spec };
	struct entry *from, *to, *end;

	step.table = c->program->entries.n;
	for (const struct tep_print_flag_sym *f = arg->symbol.symbols; f; f = f->next)
		add_entry(c, entry_value(f->value), f->str);
	compile_number(c, &step, arg->symbol.field);
	if (c->err)
		return;
	from = c->program->entries.at + step.table;
	end = c->program->entries.at + c->program->entries.n;
	if (end - from > 1)
		qsort(from, end - from, sizeof(*from), by_value);
	for (to = from; from < end; from++)
		if (to == c->program->entries.at + step.table || to[-1].value != from->value)
			*to++ = *from;
	c->program->entries.n = to - c->program->entries.at;
	step.count = c->program->entries.n - step.table;
	add_step(c, step, 0);
}

/* Finds where __print_hex and __print_array take their bytes from. Returns false if there is nothing to print. */
static bool array_place(struct compiler *c, struct step *step, const struct tep_print_arg *arg)
{
	const struct tep_format_field *f;

	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY) {
		f = arg->dynarray.field;
		step->size = f->size;
		step->place = place_of(f);
	} else if (arg->type == TEP_PRINT_FIELD) {
		f = arg_field(c, arg);
	} else {
		give_up(c, -ENOTSUP, "an array that is no field");
		return false;
	}
	if (f)
		step->offset = f->offset;
	return f;
}

static void hex(struct compiler *c, const struct tep_print_arg *arg)
{
	struct step step = { .code = STEP_BYTES, .flag = arg->type == TEP_PRINT_HEX };

	if (!array_place(c, &step, arg->hex.field))
		return;
	step.count = compile_expr(c, arg->hex.size);
	add_step(c, step, 0);
}

static void array(struct compiler *c, const struct tep_print_arg *arg)
{
	struct step step = { .code = STEP_ARRAY };

	if (!array_place(c, &step, arg->int_array.field))
		return;
	step.count = compile_expr(c, arg->int_array.count);
	step.table = compile_expr(c, arg->int_array.el_size);
	add_step(c, step, 0);
}

static void mask(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec)
{
	const struct tep_format_field *f = arg->bitmask.field;
	bool list = arg->type == TEP_PRINT_CPUMASK;

	if (spec) {
		give_up(c, -ENOTSUP, "a mask with a width");
		return;
	}
	f = f ? f : named_field(c, arg->bitmask.bitmask);
	dynamic_step(c, list ? STEP_CPULIST : STEP_BITMASK, f, 0);
}

static void choice(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec)
{
	const struct tep_print_arg *arms = arg->op.right;
	struct step step = { .code = STEP_JUMP_ZERO };
	uint32_t jump_zero, jump;

	if (arms->type != TEP_PRINT_OP) {
		give_up(c, -ENOTSUP, "a ? without a :");
		return;
	}
	if (++c->depth > EVAL_DEPTH) {
		give_up(c, -ENOTSUP, "choices that are nested too deeply");
		return;
	}
	compile_number(c, &step, arg->op.left);
	jump_zero = begin_jump(c, step);
	compile_string(c, arms->op.left, spec);
	jump = begin_jump(c, (struct step){ .code = STEP_JUMP });
	end_jump(c, jump_zero);
	compile_string(c, arms->op.right, spec);
	end_jump(c, jump);
	c->depth--;
}

void compile_string(struct compiler *c, const struct tep_print_arg *arg, uint16_t spec)
{
	if (c->err || !arg)
		return;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		literal(c, arg->atom.atom, spec);
		break;
	case TEP_PRINT_FIELD:
		field_string(c, arg_field(c, arg), spec);
		break;
	case TEP_PRINT_STRING:
		dynamic_step(c, STEP_DYN_STRING, arg->string.field ? arg->string.field : named_field(c, arg->string.string), spec);
		break;
	case TEP_PRINT_FLAGS:
		flags(c, arg, spec);
		break;
	case TEP_PRINT_SYMBOL:
		symbolic(c, arg, spec);
		break;
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		hex(c, arg);
		break;
	case TEP_PRINT_INT_ARRAY:
		array(c, arg);
		break;
	case TEP_PRINT_BITMASK:
	case TEP_PRINT_CPUMASK:
		mask(c, arg, spec);
		break;
	case TEP_PRINT_OP:
		if (arg->op.op[0] == '?')
			choice(c, arg, spec);
		break;
	case TEP_PRINT_FUNC:
		give_up(c, -ENOTSUP, "a helper function of a plug-in");
		break;
	case TEP_PRINT_BSTRING:
		give_up(c, -ENOTSUP, "the arguments of trace_printk");
		break;
	default: /* libtraceevent prints nothing for them, not even padding */
		break;
	}
}

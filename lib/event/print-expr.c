/* SPDX-License-Identifier: GPL-2.0 */
/* Compiles the parsed arguments of a print format to instructions. The results are those of libtraceevent's arithmetic. */
#include "lib/event/print-program.h"
#include <ctype.h>
#include <traceevent/event-parse.h>

static void expr(struct compiler *c, const struct tep_print_arg *arg, int depth);

const struct tep_format_field *named_field(const struct compiler *c, const char *name)
{
	return name ? tep_find_any_field((struct tep_event *)c->event, name) : NULL;
}

const struct tep_format_field *arg_field(const struct compiler *c, const struct tep_print_arg *arg)
{
	return arg->field.field ? arg->field.field : named_field(c, arg->field.name);
}

static void emit(struct compiler *c, struct insn insn)
{
	if (!c->err && vec_push(&c->program->insns, insn))
		give_up(c, -ENOMEM, "memory");
}

static uint32_t here(const struct compiler *c)
{
	return c->program->insns.n;
}

/* Is everything emitted since @start one number? Then *@value is set to it. */
static bool is_constant(const struct compiler *c, uint32_t start, uint64_t *value)
{
	const struct insn *last = c->program->insns.at + start;

	if (c->err || here(c) != start + 1 || last->code != INSN_NUMBER)
		return false;
	*value = last->imm;
	return true;
}

/* Applies an operation, whose right operand is known, to the value emitted since @start. */
static void apply(struct compiler *c, uint32_t start, enum insn_code code, uint64_t right)
{
	uint64_t left;

	if (is_constant(c, start, &left))
		c->program->insns.at[start].imm = eval_binary(code, left, right);
	else
		emit(c, (struct insn){ .code = code, .has_imm = true, .imm = right });
}

static void number(struct compiler *c, uint64_t value)
{
	emit(c, (struct insn){ .code = INSN_NUMBER, .imm = value });
}

/*
 * Emits a number, or the address of the kernel symbol of that name; other names become 0. libtraceevent before 1.8 leaves a character in quotes as it is, and
 * later versions make it a number.
 */
static void atom(struct compiler *c, const char *text)
{
	uint64_t value = strtoull(text, NULL, 0);

	if (text[0] && !text[1] && !isdigit((unsigned char)text[0]))
		value = (unsigned char)text[0];
	else if (!value && !isdigit((unsigned char)text[0]))
		value = symbols_address(c->program->env.symbols, text);
	number(c, value);
}

static bool readable(int size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/*
 * Sign-extends small signed fields, as C does. libtraceevent does not do it. For wider fields it makes no difference, because they are nearly always printed in
 * their full width.
 */
static void extend(struct compiler *c, const struct tep_format_field *f, int size)
{
	if (f->flags & TEP_FIELD_IS_SIGNED && size < 4)
		emit(c, (struct insn){ .code = INSN_EXTEND, .size = size });
}

static void field(struct compiler *c, const struct tep_format_field *f)
{
	if (!f || !readable(f->size)) {
		number(c, 0);
		return;
	}
	emit(c, (struct insn){ .code = INSN_FIELD, .size = f->size, .offset = f->offset });
	if (!(f->flags & TEP_FIELD_IS_ARRAY))
		extend(c, f, f->size);
}

struct cast {
	const char *type;
	uint64_t mask;
};

/* Returns the mask of a cast. A cast to another type, such as signed long, changes nothing in libtraceevent. */
static uint64_t cast_mask(const char *type)
{
	static const struct cast casts[] = {
		{ "u8", 0xff },	       { "u16", 0xffff }, { "u32", 0xffffffff }, { "s8", 0xff },	{ "s16", 0xffff },
		{ "s32", 0xffffffff }, { "char", 0xff },  { "short", 0xffff },	 { "int", 0xffffffff },
	};
	bool is_unsigned = str_starts(type, "unsigned ");

	type += is_unsigned ? strlen("unsigned ") : 0;
	for (size_t i = is_unsigned ? 6 : 0; i < ARRAY_LEN(casts); i++)
		if (!strcmp(type, casts[i].type))
			return casts[i].mask;
	return UINT64_MAX;
}

static void mask(struct compiler *c, uint32_t start, uint64_t bits)
{
	if (bits != UINT64_MAX)
		apply(c, start, INSN_AND, bits);
}

/* Masks an element by the type to which its array is cast, "TYPE *". */
static void mask_element(struct compiler *c, uint32_t start, const char *type)
{
	size_t len = strlen(type);
	char element[32];

	if (len < 3 || len > sizeof(element) || type[len - 1] != '*')
		return;
	memcpy(element, type, len - 2);
	element[len - 2] = '\0';
	mask(c, start, cast_mask(element));
}

/* Emits an element of a field. Its index has been compiled since @start. */
static void element(struct compiler *c, const struct tep_format_field *f, uint32_t start)
{
	if (!readable(f->elementsize)) {
		apply(c, start, INSN_AND, 0);
		return;
	}
	emit(c, (struct insn){ .code = INSN_INDEX, .size = f->elementsize, .offset = f->offset });
	extend(c, f, f->elementsize);
}

/* Emits array[index]. The array is a field or a dynamic array, and may be cast. Returns false if it is neither. */
static bool subscript(struct compiler *c, const struct tep_print_arg *arg, int depth)
{
	const struct tep_print_arg *array = arg->op.left, *cast = NULL;
	const struct tep_format_field *f;
	uint32_t start = here(c);

	for (; array->type == TEP_PRINT_TYPE; array = array->typecast.item)
		cast = cast ? cast : array;
	if (array->type != TEP_PRINT_FIELD && array->type != TEP_PRINT_DYNAMIC_ARRAY)
		return false;
	f = array->type == TEP_PRINT_FIELD ? arg_field(c, array) : array->dynarray.field;
	if (!f) {
		number(c, 0);
		return true;
	}
	expr(c, arg->op.right, depth);
	if (array->type == TEP_PRINT_DYNAMIC_ARRAY)
		emit(c, (struct insn){ .code = INSN_DYN_INDEX,
				       .size = f->size,
				       .relative = f->flags & TEP_FIELD_IS_RELATIVE,
				       .offset = f->offset,
				       .imm = f->elementsize ? f->elementsize : c->program->env.long_size });
	else
		element(c, f, start);
	if (cast)
		mask_element(c, start, cast->typecast.type);
	return true;
}

static void choice(struct compiler *c, const struct tep_print_arg *arg, int depth)
{
	const struct tep_print_arg *arms = arg->op.right;
	uint32_t jump_zero, jump;

	if (arms->type != TEP_PRINT_OP) {
		give_up(c, -ENOTSUP, "a ? without a :");
		return;
	}
	expr(c, arg->op.left, depth);
	jump_zero = here(c);
	emit(c, (struct insn){ .code = INSN_JUMP_ZERO });
	expr(c, arms->op.left, depth);
	jump = here(c);
	emit(c, (struct insn){ .code = INSN_JUMP });
	expr(c, arms->op.right, depth);
	if (c->err)
		return;
	c->program->insns.at[jump_zero].imm = jump + 1;
	c->program->insns.at[jump].imm = here(c);
}

struct op {
	const char *text;
	enum insn_code code;
};

static void operation(struct compiler *c, const struct tep_print_arg *arg, int depth)
{
	static const struct op ops[] = {
		{ "+", INSN_ADD }, { "-", INSN_SUB },  { "*", INSN_MUL },  { "/", INSN_DIV },	{ "%", INSN_MOD },     { "&", INSN_AND },
		{ "|", INSN_OR },  { "<<", INSN_SHL }, { ">>", INSN_SHR }, { "==", INSN_EQ },	{ "!=", INSN_NE },     { "<", INSN_LT },
		{ "<=", INSN_LE }, { ">", INSN_GT },   { ">=", INSN_GE },  { "&&", INSN_BOTH }, { "||", INSN_EITHER },
	};
	const char *text = arg->op.op;
	uint32_t start = here(c), right;
	uint64_t imm;

	if (!strcmp(text, "!") || !strcmp(text, "~")) {
		expr(c, arg->op.right, depth);
		emit(c, (struct insn){ .code = *text == '!' ? INSN_NOT : INSN_COMPLEMENT });
		return;
	}
	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		if (strcmp(text, ops[i].text))
			continue;
		expr(c, arg->op.left, depth);
		right = here(c);
		expr(c, arg->op.right, depth + 1);
		if (is_constant(c, right, &imm)) {
			c->program->insns.n--;
			apply(c, start, ops[i].code, imm);
		} else {
			emit(c, (struct insn){ .code = ops[i].code });
		}
		return;
	}
	give_up(c, -ENOTSUP, "an operator that libtraceevent does not evaluate");
}

static void dynamic_length(struct compiler *c, const struct tep_format_field *f)
{
	emit(c, (struct insn){ .code = INSN_DYN_LEN, .size = f->size, .relative = f->flags & TEP_FIELD_IS_RELATIVE, .offset = f->offset });
}

/* Emits instructions that leave the value of @arg on the stack. The stack holds @depth numbers before. */
static void expr(struct compiler *c, const struct tep_print_arg *arg, int depth)
{
	uint32_t start = here(c);

	if (c->err)
		return;
	if (depth >= EVAL_DEPTH || ++c->depth > 4 * EVAL_DEPTH) {
		give_up(c, -ENOTSUP, "an expression that is nested too deeply");
		return;
	}
	switch (arg ? arg->type : TEP_PRINT_NULL) {
	case TEP_PRINT_ATOM:
		atom(c, arg->atom.atom);
		break;
	case TEP_PRINT_FIELD:
		field(c, arg_field(c, arg));
		break;
	case TEP_PRINT_TYPE:
		expr(c, arg->typecast.item, depth);
		mask(c, start, cast_mask(arg->typecast.type));
		break;
	case TEP_PRINT_OP:
		if (!strcmp(arg->op.op, "?"))
			choice(c, arg, depth);
		else if (strcmp(arg->op.op, "[") || !subscript(c, arg, depth))
			operation(c, arg, depth);
		break;
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		dynamic_length(c, arg->dynarray.field);
		break;
	case TEP_PRINT_DYNAMIC_ARRAY:
		give_up(c, -ENOTSUP, "the address of a dynamic array as a number");
		break;
	case TEP_PRINT_FUNC:
		give_up(c, -ENOTSUP, "a helper function of a plug-in");
		break;
	default:
		number(c, 0);
	}
	c->depth--;
}

uint32_t compile_expr(struct compiler *c, const struct tep_print_arg *arg)
{
	uint32_t start = here(c);

	expr(c, arg, 0);
	emit(c, (struct insn){ .code = INSN_END });
	return start;
}

/* Compiles the number that is printed for a field in a list of fields. */
uint32_t compile_cut_field(struct compiler *c, const struct tep_format_field *f)
{
	uint32_t start = here(c);

	if (readable(f->size))
		emit(c, (struct insn){ .code = INSN_CUT_FIELD, .size = f->size, .offset = f->offset });
	else
		number(c, 0);
	emit(c, (struct insn){ .code = INSN_END });
	return start;
}

/* Compiles a number. A field alone needs no expression, and neither does a small signed field that is printed with its sign. */
void compile_number(struct compiler *c, struct step *step, const struct tep_print_arg *arg)
{
	uint32_t start = compile_expr(c, arg);
	const struct insn *first;
	bool is_small;

	if (c->err)
		return;
	first = c->program->insns.at + start;
	is_small = first[0].code == INSN_FIELD && first[1].code == INSN_EXTEND && step->code == STEP_DECIMAL;
	if (first->code != INSN_FIELD || first[1 + is_small].code != INSN_END) {
		step->size = 0;
		step->expr = start;
		return;
	}
	if (is_small)
		step->width = MIN(step->width, first->size);
	step->size = first->size;
	step->offset = first->offset;
	c->program->insns.n = start;
}

void compile_masked(struct compiler *c, struct step *step, const struct tep_format_field *f, uint64_t mask, const uint64_t *equal)
{
	uint32_t start = here(c);

	field(c, f);
	apply(c, start, INSN_AND, mask);
	if (equal)
		apply(c, start, INSN_EQ, *equal);
	emit(c, (struct insn){ .code = INSN_END });
	step->size = 0;
	step->expr = start;
}

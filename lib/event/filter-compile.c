// SPDX-License-Identifier: GPL-2.0
/*
 * Compiles the tree of a filter into tests, from its end to its beginning, so that each test knows which one follows. For "a && b", b's tests are made first,
 * and then a's, which lead to b's when they are true. A condition that is known without a record needs no test; its target is returned.
 */
#include "lib/event/filter-program.h"
#include <traceevent/event-parse.h>

/* How a value is compared or divided. The rules are those of C, except that narrow unsigned values fit both signed and unsigned ones. */
enum sign { SIGN_EITHER, SIGN_SIGNED, SIGN_UNSIGNED };

struct value {
	bool missing; /* the event lacks a field, or a constant is divided by zero */
	bool constant;
	uint64_t number; /* valid if .constant */
	enum sign sign;
	size_t depth; /* how many places of the stack it needs */
};

struct compiler {
	struct programs *programs;
	struct tep_event *event;
	struct filter_fault *fault;
	bool oom;
};

static void add_step(struct compiler *c, struct step step)
{
	if (vec_push(&c->programs->steps, step))
		c->oom = true;
}

static int32_t add_test(struct compiler *c, struct test test)
{
	if (test.yes == test.no)
		return test.yes;
	if (vec_push(&c->programs->tests, test)) {
		c->oom = true;
		return test.no;
	}
	return c->programs->tests.n - 1;
}

static void found(struct filter_node *name, enum filter_found how)
{
	name->found = MAX(name->found, how);
}

/* Returns how to load a number of @size bytes of @field, or -1 if numbers cannot have this size. */
static int load_of(const struct compiler *c, const struct tep_format_field *field, unsigned int size)
{
	static const int8_t loads[] = { -1, LOAD_U8, LOAD_U16, -1, LOAD_U32, -1, -1, -1, LOAD_64 };
	bool is_signed = field->flags & TEP_FIELD_IS_SIGNED, swapped;

	if (field->offset < 0 || size >= ARRAY_LEN(loads) || loads[size] < 0)
		return -1;
	swapped = tep_is_file_bigendian(c->event->tep) != tep_is_local_bigendian(c->event->tep);
	return loads[size] + (is_signed && size < 8) + (swapped ? LOAD_SWAPPED : 0);
}

static bool is_number(const struct tep_format_field *field)
{
	return !(field->flags & (TEP_FIELD_IS_STRING | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_ARRAY));
}

/* Finds out how the number called @name is stored in @field: *@load, *@offset and *@size. */
static enum filter_found locate(struct compiler *c, const struct filter_node *name, const struct tep_format_field *field, int *load, uint32_t *offset,
				uint32_t *size)
{
	bool fixed_array = field->flags & TEP_FIELD_IS_ARRAY && !(field->flags & TEP_FIELD_IS_DYNAMIC);

	*offset = field->offset;
	*size = field->size;
	if (name->has_index ? !fixed_array || !field->elementsize : !is_number(field))
		return NAME_NO_NUMBER;
	if (name->has_index) {
		*size = field->elementsize;
		if (name->number >= field->size / *size)
			return NAME_SHORT;
		*offset += name->number * *size;
	}
	*load = load_of(c, field, *size);
	return *load < 0 ? NAME_NO_NUMBER : NAME_FOUND;
}

static struct value name_value(struct compiler *c, struct filter_node *name)
{
	struct tep_format_field *field = tep_find_any_field(c->event, name->text);
	bool is_signed = field && field->flags & TEP_FIELD_IS_SIGNED;
	struct step step = { .kind = STEP_LOAD, .load = LOAD_CPU };
	struct value v = { .depth = 1 };
	enum filter_found how;
	uint32_t size = 0;
	int load = LOAD_CPU;

	if (field)
		how = locate(c, name, field, &load, &step.offset, &size);
	else if (!strcmp(name->text, "CPU"))
		how = NAME_FOUND;
	else
		how = strcmp(name->text, "COMM") ? NAME_UNKNOWN : NAME_NO_NUMBER;
	found(name, how);
	v.missing = how != NAME_FOUND;
	if (v.missing)
		return v;
	v.sign = is_signed ? SIGN_SIGNED : size == 8 ? SIGN_UNSIGNED : SIGN_EITHER;
	step.load = load;
	add_step(c, step);
	return v;
}

static struct value number_value(struct compiler *c, uint64_t number, enum sign sign)
{
	if (sign == SIGN_EITHER && number > INT64_MAX)
		sign = SIGN_UNSIGNED;
	add_step(c, (struct step){ .kind = STEP_NUMBER, .number = number });
	return (struct value){ .constant = true, .number = number, .sign = sign, .depth = 1 };
}

static enum step_kind step_of(enum filter_op op, enum sign sign)
{
	static const uint8_t steps[][2] = {
		/* signed, unsigned */
		[FILTER_OP_ADD] = { STEP_ADD, STEP_ADD },  [FILTER_OP_SUB] = { STEP_SUB, STEP_SUB },	[FILTER_OP_MUL] = { STEP_MUL, STEP_MUL },
		[FILTER_OP_DIV] = { STEP_DIV, STEP_UDIV }, [FILTER_OP_MOD] = { STEP_MOD, STEP_UMOD },	[FILTER_OP_SHR] = { STEP_SHR, STEP_USHR },
		[FILTER_OP_SHL] = { STEP_SHL, STEP_SHL },  [FILTER_OP_BITAND] = { STEP_AND, STEP_AND }, [FILTER_OP_BITOR] = { STEP_OR, STEP_OR },
		[FILTER_OP_XOR] = { STEP_XOR, STEP_XOR },
	};

	return steps[op][sign == SIGN_UNSIGNED];
}

static enum sign joint_sign(enum filter_op op, enum sign left, enum sign right)
{
	if (op == FILTER_OP_SHL || op == FILTER_OP_SHR)
		return left;
	if (left == SIGN_UNSIGNED || right == SIGN_UNSIGNED)
		return SIGN_UNSIGNED;
	if (left == SIGN_SIGNED || right == SIGN_SIGNED || op == FILTER_OP_SUB)
		return SIGN_SIGNED;
	return SIGN_EITHER;
}

static struct value compile_value(struct compiler *c, struct filter_node *node);

static struct value sign_value(struct compiler *c, struct filter_node *node)
{
	size_t begin = c->programs->steps.n;
	struct value v = compile_value(c, node->left);
	bool neg = node->op == FILTER_OP_NEG;

	if (v.missing)
		return v;
	if (v.constant) {
		c->programs->steps.n = begin;
		return number_value(c, neg ? -v.number : ~v.number, neg ? SIGN_SIGNED : v.sign);
	}
	add_step(c, (struct step){ .kind = neg ? STEP_NEG : STEP_FLIP });
	if (neg && v.sign == SIGN_EITHER)
		v.sign = SIGN_SIGNED;
	return v;
}

static struct value arith_value(struct compiler *c, struct filter_node *node)
{
	size_t begin = c->programs->steps.n;
	struct value left, right, v = { 0 };

	if (!node->right)
		return sign_value(c, node);
	left = compile_value(c, node->left);
	right = compile_value(c, node->right);
	v.missing = left.missing || right.missing;
	v.sign = joint_sign(node->op, left.sign, right.sign);
	v.depth = MAX(left.depth, right.depth + 1);
	if (v.missing)
		return v;
	if (left.constant && right.constant) {
		c->programs->steps.n = begin;
		if (step_binary(step_of(node->op, v.sign), left.number, right.number, &v.number))
			return number_value(c, v.number, v.sign);
		v.missing = true;
		return v;
	}
	add_step(c, (struct step){ .kind = step_of(node->op, v.sign) });
	return v;
}

/* Adds the steps that leave the value on the stack. */
static struct value compile_value(struct compiler *c, struct filter_node *node)
{
	switch (node->kind) {
	case FILTER_NAME:
		return name_value(c, node);
	case FILTER_ARITH:
		return arith_value(c, node);
	default:
		return number_value(c, node->number, SIGN_EITHER);
	}
}

static enum compare compare_of(enum filter_op op, enum sign left, enum sign right)
{
	static const uint8_t compares[] = {
		[FILTER_OP_EQ] = COMPARE_EQ, [FILTER_OP_NE] = COMPARE_NE, [FILTER_OP_LT] = COMPARE_LT,
		[FILTER_OP_LE] = COMPARE_LE, [FILTER_OP_GT] = COMPARE_GT, [FILTER_OP_GE] = COMPARE_GE,
	};
	enum compare how = compares[op];

	if (how >= COMPARE_LT && (left == SIGN_UNSIGNED || right == SIGN_UNSIGNED))
		how += COMPARE_UNSIGNED;
	return how;
}

/* Compiles the comparison @node or, for a single value, whether it is not 0. */
static int32_t compile_numbers(struct compiler *c, struct filter_node *node, int32_t yes, int32_t no)
{
	static const struct filter_node zero = { .kind = FILTER_NUMBER };
	bool compares = node->kind == FILTER_COMPARE;
	struct test test = { .kind = TEST_VALUES, .yes = yes, .no = no, .steps = c->programs->steps.n };
	struct value left, right;
	const struct step *first;

	left = compile_value(c, compares ? node->left : node);
	right = compares ? compile_value(c, node->right) : number_value(c, zero.number, SIGN_EITHER);
	test.compare = compare_of(compares ? node->op : FILTER_OP_NE, left.sign, right.sign);
	test.n = c->programs->steps.n - test.steps;
	if (left.missing || right.missing) {
		c->programs->steps.n = test.steps;
		return no;
	}
	if (left.depth > STACK_MAX || right.depth + 1 > STACK_MAX) {
		filter_fault_set(c->fault, node->at, "this is nested too deeply");
		return no;
	}
	if (c->oom)
		return no;
	first = c->programs->steps.at + test.steps;
	if (left.constant && right.constant) {
		c->programs->steps.n = test.steps;
		return compare_numbers(test.compare, left.number, right.number) ? yes : no;
	}
	if (test.n == 2 && first[0].kind == STEP_LOAD && right.constant) {
		test.kind = TEST_FIELD;
		test.load = first[0].load;
		test.offset = first[0].offset;
		c->programs->steps.n = test.steps;
		test.number = right.number;
	}
	return add_test(c, test);
}

/* Sets what is compared with a text: how the test reads the field. */
static void test_source(struct compiler *c, const struct tep_format_field *field, struct test *test)
{
	test->offset = field->offset;
	test->size = field->size;
	test->load = MAX(load_of(c, field, field->size), 0);
	if (!(field->flags & TEP_FIELD_IS_STRING))
		test->kind = field->flags & (TEP_FIELD_IS_POINTER | TEP_FIELD_IS_LONG) ? TEST_SYMBOL : TEST_DIGITS;
	else if (field->flags & TEP_FIELD_IS_RELATIVE)
		test->kind = TEST_RELATIVE;
	else if (field->flags & TEP_FIELD_IS_DYNAMIC)
		test->kind = TEST_DYNAMIC;
	else
		test->kind = TEST_STRING;
}

static bool is_located(const struct tep_format_field *field)
{
	return field->flags & TEP_FIELD_IS_DYNAMIC;
}

static int32_t compile_text(struct compiler *c, struct filter_node *node, int32_t yes, int32_t no)
{
	struct filter_node *name = node->left;
	struct tep_format_field *field = tep_find_any_field(c->event, name->text);
	struct test test = { .yes = yes, .no = no, .pattern = node->pattern };

	test.negate = node->op == FILTER_OP_NE || node->op == FILTER_OP_NO_MATCH;
	if (field) {
		test_source(c, field, &test);
	} else if (!strcmp(name->text, "COMM")) {
		field = tep_find_common_field(c->event, "common_pid");
		if (!field)
			return no;
		test_source(c, field, &test);
		test.kind = TEST_COMM;
	} else if (!strcmp(name->text, "CPU")) {
		found(name, NAME_FOUND);
		test.kind = TEST_DIGITS;
		test.load = LOAD_CPU;
		return add_test(c, test);
	} else {
		return no;
	}
	if (field->offset < 0 || (test.kind != TEST_STRING && load_of(c, field, field->size) < 0) || (is_located(field) && field->size != 4)) {
		found(name, NAME_NO_NUMBER);
		return no;
	}
	found(name, NAME_FOUND);
	return add_test(c, test);
}

/* Is the comparison with a text? 'x' is the number of that character if the field is a number. */
static bool wants_text(struct compiler *c, const struct filter_node *node)
{
	struct tep_format_field *field;

	if (!node->pattern)
		return false;
	if (!node->right->is_char || node->op == FILTER_OP_MATCH || node->op == FILTER_OP_NO_MATCH)
		return true;
	field = tep_find_any_field(c->event, node->left->text);
	return field ? !is_number(field) : !strcmp(node->left->text, "COMM");
}

static int32_t compile_node(struct compiler *c, struct filter_node *node, int32_t yes, int32_t no)
{
	if (node->kind == FILTER_LOGIC) {
		if (node->op == FILTER_OP_NOT)
			return compile_node(c, node->left, no, yes);
		if (node->op == FILTER_OP_AND)
			return compile_node(c, node->left, compile_node(c, node->right, yes, no), no);
		return compile_node(c, node->left, yes, compile_node(c, node->right, yes, no));
	}
	if (node->kind == FILTER_COMPARE && wants_text(c, node))
		return compile_text(c, node, yes, no);
	return compile_numbers(c, node, yes, no);
}

int filter_compile(struct programs *programs, struct tep_event *event, struct filter_node *root, int32_t yes, int32_t no, int32_t *entry,
		   struct filter_fault *fault)
{
	struct compiler c = { .programs = programs, .event = event, .fault = fault };

	*entry = root ? compile_node(&c, root, yes, no) : yes;
	if (c.oom)
		return -ENOMEM;
	return fault->why.len ? -EINVAL : 0;
}

void programs_fini(struct programs *programs)
{
	vec_fini(&programs->entries);
	vec_fini(&programs->tests);
	vec_fini(&programs->steps);
}

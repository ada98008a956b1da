/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the print format of an event: a quoted text and the arguments of its conversions, which are expressions as in C. Unknown parts that libtraceevent
 * reads without harm, such as functions, are accepted; libtraceevent itself reports that it does not know them.
 */
#include "lib/event/vet-lexer.h"

#include <ctype.h>

enum { MOST_DEPTH = 48, MOST_OPS = 400, MOST_WORDS = 8, MOST_DIGITS = 4, MOST_CONVERSION = 28 };

static bool count_op(struct lexer *lex)
{
	return ++lex->ops <= MOST_OPS || vet_refuse(lex, "an expression in it is far too long", false);
}

/* --- divisors ------------------------------------------------------------------------------------ */

/* Is the token a number that is not 0, and small enough that a product of a few such numbers does not overflow to 0? */
static bool is_safe_number(const struct lexer *lex)
{
	unsigned long long value;
	char digits[16] = "";

	if (lex->kind != ITEM || !isdigit((unsigned char)*lex->token.at) || lex->token.size >= sizeof(digits))
		return false;
	memcpy(digits, lex->token.at, lex->token.size);
	value = strtoull(digits, NULL, 0);
	return value && value <= 1000000000;
}

static void skip_cast(struct lexer *lex)
{
	struct lexer ahead = *lex;

	if (ahead.kind != ITEM || isdigit((unsigned char)*ahead.token.at) || vet_is(&ahead, "REC"))
		return;
	while (ahead.kind == ITEM || vet_is_op(&ahead, "*"))
		vet_next(&ahead);
	if (ahead.kind != CLOSE)
		return;
	vet_next(&ahead);
	*lex = ahead;
}

/*
 * libtraceevent evaluates constants from the right while it reads, and crashes when it divides by zero. So the operand after / or % must begin with something
 * from the record, or be a number that is not 0 and stays so.
 */
static bool vet_divisor(const struct lexer *lex)
{
	struct vetted unused = *lex->vetted;
	struct lexer ahead = *lex;
	int open = 0;
	bool sized;

	ahead.vetted = &unused;
	while (ahead.kind == OPEN) {
		vet_next(&ahead);
		open++;
		if (ahead.kind == ITEM) {
			const char *before = ahead.token.at;

			skip_cast(&ahead);
			open -= ahead.token.at != before;
		}
	}
	sized = ahead.kind == ITEM && vet_is(&ahead, "sizeof");
	if (ahead.kind != ITEM || vet_is(&ahead, "REC"))
		return ahead.kind == ITEM;
	if (!sized && !isdigit((unsigned char)*ahead.token.at)) {
		vet_next(&ahead);
		return ahead.kind == OPEN;
	}
	if (sized) {
		vet_next(&ahead);
		if (ahead.kind != OPEN)
			return false;
		vet_next(&ahead);
		if (vet_is(&ahead, "REC"))
			return false;
		while (ahead.kind == ITEM)
			vet_next(&ahead);
		open++;
	} else if (!is_safe_number(&ahead)) {
		return false;
	} else {
		vet_next(&ahead);
	}
	for (; open && ahead.kind == CLOSE; open--)
		vet_next(&ahead);
	return !open && !vet_is_op(&ahead, "*") && !vet_is_op(&ahead, "/") && !vet_is_op(&ahead, "%");
}

/* --- expressions ---------------------------------------------------------------------------------- */

static bool expression(struct lexer *lex);

static bool vet_field_name(struct lexer *lex)
{
	if (lex->kind != ITEM)
		return vet_fault(lex);
	vec_each (lex->fields, field) {
		if (field->size == lex->token.size && !memcmp(field->at, lex->token.at, field->size)) {
			vet_next(lex);
			return true;
		}
	}
	return vet_refuse(lex, "its print format names a field that the event does not have", false);
}

/* Reads { VALUE, "TEXT" }, ... */
static bool entries(struct lexer *lex)
{
	while (vet_is_op(lex, "{")) {
		vet_next(lex);
		lex->ops = 0;
		if (!expression(lex) || !vet_expect(lex, COMMA) || !expression(lex) || !vet_expect_op(lex, "}"))
			return false;
		if (lex->kind != COMMA)
			break;
		vet_next(lex);
	}
	return true;
}

static bool flags(struct lexer *lex)
{
	if (!expression(lex) || !vet_expect(lex, COMMA))
		return false;
	if (lex->kind != STRING && lex->kind != ITEM)
		return vet_fault(lex);
	vet_next(lex);
	return vet_expect(lex, COMMA) && entries(lex);
}

static bool symbolic(struct lexer *lex)
{
	return expression(lex) && vet_expect(lex, COMMA) && entries(lex);
}

static bool field_word(struct lexer *lex)
{
	return vet_expect(lex, ITEM);
}

static bool size_of(struct lexer *lex)
{
	if (lex->kind == ITEM && vet_is(lex, "REC"))
		return expression(lex);
	for (int words = 0; lex->kind == ITEM && words < MOST_WORDS; words++)
		vet_next(lex);
	return lex->kind == CLOSE || vet_refuse(lex, "its print format has a sizeof of something unusual", false);
}

static bool arguments(struct lexer *lex)
{
	if (lex->kind == CLOSE)
		return true;
	while (expression(lex)) {
		if (lex->kind != COMMA)
			return true;
		vet_next(lex);
	}
	return false;
}

/* The functions whose arguments have a form of their own. The arguments of all other functions are expressions. */
static const struct function {
	const char *name;
	bool (*vet)(struct lexer *lex);
} functions[] = {
	{ "__print_flags", flags },
	{ "__print_symbolic", symbolic },
	{ "sizeof", size_of },
	{ "__get_str", field_word },
	{ "__get_rel_str", field_word },
	{ "__get_bitmask", field_word },
	{ "__get_rel_bitmask", field_word },
	{ "__get_cpumask", field_word },
	{ "__get_rel_cpumask", field_word },
	{ "__get_dynamic_array", field_word },
	{ "__get_rel_dynamic_array", field_word },
	{ "__get_sockaddr", field_word },
	{ "__get_sockaddr_rel", field_word },
	{ "__get_dynamic_array_len", field_word },
	{ "__get_rel_dynamic_array_len", field_word },
};

/* Reads a call after its name and the opening bracket. */
static bool call(struct lexer *lex, const struct text *name)
{
	bool (*vet)(struct lexer * lex) = arguments;

	for (size_t i = 0; i < ARRAY_LEN(functions); i++)
		if (strlen(functions[i].name) == name->size && !memcmp(functions[i].name, name->at, name->size))
			vet = functions[i].vet;
	return vet(lex) && vet_expect(lex, CLOSE);
}

static bool words(struct lexer *lex)
{
	struct text name = lex->token;

	if (vet_is(lex, "REC")) {
		vet_next(lex);
		return vet_expect_op(lex, "->") && vet_field_name(lex);
	}
	vet_next(lex);
	if (lex->kind == OPEN) {
		vet_next(lex);
		return call(lex, &name);
	}
	for (int n = 1; lex->kind == ITEM; n++) {
		if (n == MOST_WORDS || vet_is(lex, "REC"))
			return vet_fault(lex);
		vet_next(lex);
	}
	return true;
}

static bool operand(struct lexer *lex);

/* Reads what follows an opening bracket: "(REC)->field", "(TYPE *)OPERAND", or an expression in brackets. */
static bool group(struct lexer *lex)
{
	struct lexer ahead = *lex;
	bool is_type;

	if (vet_is(lex, "REC")) {
		vet_next(&ahead);
		if (ahead.kind == CLOSE) {
			*lex = ahead;
			vet_next(lex);
			return vet_expect_op(lex, "->") && vet_field_name(lex);
		}
		ahead = *lex;
	}
	while (ahead.kind == ITEM)
		vet_next(&ahead);
	if (vet_is_op(&ahead, "*"))
		vet_next(&ahead);
	is_type = lex->kind == ITEM && ahead.kind == CLOSE;
	if (is_type)
		*lex = ahead;
	else if (!expression(lex))
		return false;
	if (!vet_expect(lex, CLOSE))
		return false;
	if (lex->kind != ITEM && lex->kind != STRING && lex->kind != CHARACTER && lex->kind != OPEN)
		return true;
	return is_type ? operand(lex) : vet_fault(lex);
}

/* After the ] of an index and the last part of a ?: operator, libtraceevent assumes that the next operator has a precedence. Refuses one that has none. */
static bool goes_on(struct lexer *lex)
{
	static const char *const others[] = { "[", "]", "}", "^" };

	return lex->kind != OP || !vet_is_one_of(lex, others, ARRAY_LEN(others)) || vet_fault(lex);
}

static bool index_of(struct lexer *lex)
{
	if (!vet_is_op(lex, "["))
		return true;
	vet_next(lex);
	return expression(lex) && vet_expect_op(lex, "]") && goes_on(lex);
}

static bool operand(struct lexer *lex)
{
	static const char *const unary[] = { "!", "~", "-", "+" };
	bool passes;

	if (++lex->depth > MOST_DEPTH)
		return vet_refuse(lex, "an expression in it is nested too deeply", false);
	while (lex->kind == OP && vet_is_one_of(lex, unary, ARRAY_LEN(unary))) {
		if (!count_op(lex))
			return false;
		vet_next(lex);
	}
	switch (lex->kind) {
	case ITEM:
		passes = words(lex);
		break;
	case STRING:
	case CHARACTER:
		vet_next(lex);
		passes = true;
		break;
	case OPEN:
		vet_next(lex);
		passes = group(lex);
		break;
	default:
		passes = vet_fault(lex);
	}
	lex->depth--;
	return passes;
}

static bool binary(struct lexer *lex)
{
	static const char *const ops[] = { "+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "<<", ">>", "<", ">", "<=", ">=", "==", "!=" };
	bool divides = vet_is(lex, "/") || vet_is(lex, "%");

	if (!vet_is_one_of(lex, ops, ARRAY_LEN(ops)))
		return false;
	vet_next(lex);
	if (divides && !vet_divisor(lex))
		return vet_refuse(lex, "its print format may divide by zero", false);
	return count_op(lex);
}

/* Reads an expression. The precedence of its operators does not matter here. */
static bool expression(struct lexer *lex)
{
	if (++lex->depth > MOST_DEPTH)
		return vet_refuse(lex, "an expression in it is nested too deeply", false);
	if (!operand(lex) || !index_of(lex))
		return false;
	while (lex->kind == OP) {
		if (vet_is(lex, "?")) {
			vet_next(lex);
			if (!count_op(lex) || !expression(lex) || !vet_expect_op(lex, ":") || !operand(lex) || !goes_on(lex))
				return false;
			continue;
		}
		if (vet_is(lex, ":") || vet_is(lex, "]") || vet_is(lex, "}"))
			break;
		if (!binary(lex))
			return vet_fault(lex);
		if (!operand(lex) || !index_of(lex))
			return false;
	}
	lex->depth--;
	return lex->kind != BAD;
}

/* Refuses conversions with a length that no kernel uses. */
static bool vet_conversions(struct lexer *lex)
{
	const char *at = lex->token.at, *end = at + lex->token.size;

	while ((at = memchr(at, '%', (size_t)(end - at)))) {
		const char *from = at++;
		int digits = 0;

		for (; at < end && strchr("-+ #.*0123456789hlLzZ", *at); at++) {
			digits = isdigit((unsigned char)*at) ? digits + 1 : 0;
			if (digits > MOST_DIGITS || at - from > MOST_CONVERSION)
				return vet_refuse(lex, "its print format has a conversion of an absurd length", true);
		}
		at += at < end;
	}
	return true;
}

bool vet_print(const struct text *print, const names_t *fields, struct vetted *vetted)
{
	/* Old kernels have these names of macros in the place of a text. */
	static const char *const texts[] = { "LOCAL_PR_FMT", "STA_PR_FMT", "VIF_PR_FMT" };
	struct lexer lex = { .at = print->at, .end = print->at + print->size, .fields = fields, .vetted = vetted };

	vet_next(&lex);
	if (lex.kind == END) /* some kernels write this */
		return vet_refuse(&lex, "it has no print format", false);
	if (lex.kind != STRING && !vet_is_one_of(&lex, texts, ARRAY_LEN(texts)))
		return vet_fault(&lex);
	while (lex.kind == STRING || vet_is_one_of(&lex, texts, ARRAY_LEN(texts))) {
		if (!vet_conversions(&lex))
			return false;
		vet_next(&lex);
	}
	while (lex.kind == COMMA) {
		vet_next(&lex);
		lex.ops = 0;
		if (!expression(&lex))
			return false;
	}
	return lex.kind == END || vet_fault(&lex);
}

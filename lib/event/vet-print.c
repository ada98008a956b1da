/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The print format of an event: a text in quotes and the arguments of its conversions, which are expressions like C's. What
 * libtraceevent reads without harm although it does not know it (functions, say) passes; it says itself that it cannot.
 */
#include "lib/event/vet.h"

#include <ctype.h>

enum { MOST_DEPTH = 48, MOST_OPS = 400, MOST_WORDS = 8, MOST_DIGITS = 4, MOST_CONVERSION = 28 };

enum kind { END, ITEM, STRING, CHARACTER, OP, OPEN, CLOSE, COMMA, BAD };

/* The next token is always known: all that is read before the decision what it is. */
struct lexer {
	const char *at, *end;	/* behind the token */
	enum kind kind;
	struct text token;
	const names_t *fields;
	struct vetted *vetted;
	int depth, ops;
};

/* Beyond what is read here, or (@damaged) nothing that a kernel writes. */
static bool refuse(struct lexer *lex, const char *why, bool damaged)
{
	if (!lex->vetted->why) {
		lex->vetted->why = why;
		lex->vetted->damaged = damaged;
	}
	lex->kind = BAD;
	return false;
}

/* --- tokens -------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static bool is_text(char c)
{
	return (c >= ' ' && c <= '~') || c == '\n' || c == '\t';
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Behind the opening quote: to behind the closing one. */
static bool quoted(struct lexer *lex, char quote)
{
	for (; lex->at < lex->end; lex->at++) {
		if (!is_text(*lex->at))
			return refuse(lex, "it has bytes that are no text", true);
		if (*lex->at == quote) {
			lex->at++;
			return true;
		}
		if (*lex->at != '\\')
			continue;
		/* libtraceevent takes the quote in \\" for a part of the text. */
		if (lex->end - lex->at > 2 && lex->at[1] == '\\' && (lex->at[2] == quote || lex->at[2] == '\\'))
			return refuse(lex, "it has a backslash at the end of a text", false);
		if (lex->end - lex->at > 1 && is_text(lex->at[1]))
			lex->at++;
	}
	return refuse(lex, "a text in it has no end", true);
}

/* Texts that stand side by side are one. */
static bool string(struct lexer *lex)
{
	for (;;) {
		const char *next;

		lex->at++;
		if (!quoted(lex, '"'))
			return false;
		for (next = lex->at; next < lex->end && is_space(*next);)
			next++;
		if (next == lex->end || *next != '"')
			return true;
		lex->at = next;
	}
}

/* As libtraceevent joins characters to operators. */
static void operator(struct lexer *lex)
{
	static const char *const longer[] = { "->", "<<", ">>", "&&", "||", "++", "--", "<=", ">=", "==", "!=",
					      "+=", "-=", "&=", "|=" };

	lex->kind = OP;
	lex->at++;
	for (size_t i = 0; lex->at < lex->end && i < ARRAY_LEN(longer); i++) {
		if (lex->at[-1] == longer[i][0] && lex->at[0] == longer[i][1]) {
			lex->at++;
			break;
		}
	}
}

static void punctuation(struct lexer *lex)
{
	char c = *lex->at;

	if (c == '(' || c == ')' || c == ',') {
		lex->kind = c == '(' ? OPEN : c == ')' ? CLOSE : COMMA;
		lex->at++;
	} else if (c == '"') {
		lex->kind = STRING;
		string(lex);
	} else if (c == '\'') {
		lex->kind = CHARACTER;
		lex->at++;
		if (quoted(lex, '\'') && (lex->at - lex->token.at > 4 || lex->at - lex->token.at < 3))
			refuse(lex, "it has more than one character in single quotes", true);
	} else if (is_text(c)) {
		operator(lex);
	} else {
		refuse(lex, "it has bytes that are no text", true);
	}
}

static void next(struct lexer *lex)
{
	bool newline = false;

	for (; lex->at < lex->end && is_space(*lex->at); lex->at++)
		newline |= *lex->at == '\n';
	lex->token = (struct text){ (char *)lex->at, 0 };
	if (lex->at == lex->end) {
		lex->kind = END;
		return;
	}
	if (newline) {
		refuse(lex, "something stands behind its print format", true);
		return;
	}
	if (is_word(*lex->at)) {
		lex->kind = ITEM;
		while (lex->at < lex->end && is_word(*lex->at))
			lex->at++;
	} else {
		punctuation(lex);
	}
	lex->token.size = (size_t)(lex->at - lex->token.at);
}

static bool is(const struct lexer *lex, const char *token)
{
	return lex->token.size == strlen(token) && !memcmp(lex->token.at, token, lex->token.size);
}

static bool is_op(const struct lexer *lex, const char *op)
{
	return lex->kind == OP && is(lex, op);
}

static bool is_one_of(const struct lexer *lex, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is(lex, list[i]))
			return true;
	return false;
}

/* Some kernels have statements of C in their formats. */
static bool fault(struct lexer *lex)
{
	bool ended = lex->kind == END;

	return refuse(lex, ended ? "its print format breaks off" : "its print format has something unusual", ended);
}

static bool expect(struct lexer *lex, enum kind kind)
{
	if (lex->kind != kind)
		return fault(lex);
	next(lex);
	return true;
}

static bool expect_op(struct lexer *lex, const char *op)
{
	if (!is_op(lex, op))
		return fault(lex);
	next(lex);
	return true;
}

static bool count_op(struct lexer *lex)
{
	return ++lex->ops <= MOST_OPS || refuse(lex, "an expression in it is far too long", false);
}

/* --- divisors ------------------------------------------------------------------------------------ */

/* A number that is not 0, and so small that no product of a few of them is. */
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

	if (ahead.kind != ITEM || isdigit((unsigned char)*ahead.token.at) || is(&ahead, "REC"))
		return;
	while (ahead.kind == ITEM || is_op(&ahead, "*"))
		next(&ahead);
	if (ahead.kind != CLOSE)
		return;
	next(&ahead);
	*lex = ahead;
}

/*
 * libtraceevent works out what is constant while it reads, from the right, and dies when it divides by zero. So what is behind a
 * / or % must begin with something of the record, or be a number that is not 0 and stays so.
 */
static bool vet_divisor(const struct lexer *lex)
{
	struct vetted unused = *lex->vetted;
	struct lexer ahead = *lex;
	int open = 0;
	bool sized;

	ahead.vetted = &unused;
	while (ahead.kind == OPEN) {
		next(&ahead);
		open++;
		if (ahead.kind == ITEM) {
			const char *before = ahead.token.at;

			skip_cast(&ahead);
			open -= ahead.token.at != before;
		}
	}
	sized = ahead.kind == ITEM && is(&ahead, "sizeof");
	if (ahead.kind != ITEM || is(&ahead, "REC"))
		return ahead.kind == ITEM;
	if (!sized && !isdigit((unsigned char)*ahead.token.at)) {
		next(&ahead);
		return ahead.kind == OPEN;
	}
	if (sized) {
		next(&ahead);
		if (ahead.kind != OPEN)
			return false;
		next(&ahead);
		if (is(&ahead, "REC"))
			return false;
		while (ahead.kind == ITEM)
			next(&ahead);
		open++;
	} else if (!is_safe_number(&ahead)) {
		return false;
	} else {
		next(&ahead);
	}
	for (; open && ahead.kind == CLOSE; open--)
		next(&ahead);
	return !open && !is_op(&ahead, "*") && !is_op(&ahead, "/") && !is_op(&ahead, "%");
}

/* --- expressions ---------------------------------------------------------------------------------- */

static bool expression(struct lexer *lex);

static bool vet_field_name(struct lexer *lex)
{
	if (lex->kind != ITEM)
		return fault(lex);
	vec_each (lex->fields, field) {
		if (field->size == lex->token.size && !memcmp(field->at, lex->token.at, field->size)) {
			next(lex);
			return true;
		}
	}
	return refuse(lex, "its print format names a field that it has not", false);
}

/* "{ VALUE, "TEXT" }, …" */
static bool entries(struct lexer *lex)
{
	while (is_op(lex, "{")) {
		next(lex);
		lex->ops = 0;
		if (!expression(lex) || !expect(lex, COMMA) || !expression(lex) || !expect_op(lex, "}"))
			return false;
		if (lex->kind != COMMA)
			break;
		next(lex);
	}
	return true;
}

static bool flags(struct lexer *lex)
{
	if (!expression(lex) || !expect(lex, COMMA))
		return false;
	if (lex->kind != STRING && lex->kind != ITEM)
		return fault(lex);
	next(lex);
	return expect(lex, COMMA) && entries(lex);
}

static bool symbolic(struct lexer *lex)
{
	return expression(lex) && expect(lex, COMMA) && entries(lex);
}

static bool field_word(struct lexer *lex)
{
	return expect(lex, ITEM);
}

static bool size_of(struct lexer *lex)
{
	if (lex->kind == ITEM && is(lex, "REC"))
		return expression(lex);
	for (int words = 0; lex->kind == ITEM && words < MOST_WORDS; words++)
		next(lex);
	return lex->kind == CLOSE || refuse(lex, "its print format has a sizeof of something unusual", false);
}

static bool arguments(struct lexer *lex)
{
	if (lex->kind == CLOSE)
		return true;
	while (expression(lex)) {
		if (lex->kind != COMMA)
			return true;
		next(lex);
	}
	return false;
}

/* What stands in the brackets of a function; of others, expressions. */
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

/* Behind its name and the opening bracket. */
static bool call(struct lexer *lex, const struct text *name)
{
	bool (*vet)(struct lexer *lex) = arguments;

	for (size_t i = 0; i < ARRAY_LEN(functions); i++)
		if (strlen(functions[i].name) == name->size && !memcmp(functions[i].name, name->at, name->size))
			vet = functions[i].vet;
	return vet(lex) && expect(lex, CLOSE);
}

static bool words(struct lexer *lex)
{
	struct text name = lex->token;

	if (is(lex, "REC")) {
		next(lex);
		return expect_op(lex, "->") && vet_field_name(lex);
	}
	next(lex);
	if (lex->kind == OPEN) {
		next(lex);
		return call(lex, &name);
	}
	for (int n = 1; lex->kind == ITEM; n++) {
		if (n == MOST_WORDS || is(lex, "REC"))
			return fault(lex);
		next(lex);
	}
	return true;
}

static bool operand(struct lexer *lex);

/* Behind an opening bracket: "(REC)->field", "(TYPE *)OPERAND", or an expression in brackets. */
static bool group(struct lexer *lex)
{
	struct lexer ahead = *lex;
	bool is_type;

	if (is(lex, "REC")) {
		next(&ahead);
		if (ahead.kind == CLOSE) {
			*lex = ahead;
			next(lex);
			return expect_op(lex, "->") && vet_field_name(lex);
		}
		ahead = *lex;
	}
	while (ahead.kind == ITEM)
		next(&ahead);
	if (is_op(&ahead, "*"))
		next(&ahead);
	is_type = lex->kind == ITEM && ahead.kind == CLOSE;
	if (is_type)
		*lex = ahead;
	else if (!expression(lex))
		return false;
	if (!expect(lex, CLOSE))
		return false;
	if (lex->kind != ITEM && lex->kind != STRING && lex->kind != CHARACTER && lex->kind != OPEN)
		return true;
	return is_type ? operand(lex) : fault(lex);
}

/* Behind the ] of an index and the last part of a choice libtraceevent trusts that the next operator has a precedence. */
static bool goes_on(struct lexer *lex)
{
	static const char *const others[] = { "[", "]", "}", "^" };

	return lex->kind != OP || !is_one_of(lex, others, ARRAY_LEN(others)) || fault(lex);
}

static bool index_of(struct lexer *lex)
{
	if (!is_op(lex, "["))
		return true;
	next(lex);
	return expression(lex) && expect_op(lex, "]") && goes_on(lex);
}

static bool operand(struct lexer *lex)
{
	static const char *const unary[] = { "!", "~", "-", "+" };
	bool passes;

	if (++lex->depth > MOST_DEPTH)
		return refuse(lex, "an expression in it is nested too deeply", false);
	while (lex->kind == OP && is_one_of(lex, unary, ARRAY_LEN(unary))) {
		if (!count_op(lex))
			return false;
		next(lex);
	}
	switch (lex->kind) {
	case ITEM:
		passes = words(lex);
		break;
	case STRING:
	case CHARACTER:
		next(lex);
		passes = true;
		break;
	case OPEN:
		next(lex);
		passes = group(lex);
		break;
	default:
		passes = fault(lex);
	}
	lex->depth--;
	return passes;
}

static bool binary(struct lexer *lex)
{
	static const char *const ops[] = { "+", "-", "*", "/", "%", "&", "|", "^", "&&", "||", "<<", ">>", "<", ">",
					   "<=", ">=", "==", "!=" };
	bool divides = is(lex, "/") || is(lex, "%");

	if (!is_one_of(lex, ops, ARRAY_LEN(ops)))
		return false;
	next(lex);
	if (divides && !vet_divisor(lex))
		return refuse(lex, "its print format may divide by zero", false);
	return count_op(lex);
}

/* The precedence of operators is not of interest. */
static bool expression(struct lexer *lex)
{
	if (++lex->depth > MOST_DEPTH)
		return refuse(lex, "an expression in it is nested too deeply", false);
	if (!operand(lex) || !index_of(lex))
		return false;
	while (lex->kind == OP) {
		if (is(lex, "?")) {
			next(lex);
			if (!count_op(lex) || !expression(lex) || !expect_op(lex, ":") || !operand(lex) || !goes_on(lex))
				return false;
			continue;
		}
		if (is(lex, ":") || is(lex, "]") || is(lex, "}"))
			break;
		if (!binary(lex))
			return fault(lex);
		if (!operand(lex) || !index_of(lex))
			return false;
	}
	lex->depth--;
	return lex->kind != BAD;
}

/* No conversion asks for a length that no kernel would. */
static bool vet_conversions(struct lexer *lex)
{
	const char *at = lex->token.at, *end = at + lex->token.size;

	while ((at = memchr(at, '%', (size_t)(end - at)))) {
		const char *from = at++;
		int digits = 0;

		for (; at < end && strchr("-+ #.*0123456789hlLzZ", *at); at++) {
			digits = isdigit((unsigned char)*at) ? digits + 1 : 0;
			if (digits > MOST_DIGITS || at - from > MOST_CONVERSION)
				return refuse(lex, "its print format has a conversion of an absurd length", true);
		}
		at += at < end;
	}
	return true;
}

bool vet_print(const struct text *print, const names_t *fields, struct vetted *vetted)
{
	/* Old kernels have these instead of a text. */
	static const char *const texts[] = { "LOCAL_PR_FMT", "STA_PR_FMT", "VIF_PR_FMT" };
	struct lexer lex = { .at = print->at, .end = print->at + print->size, .fields = fields, .vetted = vetted };

	next(&lex);
	if (lex.kind == END)	/* kernels do write that */
		return refuse(&lex, "it has no print format", false);
	if (lex.kind != STRING && !is_one_of(&lex, texts, ARRAY_LEN(texts)))
		return fault(&lex);
	while (lex.kind == STRING || is_one_of(&lex, texts, ARRAY_LEN(texts))) {
		if (!vet_conversions(&lex))
			return false;
		next(&lex);
	}
	while (lex.kind == COMMA) {
		next(&lex);
		lex.ops = 0;
		if (!expression(&lex))
			return false;
	}
	return lex.kind == END || fault(&lex);
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Splits a print format into tokens. */
#include "lib/event/vet-lexer.h"

#include <ctype.h>

bool vet_refuse(struct lexer *lex, const char *why, bool damaged)
{
	if (!lex->vetted->why) {
		lex->vetted->why = why;
		lex->vetted->damaged = damaged;
	}
	lex->kind = BAD;
	return false;
}

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

/* Reads from behind the opening quote to behind the closing one. */
static bool quoted(struct lexer *lex, char quote)
{
	for (; lex->at < lex->end; lex->at++) {
		if (!is_text(*lex->at))
			return vet_refuse(lex, "it has bytes that are no text", true);
		if (*lex->at == quote) {
			lex->at++;
			return true;
		}
		if (*lex->at != '\\')
			continue;
		/* In \\", libtraceevent takes the quote for a part of the text. */
		if (lex->end - lex->at > 2 && lex->at[1] == '\\' && (lex->at[2] == quote || lex->at[2] == '\\'))
			return vet_refuse(lex, "it has a backslash at the end of a text", false);
		if (lex->end - lex->at > 1 && is_text(lex->at[1]))
			lex->at++;
	}
	return vet_refuse(lex, "a text in it has no end", true);
}

/* Reads a text. Texts side by side become one. */
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

/* Reads an operator. Characters are joined as libtraceevent joins them. */
static void operator(struct lexer *lex)
{
	static const char *const longer[] = { "->", "<<", ">>", "&&", "||", "++", "--", "<=", ">=", "==", "!=", "+=", "-=", "&=", "|=" };

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
			vet_refuse(lex, "it has more than one character in single quotes", true);
	} else if (is_text(c)) {
		operator(lex);
	} else {
		vet_refuse(lex, "it has bytes that are no text", true);
	}
}

void vet_next(struct lexer *lex)
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
		vet_refuse(lex, "something stands behind its print format", true);
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

bool vet_is(const struct lexer *lex, const char *token)
{
	return lex->token.size == strlen(token) && !memcmp(lex->token.at, token, lex->token.size);
}

bool vet_is_op(const struct lexer *lex, const char *op)
{
	return lex->kind == OP && vet_is(lex, op);
}

bool vet_is_one_of(const struct lexer *lex, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (vet_is(lex, list[i]))
			return true;
	return false;
}

/* Refuses the format. Some kernels have C statements in formats, so this need not mean damage. */
bool vet_fault(struct lexer *lex)
{
	bool ended = lex->kind == END;

	return vet_refuse(lex, ended ? "its print format breaks off" : "its print format has something unusual", ended);
}

bool vet_expect(struct lexer *lex, enum kind kind)
{
	if (lex->kind != kind)
		return vet_fault(lex);
	vet_next(lex);
	return true;
}

bool vet_expect_op(struct lexer *lex, const char *op)
{
	if (!vet_is_op(lex, op))
		return vet_fault(lex);
	vet_next(lex);
	return true;
}

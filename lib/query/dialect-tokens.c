/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"
#include "lib/query/dialect-inside.h"

#include <ctype.h>

void tokens_fini(tokens_t *tokens)
{
	vec_each (tokens, token)
		free(token->text);
	vec_fini(tokens);
}

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

/* Returns the place after white space and comments. */
static size_t skip_blank(const char *sql, size_t at)
{
	for (;;) {
		const size_t before = at;

		at += strspn(sql + at, " \t\r\n\f");
		if (sql[at] == '-' && sql[at + 1] == '-')
			at += strcspn(sql + at, "\n");
		if (sql[at] == '/' && sql[at + 1] == '*') {
			const char *end = strstr(sql + at + 2, "*/");

			at = end ? (size_t)(end + 2 - sql) : at + strlen(sql + at);
		}
		if (at == before)
			return at;
	}
}

/* Reads a quoted text; a doubled quotation mark in it stands for one. Returns where it ends, or 0 if it has no end. */
static size_t read_quoted(const char *sql, size_t at, struct str *text)
{
	const char mark = sql[at] == '[' ? ']' : sql[at];

	for (at++; sql[at]; at++) {
		if (sql[at] != mark) {
			str_addc(text, sql[at]);
			continue;
		}
		if (sql[at + 1] != mark || mark == ']')
			return at + 1;
		str_addc(text, sql[at++]);
	}
	return 0;
}

static size_t read_sign(const char *sql, size_t at)
{
	static const char *const longer[] = { "||", "<=", ">=", "<>", "!=", "==", "<<", ">>", "->" };

	for (size_t i = 0; i < ARRAY_LEN(longer); i++)
		if (strncmp(sql + at, longer[i], 2) == 0)
			return at + 2;
	return at + 1;
}

static size_t read_number(const char *sql, size_t at)
{
	while (isalnum((unsigned char)sql[at]) || sql[at] == '.' || (strchr("+-", sql[at]) && sql[at] && strchr("eE", sql[at - 1])))
		at++;
	return at;
}

int tokens_read(const char *sql, tokens_t *out)
{
	for (size_t at = skip_blank(sql, 0), end; sql[at]; at = skip_blank(sql, end)) {
		struct token token = { .at = at };
		struct str text = { 0 };

		if (strchr("'\"`[", sql[at])) {
			token.kind = sql[at] == '\'' ? TOKEN_STRING : TOKEN_NAME;
			end = read_quoted(sql, at, &text);
			if (!end) {
				str_fini(&text);
				return fail(EINVAL, "sql: what begins with %c is not closed: %.*s", sql[at], prec(MIN(strlen(sql + at), 40)), sql + at);
			}
		} else if (isdigit((unsigned char)sql[at]) || (sql[at] == '.' && isdigit((unsigned char)sql[at + 1]))) {
			token.kind = TOKEN_NUMBER;
			end = read_number(sql, at);
		} else if (is_part(sql[at])) {
			for (end = at; is_part(sql[end]);)
				end++;
		} else {
			token.kind = TOKEN_SIGN;
			end = read_sign(sql, at);
		}
		token.end = end;
		if (token.kind == TOKEN_STRING || token.kind == TOKEN_NAME)
			token.text = text.len ? str_take(&text) : strdup("");
		else
			token.text = strndup(sql + at, end - at);
		str_fini(&text);
		if (!token.text || vec_push(out, token)) {
			free(token.text);
			return -ENOMEM;
		}
	}
	return 0;
}

size_t tokens_close(const tokens_t *tokens, size_t open, size_t to)
{
	unsigned int depth = 0;

	for (size_t i = open; i < to; i++) {
		depth += token_is(&tokens->at[i], "(");
		depth -= token_is(&tokens->at[i], ")");
		if (!depth)
			return i;
	}
	return to;
}

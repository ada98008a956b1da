/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what the source files of the translation share. The translation turns a query in SQLite's SQL into a query in ClickHouse's SQL
 * (lib/query/dialect.h). Only lib/query uses this header.
 */
#ifndef RINGSIDE_QUERY_DIALECT_INSIDE_H
#define RINGSIDE_QUERY_DIALECT_INSIDE_H

#include "lib/query/dialect.h"

enum token_kind {
	TOKEN_WORD,   /* a keyword, or a name without quotation marks */
	TOKEN_NAME,   /* a name in "", `` or [] */
	TOKEN_STRING, /* a text in '' */
	TOKEN_NUMBER,
	TOKEN_SIGN, /* an operator, a parenthesis or a comma */
};

struct token {
	enum token_kind kind;
	char *text;	/* owned; a name or a string is here without its quotation marks */
	size_t at, end; /* the offsets in the query at which the token begins and ends */
};
typedef VEC(struct token) tokens_t;

/* A part of the tokens: the tokens with the indices from .from to .to - 1. */
struct part {
	size_t from, to;
};

struct dialect {
	const char *sql;
	tokens_t tokens;
	const strv_t *columns; /* the columns of all tables, as "table.column" */
	const strv_t *here;    /* the columns of the tables of the SELECT that is being translated; NULL: none */
	const strv_t *aliases; /* the aliases of that SELECT; NULL: none */
};

/* Cuts @sql into tokens. Returns 0 or -ENOMEM. When a quoted text or name is not closed, returns -EINVAL after a message. */
int tokens_read(const char *sql, tokens_t *out);
void tokens_fini(tokens_t *tokens);

static inline bool token_is(const struct token *token, const char *word)
{
	return token->kind != TOKEN_STRING && token->kind != TOKEN_NAME && strcasecmp(token->text, word) == 0;
}

/* Returns true if the token can be a name, with or without quotation marks. */
static inline bool token_names(const struct token *token)
{
	return token->kind == TOKEN_WORD || token->kind == TOKEN_NAME;
}

/* Returns the index of the token that closes the parenthesis at @open. Returns @to when no token before @to closes this parenthesis. */
size_t tokens_close(const tokens_t *tokens, size_t open, size_t to);

/*
 * Appends the translation of the expression @part. Returns 0, -EINVAL after a message, or -ENOMEM. When memory runs out, the function may set out->oom and
 * return 0 instead of returning -ENOMEM.
 */
int dialect_expression(const struct dialect *d, struct part part, struct str *out);

/*
 * Appends the translation of a SELECT, or of several SELECTs with UNION ALL between them. A UNION without ALL is refused. The translation gives each column an
 * alias with a mark in front (dialect_alias()). A * gets no alias. @inner is true if this SELECT stands in the FROM of an outer SELECT. If @inner is true, the
 * columns have names without the mark, because the outer SELECT uses these names. If an inner SELECT has a *, all its other columns keep the aliases with the
 * mark. Returns what dialect_expression() returns.
 */
int dialect_select(const struct dialect *d, struct part part, bool inner, struct str *out);

/* Appends the translation of FROM and the tables that stand behind it, with their joins. Returns what dialect_expression() returns. */
int dialect_from(const struct dialect *d, struct part part, struct str *out);

/*
 * Appends the translation of a call of the function @name with the arguments @args. @where is the condition of the call's FILTER, or NULL when the call
 * has no FILTER. Returns what dialect_expression() returns.
 */
int dialect_function(const char *name, const strv_t *args, const char *where, struct str *out);

/*
 * Appends the alias @name with a mark in front. If an alias and a column have the same name, this name means the alias in ClickHouse, and in most cases the
 * column in SQLite. With the mark, the alias and the column have different names. dialect_name() takes the mark away.
 */
void dialect_alias(const char *name, struct str *out);

#endif

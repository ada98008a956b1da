/* SPDX-License-Identifier: GPL-2.0 */
/* Writes the tables of a SELECT and their joins. */
#include "lib/query/dialect-inside.h"
#include "lib/query/encode.h"

/* Returns the name of the table that ends at @to: its alias, or its own name. Returns NULL if there is none. */
static const char *table_before(const struct dialect *d, size_t from, size_t to)
{
	return to > from && token_names(&d->tokens.at[to - 1]) ? d->tokens.at[to - 1].text : NULL;
}

static bool is_join(const struct token *token)
{
	static const char *const words[] = { "join", "inner", "left", "cross", "all", "any" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (token_is(token, words[i]))
			return true;
	return false;
}

/* Returns where the keywords of the next join begin. */
static size_t next_join(const struct dialect *d, size_t at, size_t to)
{
	while (at < to && !is_join(&d->tokens.at[at]))
		at = token_is(&d->tokens.at[at], "(") ? tokens_close(&d->tokens, at, to) + 1 : at + 1;
	return MIN(at, to);
}

/* Does the query ask for all columns of a table? */
static bool asks_all(const struct dialect *d)
{
	for (size_t i = 1; i < d->tokens.n; i++)
		if (token_is(&d->tokens.at[i], "*") && (token_is(&d->tokens.at[i - 1], ".") || token_is(&d->tokens.at[i - 1], "select") ||
							token_is(&d->tokens.at[i - 1], "distinct") || token_is(&d->tokens.at[i - 1], ",")))
			return true;
	return false;
}

static bool names_it(const struct dialect *d, const char *name)
{
	vec_each (&d->tokens, token)
		if (token_names(token) && strcasecmp(token->text, name) == 0)
			return true;
	return false;
}

/*
 * Writes a table of a join. Old servers do not find the columns of joined tables that are spread over several servers, and join each server's part with all of
 * the other table. So such a table is read by a SELECT of its own, with the columns that the query names.
 */
static int put_joined(const struct dialect *d, struct part part, struct str *out)
{
	const size_t n = part.to - part.from;
	const struct token *table = &d->tokens.at[part.from];
	const char *name = NULL;
	const bool plain = n && token_names(table) && (n == 1 || (n == 2 && token_names(table + 1)) || (n == 3 && token_is(table + 1, "as")));
	struct str columns = { 0 };
	int err = 0;

	vec_each (d->columns, column) {
		const size_t size = plain ? strlen(table->text) : 0;

		if (!plain || strncasecmp(*column, table->text, size) || (*column)[size] != '.' ||
		    !(strcmp(*column + size + 1, "_recording") == 0 || names_it(d, *column + size + 1)))
			continue;
		name = *column;
		str_add(&columns, columns.len ? ", " : "");
		encode_identifier(*column + size + 1, &columns);
	}
	if (!name) {
		err = dialect_expression(d, part, out);
	} else {
		__cleanup(free_ptr) char *own = strndup(name, strlen(table->text));

		out->oom |= columns.oom || !own;
		str_addf(out, "(SELECT %s FROM ", asks_all(d) ? "*" : str_text(&columns));
		encode_identifier(own ? own : "", out);
		str_add(out, ") AS ");
		encode_identifier(n > 1 ? d->tokens.at[part.to - 1].text : own ? own : "", out);
	}
	str_fini(&columns);
	return err;
}

/* Writes a join. Only rows of the same recording are joined, because their numbers begin anew in each recording. */
static int put_join(const struct dialect *d, struct part part, const char *first, struct str *out)
{
	size_t on = part.from, behind = part.from;
	const char *table;
	bool left = false;
	int err;

	while (behind < part.to && (is_join(&d->tokens.at[behind]) || token_is(&d->tokens.at[behind], "outer")))
		left |= token_is(&d->tokens.at[behind++], "left");
	for (on = behind; on < part.to && !token_is(&d->tokens.at[on], "on");)
		on = token_is(&d->tokens.at[on], "(") ? tokens_close(&d->tokens, on, part.to) + 1 : on + 1;
	on = MIN(on, part.to);
	str_addf(out, " ALL %s JOIN ", left ? "LEFT" : "INNER");
	err = put_joined(d, (struct part){ behind, on }, out);
	table = table_before(d, behind, on);
	if (err || on == part.to)
		return err;
	str_add(out, " ON ");
	err = dialect_expression(d, (struct part){ on + 1, part.to }, out);
	if (first && table) {
		str_add(out, " AND ");
		encode_identifier(table, out);
		str_add(out, "._recording = ");
		encode_identifier(first, out);
		str_add(out, "._recording");
	}
	return err;
}

int dialect_from(const struct dialect *d, struct part part, struct str *out)
{
	size_t at = next_join(d, part.from, part.to);
	const char *first = table_before(d, part.from, at);
	int err;

	str_add(out, " FROM ");
	err = at < part.to ? put_joined(d, (struct part){ part.from, at }, out) : dialect_expression(d, (struct part){ part.from, at }, out);
	while (!err && at < part.to) {
		size_t behind = at, next;

		while (behind < part.to && is_join(&d->tokens.at[behind]))
			behind++;
		next = next_join(d, behind, part.to);
		err = put_join(d, (struct part){ at, next }, first, out);
		at = next;
	}
	return err;
}

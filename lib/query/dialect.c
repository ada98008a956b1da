/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/query/dialect-inside.h"
#include "lib/query/encode.h"

/* --- what a SELECT consists of ------------------------------------------------------------------------------------ */

enum clause { SELECT, FROM, WHERE, GROUP, HAVING, ORDER, LIMIT, CLAUSES };

struct item {
	struct part part; /* without its alias */
	char *name;	  /* its name in the result; owned; NULL: the item is * for all columns */
};

struct select {
	const struct dialect *d;
	struct part clauses[CLAUSES]; /* the tokens after its keywords; .to is 0 if there is no such clause */
	bool distinct;
	VEC(struct item) items;
	VEC(struct part) keys; /* the expressions of GROUP BY */
	strv_t names;	       /* the aliases as typed */
};

static void select_fini(struct select *s)
{
	vec_each (&s->items, item)
		free(item->name);
	vec_fini(&s->items);
	vec_fini(&s->keys);
	strv_fini(&s->names);
}

/* Returns which clause begins at @at, and sets *@words to the number of its keywords. */
static int clause_at(const struct dialect *d, size_t at, size_t to, size_t *words)
{
	static const struct {
		const char *first, *second;
	} heads[] = {
		[SELECT] = { "select", NULL }, [FROM] = { "from", NULL },   [WHERE] = { "where", NULL }, [GROUP] = { "group", "by" },
		[HAVING] = { "having", NULL }, [ORDER] = { "order", "by" }, [LIMIT] = { "limit", NULL },
	};

	for (int i = 0; i < CLAUSES; i++) {
		*words = heads[i].second ? 2 : 1;
		if (d->tokens.at[at].kind == TOKEN_WORD && token_is(&d->tokens.at[at], heads[i].first) &&
		    (!heads[i].second || (at + 1 < to && token_is(&d->tokens.at[at + 1], heads[i].second))))
			return i;
	}
	return -1;
}

static void find_clauses(struct select *s, struct part part)
{
	int now = -1;

	for (size_t i = part.from; i < part.to; i++) {
		size_t words;
		const int clause = clause_at(s->d, i, part.to, &words);

		if (clause >= 0) {
			if (now >= 0)
				s->clauses[now].to = i;
			now = clause;
			s->clauses[now] = (struct part){ i + words, part.to };
			i += words - 1;
		} else if (token_is(&s->d->tokens.at[i], "(")) {
			i = tokens_close(&s->d->tokens, i, part.to);
		}
	}
}

/* Calls @each for each part between commas. */
static int each_part(struct select *s, struct part all, int (*each)(struct select *s, struct part part))
{
	size_t from = all.from;
	int err = 0;

	for (size_t i = from; !err && i <= all.to && from < all.to; i++) {
		if (i < all.to && token_is(&s->d->tokens.at[i], "("))
			i = tokens_close(&s->d->tokens, i, all.to);
		if (i < all.to && !token_is(&s->d->tokens.at[i], ","))
			continue;
		err = each(s, (struct part){ from, i });
		from = i + 1;
	}
	return err;
}

/* Returns the part's text as it was typed. */
static char *text_of(const struct dialect *d, struct part part)
{
	return part.from < part.to ? strndup(d->sql + d->tokens.at[part.from].at, d->tokens.at[part.to - 1].end - d->tokens.at[part.from].at) : strdup("");
}

static int add_item(struct select *s, struct part part)
{
	const struct token *at = s->d->tokens.at;
	struct item item = { .part = part };
	const size_t n = part.to - part.from;
	const char *alias = NULL;

	if (n >= 3 && token_is(&at[part.to - 2], "as") && token_names(&at[part.to - 1])) {
		alias = at[part.to - 1].text;
		item.part.to -= 2;
	} else if (n >= 2 && token_names(&at[part.to - 1]) && (token_is(&at[part.to - 2], ")") || token_names(&at[part.to - 2])) &&
		   !token_is(&at[part.to - 1], "end") && !token_is(&at[part.to - 1], "null")) {
		alias = at[part.to - 1].text;
		item.part.to--;
	} else if (n && token_names(&at[part.to - 1]) && (n == 1 || (n == 3 && token_is(&at[part.from + 1], ".")))) {
		item.name = strdup(at[part.to - 1].text);
	} else if (!n || !token_is(&at[part.to - 1], "*") || (n > 1 && !token_is(&at[part.to - 2], "."))) {
		item.name = text_of(s->d, part);
	} else {
		return vec_push(&s->items, item) || strv_add(&s->names, "") ? -ENOMEM : 0;
	}
	if (alias)
		item.name = strdup(alias);
	if (!item.name || vec_push(&s->items, item)) {
		free(item.name);
		return -ENOMEM;
	}
	return strv_add(&s->names, alias ? alias : "");
}

static int add_key(struct select *s, struct part part)
{
	return vec_push(&s->keys, part);
}

/* --- grouping ----------------------------------------------------------------------------------------------------- */

/* Returns the item that a number or an alias means, or NULL. A name that is a column is not an alias here unless @alias_first. */
static const struct item *item_of(const struct select *s, struct part part, bool alias_first)
{
	const struct token *token = &s->d->tokens.at[part.from];
	uint64_t n;

	if (part.to != part.from + 1)
		return NULL;
	if (token->kind == TOKEN_NUMBER)
		return !parse_u64(token->text, &n) && n >= 1 && n <= s->items.n ? &s->items.at[n - 1] : NULL;
	for (size_t i = 0; token_names(token) && i < s->items.n; i++)
		if (s->items.at[i].name && strcasecmp(s->items.at[i].name, token->text) == 0 &&
		    (alias_first || (s->names.at[i][0] && !strv_has(s->d->here, token->text))))
			return &s->items.at[i];
	return NULL;
}

static bool same_part(const struct dialect *d, struct part a, struct part b)
{
	for (size_t i = 0; a.to - a.from == b.to - b.from && i < a.to - a.from; i++)
		if (strcasecmp(d->tokens.at[a.from + i].text, d->tokens.at[b.from + i].text))
			return false;
	return a.to - a.from == b.to - b.from;
}

/* Is the part a single column? */
static bool is_column(const struct dialect *d, struct part part)
{
	const size_t n = part.to - part.from;

	return n && token_names(&d->tokens.at[part.from]) && (n == 1 || (n == 3 && token_is(&d->tokens.at[part.from + 1], ".")));
}

static bool is_key(const struct select *s, struct part part)
{
	vec_each (&s->keys, key) {
		const struct item *item = item_of(s, *key, false);

		if (same_part(s->d, item ? item->part : *key, part))
			return true;
	}
	return false;
}

/* With GROUP BY, a column that is not a key is shown from the row of the only min() or max(), if there is one. Returns that item, or NULL. */
static const struct item *extreme_of(const struct select *s)
{
	const struct item *found = NULL;

	vec_each (&s->items, item) {
		const struct token *at = &s->d->tokens.at[item->part.from];

		if (item->part.to < item->part.from + 4 || !(token_is(at, "min") || token_is(at, "max")) ||
		    tokens_close(&s->d->tokens, item->part.from + 1, item->part.to) != item->part.to - 1)
			continue;
		if (found)
			return NULL;
		found = item;
	}
	return found;
}

static int put_item(const struct select *s, const struct item *item, struct str *out)
{
	const struct item *extreme = extreme_of(s);
	const bool any = s->keys.n && is_column(s->d, item->part) && !is_key(s, item->part);
	int err;

	if (any)
		str_add(out, extreme ? token_is(&s->d->tokens.at[extreme->part.from], "min") ? "argMin(" : "argMax(" : "any(");
	err = dialect_expression(s->d, item->part, out);
	if (!err && any && extreme) {
		str_add(out, ", ");
		err = dialect_expression(s->d, (struct part){ extreme->part.from + 2, extreme->part.to - 1 }, out);
	}
	if (any)
		str_addc(out, ')');
	if (item->name) {
		str_add(out, " AS ");
		dialect_alias(item->name, out);
	}
	return err;
}

/* --- clauses ------------------------------------------------------------------------------------------------------ */

static int put_items(const struct select *s, struct str *out)
{
	int err = 0;

	str_addf(out, "SELECT %s", s->distinct ? "DISTINCT " : "");
	for (size_t i = 0; !err && i < s->items.n; i++) {
		str_add(out, i ? ", " : "");
		err = put_item(s, &s->items.at[i], out);
	}
	return err;
}

static int put_keys(struct select *s, struct str *out)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->keys.n; i++) {
		const struct item *item = item_of(s, s->keys.at[i], false);

		str_add(out, i ? ", " : " GROUP BY ");
		err = dialect_expression(s->d, item ? item->part : s->keys.at[i], out);
	}
	return err;
}

static int put_order(struct select *s, struct part all, struct str *out)
{
	struct part part = { all.from, all.from };
	int err = 0;

	str_add(out, " ORDER BY ");
	for (size_t i = all.from; !err && i <= all.to; i++) {
		const struct item *item;
		size_t end = i;

		if (i < all.to && token_is(&s->d->tokens.at[i], "("))
			i = tokens_close(&s->d->tokens, i, all.to);
		if (i < all.to && !token_is(&s->d->tokens.at[i], ","))
			continue;
		end = i;
		if (end > part.from && (token_is(&s->d->tokens.at[end - 1], "desc") || token_is(&s->d->tokens.at[end - 1], "asc")))
			end--;
		item = item_of(s, (struct part){ part.from, end }, true);
		str_add(out, part.from > all.from ? ", " : "");
		if (item && item->name)
			dialect_alias(item->name, out);
		else
			err = dialect_expression(s->d, (struct part){ part.from, end }, out);
		if (end < i)
			str_addf(out, " %s", s->d->tokens.at[end].text);
		part.from = i + 1;
	}
	return err;
}

static int put_clause(const struct select *s, enum clause clause, const char *word, struct str *out)
{
	if (!s->clauses[clause].to)
		return 0;
	str_add(out, word);
	return dialect_expression(s->d, s->clauses[clause], out);
}

/* Finds the columns of the tables in the FROM clause, and the aliases in it. */
static int find_columns(const struct select *s, strv_t *here)
{
	const struct part from = s->clauses[FROM];
	const struct token *at = s->d->tokens.at;
	int err = 0;

	for (size_t i = from.from; !err && i < from.to; i++) {
		const size_t n = strlen(at[i].text);

		if (i > from.from && token_is(&at[i - 1], "as"))
			err = strv_add(here, at[i].text);
		vec_each (s->d->columns, column)
			if (!err && token_names(&at[i]) && strncasecmp(*column, at[i].text, n) == 0 && (*column)[n] == '.')
				err = strv_add(here, *column + n + 1);
	}
	return err;
}

/* Begins a SELECT around the statement, which renames its columns to the names for the outer query. Returns false if a name is missing. */
static bool begin_inner(const struct select *s, struct str *out)
{
	vec_each (&s->items, item)
		if (!item->name)
			return false;
	vec_each (&s->items, item) {
		str_add(out, item == s->items.at ? "SELECT " : ", ");
		dialect_alias(item->name, out);
		str_add(out, " AS ");
		encode_identifier(item->name, out);
	}
	str_add(out, " FROM (");
	return true;
}

static int put_select(const struct dialect *outer, struct part part, bool inner, struct str *out)
{
	struct dialect d = { .sql = outer->sql, .tokens = outer->tokens, .columns = outer->columns };
	struct select s = { .d = &d };
	struct part *items = &s.clauses[SELECT];
	strv_t here = { 0 };
	int err;

	find_clauses(&s, part);
	err = find_columns(&s, &here);
	d.here = &here;
	s.distinct = items->from < items->to && token_is(&d.tokens.at[items->from], "distinct");
	items->from += s.distinct;
	err = err ? err : each_part(&s, *items, add_item);
	if (!err && s.clauses[GROUP].to)
		err = each_part(&s, s.clauses[GROUP], add_key);
	inner = !err && inner && begin_inner(&s, out);
	err = err ? err : put_items(&s, out);
	/* No alias is known up to FROM, because a table may have the same name. */
	if (!err && s.clauses[FROM].to)
		err = dialect_from(&d, s.clauses[FROM], out);
	d.aliases = &s.names;
	err = err ? err : put_clause(&s, WHERE, " WHERE ", out);
	err = err ? err : put_keys(&s, out);
	err = err ? err : put_clause(&s, HAVING, " HAVING ", out);
	if (!err && s.clauses[ORDER].to)
		err = put_order(&s, s.clauses[ORDER], out);
	err = err ? err : put_clause(&s, LIMIT, " LIMIT ", out);
	str_add(out, inner ? ")" : "");
	strv_fini(&here);
	select_fini(&s);
	return err;
}

int dialect_select(const struct dialect *d, struct part part, bool inner, struct str *out)
{
	size_t from = part.from;

	for (size_t i = from; i < part.to; i++) {
		int err;

		if (token_is(&d->tokens.at[i], "("))
			i = tokens_close(&d->tokens, i, part.to);
		if (i >= part.to || !token_is(&d->tokens.at[i], "union"))
			continue;
		err = put_select(d, (struct part){ from, i }, inner, out);
		if (err)
			return err;
		if (i + 1 >= part.to || !token_is(&d->tokens.at[i + 1], "all"))
			return fail(EINVAL, "sql: old servers know UNION ALL, but not UNION");
		str_add(out, " UNION ALL ");
		from = i + 2;
	}
	return put_select(d, (struct part){ MIN(from, part.to), part.to }, inner, out);
}

/* --- statements --------------------------------------------------------------------------------------------------- */

static int put_statement(const struct dialect *d, struct part part, strv_t *out)
{
	struct str text = { 0 };
	int err = 0;

	if (part.from == part.to)
		return 0;
	if (token_is(&d->tokens.at[part.from], "select"))
		err = dialect_select(d, part, false, &text);
	else
		str_addn(&text, d->sql + d->tokens.at[part.from].at, d->tokens.at[part.to - 1].end - d->tokens.at[part.from].at);
	err = err ? err : strv_own(out, str_take(&text));
	str_fini(&text);
	return err;
}

int dialect_translate(const char *sql, const strv_t *columns, strv_t *out)
{
	struct dialect d = { .sql = sql, .columns = columns };
	size_t from = 0;
	int err = tokens_read(sql, &d.tokens);

	for (size_t i = 0; !err && i <= d.tokens.n; i++) {
		if (i < d.tokens.n && !token_is(&d.tokens.at[i], ";"))
			continue;
		err = put_statement(&d, (struct part){ from, i }, out);
		from = i + 1;
	}
	tokens_fini(&d.tokens);
	if (!err && !out->n)
		err = fail(EINVAL, "sql: the query is empty");
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err;
}

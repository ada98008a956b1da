/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/base/err.h"
#include "lib/query/dialect-inside.h"
#include "lib/query/encode.h"

static const char mark[] = "_r_";

void dialect_alias(const char *name, struct str *out)
{
	__cleanup(free_ptr) char *text = str_printf("%s%s", mark, name);

	out->oom |= !text;
	encode_identifier(text ? text : "", out);
}

const char *dialect_name(const char *name)
{
	return str_starts(name, mark) ? name + sizeof(mark) - 1 : name;
}

/* The state while an expression is written. A term is a part that * and / hold together. */
struct writer {
	const struct dialect *d;
	struct part part;
	size_t at;
	struct str *out;
	size_t term; /* where the term begins in .out */
	bool in_term;
	bool real; /* the expression has a number with a fraction */
};

static int write_operand(struct writer *w);

/* Is it a keyword between operands? */
static bool is_between(const struct token *token)
{
	static const char *const words[] = {
		"and", "or",   "not",	   "in",      "is",	"like",	  "between", "case",  "when", "then",	"else",	    "end",  "as",
		"asc", "desc", "distinct", "collate", "escape", "select", "from",    "where", "null", "exists", "interval", "over",
	};

	for (size_t i = 0; token->kind == TOKEN_WORD && i < ARRAY_LEN(words); i++)
		if (strcasecmp(token->text, words[i]) == 0)
			return true;
	return token->kind == TOKEN_SIGN && strcmp(token->text, "(") && strcmp(token->text, "*");
}

static bool is_alias(const struct dialect *d, const char *name)
{
	if (!d->aliases || strv_has(d->here, name))
		return false;
	vec_each (d->aliases, alias)
		if (*alias[0] && strcasecmp(*alias, name) == 0)
			return true;
	return false;
}

static void write_name(struct writer *w)
{
	const struct token *token = &w->d->tokens.at[w->at++];
	const bool dotted = w->at < w->part.to && token_is(&w->d->tokens.at[w->at], ".");

	if (!dotted && is_alias(w->d, token->text))
		dialect_alias(token->text, w->out);
	else if (token->kind == TOKEN_NAME)
		encode_identifier(token->text, w->out);
	else
		str_add(w->out, token->text);
	/* The name may be TABLE.COLUMN or TABLE.*. */
	while (w->at + 1 < w->part.to && token_is(&w->d->tokens.at[w->at], ".")) {
		const struct token *next = &w->d->tokens.at[w->at + 1];

		str_addc(w->out, '.');
		if (token_names(next))
			encode_identifier(next->text, w->out);
		else
			str_add(w->out, next->text);
		w->at += 2;
	}
}

/* Reads the arguments of a call, each as a text of its own. */
static int read_args(struct writer *w, size_t to, strv_t *args)
{
	size_t from = w->at;
	int err = 0;

	for (size_t i = from; !err && i <= to && from < to; i++) {
		struct str text = { 0 };

		if (i < to && token_is(&w->d->tokens.at[i], "("))
			i = tokens_close(&w->d->tokens, i, to);
		if (i < to && !token_is(&w->d->tokens.at[i], ","))
			continue;
		err = dialect_expression(w->d, (struct part){ from, i }, &text);
		if (!err)
			err = strv_own(args, text.len ? str_take(&text) : strdup(""));
		str_fini(&text);
		from = i + 1;
	}
	return err;
}

/* Reads FILTER (WHERE ...) after a call. */
static int read_filter(struct writer *w, struct str *where)
{
	const struct token *at = &w->d->tokens.at[w->at];
	size_t close;
	int err;

	if (w->at + 3 > w->part.to || !token_is(at, "filter") || !token_is(at + 1, "(") || !token_is(at + 2, "where"))
		return 0;
	close = tokens_close(&w->d->tokens, w->at + 1, w->part.to);
	err = dialect_expression(w->d, (struct part){ w->at + 3, close }, where);
	w->at = MIN(close + 1, w->part.to);
	return err;
}

static int write_call(struct writer *w)
{
	static const char *const reals[] = { "avg", "round", "cast", "toFloat64", "total" };
	const char *name = w->d->tokens.at[w->at].text;
	const size_t close = tokens_close(&w->d->tokens, w->at + 1, w->part.to);
	struct str where = { 0 };
	strv_t args = { 0 };
	int err;

	for (size_t i = 0; i < ARRAY_LEN(reals); i++)
		w->real |= strcasecmp(name, reals[i]) == 0;
	w->at += 2;
	err = read_args(w, close, &args);
	w->at = MIN(close + 1, w->part.to);
	err = err ? err : read_filter(w, &where);
	err = err ? err : where.oom ? -ENOMEM : dialect_function(name, &args, where.len ? str_text(&where) : NULL, w->out);
	str_fini(&where);
	strv_fini(&args);
	return err;
}

static int write_group(struct writer *w)
{
	const size_t close = tokens_close(&w->d->tokens, w->at, w->part.to);
	const struct part inside = { w->at + 1, close };
	int err;

	str_addc(w->out, '(');
	if (inside.from < inside.to && token_is(&w->d->tokens.at[inside.from], "select"))
		err = dialect_select(w->d, inside, true, w->out);
	else
		err = dialect_expression(w->d, inside, w->out);
	str_addc(w->out, ')');
	w->at = MIN(close + 1, w->part.to);
	return err;
}

/* Writes an operand: a name, a number, a text, a call, or an expression in parentheses. */
static int write_operand(struct writer *w)
{
	const struct token *token = &w->d->tokens.at[w->at];

	if (token_is(token, "("))
		return write_group(w);
	if (token->kind == TOKEN_WORD && w->at + 1 < w->part.to && token_is(token + 1, "("))
		return write_call(w);
	if (token_names(token)) {
		write_name(w);
		return 0;
	}
	w->real |= token->kind == TOKEN_NUMBER && strpbrk(token->text, ".eE") && !str_starts(token->text, "0x");
	if (token->kind == TOKEN_STRING)
		encode_literal(token->text, w->out);
	else
		str_add(w->out, token->text);
	w->at++;
	return 0;
}

/* Writes a division as SQLite calculates it: of whole numbers as in C, and NULL if the divisor is 0. */
static int write_division(struct writer *w)
{
	struct str right = { 0 }, left = { 0 }, *out = w->out;
	int err;

	w->at++;
	if (w->at >= w->part.to)
		return str_add(out, "/"), 0;
	w->out = &right;
	err = write_operand(w);
	w->out = out;
	if (!err && w->real) {
		str_addf(out, "/ %s", str_text(&right));
	} else if (!err) {
		str_addn(&left, str_text(out) + w->term, out->len - w->term);
		out->len = w->term;
		if (strtoull(str_text(&right), NULL, 10))
			str_addf(out, "intDiv(%s, %s)", str_text(&left), str_text(&right));
		else
			str_addf(out, "if(%s = 0, NULL, intDiv(%s, if(%s = 0, 1, %s)))", str_text(&right), str_text(&left), str_text(&right), str_text(&right));
	}
	out->oom |= left.oom || right.oom;
	str_fini(&left);
	str_fini(&right);
	return err;
}

int dialect_expression(const struct dialect *d, struct part part, struct str *out)
{
	struct writer w = { .d = d, .part = part, .at = part.from, .out = out };
	int err = 0;

	while (!err && w.at < part.to) {
		const struct token *token = &d->tokens.at[w.at];

		if (w.at > part.from)
			str_addc(out, ' ');
		if (token_is(token, "/") && w.in_term) {
			err = write_division(&w);
		} else if ((token_is(token, "*") || token_is(token, "%")) && w.in_term) {
			str_add(out, token->text);
			w.at++;
		} else if (is_between(token) && !(token->kind == TOKEN_WORD && w.at + 1 < part.to && token_is(token + 1, "(") && token_is(token, "end"))) {
			str_add(out, token_is(token, "==") ? "=" : token->text);
			w.in_term = w.real = false;
			w.at++;
		} else {
			if (!w.in_term)
				w.term = out->len;
			w.in_term = true;
			err = write_operand(&w);
		}
	}
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Finds what may follow at the prompt of `ringside sql`: SQL's keywords, functions, tables and their columns, and commands with a dot. */
#define _GNU_SOURCE
#include "cmd/sql-prompt.h"
#include "lib/base/parse.h"
#include "lib/base/visible.h"
#include "lib/export/cell.h"

#include <ctype.h>

struct completer {
	const struct sql_typed *typed;
	const char *line, *word; /* .word: the typed part of the word */
	size_t size, at;
	__typeof__(((strv_t *)0)) words;
	strv_t keywords;
	strv_t named;	   /* the tables that the query names */
	const char *owner; /* the word before a dot; NULL: none */
};

/* --- names -------------------------------------------------------------------------------------------------------- */

static bool is_part(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (c & 0x80);
}

static bool is_plain(const struct completer *c, const char *name)
{
	for (const char *at = name; *at; at++)
		if (!(isalpha((unsigned char)*at) || *at == '_' || (at > name && isdigit((unsigned char)*at))))
			return false;
	vec_each (&c->keywords, word)
		if (strcasecmp(*word, name) == 0)
			return false;
	return *name;
}

/* Names come from a file. One with control characters could command the terminal, so it is not offered. */
static bool is_shown(const char *name)
{
	struct str text = { 0 };
	bool same;

	str_add(&text, name);
	visible_str(&text, 0, false);
	same = !text.oom && strcmp(str_text(&text), name) == 0;
	str_fini(&text);
	return same;
}

static void offer(struct completer *c, const char *text)
{
	if (strncasecmp(text, c->word, c->size) == 0)
		strv_add(c->words, text);
}

static void offer_name(struct completer *c, const char *name)
{
	struct str quoted = { 0 };

	if (!is_shown(name))
		return;
	if (is_plain(c, name)) {
		offer(c, name);
		return;
	}
	cell_identifier(name, &quoted);
	if (!quoted.oom && (strncasecmp(name, c->word, c->size) == 0 || strncasecmp(str_text(&quoted), c->word, c->size) == 0))
		strv_add(c->words, str_text(&quoted));
	str_fini(&quoted);
}

static void sort_words(strv_t *words)
{
	size_t n = 0;

	strv_sort(words);
	for (size_t i = 0; i < words->n; i++) {
		if (n && strcmp(words->at[n - 1], words->at[i]) == 0)
			free(words->at[i]);
		else
			words->at[n++] = words->at[i];
	}
	words->n = n;
}

/* --- tables and columns ------------------------------------------------------------------------------------------- */

static bool names_word(const char *text, const char *word)
{
	const size_t n = strlen(word);

	for (const char *at = text; (at = strcasestr(at, word)); at++)
		if ((at == text || !is_part(at[-1])) && !is_part(at[n]))
			return true;
	return false;
}

static int note_table(void *ctx, const char *table, __unused const char *column, __unused const char *type, __unused bool hidden)
{
	struct completer *c = ctx;

	if (c->named.n && strcmp(c->named.at[c->named.n - 1], table) == 0)
		return 0;
	if (names_word(c->line, table) || names_word(str_text(c->typed->before), table))
		return strv_add(&c->named, table);
	return 0;
}

static int offer_table(void *ctx, const char *table, __unused const char *column, __unused const char *type, __unused bool hidden)
{
	struct completer *c = ctx;

	/* The columns of a table come one after the other, so it is offered once. */
	if (c->words->n && strcmp(c->words->at[c->words->n - 1], table) == 0)
		return 0;
	offer_name(c, table);
	return 0;
}

static int offer_column(void *ctx, const char *table, const char *column, __unused const char *type, __unused bool hidden)
{
	struct completer *c = ctx;

	/* The word before the dot may be a table, or an alias that the query gave to one. */
	if (c->named.n ? strv_has(&c->named, table) : c->owner || c->size)
		offer_name(c, column);
	return 0;
}

/* Copies the word before byte @at to @room. */
static const char *word_before(const char *line, size_t at, char *room, size_t size)
{
	size_t end, n;

	while (at && isspace((unsigned char)line[at - 1]))
		at--;
	for (end = at; at && is_part(line[at - 1]);)
		at--;
	n = MIN(end - at, size - 1);
	memcpy(room, line + at, n);
	room[n] = '\0';
	return room;
}

static void offer_keywords(struct completer *c)
{
	vec_each (&c->keywords, word) {
		/* Keywords are offered in lower case if the user types them so. */
		if (islower((unsigned char)c->word[0]))
			for (char *at = *word; *at; at++)
				*at = (char)tolower((unsigned char)*at);
		offer(c, *word);
	}
}

static void offer_functions(struct completer *c)
{
	strv_t names = { 0 };

	/* A server has its own functions, and not all of ours can be translated. */
	if (!c->typed->show->remote)
		query_functions(c->typed->show->query, &names);
	vec_each (&names, name) {
		__cleanup(free_ptr) char *call = str_printf("%s(", *name);

		if (call)
			offer(c, call);
	}
	strv_fini(&names);
}

static void offer_sql(struct completer *c)
{
	static const char *const before_table[] = { "from", "join", "into", "update", "table" };
	char room[64], owner[64];
	const char *last = word_before(c->line, c->at - c->size, room, sizeof(room));

	if (c->at > c->size && c->line[c->at - c->size - 1] == '.')
		c->owner = word_before(c->line, c->at - c->size - 1, owner, sizeof(owner));
	query_keywords(&c->keywords);
	for (size_t i = 0; !c->owner && i < ARRAY_LEN(before_table); i++) {
		if (strcasecmp(last, before_table[i]))
			continue;
		sql_each_column(c->typed->show, offer_table, c);
		return;
	}
	/* A statement begins with a keyword. */
	if (!last[0] && !c->owner && !str_text(c->typed->before)[strspn(str_text(c->typed->before), " \t\n")]) {
		offer_keywords(c);
		return;
	}
	sql_each_column(c->typed->show, note_table, c);
	if (c->owner && strv_has(&c->named, c->owner)) {
		strv_fini(&c->named);
		strv_add(&c->named, c->owner);
	}
	sql_each_column(c->typed->show, offer_column, c);
	if (c->owner)
		return;
	sql_each_column(c->typed->show, offer_table, c);
	if (!c->size)
		return;
	offer_functions(c);
	offer_keywords(c);
}

/* --- what begins with a dot ---------------------------------------------------------------------------------------- */

static void offer_examples(struct completer *c)
{
	strv_t names = { 0 };

	sql_example_names(&names);
	vec_each (&names, name)
		offer(c, *name);
	strv_fini(&names);
}

static void offer_dot(struct completer *c)
{
	const size_t first = strcspn(c->line, " \t");

	for (const struct sql_dot *dot = sql_dots; dot->name; dot++) {
		if (c->at <= first)
			offer(c, dot->name);
		else if (strlen(dot->name) != first || strncmp(dot->name, c->line, first))
			continue;
		else if (dot->takes == SQL_TAKES_TABLE)
			sql_each_column(c->typed->show, offer_table, c);
		else if (dot->takes == SQL_TAKES_EXAMPLE)
			offer_examples(c);
		else if (dot->takes == SQL_TAKES_MODE)
			for (const char *const *mode = sql_modes; *mode; mode++)
				offer(c, *mode);
	}
}

void sql_complete(void *ctx, const char *line, size_t at, size_t *from, strv_t *words)
{
	struct completer c = { .typed = ctx, .line = line, .at = at, .words = words };
	const bool dot = line[0] == '.' && !str_text(c.typed->before)[strspn(str_text(c.typed->before), " \t\n")];
	size_t begin = at;

	while (begin && (is_part(line[begin - 1]) || (dot && strchr(".-", line[begin - 1]))))
		begin--;
	begin -= begin && line[begin - 1] == '"';
	*from = begin;
	c.word = line + begin;
	c.size = at - begin;
	if (dot)
		offer_dot(&c);
	else
		offer_sql(&c);
	sort_words(words);
	strv_fini(&c.keywords);
	strv_fini(&c.named);
}

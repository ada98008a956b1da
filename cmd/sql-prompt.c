/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/sql-prompt.h"
#include "cmd/commands.h"
#include "cmd/line-edit.h"
#include "cmd/output.h"
#include "lib/base/err.h"
#include "lib/base/parse.h"
#include "lib/export/cell.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* Set by Ctrl-C, which gives up the running query or the typed line. */
static volatile int interrupted;

static void on_interrupt(__unused int signal)
{
	interrupted = 1;
}

/* A store that the command .at has opened. */
struct store {
	struct server_address address;
	struct remote *remote;
	char *source;
};

struct prompt {
	struct sql_show *show;
	struct table_opts *opts;
	struct str typed; /* the lines of a query so far */
	struct sql_typed completes;
	struct line_options how;
	struct line *line;
	bool left;
	const char *files;   /* what is queried when no store is open; NULL: nothing */
	struct store *store; /* the open store; NULL: none */
};

/* --- what begins with a dot --------------------------------------------------------------------------------------- */

const char *const sql_modes[] = { "table", "csv", "json", NULL };

enum { DOT_AT, DOT_TABLES, DOT_SCHEMA, DOT_MODE, DOT_EXAMPLES, DOT_EXAMPLE, DOT_HELP, DOT_QUIT, DOT_EXIT };

const struct sql_dot sql_dots[] = {
	[DOT_AT] = { ".at", "ADDRESS|files", "query a store (clickhouse://HOST:PORT/DATABASE), or the files again", SQL_TAKES_ADDRESS },
	[DOT_TABLES] = { ".tables", "GLOB", "list all tables, or those that match GLOB, with their columns", SQL_TAKES_TABLE },
	[DOT_SCHEMA] = { ".schema", "TABLE", "print all tables, or TABLE, as CREATE TABLE statements with the types of columns", SQL_TAKES_TABLE },
	[DOT_MODE] = { ".mode", "table|csv|json", "show answers in this form", SQL_TAKES_MODE },
	[DOT_EXAMPLES] = { ".examples", NULL, "list the queries that are built in", SQL_TAKES_NOTHING },
	[DOT_EXAMPLE] = { ".example", "NAME", "print a built-in query, and run it", SQL_TAKES_EXAMPLE },
	[DOT_HELP] = { ".help", NULL, "list the commands that begin with a dot", SQL_TAKES_NOTHING },
	[DOT_QUIT] = { ".quit", NULL, "leave, as Ctrl-D does", SQL_TAKES_NOTHING },
	[DOT_EXIT] = { ".exit", NULL, "leave, as .quit does", SQL_TAKES_NOTHING },
	{ NULL },
};

static int print_help(void)
{
	for (const struct sql_dot *dot = sql_dots; dot->name; dot++)
		printf("%-10s %-15s %s\n", dot->name, dot->arg ? dot->arg : "", dot->help);
	puts("Everything else is SQL. A query can have any number of lines, and runs when it ends with a semicolon.\n"
	     "Ctrl-C ends a query that runs, or gives up what is being typed.");
	return output_flush();
}

struct schema {
	const char *wanted; /* NULL: all tables */
	char *table;	    /* the table of the last columns */
	bool any;
};

static int print_column(void *ctx, const char *table, const char *column, const char *type, __unused bool hidden)
{
	struct schema *schema = ctx;
	struct str text = { 0 };

	if (schema->wanted && strcasecmp(schema->wanted, table))
		return 0;
	if (!schema->table || strcmp(schema->table, table)) {
		str_add(&text, schema->any ? "\n);\nCREATE TABLE " : "CREATE TABLE ");
		cell_identifier(table, &text);
		str_add(&text, " (\n\t");
		free(schema->table);
		schema->table = strdup(table);
	} else {
		str_add(&text, ",\n\t");
	}
	schema->any = true;
	cell_identifier(column, &text);
	str_addf(&text, " %s", type);
	if (text.oom || !schema->table) {
		str_fini(&text);
		return fail(ENOMEM, "out of memory");
	}
	fputs(str_text(&text), stdout);
	str_fini(&text);
	return 0;
}

static int print_schema(struct prompt *p, const char *wanted)
{
	struct schema schema = { .wanted = wanted };
	int err = sql_each_column(p->show, print_column, &schema);

	free(schema.table);
	if (schema.any)
		puts("\n);");
	else if (!err && wanted)
		return fail(EINVAL, "there is no table '%s'; .tables lists them", wanted);
	return err ? err : output_flush();
}

static int settle(struct prompt *p)
{
	return table_settle(&cmd_sql, p->opts, STDOUT_FILENO, &p->show->how);
}

static int set_mode(struct prompt *p, const char *mode)
{
	if (!mode) {
		puts(sql_modes[p->opts->csv ? 1 : p->opts->json ? 2 : 0]);
		return output_flush();
	}
	for (size_t i = 0; sql_modes[i]; i++) {
		if (strcmp(mode, sql_modes[i]))
			continue;
		p->opts->csv = i == 1;
		p->opts->json = i == 2;
		return settle(p);
	}
	return fail(EINVAL, ".mode %s: the modes are table, csv and json", mode);
}

static void close_store(struct store *store)
{
	if (!store)
		return;
	remote_close(store->remote);
	server_address_fini(&store->address);
	free(store->source);
	free(store);
}

static int count_column(void *ctx, __unused const char *table, __unused const char *column, __unused const char *type, __unused bool hidden)
{
	++*(size_t *)ctx;
	return 0;
}

/* Opens a store. It is queried once, so that later queries go to a store that exists. */
static int open_store(struct prompt *p, const char *address)
{
	struct store *store = calloc(1, sizeof(*store));
	size_t columns = 0;
	int err = store ? server_parse(&store->address, address) : fail(ENOMEM, "out of memory");

	err = err ? err : remote_open(&store->remote, &store->address);
	err = err ? err : remote_tables(store->remote, count_column, &columns);
	/* The name of the source must not have the password. */
	store->source = err ? NULL : str_printf("%s/%s", store->address.hosts.at[0], store->address.database);
	if (err || !store->source) {
		close_store(store);
		return err ? err : fail(ENOMEM, "out of memory");
	}
	close_store(p->store);
	p->store = store;
	p->show->remote = store->remote;
	p->show->source = store->source;
	if (!columns)
		note("%s: there is no table in it; `ringside export --to clickhouse://… --create` puts a recording there", store->source);
	return 0;
}

static int set_at(struct prompt *p, const char *where)
{
	if (!where) {
		puts(p->show->source);
		return output_flush();
	}
	if (strcmp(where, "files"))
		return open_store(p, where);
	if (!p->files)
		return fail(EINVAL, ".at files: this prompt began without files; `ringside sql FILE` begins with one");
	p->show->remote = NULL;
	p->show->source = p->files;
	close_store(take(p->store));
	return 0;
}

static int run_query(struct prompt *p, const char *sql)
{
	/* The width of the terminal may have changed. */
	int err = settle(p);

	return err ? err : sql_run(p->show, sql, false);
}

static int run_example(struct prompt *p, const char *name)
{
	const char *sql = name ? sql_example(name) : NULL;

	if (!name)
		return fail(EINVAL, ".example NAME: .examples lists the names");
	if (!sql)
		return -EINVAL;
	fputs(sql, stdout);
	return run_query(p, sql);
}

static int unknown(const char *word)
{
	__cleanup(free_ptr) char *near = NULL;
	strv_t names = { 0 }, best = { 0 };

	for (const struct sql_dot *dot = sql_dots; dot->name; dot++)
		strv_add(&names, dot->name);
	nearest_names(word, &names, 2, &best);
	near = join_names(&best, " (did you mean ", "?)");
	fail(EINVAL, "there is no %s%s; .help lists what begins with a dot", word, near ? near : "");
	strv_fini(&names);
	strv_fini(&best);
	return -EINVAL;
}

static int run_dot(struct prompt *p, const char *line)
{
	__cleanup(free_ptr) char *copy = strdup(line);
	char *word = copy ? str_trim(copy) : NULL, *arg = word ? word + strcspn(word, " \t") : NULL;

	if (!word)
		return fail(ENOMEM, "out of memory");
	if (*arg)
		*arg++ = '\0';
	arg = str_trim(arg);
	/* A semicolon at the end is ignored, because people type it. */
	if (*arg && arg[strlen(arg) - 1] == ';')
		arg[strlen(arg) - 1] = '\0';
	arg = *arg ? arg : NULL;
	for (size_t i = 0; sql_dots[i].name; i++) {
		if (strcmp(word, sql_dots[i].name))
			continue;
		if (arg && !sql_dots[i].arg)
			return fail(EINVAL, "%s takes nothing after it, and there is '%s'", word, arg);
		switch (i) {
		case DOT_AT:
			return set_at(p, arg);
		case DOT_TABLES:
			return settle(p) ? -EINVAL : sql_tables(p->show, arg);
		case DOT_SCHEMA:
			return print_schema(p, arg);
		case DOT_MODE:
			return set_mode(p, arg);
		case DOT_EXAMPLES:
			return settle(p) ? -EINVAL : sql_examples(&p->show->how);
		case DOT_EXAMPLE:
			return run_example(p, arg);
		case DOT_HELP:
			return print_help();
		default:
			p->left = true;
			return 0;
		}
	}
	return unknown(word);
}

/* --- queries ------------------------------------------------------------------------------------------------------ */

/* Adds the query to the history as one line. It stays several lines if it has a comment, which would go on to the end of the one line. */
static void remember(struct prompt *p)
{
	struct text rest = { .at = p->typed.at, .size = p->typed.len }, line;
	const bool apart = strstr(str_text(&p->typed), "--") != NULL;
	struct str whole = { 0 };

	while (text_line(&rest, &line)) {
		str_addf(&whole, "%s%.*s", whole.len ? " " : "", prec(line.size), line.at);
		if (apart && !whole.oom)
			line_remember(p->line, str_text(&whole));
		if (apart)
			str_clear(&whole);
	}
	if (!apart && !whole.oom)
		line_remember(p->line, str_text(&whole));
	str_fini(&whole);
}

static bool is_blank(const char *text)
{
	return !text[strspn(text, " \t\n\r")];
}

static int take_line(struct prompt *p, const char *line)
{
	int err;

	if (!p->typed.len && line[0] == '.') {
		line_remember(p->line, line);
		return run_dot(p, line);
	}
	if (!p->typed.len && is_blank(line))
		return 0;
	str_addf(&p->typed, "%s\n", line);
	if (p->typed.oom) {
		str_fini(&p->typed);
		return fail(ENOMEM, "out of memory");
	}
	if (!query_is_complete(str_text(&p->typed)))
		return 0;
	remember(p);
	err = run_query(p, str_text(&p->typed));
	str_clear(&p->typed);
	return err;
}

static int give_up(struct prompt *p, const char *what)
{
	interrupted = 0;
	str_clear(&p->typed);
	fprintf(stderr, "%s\n", what);
	return 0;
}

static int converse(struct prompt *p)
{
	int err = 0;

	while (!p->left && err != -EPIPE) {
		const char *line;
		int got = line_read(p->line, p->typed.len ? "...> " : "sql> ", &line);

		if (got == -EINTR) {
			give_up(p, "");
			continue;
		}
		if (got <= 0) {
			if (!got)
				fputc('\n', stderr);
			return got;
		}
		err = take_line(p, line);
		if (err == -EINTR)
			give_up(p, "the query was interrupted");
		interrupted = 0;
	}
	return err == -EPIPE ? err : 0;
}

int sql_prompt(struct sql_show *show, struct table_opts *opts)
{
	const struct sigaction catches = { .sa_handler = on_interrupt };
	struct prompt p = { .show = show, .opts = opts, .completes = { .show = show }, .files = show->remote ? NULL : show->source };
	struct remote *const began_with = show->remote;
	const char *const source = show->source;
	struct sigaction before;
	int err;

	p.completes.before = &p.typed;
	p.how = (struct line_options){ .name = "sql", .complete = sql_complete, .ctx = &p.completes, .interrupted = &interrupted };
	show->interrupted = &interrupted;
	/* Without SA_RESTART, the signal also ends the wait for a key. */
	sigaction(SIGINT, &catches, &before);
	err = line_open(&p.line, &p.how);
	if (!err) {
		note("%s%s: .help tells what there is, .tables which tables, and Ctrl-D leaves%s", show->source, show->reading->inputs.n > 1 ? " and more" : "",
		     line_is_edited(p.line) ? "" : "; without libedit (Debian's package libedit2) there is no history");
		err = converse(&p);
	}
	line_close(p.line);
	sigaction(SIGINT, &before, NULL);
	str_fini(&p.typed);
	show->remote = began_with;
	show->source = source;
	close_store(p.store);
	return err;
}

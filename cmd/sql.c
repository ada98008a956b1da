/* SPDX-License-Identifier: GPL-2.0 */
/* ringside sql: queries recordings in SQL. */
#include "cmd/commands.h"
#include "cmd/default-input.h"
#include "cmd/output.h"
#include "cmd/pager.h"
#include "cmd/reading.h"
#include "cmd/sql-prompt.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/query/server.h"

#include <sys/stat.h>
#include <unistd.h>

struct sql {
	struct reading_opts read; /* first */
	struct table_opts table;
	const char *file; /* --file */
	const char *example;
	const char *at; /* the address of a server */
	bool tables, examples, explain;
	bool live;	   /* run() looks for it before the options are parsed */
	const char *query; /* the operand */
	struct sql_show show;
};

static const struct opt opts[] = {
	{ OPT_HEADING, .help = "What to ask" },
	{ OPT_STR(struct sql, file), .name = "file", .arg = "FILE", .complete = "files", .help = "read the query from this file; - is the standard input" },
	{ OPT_STR(struct sql, example), .name = "example", .arg = "NAME", .help = "run this built-in query" },
	{ OPT_FLAG(struct sql, examples), .name = "examples", .help = "list the built-in queries, and what each query answers" },
	{ OPT_FLAG(struct sql, tables), .name = "tables", .help = "list the tables with their columns; an operand is a glob that chooses tables" },
	{ OPT_FLAG(struct sql, explain), .name = "explain",
	  .help = "do not run the query, but print SQLite's plan for the query; with --at, print the query that the server would get" },
	{ OPT_STR(struct sql, at), .name = "at", .arg = "ADDRESS",
	  .help = "query the recordings in this ClickHouse database instead of files; ADDRESS is clickhouse://HOST:PORT/DATABASE" },
	{ OPT_FLAG(struct sql, live), .name = "live",
	  .help = "let the running kernel answer the query, by a histogram or a synthetic event; with --live, all other options are those of `ringside sqlhist`" },
	{ OPT_ROWS, .rows = reading_files },
	{ OPT_ROWS, .rows = reading_which },
	{ OPT_ROWS, .rows = reading_more },
	{ OPT_ROWS, .rows = table_form_options, .offset = offsetof(struct sql, table) },
	{ OPT_ROWS, .rows = reading_pager },
	OPT_END,
};

/* --- what is asked ----------------------------------------------------------------------------------------------- */

/* Is the operand the query, and not a file? It is if no such file exists and it has a blank or does not look like a path. "-" is the standard input. */
static bool is_query(const char *word)
{
	struct stat st;

	return strcmp(word, "-") != 0 && stat(word, &st) != 0 && (strpbrk(word, " \t\n;*") || (!strchr(word, '/') && !str_ends(word, ".dat")));
}

static int take_operand(void *ctx, const char *operand)
{
	struct sql *o = ctx;

	if (o->query || !is_query(operand))
		return 0;
	o->query = operand;
	return 1;
}

/* Is the prompt shown? */
static bool is_prompt(const struct sql *o)
{
	return !o->query && !o->example && !o->examples && !o->file && !o->tables && isatty(STDIN_FILENO);
}

/* Is the query read from standard input? */
static bool query_is_input(const struct sql *o)
{
	return !o->query && !o->example && !o->examples && !o->tables && !is_prompt(o) && (!o->file || strcmp(o->file, "-") == 0);
}

/* Is the query read from standard input, and the recording, too? */
static bool takes_input_twice(const struct sql *o)
{
	const struct reading *reading = &o->read.reading;

	for (size_t i = 0; i < reading->inputs.n && query_is_input(o); i++)
		if (strcmp(reading->inputs.at[i].path, "-") == 0)
			return true;
	return false;
}

/* Checks that only one option, or the operand, says what to do. */
static int check(struct sql *o)
{
	const struct reading *reading = &o->read.reading;

	if (o->file && (o->query || o->tables))
		return usage(&cmd_sql, "--file %s has the query, so it does not go with %s", o->file, o->query ? o->query : "--tables"), -EINVAL;
	if (o->example && (o->query || o->tables || o->file))
		return usage(&cmd_sql, "--example %s is a query itself, so it does not go with %s", o->example,
			     o->query  ? o->query
			     : o->file ? "--file"
				       : "--tables"),
		       -EINVAL;
	if (o->live)
		return usage(&cmd_sql, "--live must be written in full, because the options after it are those of `ringside sqlhist`"), -EINVAL;
	if (o->explain && is_prompt(o))
		return usage(&cmd_sql,
			     "--explain tells how a query is carried out, so it needs a query; at the prompt, write EXPLAIN QUERY PLAN in front of the query"),
		       -EINVAL;
	if (o->at && reading->inputs.n)
		return usage(&cmd_sql, "--at asks a store and reads no file, so it does not go with %s", reading->inputs.at[0].path), -EINVAL;
	if (o->at && (reading->has_cpus || reading->buffers.n || reading->since || reading->until || reading->select.events.n))
		return usage(&cmd_sql, "--at asks a store, where WHERE chooses records; options that choose records are only for files"), -EINVAL;
	if (takes_input_twice(o))
		return usage(&cmd_sql, "the recording comes from standard input (-), so the query must be an operand or come from --file FILE"), -EINVAL;
	if (o->tables && o->explain)
		return usage(&cmd_sql, "--explain tells how a query is carried out, and --tables is no query"), -EINVAL;
	if (o->example)
		o->query = sql_example(o->example);
	return o->example && !o->query ? -EINVAL : 0;
}

static int find_files(struct sql *o)
{
	const char *path;

	if (o->read.reading.inputs.n)
		return 0;
	path = query_is_input(o) ? "trace.dat" : default_input();
	return reading_input(&o->read.reading, path) ? fail(ENOMEM, "out of memory") : 0;
}

/* Reads the text of the query. *@text owns what was read. */
static int read_query(struct sql *o, struct text *text)
{
	const bool is_stdin = !o->file || strcmp(o->file, "-") == 0;
	int err;

	if (o->query)
		return 0;
	/* From a terminal, --file - reads all lines until Ctrl-D. */
	err = io_slurp(is_stdin ? "/dev/stdin" : o->file, text);
	if (err)
		return fail(-err, "--file %s: %m", is_stdin ? "-" : o->file);
	if (memchr(text->at, 0, text->size))
		return fail(EINVAL, "%s: that is no query in SQL, as there is a byte 0 in it", is_stdin ? "standard input" : o->file);
	o->query = text->at;
	return 0;
}

/* --- the work ---------------------------------------------------------------------------------------------------- */

/* Queries a server instead of files. Returns the exit status. */
static int ask_server(struct sql *o)
{
	__cleanup(free_ptr) char *source = NULL;
	struct server_address address;
	struct text text = { 0 };
	pid_t pager = 0;
	int err = server_parse(&address, o->at);

	err = err ? err : o->tables || is_prompt(o) ? 0 : read_query(o, &text);
	err = err ? err : remote_open(&o->show.remote, &address);
	/* The name of the source must not have the password. */
	source = err ? NULL : str_printf("%s/%s", address.hosts.at[0], address.database);
	o->show.source = source;
	pager = err || o->read.no_pager || is_prompt(o) ? 0 : pager_start();
	if (!err && is_prompt(o))
		err = sql_prompt(&o->show, &o->table);
	else if (!err)
		err = o->tables ? sql_tables(&o->show, o->query) : sql_run(&o->show, o->query, o->explain);
	pager_wait(pager);
	remote_close(o->show.remote);
	server_address_fini(&address);
	free(text.at);
	return err == -EPIPE ? pager ? 0 : STATUS_PIPE : err == -EINVAL ? 2 : err ? 1 : 0;
}

static int show(struct sql *o)
{
	struct reading *reading = &o->read.reading;
	struct text text = { 0 };
	pid_t pager;
	int err, status;

	err = reading_open(reading) ? -EIO : 0;
	err = err ? err : reading_ready(reading);
	err = err ? err : query_open(&o->show.query, reading);
	err = err || o->tables || is_prompt(o) ? err : read_query(o, &text);
	pager = err || o->read.no_pager || is_prompt(o) ? 0 : pager_start();
	if (!err && is_prompt(o))
		err = sql_prompt(&o->show, &o->table);
	else if (!err)
		err = o->tables ? sql_tables(&o->show, o->query) : sql_run(&o->show, o->query, o->explain);
	status = err == -EPIPE ? STATUS_PIPE : err == -EINVAL ? 2 : err || reading_damaged(reading) || (o->show.query && query_damaged(o->show.query));
	pager_wait(pager);
	free(text.at);
	return pager && status == STATUS_PIPE ? 0 : status;
}

static int examples_status(int err, struct sql *o)
{
	reading_close(&o->read.reading);
	return err == -EPIPE ? STATUS_PIPE : err ? 1 : 0;
}

/* Returns the place of --live among the arguments, or 0. With --live the command has other options. */
static int live_at(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
		if (strcmp(argv[i], "--live") == 0)
			return i;
	return 0;
}

static int run_live(int argc, char **argv, int at)
{
	memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof(*argv));
	return cmd_sqlhist.run(argc - 1, argv);
}

static int run(int argc, char **argv)
{
	const int live = live_at(argc, argv);
	struct sql o = { 0 };
	int err, status;

	if (live)
		return run_live(argc, argv, live);
	err = reading_parse_operands(&cmd_sql, &o, take_operand, argc, argv);
	err = err ? err : check(&o);
	if (!err && table_settle(&cmd_sql, &o.table, STDOUT_FILENO, &o.show.how))
		err = -EINVAL;
	if (!err && o.examples)
		return examples_status(sql_examples(&o.show.how), &o);
	err = err || o.at ? err : find_files(&o);
	o.show.reading = &o.read.reading;
	o.show.source = o.read.reading.inputs.n ? o.read.reading.inputs.at[0].path : NULL;
	o.show.visible = isatty(STDOUT_FILENO);
	status = err ? opt_status(err) : o.at ? ask_server(&o) : show(&o);
	sql_show_fini(&o.show);
	query_close(o.show.query);
	reading_close(&o.read.reading);
	return status;
}

const struct cmd cmd_sql = {
	.name = "sql",
	.synopsis = "[OPTION...] [FILE...] ['QUERY']",
	.summary = "query a recording in SQL: its events, calls, system calls and the scheduling of its tasks are tables",
	.details = "Without FILE, a trace file on standard input is read; if there is none, trace.dat is read.\n"
		   "The file is not changed. Without a query, ringside prompts for queries.\n"
		   "  ringside sql 'SELECT name, count(*) FROM events GROUP BY name'\n"
		   "  ringside sql 'SELECT function, count(*), sum(self) FROM calls GROUP BY function ORDER BY 3 DESC LIMIT 10'\n"
		   "  ringside sql --csv 'SELECT ts, next_comm FROM sched_switch WHERE cpu = 1 ORDER BY ts'\n"
		   "  ringside sql --example slowest-calls   one of the built-in queries\n"
		   "  ringside sql --at clickhouse://db:8123/traces --example slowest-calls   the same query, over all recordings in a database\n"
		   "  ringside sql --tables 'sched*'         which tables and columns there are",
	.opts = opts,
	.operands = "files",
	.run = run,
};

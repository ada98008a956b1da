/* SPDX-License-Identifier: GPL-2.0 */
#include "cmd/export-store.h"
#include "cmd/commands.h"
#include "cmd/default-input.h"
#include "cmd/output.h"
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/outfile.h"
#include "lib/base/parse.h"
#include "lib/query/fleet.h"

#include <stdio.h>
#include <unistd.h>

enum { WAIT_S = 120 };

const struct opt store_options[] = {
	{ OPT_STR(struct store_opts, table), .name = "table", .arg = "NAME",
	  .help = "in the formats tsv and rowbinary: write this table of `ringside sql` (default: events)" },
	{ OPT_FLAG(struct store_opts, create), .name = "create", .help = "for ClickHouse: make the database, tables and columns that do not exist yet" },
	{ OPT_FLAG(struct store_opts, dry_run), .name = "dry-run", .help = "for ClickHouse: print the statements of --create, and do not run them" },
	{ OPT_STR(struct store_opts, cluster), .name = "cluster", .arg = "NAME",
	  .help = "for ClickHouse: make tables that show the rows of all shards of this cluster; the rows of a recording are stored on one of the hosts in the address of --to" },
	{ OPT_STR(struct store_opts, ttl), .name = "ttl", .arg = "DAYS",
	  .help = "with --create: let the server delete the rows of a recording when the recording is older than this, as in 30d" },
	{ OPT_TIME(struct store_opts, wait_ns), .name = "wait", .arg = "TIME",
	  .help = "for ClickHouse: give up when the server is silent for this long (default: 120s)" },
	OPT_END,
};

const char *store_opts_given(const struct store_opts *o)
{
	return o->create ? "create" : o->dry_run ? "dry-run" : o->cluster ? "cluster" : o->ttl ? "ttl" : o->wait_ns ? "wait" : o->table ? "table" : NULL;
}

static const struct form {
	const char *name, *suffix, *summary;
	enum encode_form form;
} forms[] = {
	{ "tsv", ".tsv", "the rows of a table of `ringside sql`, for clickhouse-client and other programs that read TabSeparated", ENCODE_TSV },
	{ "rowbinary", ".rowbinary", "the rows of a table of `ringside sql`, in ClickHouse's format RowBinary", ENCODE_BINARY },
};

static const struct form *find_form(const char *to, const char *output)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		if (to ? strcmp(to, forms[i].name) == 0 : output && str_ends(output, forms[i].suffix))
			return &forms[i];
	return NULL;
}

bool store_is_target(const char *to, const char *output)
{
	return (to && server_is_address(to)) || find_form(to, output);
}

void store_list(void)
{
	for (size_t i = 0; i < ARRAY_LEN(forms); i++)
		printf("%-11s %-24s %s\n", forms[i].name, forms[i].suffix, forms[i].summary);
	printf("%-11s %-24s %s\n", "clickhouse", "", "clickhouse://HOST:PORT/DATABASE: all tables into a server");
}

/* --- each file by itself ----------------------------------------------------------------------------------------- */

struct store_job {
	struct reading_opts *read;
	const struct store_opts *opts;
	const struct form *form; /* NULL: the target is a server */
	struct fleet_options fleet;
	int fd;
};

static int write_out(void *ctx, struct str *text)
{
	const struct store_job *job = ctx;
	const int err = io_write(job->fd, str_text(text), text->len);

	str_clear(text);
	return err == -EPIPE ? err : err ? fail(-err, "the rows cannot be written: %m") : 0;
}

static int print_schema(struct store_job *job, struct query *query)
{
	struct str text = { 0 };
	int err = fleet_schema(query, &job->fleet, &text);

	err = err ? err : write_out(job, &text);
	str_fini(&text);
	return err;
}

static int export_one(struct store_job *job, const struct input *input, bool *damaged)
{
	struct reading *reading = &job->read->reading;
	struct query *query = NULL;
	int err = vec_push(&reading->inputs, *input) ? fail(ENOMEM, "out of memory") : reading_open(reading) ? -EIO : reading_ready(reading);

	err = err ? err : query_open(&query, reading);
	if (err)
		goto out;
	if (job->form)
		err = fleet_rows(query, job->opts->table ? job->opts->table : "events", job->form->form, write_out, job);
	else
		err = job->opts->dry_run ? print_schema(job, query) : fleet_send(query, &job->fleet);
	/* The server has been reached. If it does not answer at the next file, it has probably restarted, so it is waited for. */
	job->fleet.patient |= !err;
	*damaged |= reading_damaged(reading) || query_damaged(query);
out:
	query_close(query);
	reading_again(reading);
	return err;
}

static int export_files(struct store_job *job)
{
	struct reading *reading = &job->read->reading;
	inputs_t inputs = reading->inputs;
	bool damaged = false;
	int err = 0;

	reading->inputs = (inputs_t){ 0 };
	for (size_t i = 0; !err && i < inputs.n; i++)
		err = export_one(job, &inputs.at[i], &damaged);
	vec_fini(&inputs);
	return err ? err : damaged ? -EIO : 0;
}

/* --- what is wanted ---------------------------------------------------------------------------------------------- */

static int read_ttl(const char *text, unsigned int *days)
{
	uint64_t v;
	char *number = text ? strndup(text, strcspn(text, "d")) : NULL;
	const bool wrong = text && (!number || parse_u64(number, &v) || !v || v > 36500 || strlen(text) > strlen(number) + 1);

	free(number);
	if (wrong)
		return usage(&cmd_export, "--ttl %s: it is a number of days, as in 30d", text), -EINVAL;
	*days = text ? (unsigned int)v : 0;
	return 0;
}

static bool is_aside(const char *word)
{
	static const char *const flags[] = { "--create", "--dry-run", "--wait", "--ttl", "--cluster", "--to", "-i", "--input" };

	for (size_t i = 0; i < ARRAY_LEN(flags); i++)
		if (strncmp(word, flags[i], strlen(flags[i])) == 0 && (!word[strlen(flags[i])] || word[strlen(flags[i])] == '='))
			return true;
	return server_is_address(word);
}

/* Returns the arguments that choose events. Two exports of a recording count as the same if these are the same. */
static char *make_choice(const struct reading_opts *read, const struct store_opts *opts, int argc, char **words)
{
	struct str out = { 0 };

	for (int i = 1; i < argc; i++) {
		bool is_file = is_aside(words[i]) || (opts->cluster && strcmp(words[i], opts->cluster) == 0) || (opts->ttl && strcmp(words[i], opts->ttl) == 0);

		vec_each (&read->reading.inputs, input)
			is_file |= strcmp(input->path, words[i]) == 0;
		if (!is_file && !(i && strcmp(words[i - 1], "--wait") == 0))
			str_addf(&out, "%s%s", out.len ? " " : "", words[i]);
	}
	for (char *at = out.at; at && *at; at++)
		if (*at == '\t' || *at == '\n' || *at == '\\')
			*at = '?';
	return out.at ? str_take(&out) : strdup("");
}

static int check(const struct store_opts *opts, const struct form *form, const char *output)
{
	const bool to_stdout = !output || strcmp(output, "-") == 0;

	if (!form && output && !(opts->dry_run && to_stdout))
		return usage(&cmd_export, "-o %s: the rows go to a server", output), -EINVAL;
	if (!form && opts->table)
		return usage(&cmd_export, "--table %s: a server gets all tables; tsv and rowbinary write one", opts->table), -EINVAL;
	if (form && store_opts_given(opts) && strcmp(store_opts_given(opts), "table"))
		return usage(&cmd_export, "--%s is about a server, and %s is none", store_opts_given(opts), form->name), -EINVAL;
	if (form && form->form == ENCODE_BINARY && to_stdout && isatty(STDOUT_FILENO))
		return usage(&cmd_export, "%s cannot be shown on a terminal: name a file with -o, or use a pipe", form->name), -EINVAL;
	return 0;
}

static int status_of(int err)
{
	return err == -EPIPE ? STATUS_PIPE : err == -EINVAL ? 2 : err ? 1 : 0;
}

static int export_to_file(struct store_job *job, const char *output)
{
	struct outfile file = OUTFILE_NONE;
	int err;

	if (!output || strcmp(output, "-") == 0) {
		job->fd = STDOUT_FILENO;
		return status_of(export_files(job));
	}
	err = reading_outfile(&job->read->reading, &file, output);
	job->fd = file.fd;
	err = err ? err : export_files(job);
	err = err ? err : outfile_publish(&file);
	outfile_close(&file);
	return status_of(err);
}

int store_export(struct reading_opts *read, const struct store_opts *opts, const char *to, const char *output, int argc, char **words)
{
	struct store_job job = { .read = read, .opts = opts, .form = find_form(to, output), .fd = STDOUT_FILENO };
	__cleanup(free_ptr) char *choice = NULL;
	int err = check(opts, job.form, output), status;

	err = err ? err : read_ttl(opts->ttl, &job.fleet.ttl_days);
	if (!err && !read->reading.inputs.n && reading_input(&read->reading, default_input()))
		err = fail(ENOMEM, "out of memory");
	if (!err && reading_settle(&cmd_export, read, STDOUT_FILENO))
		err = -EINVAL;
	if (err)
		return 2;
	choice = make_choice(read, opts, argc, words);
	job.fleet.cluster = opts->cluster;
	job.fleet.create = opts->create;
	job.fleet.choice = choice ? choice : "";
	job.fleet.patient = opts->wait_ns;
	job.fleet.wait_ns = opts->wait_ns ? opts->wait_ns : WAIT_S * NSEC_PER_SEC;
	if (!job.form && server_parse(&job.fleet.address, to)) {
		status = 2;
	} else {
		status = export_to_file(&job, output);
	}
	server_address_fini(&job.fleet.address);
	return status;
}

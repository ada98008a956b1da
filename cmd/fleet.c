/* SPDX-License-Identifier: GPL-2.0 */
/* ringside fleet: lists and drops the recordings in a store. */
#include "cmd/commands.h"
#include "cmd/output.h"
#include "cmd/table-options.h"
#include "lib/base/err.h"
#include "lib/query/remote.h"

#include <stdio.h>
#include <unistd.h>

enum { WAIT_S = 120 };

struct fleet_opts {
	struct table_opts table; /* first */
	const char *at;
	bool dry_run;
	uint64_t wait_ns;
};

static const struct opt list_opts[] = {
	{ OPT_STR(struct fleet_opts, at), .name = "at", .arg = "ADDRESS", .help = "use this store: clickhouse://HOST:PORT/DATABASE" },
	{ OPT_ROWS, .rows = table_options, .offset = offsetof(struct fleet_opts, table) },
	OPT_END,
};

static const struct opt drop_opts[] = {
	{ OPT_STR(struct fleet_opts, at), .name = "at", .arg = "ADDRESS", .help = "use this store: clickhouse://HOST:PORT/DATABASE" },
	{ OPT_FLAG(struct fleet_opts, dry_run), .name = "dry-run", .help = "print how many rows of which tables would be dropped, and drop nothing" },
	{ OPT_TIME(struct fleet_opts, wait_ns), .name = "wait", .arg = "TIME",
	  .help = "give up when the server takes longer than this to answer (default: 120s)" },
	OPT_END,
};

static const struct cmd fleet_list, fleet_drop;

/* --- what both do ------------------------------------------------------------------------------------------------- */

static int connect_to(const struct cmd *cmd, const char *at, struct server_address *address, struct remote **out)
{
	int err;

	if (!at)
		return usage(cmd, "which store? as in: ringside %s --at clickhouse://db:8123/traces", cmd->name), -EINVAL;
	err = server_parse(address, at);
	return err ? err : remote_open(out, address);
}

static int status_of(int err)
{
	return err == -EPIPE ? STATUS_PIPE : err == -EINVAL ? 2 : err != 0;
}

/* --- list --------------------------------------------------------------------------------------------------------- */

enum { RECORDING, HOST, FILE_NAME, DAY, FROM, TO, EVENTS, ROWS, COMPLETE };

static const struct table_column columns[] = {
	[RECORDING] = { "recording", TABLE_TEXT },
	[HOST] = { "host", TABLE_TEXT },
	[FILE_NAME] = { "file", TABLE_TEXT },
	[DAY] = { "day", TABLE_TEXT },
	[FROM] = { "from", TABLE_TS },
	[TO] = { "to", TABLE_TS },
	[EVENTS] = { "events", TABLE_COUNT, .sum = true },
	[ROWS] = { "rows", TABLE_COUNT, .sum = true },
	[COMPLETE] = { "complete", TABLE_BOOL },
	{ NULL },
};

static const struct table_spec spec = { .columns = columns };

static int add_recording(void *ctx, const struct remote_recording *r)
{
	struct table *table = ctx;

	table_row(table, TABLE_ROOT);
	table_copy(table, RECORDING, r->recording);
	table_copy(table, HOST, r->host);
	table_copy(table, FILE_NAME, r->file);
	table_copy(table, DAY, r->day);
	if (r->events) {
		table_count(table, FROM, r->from);
		table_count(table, TO, r->to);
	}
	table_count(table, EVENTS, r->events);
	/* The number of rows is stored only when all have been sent. */
	if (r->complete)
		table_count(table, ROWS, r->rows);
	table_bool(table, COMPLETE, r->complete);
	return 0;
}

static int run_list(int argc, char **argv)
{
	struct fleet_opts o = { 0 };
	struct server_address address = { 0 };
	struct remote *remote = NULL;
	struct table *table = NULL;
	struct table_show show = { 0 };
	char **operands;
	int n = opt_parse(&fleet_list, &o, argc, argv, &operands), err, status;

	if (n < 0)
		return opt_status(n);
	if (n)
		return usage(&fleet_list, "'%s': it lists all recordings, and takes no operand", operands[0]);
	err = table_settle(&fleet_list, &o.table, STDOUT_FILENO, &show) ? -EINVAL : 0;
	err = err ? err : table_new(&table, &spec, &show);
	err = err ? err : connect_to(&fleet_list, o.at, &address, &remote);
	err = err ? err : remote_recordings(remote, add_recording, table);
	status = err ? status_of(err) : table_print(table, &(struct table_meta){ 0 });
	table_free(table);
	remote_close(remote);
	server_address_fini(&address);
	return status;
}

static const struct cmd fleet_list = {
	.name = "fleet list",
	.synopsis = "--at ADDRESS [OPTION...]",
	.summary = "list the recordings in a store",
	.opts = list_opts,
	.run = run_list,
};

/* --- drop --------------------------------------------------------------------------------------------------------- */

struct dropped {
	const struct fleet_opts *opts;
	uint64_t rows, tables;
};

static int tell_table(void *ctx, const char *host, const char *table, uint64_t rows)
{
	struct dropped *dropped = ctx;

	dropped->rows += rows;
	dropped->tables++;
	if (dropped->opts->dry_run)
		printf("%s: %llu rows of %s\n", host, (unsigned long long)rows, table);
	return output_flush();
}

static int run_drop(int argc, char **argv)
{
	struct fleet_opts o = { 0 };
	struct dropped dropped = { .opts = &o };
	struct server_address address = { 0 };
	struct remote *remote = NULL;
	char **operands;
	int n = opt_parse(&fleet_drop, &o, argc, argv, &operands), err;

	if (n < 0)
		return opt_status(n);
	if (n != 1)
		return usage(&fleet_drop, "it drops one recording, whose name `ringside fleet list` has, and %s",
			     n ? "there are several operands" : "none is named");
	err = connect_to(&fleet_drop, o.at, &address, &remote);
	err = err ? err : remote_drop(remote, operands[0], o.dry_run, o.wait_ns ? o.wait_ns : WAIT_S * NSEC_PER_SEC, tell_table, &dropped);
	if (!err)
		printf("%s: %llu rows of %llu tables %s\n", operands[0], (unsigned long long)dropped.rows, (unsigned long long)dropped.tables,
		       o.dry_run ? "would go" : "are gone");
	remote_close(remote);
	server_address_fini(&address);
	return status_of(err);
}

static const struct cmd fleet_drop = {
	.name = "fleet drop",
	.synopsis = "--at ADDRESS [OPTION...] RECORDING",
	.summary = "drop one recording from a store",
	.details = "RECORDING is the whole name of a recording, as `ringside fleet list` shows it.\n"
		   "The command does not ask for confirmation.",
	.opts = drop_opts,
	.run = run_drop,
};

/* --- either ------------------------------------------------------------------------------------------------------- */

static const struct cmd *const subs[] = { &fleet_list, &fleet_drop, NULL };

static int run(int argc, char **argv)
{
	return sub_main(&cmd_fleet, argc, argv);
}

const struct cmd cmd_fleet = {
	.name = "fleet",
	.synopsis = "COMMAND --at ADDRESS [OPTION...] [RECORDING]",
	.summary = "list or drop the recordings in a store, which is a ClickHouse database",
	.details = "ADDRESS names the store: clickhouse://HOST:PORT/DATABASE. `ringside export --to ADDRESS` puts recordings into the store, and\n"
		   "`ringside sql --at ADDRESS` queries the recordings. RECORDING is the whole name of the recording to drop, as `list` shows it.",
	.sub = subs,
	.run = run,
};

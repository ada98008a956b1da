/* SPDX-License-Identifier: GPL-2.0 */
/* Lists the recordings of a store, and drops one. */
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/query/encode.h"
#include "lib/query/remote-inside.h"
#include "lib/query/schema.h"

#include <inttypes.h>
#include <unistd.h>

/* --- which there are ---------------------------------------------------------------------------------------------- */

enum { RECORDING, HOST, FILE_NAME, DAY, DONE, ROWS, EVENTS, FROM, TO, COLUMNS };

/* Cuts a row into its values, in place. Returns where the next row begins. */
static char *cut_row(char *row, char **cells, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		cells[i] = row ? row : (char *)"";
		row = row ? encode_cut(row) : NULL;
	}
	return row;
}

static int add_recording(char *const *cells, const char *events, int (*each)(void *ctx, const struct remote_recording *recording), void *ctx)
{
	struct remote_recording r = {
		.recording = cells[RECORDING],
		.host = cells[HOST],
		.file = cells[FILE_NAME],
		.day = cells[DAY],
		.complete = strtoul(cells[DONE], NULL, 10),
		.rows = strtoull(cells[ROWS], NULL, 10),
	};
	__cleanup(free_ptr) char *copy = strdup(events);

	if (!copy)
		return fail(ENOMEM, "out of memory");
	for (char *at = copy; at && *at;) {
		char *of[4];

		at = cut_row(at, of, ARRAY_LEN(of));
		if (strcmp(of[0], r.recording))
			continue;
		r.events = strtoull(of[1], NULL, 10);
		r.from = strtoull(of[2], NULL, 10);
		r.to = strtoull(of[3], NULL, 10);
		break;
	}
	return each(ctx, &r);
}

int remote_recordings(struct remote *remote, int (*each)(void *ctx, const struct remote_recording *recording), void *ctx)
{
	__cleanup(free_ptr) char *events = NULL;
	char *answer = NULL, *cells[ROWS + 1];
	int err = remote_ask(remote->server, "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'recordings'", &answer);

	if (!err && strtoull(answer, NULL, 10) == 0)
		return fail(ENOENT, "%s: the database %s is no store: `ringside export --to clickhouse://... --create` makes one", server_name(remote->server),
			    remote->address->database);
	err = err ? err : remote_ask(remote->server, "SELECT count() FROM system.tables WHERE database = currentDatabase() AND name = 'events'", &answer);
	if (!err && strtoull(answer, NULL, 10)) {
		err = remote_ask(remote->server, "SELECT _recording, count(), min(ts), max(ts) FROM events GROUP BY _recording", &answer);
		events = err ? NULL : strdup(answer);
		if (!err && !events)
			err = fail(ENOMEM, "out of memory");
	}
	err = err ? err
		  : remote_ask(remote->server,
			       "SELECT _recording, any(host), any(file), min(_day), max(done), max(rows) FROM recordings GROUP BY _recording "
			       "ORDER BY any(host), min(at), _recording",
			       &answer);
	while (!err && answer && *answer) {
		answer = cut_row(answer, cells, ARRAY_LEN(cells));
		err = add_recording(cells, events ? events : "", each, ctx);
	}
	return err;
}

/* --- dropping one ------------------------------------------------------------------------------------------------- */

struct drop {
	struct remote *remote;
	const char *recording;
	bool dry_run;
	uint64_t until;
	int (*each)(void *ctx, const char *host, const char *table, uint64_t rows);
	void *ctx;
	struct server *server; /* the server of the current host */
};

static int ask_about(const struct drop *drop, const char *before, const char *table, const char *behind, char **answer)
{
	struct str query = { 0 };
	int err;

	str_add(&query, before);
	if (table)
		encode_identifier(table, &query);
	str_add(&query, behind);
	encode_literal(drop->recording, &query);
	err = query.oom ? fail(ENOMEM, "out of memory") : remote_ask(drop->server, str_text(&query), answer);
	str_fini(&query);
	return err;
}

/* Waits until the recording's rows are gone from a table, because the server removes them when it has time. */
static int wait_until_gone(const struct drop *drop, const char *table)
{
	char *answer = NULL;
	int err;

	for (;;) {
		err = ask_about(drop, "SELECT count() FROM ", table, " WHERE _recording = ", &answer);
		if (err || !strtoull(answer, NULL, 10))
			return err;
		if (now_ns() > drop->until)
			return fail(ETIMEDOUT,
				    "%s: table %s still has %" PRIu64
				    " rows of recording %s, which the server takes out when it has time; the same command waits for it again",
				    server_name(drop->server), table, (uint64_t)strtoull(answer, NULL, 10), drop->recording);
		usleep(50000);
	}
}

static int drop_from(const struct drop *drop, const char *table)
{
	char *answer = NULL;
	int err = ask_about(drop, "SELECT count() FROM ", table, " WHERE _recording = ", &answer);
	uint64_t rows = err ? 0 : strtoull(answer, NULL, 10);

	if (err || !rows)
		return err;
	err = drop->each(drop->ctx, server_name(drop->server), table, rows);
	if (err || drop->dry_run)
		return err;
	err = ask_about(drop, "ALTER TABLE ", table, " DELETE WHERE _recording = ", &answer);
	return err ? err : wait_until_gone(drop, table);
}

/* Drops the recording from the tables that hold rows themselves. The list of recordings comes last. */
static int drop_on_host(struct drop *drop, bool list)
{
	struct str query = { 0 };
	__cleanup(free_ptr) char *tables = NULL;
	char *answer = NULL;
	int err;

	str_addf(&query,
		 "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%%MergeTree' AND name %s ('%s', '%s_local') "
		 "AND name IN (SELECT table FROM system.columns WHERE database = currentDatabase() AND name = '_recording') ORDER BY name",
		 list ? "IN" : "NOT IN", schema_recordings, schema_recordings);
	err = query.oom ? fail(ENOMEM, "out of memory") : remote_ask(drop->server, str_text(&query), &answer);
	str_fini(&query);
	tables = err ? NULL : strdup(answer);
	if (!err && !tables)
		err = fail(ENOMEM, "out of memory");
	for (char *at = tables, *next; !err && at && *at; at = next) {
		next = encode_cut(at);
		err = drop_from(drop, at);
	}
	return err;
}

/* Does one of the hosts have the recording? Without a cluster each has its own list. */
static int is_there(struct drop *drop)
{
	bool found = false;
	int err = 0;

	for (size_t i = 0; !err && !found && i < drop->remote->address->hosts.n; i++) {
		char *answer = NULL;

		err = server_open(&drop->server, drop->remote->address, i);
		err = err ? err : ask_about(drop, "SELECT count() FROM recordings WHERE _recording = ", NULL, "", &answer);
		found = !err && strtoull(answer, NULL, 10);
		server_close(take(drop->server));
	}
	if (err || found)
		return err;
	return fail(ENOENT, "%s: there is no recording '%s'; `ringside fleet list` has their names", server_name(drop->remote->server), drop->recording);
}

int remote_drop(struct remote *remote, const char *recording, bool dry_run, uint64_t wait_ns,
		int (*each)(void *ctx, const char *host, const char *table, uint64_t rows), void *ctx)
{
	struct drop drop = {
		.remote = remote,
		.recording = recording,
		.dry_run = dry_run,
		.until = now_ns() + wait_ns,
		.each = each,
		.ctx = ctx,
	};
	int err = is_there(&drop);

	for (int list = 0; !err && list < 2; list++) {
		for (size_t i = 0; !err && i < remote->address->hosts.n; i++) {
			err = server_open(&drop.server, remote->address, i);
			err = err ? err : drop_on_host(&drop, list);
			server_close(take(drop.server));
		}
	}
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/fleet.h"
#include "lib/base/err.h"

#if defined(RINGSIDE_SQLITE) && defined(RINGSIDE_CURL)
#include "lib/query/fleet-inside.h"

#include <inttypes.h>
#include <sys/file.h>

/* The most rows and bytes of a block, and the most bytes of all blocks that are being filled. */
enum { BLOCK_ROWS = 100000, BLOCK_BYTES = 16 << 20, OPEN_BYTES = 64 << 20 };

/* --- what the server can do ------------------------------------------------------------------------------------- */

static unsigned int read_version(const char *text)
{
	char *end;
	const unsigned long major = strtoul(text, &end, 10), minor = *end == '.' ? strtoul(end + 1, NULL, 10) : 0;

	return (unsigned int)(MIN(major, 9999) * 100 + MIN(minor, 99));
}

static void take_version(struct fleet *f, const char *text)
{
	f->version = read_version(text);
	f->how.modern = f->version >= 1903;
}

static int find_out(struct fleet *f)
{
	int err = fleet_ask(f->server, f->options, "SELECT version()", true);

	if (err)
		return err;
	take_version(f, server_answer(f->server));
	if (f->options->ttl_days && f->version < 1906)
		return fail(ENOTSUP, "--ttl: %s is ClickHouse %u.%u, and only 19.6 and later can delete rows by itself; drop its partitions by day instead",
			    server_name(f->server), f->version / 100, f->version % 100);
	if (f->options->cluster) {
		err = fleet_ask(f->server, f->options, "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'", true);
		f->how.replicated = !err && strtoull(server_answer(f->server), NULL, 10);
	}
	return err;
}

/* --- the recording ----------------------------------------------------------------------------------------------- */

static void put_recording(struct fleet *f, bool done, struct str *out)
{
	str_add(out, "INSERT INTO ");
	schema_name(&f->how, schema_recordings, true, out);
	str_addf(out, " (_recording, _day, at, host, file, choice, rows, done) VALUES ('%s', toDate(%u), now(), ", f->identity.recording, f->identity.day);
	encode_literal(f->identity.host, out);
	str_add(out, ", ");
	encode_literal(f->identity.file, out);
	str_add(out, ", ");
	encode_literal(f->options->choice, out);
	str_addf(out, ", %" PRIu64 ", %d)", f->rows, done);
}

/* Begins the recording. Returns 1 if all of it is in the store already. */
static int begin_recording(struct fleet *f)
{
	struct str query = { 0 };
	char *choice, *end;
	int err;

	if (f->options->create) {
		schema_create_recordings(&f->how, &query);
		err = fleet_make(f, schema_recordings, &query);
		if (err)
			return err;
	}
	str_add(&query, "SELECT max(done), toUInt32(toRelativeDayNum(min(_day))), any(choice) FROM ");
	schema_name(&f->how, schema_recordings, true, &query);
	str_addf(&query, " WHERE _recording = '%s' HAVING count() > 0", f->identity.recording);
	err = fleet_query(f, &query);
	if (err)
		return err;
	if (server_answer(f->server)[0]) {
		const bool done = strtoul(server_answer(f->server), &end, 10);

		f->identity.day = (uint16_t)strtoul(end, &choice, 10);
		choice += *choice == '\t';
		choice[strcspn(choice, "\n")] = '\0';
		if (strcmp(choice, f->options->choice))
			return fail(EEXIST, "%s: this recording is there with another choice of its events: delete its rows first, WHERE _recording = '%s'",
				    f->identity.file, f->identity.recording);
		return done;
	}
	put_recording(f, false, &query);
	return fleet_query(f, &query);
}

/* Waits for queries of a former export of this recording, which may still run. Their rows can be seen only after they have ended. */
static int wait_for_others(struct fleet *f)
{
	struct patience patience = { 0 };

	for (;;) {
		struct str query = { 0 };
		int err;

		str_addf(&query, "SELECT count() FROM system.processes WHERE query_id LIKE 'ringside-%s-%%'", f->identity.recording);
		err = fleet_query(f, &query);
		if (err || !strtoull(server_answer(f->server), NULL, 10))
			return err;
		if (!be_patient(&patience, f->options))
			return fail(EBUSY, "%s: queries of a former export of %s still run there after %llu s; export it again when they have ended",
				    server_name(f->server), f->identity.file, (unsigned long long)(f->options->wait_ns / NSEC_PER_SEC));
	}
}

/* --- rows -------------------------------------------------------------------------------------------------------- */

static int give(struct fleet *f, struct fleet_table *t)
{
	if (!t->open)
		return 0;
	f->open_bytes -= t->open->bytes.len;
	return senders_give(&f->senders, take(t->open));
}

static bool is_done(struct fleet_table *t, uint64_t row)
{
	while (t->at_done < t->done.n && t->done.at[t->at_done].first + t->done.at[t->at_done].n <= row)
		t->at_done++;
	return t->at_done < t->done.n && t->done.at[t->at_done].first <= row;
}

static int give_largest(struct fleet *f)
{
	struct fleet_table *most = NULL;

	vec_each (&f->tables, t)
		if (t->open && (!most || t->open->bytes.len > most->open->bytes.len))
			most = t;
	return most ? give(f, most) : 0;
}

static int take_row(struct fleet *f, struct fleet_table *t, uint64_t row)
{
	size_t before;
	int err = fleet_table_ready(f, t);

	if (err)
		return err;
	t->rows++;
	f->rows++;
	if (is_done(t, row))
		return give(f, t);
	if (t->open && (row % BLOCK_ROWS == 0 || t->open->bytes.len >= BLOCK_BYTES))
		err = give(f, t);
	if (!err && !t->open) {
		t->open = calloc(1, sizeof(*t->open));
		if (!t->open)
			return fail(ENOMEM, "out of memory");
		*t->open = (struct block){ .table = t, .first = row };
	}
	if (err)
		return err;
	before = t->open->bytes.len;
	fleet_row(f->dump, &t->columns, &f->identity, t->open->first, ENCODE_BINARY, &t->open->bytes);
	t->open->n++;
	f->open_bytes += t->open->bytes.len - before;
	if (t->open->bytes.oom)
		return fail(ENOMEM, "out of memory");
	return f->open_bytes > OPEN_BYTES ? give_largest(f) : 0;
}

static int send_rows(struct fleet *f)
{
	uint64_t row;
	size_t table;
	int err = 0;

	/* A table that was asked for is made even if it has no rows. */
	for (size_t i = 0; !err && i < f->tables.n; i++)
		if (!f->tables.at[i].what->of_event)
			err = fleet_table_ready(f, &f->tables.at[i]);
	while (!err && (err = dump_next(f->dump, &table, &row)) > 0) {
		err = take_row(f, &f->tables.at[table], row);
		if (f->options->progress)
			f->options->progress(f->options->ctx);
	}
	vec_each (&f->tables, t)
		err = err ? err : give(f, t);
	return err;
}

/* Checks that each row is in the store once. */
static int verify(struct fleet *f)
{
	int err = 0;

	vec_each (&f->tables, t) {
		uint64_t next = 0;

		if (err || !t->ready)
			continue;
		err = fleet_table_done(f, t);
		vec_each (&t->done, span) {
			if (!err && span->first != next)
				err = -EIO;
			next = span->first + span->n;
		}
		if (err == -EIO || (!err && next != t->rows))
			err = fail(EIO,
				   "%s: table %s does not have each of the %" PRIu64
				   " rows once: delete the rows of the recording, WHERE _recording = '%s', and export it again",
				   server_name(f->server), t->what->name, t->rows, f->identity.recording);
	}
	return err;
}

/* --- all of it --------------------------------------------------------------------------------------------------- */

static int prepare(struct fleet *f, struct query *query, const struct fleet_options *options)
{
	int err = identity_of(query, &f->identity);

	f->options = options;
	f->how = (struct schema_how){ .database = options->address.database, .cluster = options->cluster, .ttl_days = options->ttl_days };
	f->host = (size_t)(strtoull(f->identity.recording, NULL, 16) % options->address.hosts.n);
	err = err ? err : server_open(&f->server, &options->address, f->host);
	err = err ? err : dump_open(&f->dump, query, NULL);
	for (size_t i = 0; !err && i < dump_tables(f->dump); i++)
		if (vec_push(&f->tables, (struct fleet_table){ .what = dump_table_at(f->dump, i) }))
			err = fail(ENOMEM, "out of memory");
	return err;
}

static void release(struct fleet *f)
{
	vec_each (&f->tables, t) {
		schema_columns_fini(&t->columns);
		vec_fini(&t->done);
		free(t->insert);
		free(t->name);
		block_free(t->open);
	}
	vec_fini(&f->tables);
	dump_close(f->dump);
	server_close(f->server);
}

/* Locks the file, because two exports at the same time would both send missing rows. */
static int lock(const struct fleet *f, const struct datfile *file)
{
	return flock(file->fd, LOCK_EX | LOCK_NB) ? fail(EBUSY, "%s: it is being exported already", f->identity.file) : 0;
}

static int send_all(struct fleet *f)
{
	struct str query = { 0 };
	int err, ended;

	err = wait_for_others(f);
	if (err)
		return err;
	f->senders = (struct senders){ .options = f->options,
				       .identity = &f->identity,
				       .host = f->host,
				       .more = f->version >= 2111 ? "&insert_deduplicate=0&async_insert=0" : "&insert_deduplicate=0" };
	err = senders_open(&f->senders);
	err = err ? err : send_rows(f);
	ended = senders_end(&f->senders);
	err = err ? err : ended;
	err = err ? err : verify(f);
	if (err)
		return err;
	put_recording(f, true, &query);
	return fleet_query(f, &query);
}

static int make_views(struct fleet *f)
{
	struct str query = { 0 };
	int err = 0;

	for (unsigned int i = 0; !err && schema_view(&f->how, i, &query); i++)
		err = fleet_tell(f, false, &query);
	str_fini(&query);
	return err;
}

int fleet_send(struct query *query, const struct fleet_options *options)
{
	struct fleet f = { 0 };
	struct str statement = { 0 };
	int err = prepare(&f, query, options);

	err = err ? err : lock(&f, query_file(query));
	err = err ? err : find_out(&f);
	if (!err && options->create) {
		schema_database(&f.how, &statement);
		err = fleet_tell(&f, true, &statement);
	}
	err = err ? err : begin_recording(&f);
	if (err == 1) {
		note("%s: recording %s is there already and is complete", f.identity.file, f.identity.recording);
		err = 0;
	} else if (!err) {
		err = send_all(&f);
		err = err || !options->create ? err : make_views(&f);
	}
	release(&f);
	return err;
}

int fleet_schema(struct query *query, const struct fleet_options *options, struct str *out)
{
	/* If the server does not answer, the schema is one that all servers accept. */
	const struct server_request request = { .query = "SELECT version()", .no_database = true, .seconds = 5 };
	struct fleet f = { 0 };
	int err = prepare(&f, query, options);

	if (!err && server_ask(f.server, &request) == SERVER_DONE)
		take_version(&f, server_answer(f.server));
	err = err ? err : schema_print(&f.how, f.dump, out) ? fail(ENOMEM, "out of memory") : 0;
	release(&f);
	return err;
}
#else
int fleet_send(__unused struct query *query, __unused const struct fleet_options *options)
{
	return fail(ENOTSUP, "clickhouse: this program was built without libsqlite3 or libcurl; build it again where these are installed");
}

int fleet_schema(struct query *query, const struct fleet_options *options, __unused struct str *out)
{
	return fleet_send(query, options);
}
#endif

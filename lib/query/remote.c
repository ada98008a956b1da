/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/query/remote.h"
#include "lib/base/err.h"
#include "lib/base/now.h"
#include "lib/base/parse.h"
#include "lib/query/dialect.h"
#include "lib/query/encode.h"
#include "lib/query/remote-inside.h"

#include <inttypes.h>
#include <unistd.h>

/* How long to wait for a server: until it says which tables it has, and until it has ended a stopped query. */
enum { LOOK_S = 30, KILL_S = 5 };

/* --- what goes wrong ---------------------------------------------------------------------------------------------- */

/*
 * Reports a failure. Of "Code: 47, e.displayText() = DB::Exception: Unknown identifier: x, e.what() = DB::Exception", only the middle part is meant for people.
 */
int remote_failed(struct server *server, enum server_result result)
{
	static const char before[] = "DB::Exception: ", behind[] = ", e.what() = ";
	const char *text = server_error(server), *from = strstr(text, before);
	const char *to;

	if (result == SERVER_SILENT)
		return fail(EIO, "%s does not answer: %s", server_name(server), text);
	text = from ? from + sizeof(before) - 1 : text;
	to = strstr(text, behind);
	fail(result == SERVER_REFUSED ? EINVAL : EIO, "%s: %.*s", server_name(server), prec(to ? (size_t)(to - text) : strlen(text)), text);
	return result == SERVER_REFUSED ? -EINVAL : -EIO;
}

int remote_ask(struct server *server, const char *query, char **answer)
{
	const struct server_request request = { .query = query };
	const enum server_result result = server_ask(server, &request);

	if (result != SERVER_DONE)
		return remote_failed(server, result);
	*answer = (char *)server_answer(server);
	return 0;
}

static int tell_watch(void *ctx)
{
	const struct remote *remote = ctx;

	return remote->watch.tell ? remote->watch.tell(remote->watch.ctx, 0, 0) : 0;
}

/* Asks which tables and columns there are. A working server answers at once, and the user may give up before. */
static int look(struct remote *remote, const char *query, char **answer)
{
	const struct server_request request = { .query = query, .seconds = LOOK_S, .tell = remote->watch.tell ? tell_watch : NULL, .tell_ctx = remote };
	const enum server_result result = server_ask(remote->server, &request);

	if (result != SERVER_DONE)
		return result == SERVER_STOPPED ? -EINTR : remote_failed(remote->server, result);
	*answer = (char *)server_answer(remote->server);
	return 0;
}

int remote_open(struct remote **out, const struct server_address *address)
{
	struct remote *remote = *out = calloc(1, sizeof(*remote));

	if (!remote)
		return fail(ENOMEM, "out of memory");
	remote->address = address;
	return server_open(&remote->server, address, 0);
}

void remote_close(struct remote *remote)
{
	if (!remote)
		return;
	server_close(remote->server);
	free(remote);
}

void remote_watch(struct remote *remote, const struct query_watch *watch)
{
	remote->watch = *watch;
}

/* --- an answer ---------------------------------------------------------------------------------------------------- */

/* The parts of an answer in TabSeparatedWithNamesAndTypes: a line of names, a line of types, then rows. */
struct answer {
	const struct query_sink *sink;
	struct str text; /* a line that has not arrived completely */
	strv_t names;
	VEC(enum query_kind) kinds;
	VEC(struct query_value) values;
	unsigned int lines;
	int err;
};

static enum query_kind kind_of(const char *type)
{
	static const char *const wraps[] = { "Nullable(", "LowCardinality(" };

	for (size_t i = 0; i < ARRAY_LEN(wraps); i++)
		if (str_starts(type, wraps[i]))
			return kind_of(type + strlen(wraps[i]));
	return str_starts(type, "Int") || str_starts(type, "UInt")	  ? QUERY_INTEGER
	       : str_starts(type, "Float") || str_starts(type, "Decimal") ? QUERY_REAL
									  : QUERY_TEXT;
}

static void read_value(enum query_kind kind, char *text, struct query_value *out)
{
	char *end;

	*out = (struct query_value){ .kind = kind, .text = text };
	errno = 0;
	if (kind == QUERY_INTEGER)
		out->number = strtoll(text, &end, 10);
	else if (kind == QUERY_REAL)
		out->real = strtod(text, &end);
	/* A number that is too large for us is shown as text. */
	if (kind != QUERY_TEXT && (errno || *end))
		out->kind = QUERY_TEXT;
}

static int take_head(struct answer *a, char *line)
{
	for (char *next; line; line = next) {
		next = encode_cut(line);
		if (a->lines ? vec_push(&a->kinds, kind_of(line)) : strv_add(&a->names, dialect_name(line)))
			return fail(ENOMEM, "out of memory");
	}
	a->lines++;
	return a->lines == 2 ? a->sink->begin(a->sink->ctx, &a->names) : 0;
}

static int take_line(struct answer *a, char *line)
{
	if (a->lines < 2)
		return take_head(a, line);
	a->values.n = 0;
	for (char *next; line; line = next) {
		struct query_value value = { 0 };
		const bool known = strncmp(line, "\\N", 2) || (line[2] && line[2] != '\t');

		next = encode_cut(line);
		if (known && a->values.n < a->kinds.n)
			read_value(a->kinds.at[a->values.n], line, &value);
		if (vec_push(&a->values, value))
			return fail(ENOMEM, "out of memory");
	}
	while (a->values.n < a->names.n)
		if (vec_push(&a->values, (struct query_value){ 0 }))
			return fail(ENOMEM, "out of memory");
	return a->sink->row(a->sink->ctx, a->values.at);
}

static int on_answer(void *ctx, const char *bytes, size_t n)
{
	struct answer *a = ctx;
	size_t from = 0;

	str_addn(&a->text, bytes, n);
	if (a->text.oom)
		return a->err = fail(ENOMEM, "out of memory");
	for (char *end; !a->err && (end = memchr(a->text.at + from, '\n', a->text.len - from)); from = (size_t)(end - a->text.at) + 1) {
		*end = '\0';
		a->err = take_line(a, a->text.at + from);
	}
	memmove(a->text.at, a->text.at + from, a->text.len - from);
	a->text.len -= from;
	return a->err;
}

/* Stops a query. A server that is asked over HTTP would continue it after the client has gone. */
static void stop_statement(struct remote *remote, const char *id)
{
	__cleanup(free_ptr) char *query = str_printf("KILL QUERY WHERE query_id = '%s'", id);
	const struct server_request request = { .query = query, .seconds = KILL_S };

	if (query)
		server_ask(remote->server, &request);
}

static int run_statement(struct remote *remote, const char *sql, const struct query_sink *sink)
{
	__cleanup(free_ptr) char *id = str_printf("ringside-sql-%d-%" PRIu64, getpid(), now_ns());
	struct answer a = { .sink = sink };
	/* "readonly" keeps a statement that the dialect does not know from changing anything. */
	const struct server_request request = { .query = sql,
						.id = id,
						.format = "TabSeparatedWithNamesAndTypes",
						.more = "&readonly=1",
						.on_answer = on_answer,
						.ctx = &a,
						.tell = remote->watch.tell ? tell_watch : NULL,
						.tell_ctx = remote };
	const enum server_result result = server_ask(remote->server, &request);
	int err = a.err ? a.err : result == SERVER_STOPPED ? -EINTR : result != SERVER_DONE ? remote_failed(remote->server, result) : 0;

	if (result == SERVER_STOPPED && id)
		stop_statement(remote, id);
	/* An error in the middle of the answer is a text behind the rows. */
	if (!err && a.text.len)
		err = fail(EIO, "%s: the answer ends in the middle: %.*s", server_name(remote->server), prec(a.text.len), a.text.at);
	if (a.lines == 2 && err != -EPIPE && err != -EINTR) {
		int ret = sink->end(sink->ctx);

		err = err ? err : ret;
	}
	str_fini(&a.text);
	strv_fini(&a.names);
	vec_fini(&a.kinds);
	vec_fini(&a.values);
	return err;
}

/* Shows the statement that a server would get. */
static int explain_statement(const char *sql, const struct query_sink *sink)
{
	const struct query_value value = { .kind = QUERY_TEXT, .text = sql };
	strv_t names = { 0 };
	int err = strv_add(&names, "query") ? fail(ENOMEM, "out of memory") : sink->begin(sink->ctx, &names);

	err = err ? err : sink->row(sink->ctx, &value);
	err = err ? err : sink->end(sink->ctx);
	strv_fini(&names);
	return err;
}

static int find_columns(struct remote *remote, strv_t *out)
{
	char *at = NULL;
	/* The columns of the views are read by another query. */
	int err = look(remote,
		       "SELECT concat(table, '.', name) FROM system.columns WHERE database = currentDatabase() AND table IN "
		       "(SELECT table FROM system.columns WHERE database = currentDatabase() AND name = '_recording')",
		       &at);

	for (char *next; !err && at && *at; at = next) {
		next = encode_cut(at);
		err = strv_add(out, at) ? fail(ENOMEM, "out of memory") : 0;
		if (!next)
			break;
	}
	return err;
}

int remote_run(struct remote *remote, const char *sql, bool explain, const struct query_sink *sink)
{
	strv_t columns = { 0 }, statements = { 0 };
	int err = find_columns(remote, &columns);

	err = err ? err : dialect_translate(sql, &columns, &statements);
	for (size_t i = 0; !err && i < statements.n; i++)
		err = explain ? explain_statement(statements.at[i], sink) : run_statement(remote, statements.at[i], sink);
	strv_fini(&columns);
	strv_fini(&statements);
	return err;
}

int remote_tables(struct remote *remote, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx)
{
	char *at = NULL;
	int err = look(remote, "SELECT table, name, type FROM system.columns WHERE database = currentDatabase() AND NOT match(table, '_local$') ORDER BY table",
		       &at);

	while (!err && at && *at) {
		char *name = encode_cut(at), *type = name ? encode_cut(name) : NULL, *next = type ? encode_cut(type) : NULL;

		if (!type)
			break;
		err = each(ctx, at, name, kind_of(type) == QUERY_TEXT ? "text" : "integer", false);
		at = next;
	}
	return err;
}

/* SPDX-License-Identifier: GPL-2.0 */
/* Sends queries to the store of ringside-fleet(1), a ClickHouse database, and lists and drops the recordings in the store. */
#ifndef RINGSIDE_QUERY_REMOTE_H
#define RINGSIDE_QUERY_REMOTE_H

#include "lib/query/query.h"
#include "lib/query/server.h"

struct remote;

/*
 * Prepares a connection to the first host of @address. Borrows @address. Returns 0, or -errno after a message. The function fails when libcurl is not
 * installed, and when the program was built without libcurl. The caller calls remote_close() in any case.
 */
int remote_open(struct remote **out, const struct server_address *address);
void remote_close(struct remote *remote);

/*
 * Runs a query of `ringside sql` as query_run() does. The query is translated into the server's SQL (lib/query/dialect.h). A query cannot change anything in
 * the database. When @explain is true, the query is not run, and @sink gets the translation.
 */
int remote_run(struct remote *remote, const char *sql, bool explain, const struct query_sink *sink);

/*
 * Does what query_watch() does, with two differences. The numbers @done and @total of tell() are always 0. Up to a second can pass before the first call of
 * tell(). @watch is copied.
 */
void remote_watch(struct remote *remote, const struct query_watch *watch);

/* Does what query_tables() does, for the tables that are in the database. */
int remote_tables(struct remote *remote, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* --- recordings --------------------------------------------------------------------------------------------------- */

/* A recording in the store. Its texts are valid until the function @each of remote_recordings() returns. */
struct remote_recording {
	const char *recording; /* the identity of the recording, as in the column _recording */
	const char *host;      /* the machine on which it was recorded */
	const char *file;      /* the path of the file from which it was sent */
	const char *day;       /* the day on which this file was last changed, in UTC, such as "2026-11-23" */
	bool complete;	       /* the store has the whole recording */
	uint64_t rows;	       /* how many rows the recording has in all tables; 0: not known yet */
	uint64_t events;       /* how many events the recording has */
	uint64_t from, to;     /* the times of the first and last event, as in the column ts; valid when .events is not 0 */
};

/* Calls @each for all recordings, until a call does not return 0. Returns what the last call returned, 0 if there was no call, or -errno after a message. */
int remote_recordings(struct remote *remote, int (*each)(void *ctx, const struct remote_recording *recording), void *ctx);

/*
 * Drops the rows of one recording from all tables on all hosts of remote_open()'s @address. Waits until these rows are gone. When rows are still there after
 * @wait_ns, remote_drop() fails. The recording is removed from the list of recordings last. So remote_drop() can be called again after an interruption. @each
 * is called for each table that has rows of the recording, with the "HOST:PORT" of the table's server as @host. When @dry_run is true, nothing is dropped.
 * Returns 0, what @each returned, or -errno after a message. -ENOENT means that the store does not have the recording.
 */
int remote_drop(struct remote *remote, const char *recording, bool dry_run, uint64_t wait_ns,
		int (*each)(void *ctx, const char *host, const char *table, uint64_t rows), void *ctx);

#endif

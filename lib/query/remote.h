/* SPDX-License-Identifier: GPL-2.0 */
/* Queries to a fleet's store, and its recordings. */
#ifndef RINGSIDE_QUERY_REMOTE_H
#define RINGSIDE_QUERY_REMOTE_H

#include "lib/query/query.h"
#include "lib/query/server.h"

struct remote;

/* Borrows @address; its first host is asked. Returns 0, or -errno after a message: also when the program was built without libcurl. remote_close() in any case. */
int remote_open(struct remote **out, const struct server_address *address);
void remote_close(struct remote *remote);

/*
 * As query_run(); the query is one of `ringside sql`, which the server is told in its own words (lib/query/dialect.h), and it may only read. @explain: calls
 * the sink with these words instead.
 */
int remote_run(struct remote *remote, const char *sql, bool explain, const struct query_sink *sink);

/* As query_watch(): both numbers are always 0, and it may take a second until it is told. @watch is copied. */
void remote_watch(struct remote *remote, const struct query_watch *watch);

/* As query_tables(), of those tables that are in the database. */
int remote_tables(struct remote *remote, int (*each)(void *ctx, const char *table, const char *column, const char *type, bool hidden), void *ctx);

/* --- recordings --------------------------------------------------------------------------------------------------- */

/* A recording of the store; texts hold until the function returns. */
struct remote_recording {
	const char *recording; /* its identity, as in the column _recording */
	const char *host, *file;
	const char *day; /* "2026-11-23": when it was recorded */
	bool complete;	 /* all of it is there */
	uint64_t rows;	 /* of all tables; 0: not known yet */
	uint64_t events;
	uint64_t from, to; /* of its events, when there are any */
};

/* Calls @each for all of them. 0, what that returned, or -errno after a message. */
int remote_recordings(struct remote *remote, int (*each)(void *ctx, const struct remote_recording *recording), void *ctx);

/*
 * Drops the rows of one recording from all tables on all hosts of the address, and waits until they are gone; the list of recordings forgets it last, so that
 * what was interrupted can be done again. @dry_run: tells and does nothing. @each is told of each table that has rows of it. Returns 0; -ENOENT after a message: there
 * is no such recording; another -errno after a message.
 */
int remote_drop(struct remote *remote, const char *recording, bool dry_run, uint64_t wait_ns,
		int (*each)(void *ctx, const char *host, const char *table, uint64_t rows), void *ctx);

#endif

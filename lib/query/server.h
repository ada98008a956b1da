/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Talks to ClickHouse servers over HTTP. An address names one or more servers. Its form is clickhouse://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]…]/DATABASE.
 * With clickhouses:// in place of clickhouse://, TLS is used.
 */
#ifndef RINGSIDE_QUERY_SERVER_H
#define RINGSIDE_QUERY_SERVER_H

#include "lib/base/vec.h"
#include "lib/base/str.h"

struct server_address {
	bool tls;
	char *user, *password; /* NULL: none */
	strv_t hosts;	       /* HOST:PORT */
	char *database;
};

/* Returns true if the text begins with "clickhouse://" or "clickhouses://". */
bool server_is_address(const char *text);

/* Parses an address. Returns 0, or -EINVAL or -ENOMEM after a message. The caller calls server_address_fini() in any case. */
int server_parse(struct server_address *out, const char *text);
void server_address_fini(struct server_address *address);

/* Returns true if the host with the index @host is this machine: if the address calls the host localhost, 127.* or [::1]. */
bool server_is_near(const struct server_address *address, size_t host);

/* This is a connection to one of the address's hosts. Only one thread may use it. */
struct server;

/*
 * Prepares a connection to the host with the index @host. @address is borrowed. Returns 0, or -errno after a message. The function fails when libcurl is
 * not installed, and when this program was built without libcurl. The caller calls server_close() in any case.
 */
int server_open(struct server **out, const struct server_address *address, size_t host);
void server_close(struct server *server);

/* This tells how a request has ended. */
enum server_result {
	SERVER_DONE,
	SERVER_REFUSED, /* the server will never carry out the request */
	SERVER_BUSY,	/* the server may carry out the request later, or may already have carried it out */
	/*
	 * There was no connection, the connection broke, or the answer did not come in time. If .on_answer is NULL, an answer of more than 64 MB also has this
	 * result.
	 */
	SERVER_SILENT,
	SERVER_STOPPED, /* on_answer() or tell() has ended the request */
};

struct server_request {
	const char *query;
	const char *id;	  /* The query's id. The server does not run two queries with the same id at the same time. NULL: the server chooses an id. */
	const void *body; /* the rows of an INSERT, packed by gzip; NULL: none */
	size_t size;
	const char *format;   /* the format of the answer; NULL: TabSeparated */
	const char *more;     /* settings, "&name=value"; NULL: none */
	bool no_database;     /* true: the request does not name the address's database, so that it can be sent before this database exists */
	unsigned int seconds; /* How many seconds to wait for the answer. 0 means five minutes. If on_answer() is set, 0 means no limit. */
	/*
	 * Called with each part of the answer as it comes. A result other than 0 ends the request. If this member is NULL, server_answer() returns the
	 * answer.
	 */
	int (*on_answer)(void *ctx, const char *bytes, size_t n);
	void *ctx;
	/* Called again and again while the request runs. A result other than 0 ends the request. This member may be NULL. */
	int (*tell)(void *ctx);
	void *tell_ctx;
};

/* Sends a request and waits until it has ended. Returns how the request has ended. */
enum server_result server_ask(struct server *server, const struct server_request *request);

/* server_answer() returns the answer, and server_error() says in one line what went wrong. Both texts are valid until the next request. */
const char *server_answer(const struct server *server);
const char *server_error(const struct server *server);

/*
 * server_reached() tells whether this connection ever got an answer. server_is_absent() tells whether the last request found no server: either the host
 * refused the connection, or there is no host of that name.
 */
bool server_reached(const struct server *server);
bool server_is_absent(const struct server *server);

/* Returns "HOST:PORT", for messages. */
const char *server_name(const struct server *server);

#endif

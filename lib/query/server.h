/* SPDX-License-Identifier: GPL-2.0 */
/* A ClickHouse server over HTTP: clickhouse://[USER[:PASSWORD]@]HOST[:PORT][,HOST[:PORT]…]/DATABASE; clickhouses:// is over TLS. */
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

/* Is it meant to be one? */
bool server_is_address(const char *text);

/* Returns 0; -EINVAL after a message; -ENOMEM. server_address_fini() in any case. */
int server_parse(struct server_address *out, const char *text);
void server_address_fini(struct server_address *address);

/* Is the address's host this machine, as far as its name says it? */
bool server_is_near(const struct server_address *address, size_t host);

/* A connection to one of the address's hosts; one thread uses it. */
struct server;

/* @address is borrowed. Returns 0, or -errno after a message: also when this program was built without libcurl. */
int server_open(struct server **out, const struct server_address *address, size_t host);
void server_close(struct server *server);

/* What came of a request. */
enum server_result {
	SERVER_DONE,
	SERVER_REFUSED, /* the server says that it will never do it */
	SERVER_BUSY,	/* it may do it later; it may also have done it */
	SERVER_SILENT,	/* no connection, or one that broke */
	SERVER_STOPPED, /* @on_answer or @tell did not want more */
};

struct server_request {
	const char *query;
	const char *id;	  /* the query's, so that it runs once at a time; NULL: the server makes one */
	const void *body; /* of an INSERT, packed by gzip; NULL: none */
	size_t size;
	const char *format;   /* of what a query finds; NULL: TabSeparated */
	const char *more;     /* settings, "&name=value"; NULL: none */
	bool no_database;     /* it may not be there yet */
	unsigned int seconds; /* after which nobody waits for it any more; 0: five minutes, or with @on_answer as long as it takes */
	/* Takes the answer as it comes, instead of server_answer(); 0, or not 0 to end it. NULL: nobody does. */
	int (*on_answer)(void *ctx, const char *bytes, size_t n);
	void *ctx;
	/* Is asked again and again while it runs; not 0 ends it. NULL: nobody is. */
	int (*tell)(void *ctx);
	void *tell_ctx;
};

enum server_result server_ask(struct server *server, const struct server_request *request);

/* The answer, or what went wrong in one line; holds until the next request. */
const char *server_answer(const struct server *server);
const char *server_error(const struct server *server);

/* "HOST:PORT", for messages. */
const char *server_name(const struct server *server);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the source files behind lib/query/remote.h share. Only lib/query uses this. */
#ifndef RINGSIDE_QUERY_REMOTE_INSIDE_H
#define RINGSIDE_QUERY_REMOTE_INSIDE_H

#include "lib/query/remote.h"

struct remote {
	const struct server_address *address;
	struct server *server; /* the connection to the first host of .address */
	struct query_watch watch;
};

/* Reports in one sentence why a request has failed. Returns -EINVAL when the server has refused the request, and -EIO otherwise. */
int remote_failed(struct server *server, enum server_result result);

/*
 * Sends a query and waits for the whole answer. *@answer becomes the text of the answer's rows, in ClickHouse's format TabSeparated. The text is valid until
 * the next request. Returns 0, or -errno after a message.
 */
int remote_ask(struct server *server, const char *query, char **answer);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts recordings of many machines into one store, a ClickHouse database. A recording is identified by the contents of its file. The rows of each table are
 * numbered, and are sent in blocks. Each row has the number of the first row of its block. These numbers tell which blocks the store has. When a recording is
 * sent again after an interruption, fleet_send() asks the store which blocks of the recording the store has. Then fleet_send() sends only the missing blocks.
 */
#ifndef RINGSIDE_QUERY_FLEET_H
#define RINGSIDE_QUERY_FLEET_H

#include "lib/query/schema.h"
#include "lib/query/server.h"

struct fleet_options {
	struct server_address address; /* the recording goes to one of the hosts of this address */
	const char *cluster;	       /* .cluster and .ttl_days are as in struct schema_how */
	unsigned int ttl_days;
	bool create;	    /* create tables that do not exist */
	uint64_t wait_ns;   /* how long a server may be silent */
	bool patient;	    /* wait for a server even when it refuses the first connection */
	const char *choice; /* a text that says which part of the recording is sent; the same part must always have the same text */
	/* Called for each row. This member may be NULL. */
	void (*progress)(void *ctx);
	void *ctx;
};

/* Sends those rows of @query's recording that the store does not have yet. The query has one file. Returns 0, or -errno after a message. */
int fleet_send(struct query *query, const struct fleet_options *options);

/*
 * Appends the schema of the tables into which fleet_send() writes. If the server answers, the schema fits the server's version. If the server does not answer,
 * the schema is one that all versions of ClickHouse from 18.16 on accept. Returns 0, or -errno after a message.
 */
int fleet_schema(struct query *query, const struct fleet_options *options, struct str *out);

/*
 * Writes all rows of one table, with their columns in the order of the schema. @write is given the rows in parts, and empties *@text. Returns 0, the
 * -errno that @write returned, or another -errno after a message.
 */
int fleet_rows(struct query *query, const char *table, enum encode_form form, int (*write)(void *ctx, struct str *text), void *ctx);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* What the parts of lib/query/fleet.h share. Inside lib/query only. */
#ifndef RINGSIDE_QUERY_FLEET_INSIDE_H
#define RINGSIDE_QUERY_FLEET_INSIDE_H

#include "lib/query/fleet.h"

#include <pthread.h>

struct identity {
	char recording[20]; /* by the bytes of the file */
	uint16_t day;	    /* since 1970 */
	const char *host, *file;
};

/* Of the query's only file. Returns 0, or -errno after a message. */
int identity_of(struct query *query, struct identity *out);

struct span {
	uint64_t first, n;
};

/* A table on its way. */
struct fleet_table {
	const struct dump_table *what;
	bool ready;
	schema_columns_t columns;
	char *insert;	       /* the statement */
	char *name;	       /* of the rows' own table, quoted */
	VEC(struct span) done; /* rows that are there, by their numbers */
	size_t at_done;
	uint64_t rows;	    /* so far */
	struct block *open; /* NULL: no row since the last one */
};

/* Rows that are sent together. */
struct block {
	const struct fleet_table *table;
	uint64_t first, n;
	struct str bytes;
	struct block *next;
};

enum { FLEET_CONNECTIONS = 3 };

/* Several connections, each a thread that takes the next block: senders_give() waits while there are many. */
struct senders {
	const struct fleet_options *options;
	const struct identity *identity;
	size_t host;
	const char *more; /* settings */
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct block *queue, **last;
	unsigned int queued;
	bool closed;
	int err; /* has been told */
	pthread_t threads[FLEET_CONNECTIONS];
	unsigned int n;
};

int senders_open(struct senders *senders);
int senders_give(struct senders *senders, struct block *block); /* takes it over in any case */
int senders_end(struct senders *senders);			/* waits until all has been sent; also frees what there is */
void block_free(struct block *block);

/* Asks what can be asked again, as long as the server may be silent. Returns 0, or -errno after a message. */
int fleet_ask(struct server *server, const struct fleet_options *options, const char *query, bool no_database);

/* Appends "… WHERE host and recording" of a table. */
void fleet_where(const struct identity *identity, const struct dump_table *what, struct str *out);

/*
 * Appends the row at hand of @dump: the values of @columns, of which those of the recording and of the day are in @identity. In TSV tabs and the
 * line's end are among them.
 */
void fleet_row(struct dump *dump, const schema_columns_t *columns, const struct identity *identity, uint64_t block, enum encode_form form, struct str *out);

struct fleet {
	const struct fleet_options *options;
	struct identity identity;
	struct schema_how how;
	unsigned int version; /* 1816: 18.16 */
	size_t host;	      /* of the address */
	struct server *server;
	struct dump *dump;
	VEC(struct fleet_table) tables;
	uint64_t open_bytes, rows;
	struct senders senders;
};

/* Sends a query, which is used up, to the recording's own host. Returns 0, or -errno after a message. */
int fleet_query(struct fleet *f, struct str *query);

/* Sends a statement, which is used up, to all hosts. @no_database says that the database is not there yet. Returns 0, or -errno after a message. */
int fleet_tell(struct fleet *f, bool no_database, struct str *statement);

/* Sends the statement that makes the table @name, then the one that makes the table of all shards for it. The statement is used up. Returns 0, or -errno after a message. */
int fleet_make(struct fleet *f, const char *name, struct str *statement);

/* Before the first row of a table: it is there, and what it has is known. Returns 0, or -errno after a message. */
int fleet_table_ready(struct fleet *f, struct fleet_table *t);

/* Asks which rows are there. Returns 0, or -errno after a message. */
int fleet_table_done(struct fleet *f, struct fleet_table *t);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declares what the source files behind lib/query/fleet.h share. Their code sends recordings to a store, which is a ClickHouse database. Only lib/query uses
 * this header.
 */
#ifndef RINGSIDE_QUERY_FLEET_INSIDE_H
#define RINGSIDE_QUERY_FLEET_INSIDE_H

#include "lib/query/fleet.h"

#include <pthread.h>

struct identity {
	char recording[20]; /* a hash of the contents of the file, in hexadecimal */
	uint16_t day;	    /* the day on which the file was last changed, in days since 1970 */
	const char *host, *file;
};

/* Finds the identity of the query's only file. Returns 0, or -errno after a message. */
int identity_of(struct query *query, struct identity *out);

/* A span is a range of .n rows of a table. The number of its first row is .first. */
struct span {
	uint64_t first, n;
};

/* This is a table that is being sent. */
struct fleet_table {
	const struct dump_table *what;
	bool ready; /* fleet_table_ready() was called */
	schema_columns_t columns;
	char *insert;	       /* the statement that inserts rows */
	char *name;	       /* the quoted name of the table that stores the rows; schema_name() makes it with @local true */
	VEC(struct span) done; /* the spans of the rows that the store already has, in ascending order */
	size_t at_done;	       /* the index in .done of the first span that ends at or after the current row */
	uint64_t rows;	       /* how many rows the dump has given so far */
	struct block *open;    /* the block that is being filled; NULL: no block is being filled */
};

/* A block is a range of .n rows of a table that are sent together. The number of its first row is .first. */
struct block {
	const struct fleet_table *table;
	uint64_t first, n;
	struct str bytes; /* the rows in RowBinary */
	struct block *next;
};

enum { FLEET_CONNECTIONS = 3 };

/*
 * These are several connections to a host of the store. Each connection has a thread, which takes blocks from the queue and sends them one after the other.
 * senders_open(), senders_give() and senders_end() return 0, or -errno after a message. senders_give() waits while many blocks are queued, and returns the
 * error of an earlier block that could not be sent. senders_end() must be called in any case.
 */
struct senders {
	const struct fleet_options *options;
	const struct identity *identity;
	size_t host;	  /* an index: which of the hosts in the address of the database */
	const char *more; /* settings, as in struct server_request */
	pthread_mutex_t lock;
	pthread_cond_t change;
	struct block *queue; /* the blocks that no thread has taken yet, the oldest first */
	/* the address of .next in the last queued block; when the queue is empty, the address of .queue */
	struct block **last;
	unsigned int queued; /* how many blocks are in .queue */
	bool closed;	     /* senders_end() was called: no more blocks come */
	int err;	     /* the first error of a thread, as -errno; a message has reported the error; 0: there was no error */
	pthread_t threads[FLEET_CONNECTIONS];
	unsigned int n; /* how many of .threads were started */
};

int senders_open(struct senders *senders);
int senders_give(struct senders *senders, struct block *block); /* takes the block over in any case */
int senders_end(struct senders *senders);			/* waits until everything has been sent, and frees the blocks that were not sent */
void block_free(struct block *block);

/* This tells when to ask the server again. Before the first call of be_patient() all members are 0. */
struct patience {
	uint64_t until;
	unsigned int pause_ms;
};

/* Waits before the server is asked again, each time longer, up to a second. Returns false when options->wait_ns have passed since the first call. */
bool be_patient(struct patience *p, const struct fleet_options *options);

/*
 * Sends a query again and again until the server answers. Sending the query twice must do no harm. The function gives up in these cases:
 *  - The server has been silent or busy for options->wait_ns.
 *  - The server refuses the query.
 *  - Nobody listens at the address, the server has never been reached, and options->patient is false.
 * @no_database is true if it is possible that the database does not exist yet. Returns 0, or -errno after a message.
 */
int fleet_ask(struct server *server, const struct fleet_options *options, const char *query, bool no_database);

/* Appends the SQL condition for the rows of @what that belong to the recording @identity: "host = … AND _recording = …". */
void fleet_where(const struct identity *identity, const struct dump_table *what, struct str *out);

/*
 * Appends a value for each of @columns. The columns _recording and _day get their values from @identity, and the column _block gets
 * @block. All other columns get their values from the current row of @dump. In TSV the tabs and the end of the line are appended, too.
 */
void fleet_row(struct dump *dump, const schema_columns_t *columns, const struct identity *identity, uint64_t block, enum encode_form form, struct str *out);

struct fleet {
	const struct fleet_options *options;
	struct identity identity;
	struct schema_how how;
	unsigned int version; /* the version of the server; 1816 stands for 18.16 */
	size_t host;	      /* the host that keeps the recording: its index in .hosts of the address */
	struct server *server;
	struct dump *dump;
	VEC(struct fleet_table) tables;
	uint64_t open_bytes; /* how many bytes the open blocks of all tables have */
	uint64_t rows;	     /* how many rows the dump has given so far, in all tables */
	struct senders senders;
};

/* Sends a query to the host that keeps the recording, and frees the query's text. Returns 0, or -errno after a message. */
int fleet_query(struct fleet *f, struct str *query);

/*
 * Sends a statement to all hosts, and frees the statement's text. @no_database is true if it is possible that the database does not exist yet. Returns 0, or
 * -errno after a message.
 */
int fleet_tell(struct fleet *f, bool no_database, struct str *statement);

/*
 * Sends the statement that makes the table @name, and frees the statement's text. When there is a cluster, the function then sends the statement of
 * schema_over() (lib/query/schema.h) for this table. Returns 0, or -errno after a message.
 */
int fleet_make(struct fleet *f, const char *name, struct str *statement);

/*
 * Must be called before the first row of a table is sent. With options->create, the function makes the table if it does not exist, and changes the columns
 * that do not fit. Without options->create, the function fails in both cases. The function also finds out which rows the table has. Returns 0, or -errno after
 * a message.
 */
int fleet_table_ready(struct fleet *f, struct fleet_table *t);

/* Asks the store which rows of the table the store has, and puts the spans of these rows into t->done. Returns 0, or -errno after a message. */
int fleet_table_done(struct fleet *f, struct fleet_table *t);

#endif

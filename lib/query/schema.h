/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Defines the tables of the ClickHouse database that holds recordings of many machines
 * (ringside-fleet(1)). These tables are the tables of `ringside sql`, with additional columns in front. The additional columns tell:
 * - the recording to which a row belongs;
 * - the day of the recording;
 * - the block in which the row was sent (lib/query/fleet.h).
 */
#ifndef RINGSIDE_QUERY_SCHEMA_H
#define RINGSIDE_QUERY_SCHEMA_H

#include "lib/query/dump.h"
#include "lib/query/encode.h"

struct schema_how {
	const char *database;
	/*
	 * The name of the cluster. NULL: there is no cluster. In a cluster, the rows are in the table "NAME_local", and the table "NAME" shows the rows of all
	 * shards. Shards are the servers between which a cluster divides its rows.
	 */
	const char *cluster;
	unsigned int ttl_days; /* a row is deleted this many days after the day of its recording; 0: never */
	bool modern;	       /* the server is ClickHouse 19.3 or later, which has LowCardinality and codecs */
	bool replicated;       /* the server has ZooKeeper */
};

/* These are the values of schema_column.from for the columns whose values do not come from the dump (lib/query/dump.h). */
enum { SCHEMA_RECORDING = -3, SCHEMA_DAY, SCHEMA_BLOCK };

struct schema_column {
	char *name; /* owned */
	int from;   /* the index in dump_table.columns of the column that has the values, or SCHEMA_RECORDING, SCHEMA_DAY or SCHEMA_BLOCK */
	struct encode_column how;
	const char *type; /* the type with which the column is created */
};
typedef VEC(struct schema_column) schema_columns_t;

/* Finds the columns with which a table is created. Returns 0 or -ENOMEM. The caller calls schema_columns_fini() in any case. */
int schema_columns(const struct schema_how *how, const struct dump_table *table, schema_columns_t *out);
void schema_columns_fini(schema_columns_t *columns);

/*
 * Appends "`database`.`table`". When @local is true and there is a cluster, appends "`database`.`table_local`" instead, which is the table that has the
 * rows.
 */
void schema_name(const struct schema_how *how, const char *table, bool local, struct str *out);

/*
 * These functions append statements. The statement of schema_database() makes the database. The statement of schema_create() makes a table. The statement
 * of schema_over() makes the table that shows the rows of all shards (.cluster in struct schema_how). A statement does nothing when the database or table
 * already exists.
 */
void schema_database(const struct schema_how *how, struct str *out);
void schema_create(const struct schema_how *how, const struct dump_table *table, const schema_columns_t *columns, struct str *out);
void schema_over(const struct schema_how *how, const char *table, struct str *out);

/* This is the name of the table that lists the recordings. schema_create_recordings() appends the statement that makes this table. */
extern const char schema_recordings[];
void schema_create_recordings(const struct schema_how *how, struct str *out);

/* Appends the statement that makes the view number @index. Each view answers a question for Grafana. Returns false when there are no more views. */
bool schema_view(const struct schema_how *how, unsigned int index, struct str *out);

/* Appends the whole schema, as --dry-run prints it. Returns 0 or -ENOMEM. */
int schema_print(const struct schema_how *how, const struct dump *dump, struct str *out);

#endif

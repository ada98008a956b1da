/* SPDX-License-Identifier: GPL-2.0 */
/* The tables of a fleet's store: those of `ringside sql`, and in front of their columns which recording and which block a row is of. */
#ifndef RINGSIDE_QUERY_SCHEMA_H
#define RINGSIDE_QUERY_SCHEMA_H

#include "lib/query/dump.h"
#include "lib/query/encode.h"

struct schema_how {
	const char *database;
	const char *cluster;   /* NULL: none; else rows are in NAME_local, and NAME is of all shards */
	unsigned int ttl_days; /* 0: rows stay */
	bool modern;	       /* the server has LowCardinality and codecs, which came with 19.3 */
	bool replicated;       /* and ZooKeeper */
};

/* Where a column's values come from: a column of the dump, or one of these. */
enum { SCHEMA_RECORDING = -3, SCHEMA_DAY, SCHEMA_BLOCK };

struct schema_column {
	char *name; /* owned */
	int from;
	struct encode_column how;
	const char *type; /* as it is created */
};
typedef VEC(struct schema_column) schema_columns_t;

/* The columns that a table is created with. Returns 0 or -ENOMEM; schema_columns_fini() in any case. */
int schema_columns(const struct schema_how *how, const struct dump_table *table, schema_columns_t *out);
void schema_columns_fini(schema_columns_t *columns);

/* "`database`.`table`", of the rows themselves when @local. */
void schema_name(const struct schema_how *how, const char *table, bool local, struct str *out);

/* Statements that make what is not there yet; schema_over() that of all shards. */
void schema_database(const struct schema_how *how, struct str *out);
void schema_create(const struct schema_how *how, const struct dump_table *table, const schema_columns_t *columns, struct str *out);
void schema_over(const struct schema_how *how, const char *table, struct str *out);

/* The table of the recordings. */
extern const char schema_recordings[];
void schema_create_recordings(const struct schema_how *how, struct str *out);

/* The views of questions, for Grafana: the statement that makes one; false: there are no more. */
bool schema_view(const struct schema_how *how, unsigned int index, struct str *out);

/* All of it, as --dry-run prints it. Returns 0 or -ENOMEM. */
int schema_print(const struct schema_how *how, const struct dump *dump, struct str *out);

#endif

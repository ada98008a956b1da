/* SPDX-License-Identifier: GPL-2.0 */
/* Defines which tables there are, and how their rows are made. Only lib/query uses this. */
#ifndef RINGSIDE_QUERY_TABLES_H
#define RINGSIDE_QUERY_TABLES_H

#include "lib/analysis/extent.h"
#include "lib/query/query.h"
#include "lib/query/store.h"

#include <sqlite3.h>

struct column {
	char *name;
	uint8_t type; /* enum column_type */
	bool hidden;  /* SELECT * leaves it out */
};

/* This is an event in one of the files. */
struct relation_event {
	const struct event *event; /* the event in the query's own reading; NULL: the file has no event of the table's name */
	/*
	 * Element i is for the column EVENT_MORE + i. The columns before EVENT_MORE are those that all events have. The value of the element is the index
	 * of the column's field in the event's struct plan (lib/export/plan.h). If the event lacks the field, the element is -1 or missing.
	 */
	VEC(int) fields;
};

/* This is a store with only those rows of a table that fit a choice (lib/query/wants.h). */
struct relation_part {
	char *key; /* the choice in words */
	struct store *store;
};

struct relation {
	struct query *query;
	char *name;
	VEC(struct column) columns;
	const struct relation_kind *kind;
	int ts;				   /* the index of the column of the time; -1: there is none */
	unsigned int file;		   /* the index of the column of the file; the column of the host follows it */
	VEC(struct relation_event) events; /* only in the table of an event: element i is the event in the file i */
	uint64_t wanted;		   /* a bit for each column that queries ask for, as in .wanted of struct store */
	struct store *store;		   /* the table's rows; NULL: they have not been made yet */
	VEC(struct relation_part) parts;   /* stores that have only a part of the rows; they are made for the running statement alone */
	const struct choice *choice;	   /* which rows fill() makes; NULL: all */
};

struct relation_kind {
	const char *name; /* NULL: the table of an event */
	const char *also; /* another name of the table; NULL: none */
	/*
	 * "name" is a column of numbers, and "name TEXT" a column of texts. A NULL ends the array. The columns of the file and of the host come after these
	 * columns.
	 */
	const char *const *columns;
	/* A bit for each column by which fill() can choose. fill() leaves out a row if its value in one of these columns does not fit table->choice. */
	uint64_t chooses;
	bool stream; /* the rows can be taken one after the other while the files are read */
	/* Puts all rows into @store. Returns 0, -ENOMEM, or another -errno after a message. */
	int (*fill)(struct relation *table, struct store *store);
};

struct query {
	sqlite3 *db;
	struct reading *reading;
	VEC(struct relation *) tables;
	strv_t hosts;	/* element i: the name of the machine on which the file i was recorded */
	uint64_t lost;	/* what query_lost() returns */
	bool lost_more; /* what query_lost() puts into *@more */
	/* True while a table is being declared to SQLite. SQLite treats the declaration as a statement, which is not allowed at any other time. */
	bool declaring;
	bool outer;	  /* the statement has an outer join */
	bool numbered;	  /* the statement uses rowids, so all cursors of a table read one store with all rows */
	bool damaged;	  /* a file is damaged */
	bool tells_deep;  /* calls were left out because of their depth, and a message has said so */
	bool hides_stays; /* reading_hides_stays() (lib/analysis/reading.h) was true for one of the tables, and a message has said so */
	int err;	  /* the error that a message has reported already */
	struct query_watch watch;
	struct extent extent; /* the extent of the files; found only when .watch is used */
};

/* Makes all tables of the query's files. Returns 0 or -ENOMEM. */
int tables_make(struct query *query);
void relation_free(struct relation *table);

/*
 * Makes table->store if there is none yet. If the store lacks columns of table->wanted, a new store takes its place. Returns 0, -ENOMEM, or another
 * -errno after a message.
 */
int relation_fill(struct relation *table);

/* Makes a store of those rows that fit table->choice. Returns what relation_fill() returns. */
int relation_make(struct relation *table, struct store **out);

/* Must be called when the statement has ended. The function frees what was made for this statement alone. */
void relation_forget(struct relation *table);

/* Registers the table with SQLite. Returns 0 or -ENOMEM. */
int relation_register(struct relation *table);

/* Sets the values of the file and of the host in a row. */
void relation_put_file(const struct relation *table, struct store *store, uint32_t row, unsigned int file);

/*
 * Calls tell() of query->watch, if there is one. This tells that the records up to @rec have been read. @rec is NULL while no records are being read.
 * Returns 0, or -EINTR when tell() ends the query.
 */
int query_tick(const struct query *query, const struct record *rec);

/*
 * Returns SQLite's code for @err. Every error except -ENOMEM is kept in query->err, so that no second message about the error is printed at the end of
 * the query.
 */
int query_failed(struct query *query, int err);

/* --- kinds ------------------------------------------------------------------------------------------------------- */

extern const struct relation_kind kind_events, kind_event, kind_calls, kind_sched, kind_syscalls, kind_wakeups, kind_irqs, kind_losses, kind_meta,
	kind_functions;

/* These are the first columns of the table `events` and of the table of each event. */
enum { EVENT_TS, EVENT_CPU, EVENT_PID, EVENT_COMM, EVENT_BUFFER, EVENT_FLAGS, EVENT_PREEMPT, EVENT_MORE };
enum { EVENTS_NAME = EVENT_MORE, EVENTS_SYSTEM, EVENTS_TEXT };

/*
 * Reads the query's files once more for the analysis @what, whose options are @ctx. Takes note in table->query of events that were lost and of
 * damaged files. Returns 0, or -errno after a message.
 */
int relation_pass(struct relation *table, const struct analysis *what, void *ctx);

/* Registers the functions that queries can use. Returns 0 or -ENOMEM. */
int functions_register(struct query *query);

#endif

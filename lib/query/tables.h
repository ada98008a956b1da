/* SPDX-License-Identifier: GPL-2.0 */
/* Defines the tables that SQL queries can read (lib/query/query.h), and how the rows of these tables are made. Only lib/query uses this header. */
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

/* This is one event of one of the query's files. */
struct relation_event {
	const struct event *event; /* the file's event, as query->reading has it; NULL: the file has no event of the table's name */
	/*
	 * Element i belongs to the column EVENT_MORE + i. The table of an event begins with EVENT_MORE columns that all events have. Each later column is
	 * for a field of the event. The element is the index of this field in the event's struct plan (lib/export/plan.h). If the event lacks the field,
	 * the element is -1 or missing.
	 */
	VEC(int) fields;
};

/* This is a store with only those rows of a table that fit a choice. A choice is a set of conditions (lib/query/wants.h). */
struct relation_part {
	char *key; /* the choice as a text */
	struct store *store;
};

/* This is a table. */
struct relation {
	struct query *query;
	char *name;
	VEC(struct column) columns;
	const struct relation_kind *kind;
	int ts;				   /* the index of the column of the time; -1: there is none */
	unsigned int file;		   /* the index of the column with the file's path; the column with the host's name follows it */
	VEC(struct relation_event) events; /* only in the table of an event: element i is the event in the file i */
	uint64_t wanted;		   /* a bit for each column that the running statement needs, as in .wanted of struct store */
	struct store *store;		   /* the table's rows; NULL: they have not been made yet */
	VEC(struct relation_part) parts;   /* stores that have only a part of the rows; they are made for the running statement alone */
	const struct choice *choice;	   /* which rows .fill of struct relation_kind makes; NULL: all */
};

struct relation_kind {
	const char *name; /* the table's name; NULL: each event has a table of this kind */
	const char *also; /* another name of the table; NULL: none */
	/*
	 * "name" is a column of numbers, and "name TEXT" a column of texts. A NULL ends the array. The columns with the path of the file and the name of
	 * the host come after these columns.
	 */
	const char *const *columns;
	/* A bit for each column by which fill() can choose rows. A row is left out when its value in one of these columns does not fit table->choice. */
	uint64_t chooses;
	bool stream; /* the rows can be taken one after the other while the files are read */
	/* Puts into @store all rows, or the rows that fit table->choice. Returns 0, -ENOMEM, or another -errno after a message. */
	int (*fill)(struct relation *table, struct store *store);
};

struct query {
	sqlite3 *db;
	struct reading *reading; /* the open files (lib/analysis/reading.h); borrowed */
	VEC(struct relation *) tables;
	strv_t hosts;	/* element i: the name of the machine on which the file i was recorded */
	uint64_t lost;	/* how many lost events the kernel counted, for query_lost() */
	bool lost_more; /* for at least one loss, the kernel did not count how many events were lost */
	/*
	 * True while lib/query runs a statement of its own, for example to declare a table to SQLite. Such a statement may do more than the statements of a
	 * user.
	 */
	bool declaring;
	bool outer;	    /* the statement has an outer join */
	bool numbered;	    /* the statement uses rowids, so all cursors of a table read one store with all rows */
	bool damaged;	    /* a file is damaged */
	bool tells_deep;    /* a message has said that calls were left out because of their depth */
	bool tells_lacking; /* a message has told how many tasks lack switches */
	bool tells_off;	    /* a message has told for how many tasks it is not known how long their calls were off the CPU */
	bool hides_stays;   /* a message has said that the times on the CPU are not known (reading_hides_stays() in lib/analysis/reading.h) */
	int err;	    /* the error that ended the statement, after its message; 0: none */
	struct query_watch watch;
	struct extent extent; /* the span of time and the size of the files; found only when .watch is used */
};

/* Makes all tables of @query. Returns 0 or -ENOMEM. */
int tables_make(struct query *query);
void relation_free(struct relation *table);

/*
 * Makes table->store if there is none yet. If the store lacks columns of table->wanted, a new store takes its place. Returns 0, -ENOMEM, or another
 * -errno after a message.
 */
int relation_fill(struct relation *table);

/*
 * Makes a new store with the rows that fit table->choice. *@out becomes the store, or NULL after a failure. The caller gives the store to store_put(). Returns
 * what relation_fill() returns.
 */
int relation_make(struct relation *table, struct store **out);

/* Frees the stores of table->parts. Must be called when the statement has ended. */
void relation_forget(struct relation *table);

/* Registers the table with SQLite. Returns 0 or -ENOMEM. */
int relation_register(struct relation *table);

/* Sets the path of the file and the name of the host in the row @row of @store. @file is the index of the file in query->reading->inputs. */
void relation_put_file(const struct relation *table, struct store *store, uint32_t row, unsigned int file);

/*
 * Calls tell() of query->watch, if tell() is not NULL. @rec is the last record that was read. @rec is NULL while no records are being read. Returns 0, or
 * -EINTR when tell() did not return 0.
 */
int query_tick(const struct query *query, const struct record *rec);

/*
 * Returns SQLite's result code for @err. If @err is not -ENOMEM, a message has reported the error already, so @err is kept in query->err, and no second message
 * is printed at the end of the query.
 */
int query_failed(struct query *query, int err);

/* --- kinds ------------------------------------------------------------------------------------------------------- */

extern const struct relation_kind kind_events, kind_event, kind_calls, kind_sched, kind_syscalls, kind_wakeups, kind_irqs, kind_losses, kind_meta,
	kind_functions;

/* These are the first columns of the table `events` and of the table of each event. */
enum { EVENT_TS, EVENT_CPU, EVENT_PID, EVENT_COMM, EVENT_BUFFER, EVENT_FLAGS, EVENT_PREEMPT, EVENT_MORE };
enum { EVENTS_NAME = EVENT_MORE, EVENTS_SYSTEM, EVENTS_TEXT };

/*
 * Reads the query's files once more, and runs the analysis @what with the options @ctx. Stores in table->query how many events were lost, and whether a
 * file is damaged. Returns 0, or -errno after a message.
 */
int relation_pass(struct relation *table, const struct analysis *what, void *ctx);

/* Registers with SQLite the functions that queries can use. Returns 0 or -ENOMEM. */
int functions_register(struct query *query);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Declares what the source files of the exporter to SQLite share. Nothing else uses this header. */
#ifndef RINGSIDE_SQLITE_INSIDE_H
#define RINGSIDE_SQLITE_INSIDE_H

#include "lib/base/map.h"
#include "lib/export/callers.h"
#include "lib/export/sqlite-rows.h"

/*
 * This tells which task made a call and on which CPU. It also tells which buffer and file have the
 * call's records. Many calls have the same struct db_track. The struct has no padding, because it
 * is the key of a map, and a map compares bytes.
 */
struct db_track {
	int pid;
	uint32_t cpu, file, buffer;
	const char *comm; /* NULL: it is not known yet */
};

/*
 * This is the state of the code that writes calls. In the database, each row of the view "calls" is joined from rows of three tables:
 *  - "calls_data" has a row for each call.
 *  - "calls_tracks" has a row for each struct db_track. Many calls refer to the same row.
 *  - "calls_rare" has rows of values that most calls do not have. A call refers to a row of "calls_rare" if the call has one of these values, or if its times
 *    or its time off the CPU are not known.
 */
struct db_calls {
	struct db_rows *data;		   /* the rows of "calls_data" */
	struct db_rows *tracks;		   /* the rows of "calls_tracks" */
	struct db_rows *rare;		   /* the rows of "calls_rare" */
	VEC(struct text) functions;	   /* element i: the name with the index i in timeline.names, as UTF-8 */
	MAP(struct db_track, char) places; /* an entry for each row of .tracks; the id of the row is 1 + the index of the entry */
	struct db_track last_place;	   /* the struct db_track of the last call */
	uint32_t last_track;		   /* the id of the row for .last_place; 0: .last_place is not set yet */
	struct callers callers;
	uint32_t rare_id; /* the id of the last row of .rare */
	/*
	 * Many calls can share a row of "calls_rare" if its irq and off are 0 or NULL, and its
	 * retval and caller are NULL. shared[i][j] is the id of the shared row for the calls whose
	 * call_end.cut is j. An id of 0 means that this row does not exist yet. i tells which times
	 * of these calls are known:
	 * - 0: the times are known, except that the time off the CPU may be unknown.
	 * - 1: the time off the CPU and the time in interrupts are unknown.
	 * - 2: none of the times is known.
	 */
	uint32_t shared[3][CALL_CUTS];
	uint64_t id; /* the id of the last call that was entered */
};

struct db {
	sqlite3 *sqlite;
	sqlite3_vfs vfs;
	char vfs_name[40];
	struct db_writer writer;
	struct db_rows *ran;  /* the rows of the table "sched" */
	struct db_rows *lost; /* the rows of the table "lost" */
	struct db_rows *meta; /* the rows of the table "meta" */
	struct db_calls calls;
	VEC(struct db_rows *) rows;   /* the rows of all tables; owned here */
	strv_t tables;		      /* the names of the tables so far; cell_table() (lib/export/cell.h) adds names */
	strv_t columns;		      /* the tables of events, each as "SYSTEM:EVENT (COLUMN TYPE, ...)" */
	VEC(struct db_rows *) events; /* element i: the rows of the table that .columns.at[i] describes */
	const char *ns;		      /* the SQL type of the columns that have times */
	int err;		      /* the first error, as -errno; 0: there was none */
};

/*
 * Sets db.err and reports the failure. Does nothing if db.err is already set. @code is SQLite's status of the failure. In the message, @doing says what
 * was being written.
 */
void db_failed(struct timeline *t, int code, const char *doing);

/* Runs SQL statements that have no results. Does nothing if db.err is set, or if memory has run out. */
void db_run(struct timeline *t, const char *sql);

/* Returns true if there are several files. Then each row has one more column, which tells the file from which the row comes. */
static inline bool db_has_files(const struct timeline *t)
{
	return t->reading->inputs.n > 1;
}

/*
 * Makes a struct db_rows for @table, which has @n columns. db_rows_open() explains @keyed. Returns NULL after an error. The struct db_rows is freed with the
 * struct db.
 */
struct db_rows *db_rows_of(struct timeline *t, const char *table, unsigned int n, bool keyed);

/* Does what db_row() does. An error is reported by db_failed() and not returned. */
void db_row_done(struct timeline *t, struct db_rows *rows);

/* Returns the name of the tracefs instance to which the buffer belongs, or NULL for the top buffer. */
const char *db_instance(const struct timeline *t, unsigned int file, unsigned int buffer);

/* When there are several files, sets the last column to the path of the file. */
void db_put_file(struct timeline *t, struct db_rows *rows, unsigned int file);

/*
 * These functions write the calls. db_calls_begin() makes the tables. db_calls_name(), db_calls_enter() and db_calls_leave() do the work of name(), enter()
 * and leave() of struct timeline_format. db_calls_finish() is called at the end. It writes the rows of "calls_tracks" and makes the view "calls".
 * db_calls_correct() is called when all rows have been inserted. It removes the parents that are not known for certain (lib/export/callers.h).
 */
void db_calls_begin(struct timeline *t);
void db_calls_name(struct timeline *t, uint32_t index, const char *text, const char *module, struct str *out);
void db_calls_enter(struct timeline *t, struct call_frame *frame);
int db_calls_leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		   uint32_t called);
void db_calls_finish(struct timeline *t);
void db_calls_correct(struct timeline *t);
void db_calls_fini(struct db_calls *calls);

#endif

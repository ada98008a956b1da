/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a database: a table for each event with a column for each field, calls with their times (Documentation/analysis.md), the tasks that ran, and lost
 * events. All is one transaction on a file that has no name until it is complete.
 */
#ifdef RINGSIDE_SQLITE
#define _GNU_SOURCE
#include "lib/analysis/extent.h"
#include "lib/base/err.h"
#include "lib/base/quote.h"
#include "lib/export/cell.h"
#include "lib/export/exporter.h"
#include "lib/export/sqlite-inside.h"

#include <fcntl.h>
#include <stdio.h>

struct db_cpu {
	struct timeline_run run;
};

/* The number of columns in each event's table before those of its fields. */
enum { EVENT_COLUMNS = 7 };

/* The table of an event; it belongs to the event's plan. */
struct db_event {
	struct db_rows *rows;
};

/* --- errors ----------------------------------------------------------------------------------------------------- */

void db_failed(struct timeline *t, int code, const char *doing)
{
	struct db *db = t->mine;

	db_writer_wait(&db->writer);
	if (!db->err && code == SQLITE_NOMEM)
		db->err = -ENOMEM;
	if (!db->err)
		db->err = fail(code == SQLITE_FULL ? ENOSPC : EIO, "writing %s: %s: %s", t->reading->out_name ? t->reading->out_name : "the database", doing,
			       code == SQLITE_FULL		     ? "no space is left"
			       : code == sqlite3_errcode(db->sqlite) ? sqlite3_errmsg(db->sqlite)
								     : sqlite3_errstr(code));
}

void db_run(struct timeline *t, const char *sql)
{
	struct db *db = t->mine;
	int status = db->err || t->out.oom ? SQLITE_OK : db_writer_wait(&db->writer);

	/* If memory ran out, a part of the statement may be missing, so it is not run. */
	if (status != SQLITE_OK)
		db_failed(t, status, "rows");
	status = db->err || t->out.oom ? SQLITE_OK : sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
	if (status != SQLITE_OK)
		db_failed(t, status, sql);
}

struct db_rows *db_rows_of(struct timeline *t, const char *table, unsigned int n, bool keyed)
{
	struct db *db = t->mine;
	struct db_rows *rows;
	int status;

	if (t->out.oom || db->err)
		return NULL;
	rows = calloc(1, sizeof(*rows));
	if (!rows || vec_push(&db->rows, rows)) {
		t->out.oom = true;
		free(rows);
		return NULL;
	}
	status = db_rows_open(rows, &db->writer, db->sqlite, table, n, keyed, db->rows.n);
	if (status == SQLITE_OK)
		return rows;
	db_failed(t, status, table);
	return NULL;
}

void db_row_done(struct timeline *t, struct db_rows *rows)
{
	int status = db_row(rows);

	if (status != SQLITE_OK)
		db_failed(t, status, "a row");
}

const char *db_instance(const struct timeline *t, unsigned int file, unsigned int buffer)
{
	const char *name = timeline_buffer(t, file, buffer);

	return name == t->reading->inputs.at[file].name ? NULL : name;
}

void db_put_file(struct timeline *t, struct db_rows *rows, unsigned int file)
{
	if (unlikely(db_has_files(t)))
		db_lasting(t, rows, t->reading->inputs.at[file].path);
}

/* --- tables of events ------------------------------------------------------------------------------------------- */

/* Adds the columns of the fields. If there are several files, the last column says from which file a row is. */
static void add_columns(struct timeline *t, const struct plan *plan, struct str *create)
{
	__cleanup(free_ptr) char *last = NULL;
	strv_t names = { 0 };

	t->out.oom |= cell_columns(plan, &names) != 0;
	for (size_t i = 0; i < names.n; i++) {
		str_add(create, ", ");
		cell_identifier(names.at[i], create);
		/* A number too wide for SQLite is a text. In a column of integers, SQLite would make it a real number with fewer digits. */
		str_add(create, cell_is_wide(&plan->fields.at[i]) ? "" : cell_is_integer(&plan->fields.at[i]) ? " INTEGER" : " TEXT");
	}
	if (db_has_files(t)) {
		last = cell_last_column(&names, "file");
		t->out.oom |= !last;
		str_addf(create, ", %s TEXT", last ? last : "");
	}
	strv_fini(&names);
}

/* Returns the table of an event with the same name and columns in another file, or NULL. */
static struct db_rows *same_table(const struct db *db, const char *columns)
{
	for (size_t i = 0; i < db->columns.n; i++)
		if (strcmp(db->columns.at[i], columns) == 0)
			return db->events.at[i];
	return NULL;
}

static struct db_rows *make_table(struct timeline *t, const struct plan *plan, const char *columns)
{
	struct db *db = t->mine;
	struct str table = { 0 }, create = { 0 };
	const char *name = cell_table(&db->tables, plan->event);
	struct db_rows *made = NULL;

	cell_identifier(name ? name : "", &table);
	str_addf(&create, "CREATE TABLE %s%s", str_text(&table), columns);
	t->out.oom |= table.oom | create.oom | !name;
	if (!t->out.oom) {
		db_run(t, str_text(&create));
		made = db_rows_of(t, str_text(&table), EVENT_COLUMNS + (unsigned int)plan->fields.n + db_has_files(t), false);
	}
	str_fini(&table);
	str_fini(&create);
	return made;
}

static struct db_rows *events_of(struct timeline *t, const struct plan *plan)
{
	struct db *db = t->mine;
	struct db_event *event = plan->mine;
	struct str columns = { 0 }, key = { 0 };

	if (likely(event))
		return event->rows;
	event = ((struct plan *)plan)->mine = calloc(1, sizeof(*event));
	str_addf(&columns, " (ts%s, cpu INTEGER, pid INTEGER, comm TEXT, buffer TEXT, flags INTEGER, preempt INTEGER", db->ns);
	add_columns(t, plan, &columns);
	str_addc(&columns, ')');
	str_addf(&key, "%s:%s%s", plan->event->system, plan->event->name, str_text(&columns));
	t->out.oom |= !event || columns.oom || key.oom;
	if (!t->out.oom && !(event->rows = same_table(db, key.at))) {
		event->rows = make_table(t, plan, str_text(&columns));
		t->out.oom |= event->rows && (strv_add(&db->columns, key.at) || vec_push(&db->events, event->rows));
	}
	str_fini(&columns);
	str_fini(&key);
	return event ? event->rows : NULL;
}

static void add_ran(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;
	struct db_cpu *cpu = stream_of(&t->streams, rec);
	struct db_rows *rows = db->ran;
	struct timeline_run ran;
	uint64_t v;

	t->out.oom |= !cpu;
	if (!cpu || !rows || !timeline_switch(t, &cpu->run, plan, rec, ns, &ran))
		return;
	db_unsigned(rows, ran.since);
	db_unsigned(rows, ns - ran.since);
	db_integer(rows, rec->cpu);
	db_integer(rows, ran.pid);
	db_lasting(t, rows, comms_known(plan->event->trace->comms, ran.pid));
	db_lasting(t, rows, db_instance(t, rec->file, rec->buffer));
	timeline_number(plan, "prev_prio", rec, &v) ? db_integer(rows, (int64_t)v) : db_null(rows);
	timeline_number(plan, "prev_state", rec, &v) ? db_integer(rows, (int64_t)v) : db_null(rows);
	db_name(rows, "run");
	db_put_file(t, rows, rec->file);
	db_row_done(t, rows);
}

static void add_event(struct timeline *t, const struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	const struct common common = record_common(task->trace, rec);
	struct db_rows *rows = events_of(t, plan);

	if (!rows)
		return;
	db_unsigned(rows, ns);
	db_integer(rows, rec->cpu);
	db_integer(rows, common.pid);
	db_lasting(t, rows, timeline_comm(task));
	db_lasting(t, rows, db_instance(t, rec->file, rec->buffer));
	db_integer(rows, common.flags);
	db_integer(rows, common.preempt);
	db_fields(t, rows, plan, rec);
	db_put_file(t, rows, rec->file);
	db_row_done(t, rows);
}

static int event(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;

	add_event(t, task, plan, rec, ns);
	if (plan->event->kind == EVENT_SCHED_SWITCH)
		add_ran(t, plan, rec, ns);
	return db->err;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static int enter(struct timeline *t, struct call_task *task, struct call_frame *frame, __unused uint32_t called, const struct plan *plan,
		 const struct record *rec)
{
	struct db *db = t->mine;

	db_calls_enter(t, frame);
	/* With @plan, the call is not a function, and its entry event has arguments. */
	if (plan)
		add_event(t, task, plan, rec, frame->ns);
	return db->err;
}

static int wait_to_enter(struct timeline *t, struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;

	add_event(t, task, plan, rec, ns);
	return db->err;
}

static int lost(struct timeline *t, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;
	struct db_cpu *cpu = stream_of(&t->streams, rec);
	struct db_rows *rows = db->lost;

	if (cpu)
		cpu->run.known = false;
	if (!rows)
		return db->err;
	db_unsigned(rows, ns);
	db_integer(rows, rec->cpu);
	db_lasting(t, rows, db_instance(t, rec->file, rec->buffer));
	rec->lost == LOST_UNKNOWN ? db_null(rows) : db_integer(rows, rec->lost);
	db_put_file(t, rows, rec->file);
	db_row_done(t, rows);
	return db->err;
}

/* --- the database ----------------------------------------------------------------------------------------------- */

/* The file is known only by its descriptor. Its path in /proc is a link, which SQLite must not resolve. */
static int full_path(__unused sqlite3_vfs *vfs, const char *path, int n, char *out)
{
	snprintf(out, (size_t)n, "%s", path);
	return SQLITE_OK;
}

static int open_any(const char *path, int flags, int mode)
{
	return open(path, flags & ~O_NOFOLLOW, mode);
}

static void open_db(struct timeline *t)
{
	struct db *db = t->mine;
	char path[40];
	int status;

	/*
	 * SQLite is used by one thread at a time, and its memory statistics are not needed; both would cost locks. If SQLite is in use already, it refuses
	 * these settings, which does no harm.
	 */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db->vfs = *sqlite3_vfs_find(NULL);
	snprintf(db->vfs_name, sizeof(db->vfs_name), "ringside-%p", (void *)db);
	db->vfs.zName = db->vfs_name;
	db->vfs.xFullPathname = full_path;
	db->vfs.xSetSystemCall(&db->vfs, "open", (sqlite3_syscall_ptr)open_any);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->reading->out);
	status = sqlite3_vfs_register(&db->vfs, 0);
	if (status == SQLITE_OK)
		status = sqlite3_open_v2(path, &db->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, db->vfs_name);
	if (status != SQLITE_OK)
		db_failed(t, status, "opening it");
}

/* Makes the tables. A time too wide for SQLite is a text; in a column of integers it would become a real number with fewer digits. */
static void make_tables(struct timeline *t)
{
	struct db *db = t->mine;
	struct extent extent;
	struct str sql = { 0 };

	db->ns = !extent_find(&extent, &t->reading->inputs) && extent.latest > INT64_MAX ? "" : " INTEGER";
	str_addf(&sql,
		 "CREATE TABLE sched (ts%s, dur INTEGER, cpu INTEGER, pid INTEGER, comm TEXT, buffer TEXT, prio INTEGER, end_state INTEGER, state TEXT); "
		 "CREATE TABLE lost (ts%s, cpu INTEGER, buffer TEXT, count INTEGER); "
		 "CREATE TABLE meta (key TEXT PRIMARY KEY, value); "
		 "CREATE VIEW losses AS SELECT * FROM lost; "
		 "CREATE INDEX sched_pid ON sched (pid, ts)",
		 db->ns, db->ns);
	t->out.oom |= sql.oom;
	db_run(t, str_text(&sql));
	str_fini(&sql);
}

static int begin(struct timeline *t)
{
	static const char *const settings[] = {
		"PRAGMA page_size = 32768",
		"PRAGMA journal_mode = OFF",
		"PRAGMA synchronous = OFF",
		"PRAGMA locking_mode = EXCLUSIVE",
		"PRAGMA secure_delete = OFF",
		"PRAGMA cache_size = -16384",
		"BEGIN",
	};
	static const char *const in_files[] = {
		"CREATE TABLE files (file TEXT, host TEXT)",
		"ALTER TABLE sched ADD COLUMN file TEXT",
		"ALTER TABLE lost ADD COLUMN file TEXT",
	};
	struct db *db = t->mine;

	db_writer_init(&db->writer, t->reading->pool);
	open_db(t);
	for (size_t i = 0; i < ARRAY_LEN(settings); i++)
		db_run(t, settings[i]);
	make_tables(t);
	t->out.oom |= cell_reserve(&db->tables) != 0;
	for (size_t i = 0; db_has_files(t) && i < ARRAY_LEN(in_files); i++)
		db_run(t, in_files[i]);
	db_calls_begin(t);
	db->ran = db_rows_of(t, "sched", 9 + db_has_files(t), false);
	db->lost = db_rows_of(t, "lost", 4 + db_has_files(t), false);
	db->meta = db_rows_of(t, "meta", 2, false);
	return db->err;
}

static void add_meta(struct timeline *t, const char *key, const char *text, uint64_t number)
{
	struct db *db = t->mine;

	if (!db->meta)
		return;
	db_name(db->meta, key);
	text ? db_text(t, db->meta, text, strlen(text)) : db_unsigned(db->meta, number);
	db_row_done(t, db->meta);
}

/* Adds a row for each file, with the host on which it was recorded. */
static void add_files(struct timeline *t)
{
	struct db_rows *rows = db_has_files(t) ? db_rows_of(t, "files", 2, false) : NULL;

	vec_each (&t->reading->inputs, input) {
		__cleanup(free_ptr) char *host = input_host(input);

		if (!db_has_files(t) && host)
			add_meta(t, "host", host, 0);
		if (!rows)
			continue;
		db_text(t, rows, input->path, strlen(input->path));
		host ? db_text(t, rows, host, strlen(host)) : db_null(rows);
		db_row_done(t, rows);
	}
}

static int finish(struct timeline *t)
{
	const struct calls_lost *gone = calls_lost(t->calls);
	const struct input *in = &t->reading->inputs.at[0];
	struct db *db = t->mine;

	add_meta(t, "file", in->path, 0);
	add_meta(t, "time_unit", input_in_ns(in, 0) ? "ns" : "ticks", 0);
	add_files(t);
	add_meta(t, "events_lost", NULL, gone->events);
	add_meta(t, "places_lost", NULL, gone->places);
	if (t->any) {
		add_meta(t, "first", NULL, input_time(&t->reading->inputs.at[t->first.file], &t->first));
		add_meta(t, "last", NULL, input_time(&t->reading->inputs.at[t->last.file], &t->last));
	}
	db_calls_finish(t);
	vec_each (&db->rows, rows) {
		int status = db_rows_flush(*rows);

		if (status != SQLITE_OK)
			db_failed(t, status, "rows");
	}
	db_calls_correct(t);
	db_run(t, "COMMIT");
	return db->err;
}

static void fini(struct timeline *t)
{
	struct db *db = t->mine;

	if (!db)
		return;
	db_writer_fini(&db->writer);
	vec_each (&db->rows, rows) {
		db_rows_fini(*rows);
		free(*rows);
	}
	vec_fini(&db->rows);
	vec_fini(&db->events);
	sqlite3_close(db->sqlite);
	if (db->vfs_name[0]) {
		db->vfs.xSetSystemCall(&db->vfs, "open", NULL);
		sqlite3_vfs_unregister(&db->vfs);
	}
	db_calls_fini(&db->calls);
	strv_fini(&db->tables);
	strv_fini(&db->columns);
}

/* clang-format off */
static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct db), .stream = sizeof(struct db_cpu), .runs = true, .table = true, .begin = begin,
	.name = db_calls_name, .enter = enter, .wait = wait_to_enter, .leave = db_calls_leave, .event = event, .lost = lost, .end = finish, .fini = fini,
};
/* clang-format on */

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis sqlite_analysis = { .name = "sqlite",
					  .needs = ANALYSIS_SWITCHES | ANALYSIS_STAYS | ANALYSIS_SUMS | ANALYSIS_LEARN,
					  .folds = calls_fold,
					  .make = make };
#endif

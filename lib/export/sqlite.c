/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A database: a table for each event with a column for each field, calls with their times (Documentation/analysis.md), who ran, losses. All is one
 * transaction of a file that has no name until it is complete.
 */
#ifdef RINGSIDE_SQLITE
#define _GNU_SOURCE
#include "lib/base/err.h"
#include "lib/base/quote.h"
#include "lib/export/cell.h"
#include "lib/export/exporter.h"
#include "lib/export/sqlite-bind.h"

#include <fcntl.h>
#include <stdio.h>

struct db_cpu {
	struct timeline_run run;
};

/* An event's table; of a plan. */
struct db_event {
	sqlite3_stmt *insert;
};

struct db {
	sqlite3 *sqlite;
	sqlite3_vfs vfs;
	char vfs_name[40];
	sqlite3_stmt *call, *ran, *lost;
	VEC(sqlite3_stmt *) inserts;	/* of events; owned here */
	VEC(char *) names;		/* of calls, UTF-8; parallel to timeline.names */
	strv_t tables;			/* names that are in use */
	strv_t columns;			/* of each of .inserts: of which event it is, and what columns it has */
	uint64_t calls;			/* entered so far */
	int err;
};

/* --- errors ----------------------------------------------------------------------------------------------------- */

static void failed(struct timeline *t, const char *doing)
{
	struct db *db = t->mine;
	const int code = sqlite3_errcode(db->sqlite);

	if (!db->err && code == SQLITE_NOMEM)
		db->err = -ENOMEM;
	if (!db->err)
		db->err = fail(code == SQLITE_FULL ? ENOSPC : EIO, "writing %s: %s: %s", t->reading->out_name ? t->reading->out_name : "the database", doing,
			       code == SQLITE_FULL ? "no space is left" : sqlite3_errmsg(db->sqlite));
}

static void run_sql(struct timeline *t, const char *sql)
{
	struct db *db = t->mine;

	if (!db->err && sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) != SQLITE_OK)
		failed(t, sql);
}

static sqlite3_stmt *prepare(struct timeline *t, const char *sql)
{
	struct db *db = t->mine;
	sqlite3_stmt *made = NULL;

	if (!db->err && sqlite3_prepare_v3(db->sqlite, sql, -1, SQLITE_PREPARE_PERSISTENT, &made, NULL) != SQLITE_OK)
		failed(t, sql);
	return made;
}

/* For rows of @n columns, and what is the same in all of them; one more column where there are several files. */
static sqlite3_stmt *prepare_row(struct timeline *t, const char *table, unsigned int n, const char *same)
{
	sqlite3_stmt *made = NULL;
	struct str sql = { 0 };

	str_addf(&sql, "INSERT INTO %s VALUES (?", table);
	for (unsigned int i = 1; i < n; i++)
		str_add(&sql, ", ?");
	str_add(&sql, same);
	str_add(&sql, t->reading->inputs.n > 1 ? ", ?)" : ")");
	t->out.oom |= sql.oom;
	if (!sql.oom)
		made = prepare(t, str_text(&sql));
	str_fini(&sql);
	return made;
}

static void step(struct timeline *t, sqlite3_stmt *stmt)
{
	struct db *db = t->mine;

	if (db->err || !stmt)
		return;
	if (sqlite3_step(stmt) != SQLITE_DONE)
		failed(t, "a row");
	sqlite3_reset(stmt);
}

/* Where a row comes from: the instance, NULL: the top buffer; and in the column @at, where there are several files, which one. */
static const char *instance(const struct timeline *t, unsigned int file, unsigned int buffer)
{
	const char *name = timeline_buffer(t, file, buffer);

	return name == t->reading->inputs.at[file].name ? NULL : name;
}

static void bind_file(const struct timeline *t, sqlite3_stmt *stmt, int at, unsigned int file)
{
	if (unlikely(t->reading->inputs.n > 1))
		db_bind_name(stmt, at, t->reading->inputs.at[file].path);
}

/* --- tables of events ------------------------------------------------------------------------------------------- */

static void add_columns(struct timeline *t, const struct plan *plan, struct str *create, struct str *insert)
{
	strv_t names = { 0 };

	t->out.oom |= cell_columns(plan, &names) != 0;
	for (size_t i = 0; i < names.n; i++) {
		str_add(create, ", ");
		/* The last column has this name. */
		cell_identifier(t->reading->inputs.n > 1 && strcasecmp(names.at[i], "file") == 0 ? "field_file" : names.at[i], create);
		/* SQLite would make a real number, with fewer digits, of one that is a text in a column of integers. */
		str_add(create, cell_is_wide(&plan->fields.at[i]) ? "" : cell_is_integer(&plan->fields.at[i]) ? " INTEGER" : " TEXT");
		str_add(insert, ", ?");
	}
	strv_fini(&names);
}

/* The table of an event of the same name and columns in another file. */
static sqlite3_stmt *same_table(const struct db *db, const char *columns)
{
	for (size_t i = 0; i < db->columns.n; i++)
		if (strcmp(db->columns.at[i], columns) == 0)
			return db->inserts.at[i];
	return NULL;
}

static sqlite3_stmt *make_table(struct timeline *t, const struct plan *plan, const char *columns, const char *values)
{
	struct db *db = t->mine;
	struct str create = { 0 }, insert = { 0 };
	const char *name = cell_table(&db->tables, plan->event);
	sqlite3_stmt *made = NULL;

	str_add(&create, "CREATE TABLE ");
	cell_identifier(name ? name : "", &create);
	str_add(&create, columns);
	str_add(&insert, "INSERT INTO ");
	cell_identifier(name ? name : "", &insert);
	str_add(&insert, values);
	t->out.oom |= create.oom | insert.oom | !name;
	if (!t->out.oom) {
		run_sql(t, str_text(&create));
		made = prepare(t, str_text(&insert));
		t->out.oom |= made && vec_push(&db->inserts, made);
	}
	str_fini(&create);
	str_fini(&insert);
	return made;
}

static sqlite3_stmt *insert_of(struct timeline *t, const struct plan *plan)
{
	const bool files = t->reading->inputs.n > 1;
	struct db *db = t->mine;
	struct db_event *event = plan->mine;
	struct str columns = { 0 }, values = { 0 }, key = { 0 };

	if (likely(event))
		return event->insert;
	event = ((struct plan *)plan)->mine = calloc(1, sizeof(*event));
	str_add(&columns, " (ts INTEGER, cpu INTEGER, pid INTEGER, comm TEXT, buffer TEXT, flags INTEGER, preempt INTEGER");
	str_add(&values, " VALUES (?, ?, ?, ?, ?, ?, ?");
	add_columns(t, plan, &columns, &values);
	str_add(&columns, files ? ", file TEXT)" : ")");
	str_add(&values, files ? ", ?)" : ")");
	str_addf(&key, "%s:%s%s", plan->event->system, plan->event->name, str_text(&columns));
	t->out.oom |= !event || columns.oom || values.oom || key.oom;
	if (!t->out.oom && !(event->insert = same_table(db, key.at))) {
		event->insert = make_table(t, plan, str_text(&columns), str_text(&values));
		t->out.oom |= event->insert && strv_add(&db->columns, key.at);
	}
	str_fini(&columns);
	str_fini(&values);
	str_fini(&key);
	return event ? event->insert : NULL;
}

static void add_ran(struct timeline *t, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;
	struct db_cpu *cpu = stream_of(&t->streams, rec);
	struct timeline_run ran;
	const char *comm;
	uint64_t v;

	t->out.oom |= !cpu;
	if (!cpu || !timeline_switch(&cpu->run, plan, rec, ns, &ran))
		return;
	comm = comms_find(plan->event->trace->comms, ran.pid);
	db_bind_unsigned(db->ran, 1, ran.since);
	db_bind_unsigned(db->ran, 2, ns - ran.since);
	sqlite3_bind_int(db->ran, 3, rec->cpu);
	sqlite3_bind_int(db->ran, 4, ran.pid);
	db_bind_name(db->ran, 5, NULL);
	if (comm[0] != '<')
		db_bind_text(t, db->ran, 5, comm, strlen(comm));
	db_bind_name(db->ran, 6, instance(t, rec->file, rec->buffer));
	bind_file(t, db->ran, 9, rec->file);
	timeline_number(plan, "prev_prio", rec, &v) ? sqlite3_bind_int64(db->ran, 7, (int64_t)v) : sqlite3_bind_null(db->ran, 7);
	timeline_number(plan, "prev_state", rec, &v) ? sqlite3_bind_int64(db->ran, 8, (int64_t)v) : sqlite3_bind_null(db->ran, 8);
	step(t, db->ran);
}

static void add_event(struct timeline *t, const struct call_task *task, const struct plan *plan, const struct record *rec, uint64_t ns)
{
	const struct common common = record_common(task->trace, rec);
	sqlite3_stmt *stmt = insert_of(t, plan);

	if (!stmt)
		return;
	db_bind_unsigned(stmt, 1, ns);
	sqlite3_bind_int(stmt, 2, rec->cpu);
	sqlite3_bind_int(stmt, 3, common.pid);
	db_bind_comm(t, stmt, 4, timeline_comm(task));
	db_bind_name(stmt, 5, instance(t, rec->file, rec->buffer));
	sqlite3_bind_int(stmt, 6, common.flags);
	sqlite3_bind_int(stmt, 7, common.preempt);
	db_bind_fields(t, stmt, 8, plan, rec);
	bind_file(t, stmt, 8 + (int)plan->fields.n, rec->file);
	step(t, stmt);
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

static void name(struct timeline *t, __unused uint32_t index, const char *text, __unused const char *module, struct str *out)
{
	struct db *db = t->mine;
	struct str clean = { 0 };
	char *copy;

	quote_utf8(text, strlen(text), &clean);
	str_addc(&clean, '\0');
	copy = str_take(&clean);
	out->oom |= !copy || vec_push(&db->names, copy);
	str_addc(out, '-');
}

/* Its row has a number when it begins, as those that it calls name it. */
static int enter(struct timeline *t, __unused struct call_task *task, struct call_frame *frame, __unused uint32_t called, const struct plan *plan,
		 const struct record *rec)
{
	struct db *db = t->mine;

	timeline_frame_of(t, frame)->id = ++db->calls;
	/* What is no function has arguments. */
	if (plan)
		add_event(t, task, plan, rec, frame->ns);
	return db->err;
}

static void bind_times(sqlite3_stmt *stmt, const struct call_times *times)
{
	const uint64_t all[] = { times->total, times->self, times->callees, times->irq, times->off, times->blocked, times->preempted, times->queued };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		sqlite3_bind_int64(stmt, 11 + (int)i, (int64_t)all[i]);
}

static int leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine,
		 const struct call_end *end, uint32_t called)
{
	struct db *db = t->mine;
	sqlite3_stmt *stmt = db->call;
	const struct timed_call *timed = timed_call_of(t->timed, (struct call_frame *)frame);
	struct call_frame *caller = call_caller(task, frame);
	const struct symbol *from = frame->retaddr ? symbols_find(task->trace->symbols, frame->retaddr) : NULL;
	const struct call_task *whose = task->aside ? task->beside : task;

	if (db->err || !stmt)
		return db->err;
	sqlite3_bind_int64(stmt, 1, (int64_t)mine->id);
	caller ? sqlite3_bind_int64(stmt, 2, (int64_t)timeline_frame_of(t, caller)->id) : sqlite3_bind_null(stmt, 2);
	sqlite3_bind_int64(stmt, 3, (int64_t)task->depth - 1);
	called ? (void)sqlite3_bind_text(stmt, 4, db->names.at[called], -1, SQLITE_STATIC) : (void)sqlite3_bind_null(stmt, 4);
	db_bind_unsigned(stmt, 5, frame->ns);
	db_bind_unsigned(stmt, 6, timeline_end_ns(frame, end));
	sqlite3_bind_int(stmt, 7, frame->cpu);
	sqlite3_bind_int(stmt, 8, whose->pid);
	db_bind_comm(t, stmt, 9, timeline_comm(whose));
	db_bind_name(stmt, 10, instance(t, task->file, task->buffer));
	bind_file(t, stmt, 22, task->file);
	for (int i = 11; timed->cut && i < 19; i++)
		sqlite3_bind_null(stmt, i);
	if (!timed->cut)
		bind_times(stmt, &timed->times);
	end->has_retval ? sqlite3_bind_int64(stmt, 19, (int64_t)end->retval) : sqlite3_bind_null(stmt, 19);
	from ? db_bind_text(t, stmt, 20, from->name, from->name_len) : (void)sqlite3_bind_null(stmt, 20);
	if (timed->cut)
		sqlite3_bind_text(stmt, 21, end->cut ? timeline_cut(end->cut) : "lost", -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(stmt, 21);
	step(t, stmt);
	return db->err;
}

static int lost(struct timeline *t, const struct record *rec, uint64_t ns)
{
	struct db *db = t->mine;
	struct db_cpu *cpu = stream_of(&t->streams, rec);

	if (cpu)
		cpu->run.known = false;
	db_bind_unsigned(db->lost, 1, ns);
	sqlite3_bind_int(db->lost, 2, rec->cpu);
	db_bind_name(db->lost, 3, instance(t, rec->file, rec->buffer));
	bind_file(t, db->lost, 5, rec->file);
	rec->lost == LOST_UNKNOWN ? sqlite3_bind_null(db->lost, 4) : sqlite3_bind_int64(db->lost, 4, rec->lost);
	step(t, db->lost);
	return db->err;
}

/* --- the database ----------------------------------------------------------------------------------------------- */

/* The file has no name but that of its descriptor, which is a link that SQLite would not follow. */
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

	/* It is used by one thread, and nobody asks how much memory it has: both cost locks. Where it is in use already, that is refused. */
	sqlite3_config(SQLITE_CONFIG_SINGLETHREAD);
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
	db->vfs = *sqlite3_vfs_find(NULL);
	snprintf(db->vfs_name, sizeof(db->vfs_name), "ringside-%p", (void *)db);
	db->vfs.zName = db->vfs_name;
	db->vfs.xFullPathname = full_path;
	db->vfs.xSetSystemCall(&db->vfs, "open", (sqlite3_syscall_ptr)open_any);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", t->reading->out);
	if (sqlite3_vfs_register(&db->vfs, 0) != SQLITE_OK ||
	    sqlite3_open_v2(path, &db->sqlite, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, db->vfs_name) != SQLITE_OK)
		failed(t, "opening it");
}

static int begin(struct timeline *t)
{
	static const char *const sql[] = {
		"PRAGMA page_size = 16384", "PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF", "PRAGMA locking_mode = EXCLUSIVE", "PRAGMA cache_size = -16384",
		"BEGIN",
		"CREATE TABLE calls (id INTEGER PRIMARY KEY, parent INTEGER, depth INTEGER, function TEXT, ts INTEGER, \"end\" INTEGER, cpu INTEGER, "
		"pid INTEGER, comm TEXT, buffer TEXT, total INTEGER, self INTEGER, callees INTEGER, irq INTEGER, off INTEGER, blocked INTEGER, "
		"preempted INTEGER, queued INTEGER, retval INTEGER, caller TEXT, cut TEXT)",
		"CREATE TABLE sched (ts INTEGER, dur INTEGER, cpu INTEGER, pid INTEGER, comm TEXT, buffer TEXT, prio INTEGER, end_state INTEGER, "
		"state TEXT)",
		"CREATE TABLE lost (ts INTEGER, cpu INTEGER, buffer TEXT, count INTEGER)",
		"CREATE TABLE meta (key TEXT PRIMARY KEY, value)",
		"CREATE VIEW losses AS SELECT * FROM lost",
	};
	static const char *const in_files[] = {
		"CREATE TABLE files (file TEXT, host TEXT)", "ALTER TABLE calls ADD COLUMN file TEXT", "ALTER TABLE sched ADD COLUMN file TEXT",
		"ALTER TABLE lost ADD COLUMN file TEXT",
	};
	struct db *db = t->mine;

	open_db(t);
	for (size_t i = 0; i < ARRAY_LEN(sql); i++)
		run_sql(t, sql[i]);
	t->out.oom |= cell_reserve(&db->tables) != 0;
	for (size_t i = 0; t->reading->inputs.n > 1 && i < ARRAY_LEN(in_files); i++)
		run_sql(t, in_files[i]);
	db->call = prepare_row(t, "calls", 21, "");
	db->ran = prepare_row(t, "sched", 8, ", 'run'");
	db->lost = prepare_row(t, "lost", 4, "");
	return db->err;
}

static void add_meta(struct timeline *t, const char *key, const char *text, uint64_t number)
{
	sqlite3_stmt *stmt = prepare(t, "INSERT INTO meta VALUES (?, ?)");

	if (!stmt)
		return;
	db_bind_name(stmt, 1, key);
	text ? db_bind_text(t, stmt, 2, text, strlen(text)) : db_bind_unsigned(stmt, 2, number);
	step(t, stmt);
	sqlite3_finalize(stmt);
}

/* Which file was recorded where. */
static void add_files(struct timeline *t)
{
	const bool several = t->reading->inputs.n > 1;
	sqlite3_stmt *stmt = several ? prepare(t, "INSERT INTO files VALUES (?, ?)") : NULL;

	vec_each (&t->reading->inputs, input) {
		__cleanup(free_ptr) char *host = input_host(input);

		if (!several && host)
			add_meta(t, "host", host, 0);
		if (!stmt)
			continue;
		db_bind_text(t, stmt, 1, input->path, strlen(input->path));
		db_bind_comm(t, stmt, 2, host);
		step(t, stmt);
	}
	sqlite3_finalize(stmt);
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
	run_sql(t, "CREATE INDEX calls_parent ON calls (parent)");
	run_sql(t, "CREATE INDEX sched_pid ON sched (pid, ts)");
	run_sql(t, "COMMIT");
	return db->err;
}

static void fini(struct timeline *t)
{
	struct db *db = t->mine;

	if (!db)
		return;
	vec_each (&db->inserts, stmt)
		sqlite3_finalize(*stmt);
	vec_fini(&db->inserts);
	sqlite3_finalize(db->call);
	sqlite3_finalize(db->ran);
	sqlite3_finalize(db->lost);
	sqlite3_close(db->sqlite);
	if (db->vfs_name[0]) {
		db->vfs.xSetSystemCall(&db->vfs, "open", NULL);
		sqlite3_vfs_unregister(&db->vfs);
	}
	vec_each (&db->names, text)
		free(*text);
	vec_fini(&db->names);
	strv_fini(&db->tables);
	strv_fini(&db->columns);
}

static const struct timeline_format format = {
	.style = PLAN_JSON, .mine = sizeof(struct db), .stream = sizeof(struct db_cpu), .timed = true, .begin = begin, .name = name, .enter = enter,
	.leave = leave, .event = event, .lost = lost, .end = finish, .fini = fini,
};

static int make(struct handler **out, struct reading *reading, __unused void *options)
{
	return timeline_make(out, reading, &format);
}

const struct analysis sqlite_analysis = { .name = "sqlite", .folds = calls_fold, .make = make };
#endif

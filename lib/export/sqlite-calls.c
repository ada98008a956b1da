/* SPDX-License-Identifier: GPL-2.0 */
#ifdef RINGSIDE_SQLITE
#include "lib/base/quote.h"
#include "lib/export/sqlite-inside.h"

void db_calls_name(struct timeline *t, __unused uint32_t index, const char *text, __unused const char *module, struct str *out)
{
	struct db *db = t->mine;
	struct str clean = { 0 };
	struct text copy;

	quote_utf8(text, strlen(text), &clean);
	copy.size = clean.len;
	str_addc(&clean, '\0');
	copy.at = str_take(&clean);
	out->oom |= !copy.at || vec_push(&db->calls.functions, copy);
	str_addc(out, '-');
}

static uint32_t track_id(struct timeline *t, const struct call_task *task, const struct call_task *whose, uint32_t cpu)
{
	struct db_track place = { .pid = whose->pid, .cpu = cpu, .file = task->file, .buffer = task->buffer };
	struct db *db = t->mine;
	struct db_calls *calls = &db->calls;
	map_entry(&calls->places) entry;

	/* If all but the name is as it was for the last call, the name is not looked up again. */
	place.comm = calls->last_place.comm;
	if (calls->last_track && place.comm && memcmp(&place, &calls->last_place, sizeof(place)) == 0)
		return calls->last_track;
	place.comm = timeline_comm(whose);
	entry = map_add(&calls->places, place);
	t->out.oom |= !entry;
	if (!entry)
		return 0;
	calls->last_place = place;
	calls->last_track = (uint32_t)map_index(&calls->places, entry) + 1;
	return calls->last_track;
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

/* Gives a call's row its number when the call begins, because the rows of the calls inside refer to it. */
void db_calls_enter(struct timeline *t, struct call_frame *frame)
{
	struct db *db = t->mine;

	timeline_frame_of(t, frame)->id = ++db->calls.id;
}

/*
 * What most calls do not have: time in interrupts and off the CPU, a return value, a caller from its return address, and a reason why the call is incomplete.
 */
struct rare {
	const struct call_times *times; /* NULL: not known */
	bool irq_known, off_known;
	const int64_t *retval;
	const char *caller;
	unsigned int cut;
};

static uint32_t add_rare(struct timeline *t, const struct rare *rare)
{
	struct db *db = t->mine;
	struct db_rows *rows = db->calls.rare;
	const struct call_times *times = rare->times;
	const uint64_t off[] = { times ? times->off : 0, times ? times->blocked : 0, times ? times->preempted : 0, times ? times->queued : 0 };

	if (!rows)
		return 0;
	db_integer(rows, ++db->calls.rare_id);
	times && rare->irq_known ? db_integer(rows, (int64_t)times->irq) : db_null(rows);
	for (size_t i = 0; i < ARRAY_LEN(off); i++)
		times && rare->off_known ? db_integer(rows, (int64_t)off[i]) : db_null(rows);
	rare->retval ? db_integer(rows, *rare->retval) : db_null(rows);
	db_lasting(t, rows, rare->caller);
	db_name(rows, rare->cut ? timeline_cut(rare->cut) : NULL);
	db_row_done(t, rows);
	return db->calls.rare_id;
}

/* Returns the id of the row with the call's rare values, or 0 if it has none. Calls without times, return value and caller share rows. */
static uint32_t rare_id(struct timeline *t, const struct rare *rare)
{
	struct db *db = t->mine;
	const bool figures = rare->times && (rare->times->irq || (rare->off_known && rare->times->off));
	uint32_t *shared = &db->calls.shared[!rare->times ? 2 : !rare->irq_known][rare->cut];

	if (rare->times && !figures && rare->irq_known && rare->off_known && !rare->retval && !rare->caller && !rare->cut)
		return 0;
	if (figures || rare->retval || rare->caller)
		return add_rare(t, rare);
	if (!*shared)
		*shared = add_rare(t, rare);
	return *shared;
}

int db_calls_leave(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct timeline_frame *mine, const struct call_end *end,
		   uint32_t called)
{
	struct db *db = t->mine;
	struct db_rows *rows = db->calls.data;
	const struct timed_call *timed = timed_call_of(t->timed, (struct call_frame *)frame);
	const struct call_times *times = &timed->times;
	const struct symbol *from = frame->retaddr ? symbols_find(task->trace->symbols, frame->retaddr) : NULL;
	const int64_t retval = (int64_t)end->retval;
	const bool lacks = timeline_lacks(t, task);
	const struct rare rare = {
		.times = timed->cut ? NULL : times,
		.irq_known = !timed_is_async(task),
		.off_known = timed_call_off_known(timed, task) && !lacks,
		.retval = end->has_retval ? &retval : NULL,
		.caller = from ? from->name : NULL,
		.cut = end->cut,
	};
	const struct call_task *whose = task->aside ? task->beside : task;
	/* With --cpu, a caller that began on another CPU is not in the database, so it has no id. */
	const uint64_t parent = timeline_caller_id(t, task, (struct call_frame *)frame);
	const struct text *function = called ? &db->calls.functions.at[called] : NULL;
	uint32_t rare_row;

	if (db->err || !rows)
		return db->err;
	rare_row = rare_id(t, &rare);
	t->out.oom |= callers_leave(&db->calls.callers, task, frame, end, mine->id, parent, mine->id) != 0;
	db_integer(rows, (int64_t)mine->id);
	parent ? db_integer(rows, (int64_t)parent) : db_null(rows);
	db_integer(rows, (int64_t)task->depth - 1);
	function ? db_name_of(rows, function->at, function->size) : db_null(rows);
	db_unsigned(rows, frame->ns);
	db_unsigned(rows, timeline_exit_ns(task, frame, end));
	db_integer(rows, track_id(t, task, whose, frame->cpu));
	timed->cut ? db_null(rows) : db_integer(rows, (int64_t)times->total);
	timed->cut ? db_null(rows) : db_integer(rows, (int64_t)(times->self + (lacks ? times->off : 0)));
	rare_row ? db_integer(rows, rare_row) : db_null(rows);
	db_row_done(t, rows);
	return db->err;
}

/* --- tables ------------------------------------------------------------------------------------------------------------------- */

void db_calls_begin(struct timeline *t)
{
	struct db *db = t->mine;
	struct db_calls *calls = &db->calls;
	struct str sql = { 0 };

	str_addf(&sql,
		 "CREATE TABLE calls_data (id INTEGER PRIMARY KEY, parent INTEGER, depth INTEGER, function TEXT, ts%s, \"end\"%s, track INTEGER, "
		 "total INTEGER, self INTEGER, rare INTEGER); "
		 "CREATE TABLE calls_tracks (id INTEGER PRIMARY KEY, cpu INTEGER, pid INTEGER, comm TEXT, buffer TEXT%s); "
		 "CREATE TABLE calls_rare (id INTEGER PRIMARY KEY, irq INTEGER, off INTEGER, blocked INTEGER, preempted INTEGER, queued INTEGER, "
		 "retval INTEGER, caller TEXT, cut TEXT)",
		 db->ns, db->ns, db_has_files(t) ? ", irq_known INTEGER, off_known INTEGER, switches_known INTEGER, waits_known INTEGER, file TEXT" : "");
	t->out.oom |= sql.oom;
	db_run(t, str_text(&sql));
	str_fini(&sql);
	calls->data = db_rows_of(t, "calls_data", 10, true);
	calls->tracks = db_rows_of(t, "calls_tracks", db_has_files(t) ? 10 : 5, false);
	calls->rare = db_rows_of(t, "calls_rare", 9, false);
}

/* If there are several files, adds what is known of this file. */
static void put_known(struct timeline *t, struct db_rows *rows, unsigned int file)
{
	const struct timed_facts facts = timed_facts_of(t->timed, file);

	if (!db_has_files(t))
		return;
	db_integer(rows, facts.irq);
	db_integer(rows, timed_off_known(&facts));
	db_integer(rows, facts.switches);
	db_integer(rows, timed_waits_known(&facts));
}

static void add_tracks(struct timeline *t)
{
	struct db *db = t->mine;
	struct db_rows *rows = db->calls.tracks;

	if (!rows)
		return;
	map_each (&db->calls.places, place) {
		db_integer(rows, (int64_t)map_index(&db->calls.places, place) + 1);
		db_integer(rows, place->key.cpu);
		db_integer(rows, place->key.pid);
		db_lasting(t, rows, place->key.comm);
		db_lasting(t, rows, db_instance(t, place->key.file, place->key.buffer));
		put_known(t, rows, place->key.file);
		db_put_file(t, rows, place->key.file);
		db_row_done(t, rows);
	}
}

/*
 * Adds a column of the track. Its value is looked up by a subquery only if a query uses it. With a join, SQLite would look up each row even if no column of it
 * was used.
 */
static void add_track(struct str *sql, const char *column)
{
	str_addf(sql, ", (SELECT %s FROM calls_tracks WHERE calls_tracks.id = calls_data.track) AS %s", column, column);
}

/* Adds a rare value. For calls without a row of rare values it is @otherwise. */
static void add_rare_value(struct str *sql, const char *value, const char *otherwise)
{
	str_addf(sql, "CASE WHEN rare IS NULL THEN %s ELSE (SELECT %s FROM calls_rare WHERE calls_rare.id = calls_data.rare) END", otherwise, value);
}

static void add_rare_column(struct str *sql, const char *column, const char *otherwise)
{
	str_add(sql, ", ");
	add_rare_value(sql, column, otherwise);
	str_addf(sql, " AS %s", column);
}

/* Adds a column with a time, which is NULL unless @known. If @flag is not NULL, the time is known only for calls whose track has 1 in that column. */
static void add_time(struct str *sql, const char *column, bool known, const char *flag)
{
	if (!known) {
		str_addf(sql, ", NULL AS %s", column);
	} else if (!flag) {
		add_rare_column(sql, column, "0");
	} else {
		str_addf(sql, ", CASE (SELECT %s FROM calls_tracks WHERE calls_tracks.id = calls_data.track) WHEN 1 THEN ", flag);
		add_rare_value(sql, column, "0");
		str_addf(sql, " END AS %s", column);
	}
}

static void add_view(struct timeline *t)
{
	const struct timed_facts facts = timed_facts(t->timed);
	const bool several = db_has_files(t);
	struct str sql = { 0 };

	str_add(&sql, "CREATE VIEW calls AS SELECT calls_data.id AS id, parent, depth, function, ts, \"end\"");
	add_track(&sql, "cpu");
	add_track(&sql, "pid");
	add_track(&sql, "comm");
	add_track(&sql, "buffer");
	str_add(&sql, ", total, self, total - self - ");
	add_rare_value(&sql, "coalesce(irq, 0) + coalesce(off, 0)", "0");
	str_add(&sql, " AS callees");
	add_time(&sql, "irq", facts.irq, several ? "irq_known" : NULL);
	add_time(&sql, "off", timed_off_known(&facts), several ? "off_known" : NULL);
	add_time(&sql, "blocked", timed_waits_known(&facts), several ? "waits_known" : NULL);
	add_time(&sql, "preempted", facts.switches, several ? "switches_known" : NULL);
	add_time(&sql, "queued", timed_waits_known(&facts), several ? "waits_known" : NULL);
	add_rare_column(&sql, "retval", "NULL");
	add_rare_column(&sql, "caller", "NULL");
	add_rare_column(&sql, "cut", "NULL");
	if (several)
		add_track(&sql, "file");
	str_add(&sql, " FROM calls_data");
	t->out.oom |= sql.oom;
	db_run(t, str_text(&sql));
	str_fini(&sql);
}

static void forget_parent(void *ctx, uint64_t id)
{
	struct timeline *t = ctx;
	struct str sql = { 0 };

	str_addf(&sql, "UPDATE calls_data SET parent = NULL WHERE id = %llu", (unsigned long long)id);
	t->out.oom |= sql.oom;
	db_run(t, str_text(&sql));
	str_fini(&sql);
}

void db_calls_correct(struct timeline *t)
{
	callers_each(&((struct db *)t->mine)->calls.callers, forget_parent, t);
}

void db_calls_finish(struct timeline *t)
{
	add_tracks(t);
	add_view(t);
}

void db_calls_fini(struct db_calls *calls)
{
	vec_each (&calls->functions, text)
		free(text->at);
	vec_fini(&calls->functions);
	map_fini(&calls->places);
	callers_fini(&calls->callers);
}
#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints how long each task, name of tasks or CPU ran, waited and slept. */
#include "lib/output/sched-view.h"

#include "lib/base/duration.h"

enum {
	WHO,
	PID,
	TASKS,
	CPU,
	RUN,
	IDLE,
	QUEUED,
	BLOCKED,
	PREEMPTED,
	OFF,
	SWITCHES,
	MIGRATIONS,
	COUNT,
	SPREAD_FIRST,
	CUT = SPREAD_FIRST + SPREAD_COLUMNS,
	SWAPPER,
	FILE_OF,
};

/* Hides a column that does not belong to a table: nothing in it is known, and nobody sees it. */
#define HIDDEN .more = true, .people = true

#define COLUMNS(name, comm_, pid_, tasks_, cpu_, idle_, swapper_, order) \
	static const struct table_column per_##name[] = { \
		[WHO] = { "comm", TABLE_TEXT, comm_ }, \
		[PID] = { "pid", TABLE_ID, pid_ }, \
		[TASKS] = { "tasks", TABLE_COUNT, tasks_ }, \
		[CPU] = { "cpu", TABLE_ID, cpu_ }, \
		[RUN] = { "run", TABLE_NS }, \
		[IDLE] = { "idle", TABLE_NS, idle_ }, \
		[QUEUED] = { "queued", TABLE_NS }, \
		[BLOCKED] = { "blocked", TABLE_NS }, \
		[PREEMPTED] = { "preempted", TABLE_NS }, \
		[OFF] = { "off", TABLE_NS, .more = true }, \
		[SWITCHES] = { "switches", TABLE_COUNT }, \
		[MIGRATIONS] = { "migrations", TABLE_COUNT }, \
		[COUNT] = { "count", TABLE_COUNT, .more = true }, \
		SPREAD(SPREAD_FIRST), \
		[CUT] = { "cut", TABLE_COUNT, .more = true }, \
		[SWAPPER] = { "swapper", TABLE_BOOL, swapper_ }, \
		[FILE_OF] = { "file", TABLE_TEXT, .more = true }, \
		{ NULL }, \
	}; \
	static const struct table_spec spec_per_##name = { .columns = per_##name, .sort = order }

#define SHOWN .left = false
#define MORE .more = true
COLUMNS(task, SHOWN, SHOWN, HIDDEN, HIDDEN, HIDDEN, MORE, "+swapper,-run,comm,pid,file");
COLUMNS(comm, SHOWN, HIDDEN, SHOWN, HIDDEN, HIDDEN, MORE, "+swapper,-run,comm,file");
COLUMNS(cpu, HIDDEN, HIDDEN, HIDDEN, SHOWN, SHOWN, HIDDEN, "cpu,file");

const struct table_spec *sched_sums_spec(enum sched_by by)
{
	static const struct table_spec *const specs[] = {
		[SCHED_PER_TASK] = &spec_per_task,
		[SCHED_PER_COMM] = &spec_per_comm,
		[SCHED_PER_CPU] = &spec_per_cpu,
	};

	return specs[by];
}

/* A row: all parts of a task, of the tasks of one name, or of a CPU, in one file. */
struct row {
	char name[SCHED_NAME];
	int pid;
	uint16_t cpu;
	uint8_t file;
	bool swapper;
	uint64_t idle;
	uint32_t last; /* 1 + the index of the task that was counted last */
	uint64_t tasks;
	bool idle_known;
	bool known; /* the times of at least one of the tasks are known */
	struct sched_sums sums;
};

void sched_spread(struct table *table, unsigned int first, const struct quantiles *q, uint64_t worst_ts)
{
	const uint64_t p50 = quantiles_at(q, 500), p99 = quantiles_at(q, 990);

	if (!q->n)
		return;
	table_count(table, first + SPREAD_MEAN, quantiles_mean(q));
	if (p50 != QUANTILE_UNKNOWN)
		table_count(table, first + SPREAD_P50, p50);
	if (p99 != QUANTILE_UNKNOWN)
		table_count(table, first + SPREAD_P99, p99);
	table_count(table, first + SPREAD_MAX, q->max);
	table_count(table, first + SPREAD_TS, worst_ts);
}

static int add_sums(struct sched_sums *to, const struct sched_sums *more, const struct sched_open *open)
{
	to->run += more->run;
	to->off += more->off;
	to->blocked += more->blocked;
	to->preempted += more->preempted;
	to->switches += more->switches;
	to->migrations += more->migrations;
	to->moves += more->moves;
	to->cut += more->cut + open->cut;
	to->least += more->least + open->least;
	if (more->delays.n && (!to->delays.n || more->worst > to->worst)) {
		to->worst = more->worst;
		to->worst_ts = more->worst_ts;
	}
	return quantiles_merge(&to->delays, &more->delays);
}

/* Returns the key by which rows differ. */
static struct key key_of(const struct sched_view *view, const struct sched_part *part, uint8_t file, const char *name)
{
	struct key key = { file, KEY_MIX, 0 };

	if (view->opt->by == SCHED_PER_TASK)
		return (struct key){ part->task, 0, 0 };
	if (view->opt->by == SCHED_PER_CPU)
		return (struct key){ part->cpu, file, 0 };
	for (; *name; name++)
		key_mix(&key.b, &key.c, (uint8_t)*name);
	return key;
}

typedef VEC(struct row) rows_t;

static int add_part(struct sched_view *view, struct keys *keys, rows_t *rows, const struct sched_part *part, const struct sched_open *open)
{
	struct sched *sched = view->sched;
	struct sched_task *task = &sched->tasks.at[part->task];
	struct row *row, new = { .pid = task->pid, .cpu = part->cpu, .file = task->file, .swapper = !task->pid };
	char buf[SCHED_NAME];
	const char *name = sched_name(sched, task, buf);
	int64_t i;

	if (!sched_is_wanted(sched, task))
		return 0;
	strncpy(new.name, name, sizeof(new.name) - 1);
	i = keys_element(keys, rows, key_of(view, part, task->file, name), new);
	if (i < 0)
		return (int)i;
	row = &rows->at[i];
	row->tasks += row->last != part->task + 1;
	row->last = part->task + 1;
	if (view->opt->by == SCHED_PER_CPU && !task->pid) {
		row->idle += task->whole ? part->sums.run : 0;
		row->idle_known = task->whole;
		row->sums.switches += part->sums.switches;
		row->sums.cut += part->sums.cut + open->cut;
		return 0;
	}
	if (!task->whole) {
		/* How many states it had is not known either, so .cut stays. */
		row->sums.switches += part->sums.switches;
		row->sums.migrations += part->sums.migrations;
		return 0;
	}
	row->known = true;
	return add_sums(&row->sums, &part->sums, open);
}

static void show_row(const struct sched_view *view, const struct row *row)
{
	const bool wakeups = sched_has(view->sched, SCHED_WAKEUP) || sched_has(view->sched, SCHED_WAKING);
	const bool of_cpu = view->opt->by == SCHED_PER_CPU, swapper = row->swapper && !of_cpu;
	struct table *table = view->table;

	table_row(table, TABLE_ROOT);
	table_text(table, FILE_OF, view->reading->inputs.at[row->file].path);
	if (of_cpu) {
		table_id(table, CPU, row->cpu);
		if (row->idle_known)
			table_count(table, IDLE, row->idle);
	} else {
		table_copy(table, WHO, row->name);
		table_bool(table, SWAPPER, swapper);
	}
	if (view->opt->by == SCHED_PER_TASK)
		table_id(table, PID, row->pid);
	if (view->opt->by == SCHED_PER_COMM)
		table_count(table, TASKS, row->tasks);
	if (row->known)
		table_count(table, RUN, row->sums.run);
	table_count(table, SWITCHES, row->sums.switches);
	if (row->known || of_cpu)
		table_count(table, CUT, row->sums.cut);
	if (swapper)
		return;
	if (row->known || sched_has(view->sched, SCHED_MIGRATE))
		table_count(table, MIGRATIONS, sched_has(view->sched, SCHED_MIGRATE) ? row->sums.migrations : row->sums.moves);
	if (!row->known)
		return;
	table_count(table, PREEMPTED, row->sums.preempted);
	table_count(table, OFF, row->sums.off);
	if (!wakeups)
		return;
	table_count(table, QUEUED, row->sums.delays.sum);
	table_count(table, BLOCKED, row->sums.blocked);
	table_count(table, COUNT, row->sums.delays.n);
	sched_spread(table, SPREAD_FIRST, &row->sums.delays, row->sums.worst_ts);
}

/* Adds a note about what the times leave out. Returns 0 or -ENOMEM. */
static int note_cut(struct sched_view *view, const struct sched_sums *all)
{
	struct str least = { 0 };
	int err;

	if (input_in_ns(&view->reading->inputs.at[0], 0))
		duration_add(&least, all->least);
	else
		str_addf(&least, "%llu ticks", (unsigned long long)all->least);
	err = str_ok(&least);
	if (!err)
		table_note(view->table,
			   "the times leave out %llu state%s, which began before the recording, ended after it, or had lost events in between%s%s%s",
			   (unsigned long long)all->cut, all->cut == 1 ? "" : "s",
			   !all->least	   ? ""
			   : all->cut == 1 ? "; it lasted at least "
					   : "; those on a CPU lasted at least ",
			   all->least ? str_text(&least) : "", all->least && all->cut == 1 ? " on a CPU" : "");
	str_fini(&least);
	return err;
}

int sched_sums_fill(struct sched_view *view)
{
	struct sched *sched = view->sched;
	struct sched_sums all = { 0 };
	sched_open_t open = { 0 };
	struct keys keys = { 0 };
	rows_t rows = { 0 };
	int err = sched_open(sched, &open);

	for (size_t i = 0; !err && i < sched->parts.n; i++)
		err = add_part(view, &keys, &rows, &sched->parts.at[i], &open.at[i]);
	vec_each (&rows, row) {
		show_row(view, row);
		all.cut += row->sums.cut;
		all.least += row->sums.least;
		all.moves += row->sums.moves;
		quantiles_fini(&row->sums.delays);
	}
	if (all.cut)
		err = err ? err : note_cut(view, &all);
	if (all.moves && !sched_has(sched, SCHED_MIGRATE))
		table_note(view->table, "migrations are changes of the CPU from one run to the next, as no sched_migrate_task was recorded");
	vec_fini(&rows);
	vec_fini(&open);
	keys_fini(&keys);
	return err;
}

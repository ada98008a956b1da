/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/lacking.h"
#include "lib/base/err.h"
#include "lib/output/reading-meta.h"
#include "lib/output/sched-view.h"
#include "lib/output/unseen.h"

static int take_records(struct handler *h, const struct batch *batch)
{
	struct handler *sched = &container_of(h, struct sched_view, handler)->sched->handler;

	return sched->records(sched, batch);
}

/* Writes the lines at once, for live output. */
static int flush(struct handler *h)
{
	struct sched_view *view = container_of(h, struct sched_view, handler);

	return view->opt->tell == SCHED_TELL_TIMELINE ? sched_timeline_flush(view) : 0;
}

static void view_free(struct handler *h)
{
	struct sched_view *view = container_of(h, struct sched_view, handler);

	if (view->sched)
		view->sched->handler.free(&view->sched->handler);
	table_free(view->table);
	str_fini(&view->text);
	free(view);
}

/* ------------------------------------------------------------------------------------------------------------------ */

static int make(struct handler **out, struct reading *reading, void *options)
{
	const struct sched_options_view *o = options;
	const struct table_spec *const specs[] = {
		[SCHED_TELL_SUMS] = sched_sums_spec(o->by),
		[SCHED_TELL_PREEMPTS] = &sched_preempts_spec,
		[SCHED_TELL_WAKES] = &sched_wakes_spec,
		[SCHED_TELL_TIMELINE] = &sched_timeline_spec,
	};
	struct sched_view *view = calloc(1, sizeof(*view));
	struct sched_options opt = {
		.select = &reading->select,
		.cpus = reading_cpus(reading),
		.by_cpu = o->tell == SCHED_TELL_SUMS && o->by == SCHED_PER_CPU,
		.pairs = o->tell == SCHED_TELL_PREEMPTS || o->tell == SCHED_TELL_WAKES,
		.stay = o->tell == SCHED_TELL_TIMELINE ? sched_timeline_stay : NULL,
		.ctx = view,
	};
	int err = view ? 0 : -ENOMEM;
	struct table_show table;

	if (err)
		return err;
	view->handler = (struct handler){ .records = take_records, .flush = flush, .free = view_free };
	view->reading = reading;
	view->opt = o;
	table = o->table;
	/* Tasks and CPUs of different machines can have the same numbers. */
	if (reading->inputs.n > 1 && !table.columns)
		table.columns = "+file";
	err = table_new(&view->table, specs[o->tell], &table);
	/* The records of a window are too few to tell which tasks lack switches. */
	if (!err && (o->tell == SCHED_TELL_TIMELINE || reading_has_window(reading)))
		err = lacking_find(reading);
	opt.whole = !reading->lacking;
	err = err ? err : sched_new(&view->sched, &reading->inputs, &opt);
	if (err)
		view_free(&view->handler);
	else
		*out = &view->handler;
	return err;
}

/* Adds the notes about all tasks. */
static void add_notes(const struct sched_view *view)
{
	const struct sched *sched = view->sched;
	const bool wakeups = sched_has(sched, SCHED_WAKEUP) || sched_has(sched, SCHED_WAKING), narrowed = view->reading->inputs.at[0].narrowed;

	if (!sched_has(sched, SCHED_SWITCH))
		table_note(view->table, "%s", unseen_text(UNSEEN_SWITCHES_OF_ALL, narrowed));
	else if (view->opt->tell != SCHED_TELL_PREEMPTS && !wakeups)
		table_note(view->table, "%s", unseen_text(UNSEEN_WAKEUPS, narrowed));
	else if (view->opt->tell == SCHED_TELL_PREEMPTS && !table_rows(view->table))
		table_note(view->table, view->sched->opt.cpus ? "none of the tasks was preempted on the CPUs asked for"
							      : "none of the tasks was preempted, and none preempted another");
	if (view->opt->tell == SCHED_TELL_WAKES && wakeups && !sched_has(sched, SCHED_WAKING))
		table_note(view->table, "the wakers are those of sched_wakeup, as no sched_waking was seen; they may be wrong, because sched_wakeup "
					"can happen on the CPU of the woken task");
	vec_each (&sched->inputs, in)
		if (in->several)
			table_note(view->table, LACKING_SEVERAL, in->input->path);
}

/* Sets sched_task.whole of all tasks of the file. Returns how many tasks of the file lack switches. */
static uint64_t find_whole(const struct sched_view *view, uint8_t file)
{
	const struct lacking *lacking = view->reading->lacking;

	if (!lacking)
		return sched_find_whole(view->sched, file);
	vec_each (&view->sched->tasks, task)
		if (task->file == file)
			task->whole = !lacking_has(lacking, file, task->pid, task->cpu);
	return lacking->files.at[file].n;
}

/* Adds a note about the tasks that lack switches. The timeline has no place for a note that people read, so the note goes to stderr. */
static void note_missing(const struct sched_view *view)
{
	const bool lines = view->opt->tell == SCHED_TELL_TIMELINE;

	for (size_t i = 0; i < view->sched->inputs.n; i++) {
		const uint64_t n = find_whole(view, (uint8_t)i);
		const char *path = view->sched->inputs.at[i].input->path;

		if (n && lines && view->opt->table.form == TABLE_FOR_PEOPLE)
			note(LACKING_TEXT, LACKING_ARGS(n, path));
		else if (n)
			table_note(view->table, LACKING_TEXT, LACKING_ARGS(n, path));
	}
}

static void say_no_cpu(enum sched_tell tell, const char *path)
{
	if (tell == SCHED_TELL_SUMS)
		note("%s tells nothing of the CPUs asked for; `ringside sched --by cpu` lists those that it has", path);
	else if (tell == SCHED_TELL_WAKES)
		note("%s has no wakeup that came from the CPUs asked for", path);
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct sched_view *view = container_of(h, struct sched_view, handler);
	const struct sched_options_view *o = options;
	struct table_meta meta;
	strv_t files = { 0 };
	int err;

	if (o->tell != SCHED_TELL_TIMELINE)
		table_clear(view->table);
	err = reading_meta(reading, &meta, &files);
	meta.lost = view->sched->lost;
	meta.lost_more = view->sched->lost_more;
	if (!err && o->tell != SCHED_TELL_TIMELINE)
		note_missing(view);
	if (!err && o->tell == SCHED_TELL_SUMS)
		err = sched_sums_fill(view);
	else if (!err && o->tell != SCHED_TELL_TIMELINE)
		err = sched_pairs_fill(view);
	if (!err && o->tell == SCHED_TELL_TIMELINE) {
		err = sched_timeline_flush(view);
		note_missing(view);
	}
	if (!err)
		add_notes(view);
	if (!err && o->tell == SCHED_TELL_TIMELINE && o->table.form == TABLE_FOR_PEOPLE && !sched_has(view->sched, SCHED_SWITCH))
		note("%s: %s", reading->inputs.at[0].path, unseen_text(UNSEEN_SWITCHES_OF_ALL, reading->inputs.at[0].narrowed));
	if (!err && view->sched->opt.cpus && sched_has(view->sched, SCHED_SWITCH) && !table_rows(view->table) && !reading->quiet)
		say_no_cpu(o->tell, reading->inputs.at[0].path);
	if (!err)
		err = o->tell == SCHED_TELL_TIMELINE ? sched_timeline_end(view, &meta) : table_show(view->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}

const struct analysis sched_analysis = {
	.name = "sched",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS | ANALYSIS_SUMS,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

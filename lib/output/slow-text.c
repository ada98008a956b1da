/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/output/slow-text.h"
#include "lib/analysis/units.h"
#include "lib/analysis/callgraph-views.h"
#include "lib/analysis/cause-words.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/lost-text.h"
#include "lib/analysis/reading.h"
#include "lib/base/err.h"
#include "lib/output/call-columns.h"
#include "lib/output/missing.h"
#include "lib/output/reading-meta.h"

#include <langinfo.h>

/* How many calls are shown without -n, and at most with --over. */
enum { USUALLY = 10, MOST = 1000 };

enum {
	CALL,
	TS,
	TASK,
	TID,
	COMM,
	CPU,
	FUNCTION,
	TOTAL,
	TYPICAL,
	EXCESS,
	CAUSE,
	CULPRIT,
	WHERE,
	EXPLAINS,
	SELF,
	BELOW,
	IRQ,
	OFF,
	BLOCKED,
	QUEUED,
	PREEMPTED,
	FILE_OF
};

static const struct table_column columns[] = {
	[CALL] = { "call", TABLE_ID },
	[TS] = { "ts", TABLE_TS },
	[TASK] = { "task", TABLE_TEXT, .people = true },
	[TID] = { "tid", TABLE_ID, .more = true },
	[COMM] = { "comm", TABLE_TEXT, .more = true },
	[CPU] = { "cpu", TABLE_ID },
	[FUNCTION] = { "function", TABLE_TEXT },
	[TOTAL] = { "total", TABLE_NS },
	[TYPICAL] = { "typical", TABLE_NS },
	[EXCESS] = { "excess", TABLE_NS, .more = true },
	[CAUSE] = { "cause", TABLE_TEXT },
	[CULPRIT] = { "culprit", TABLE_TEXT },
	[WHERE] = { "where", TABLE_TEXT },
	[EXPLAINS] = { "explains", TABLE_NS, .more = true },
	[SELF] = { "self", TABLE_NS },
	[BELOW] = { "below", TABLE_NS },
	[IRQ] = { "irq", TABLE_NS },
	[OFF] = { "off", TABLE_NS },
	[BLOCKED] = { "blocked", TABLE_NS },
	[QUEUED] = { "queued", TABLE_NS },
	[PREEMPTED] = { "preempted", TABLE_NS },
	[FILE_OF] = { "file", TABLE_TEXT, .more = true },
	{ NULL },
};
static const struct table_spec spec = { .columns = columns, .sort = "call" };

struct view {
	struct handler handler; /* first */
	struct causes *causes;
	struct table *table;
	struct slow_view *o;
	struct verdict *verdicts; /* one for each call that is kept */
};

/* --- rows ----------------------------------------------------------------------------------------------------------------- */

static void copy(struct table *table, unsigned int column, struct str *text)
{
	if (text->len)
		table_copy(table, column, str_text(text));
	str_clear(text);
}

static void add_row(struct view *view, size_t i, struct str *text)
{
	const struct causes *causes = view->causes;
	const struct cause_call *call = causes->kept.at[i];
	const struct verdict *v = &view->verdicts[i];
	const struct timed_person *who = timed_person(causes->timed, call->person);
	const struct timed_facts facts = timed_facts_of(causes->timed, call->file);
	const uint64_t *parts = call->parts, off = parts[PART_OFF] + parts[PART_BLOCKED] + parts[PART_QUEUED] + parts[PART_PREEMPTED];
	const bool off_known = !call->unplaced && !call->lacks;
	const uint64_t self = call->nodes.at[0].ns[PART_SELF];
	struct table *table = view->table;

	table_row(table, TABLE_ROOT);
	table_id(table, CALL, (int64_t)i + 1);
	table_count(table, TS, call->ns);
	words_task(causes, call->person, text);
	copy(table, TASK, text);
	table_id(table, TID, who->pid);
	table_copy(table, COMM, comms_find(causes->inputs->at[call->file].trace->comms, who->pid));
	table_id(table, CPU, call->cpu);
	table_text(table, FILE_OF, causes->inputs->at[call->file].path);
	table_text(table, FUNCTION, causes_name(causes, call->nodes.at[0].node));
	table_count(table, TOTAL, call->total);
	table_count(table, TYPICAL, v->typical);
	table_count(table, EXCESS, v->excess);
	table_text(table, CAUSE, cause_word(v->cause));
	words_culprit(causes, call, v, text);
	copy(table, CULPRIT, text);
	if (v->fact && v->fact->where)
		table_text(table, WHERE, meanwhile_text(causes->meanwhile, v->fact->where));
	if (v->cause != CAUSE_UNKNOWN && v->compared)
		table_count(table, EXPLAINS, v->ns);
	table_count(table, SELF, self);
	table_count(table, BELOW, parts[PART_SELF] - self);
	if (facts.irq && !call->unplaced)
		table_count(table, IRQ, parts[PART_IRQ]);
	if ((facts.switches || facts.guessed) && off_known)
		table_count(table, OFF, off);
	if (facts.switches && off_known) {
		table_count(table, PREEMPTED, parts[PART_PREEMPTED]);
		if (facts.wakeups) {
			table_count(table, BLOCKED, parts[PART_BLOCKED]);
			table_count(table, QUEUED, parts[PART_QUEUED]);
		}
	}
}

static void say_below(void *ctx, const char *text)
{
	str_addf(ctx, "unknown: %s\n", text);
}

static void say_note(void *ctx, const char *text)
{
	table_note(ctx, "unknown: %s", text);
}

/* --- showing -------------------------------------------------------------------------------------------------------------- */

/* Adds notes about the calls that are not among those from which the rows and the typical call are taken, and about how the times of calls are known. */
static void note_calls(struct view *view, const struct reading *reading)
{
	uint64_t cut = 0, timeless = 0;

	vec_each (&view->causes->roots, root) {
		cut += root->cut;
		timeless += root->timeless;
	}
	call_note_cut(view->table, cut, "looked at");
	call_note_timeless(view->table, timeless, units_why_timeless(&reading->inputs));
	call_note_unmeasured(view->table, &reading->inputs, view->causes->timed);
}

static int show_table(struct view *view, struct reading *reading)
{
	struct table_meta meta;
	struct str text = { 0 };
	strv_t files = { 0 };
	int err;

	table_clear(view->table);
	for (size_t i = 0; i < view->causes->kept.n; i++)
		if (!view->o->call || i + 1 == view->o->call)
			add_row(view, i, &text);
	cause_needs(view->causes, view->verdicts, say_note, view->table);
	note_calls(view, reading);
	str_fini(&text);
	err = reading_meta(reading, &meta, &files);
	reading_meta_of_calls(&meta);
	err = err ? err : table_show(view->table, &meta, reading->out);
	strv_fini(&files);
	return err;
}

static int show_text(struct view *view, struct reading *reading)
{
	const struct causes *causes = view->causes;
	const bool utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	const struct calls_lost *lost = calls_lost(reading->calls);
	struct str out = { 0 };
	int err = view->o->call ? 0 : cause_summary(causes, view->verdicts, &out);

	if (!err)
		cause_functions(causes, &out);
	for (size_t i = 0; !err && i < causes->kept.n; i++) {
		if (view->o->call && i + 1 != view->o->call)
			continue;
		str_addc(&out, '\n');
		cause_call_text(causes, causes->kept.at[i], &view->verdicts[i], i + 1, view->o->call, utf8, &out);
	}
	if (causes->kept.n)
		str_addc(&out, '\n');
	lost_text(lost->events, lost->more, &out);
	str_add(&out, lost->events || lost->more ? "\n" : "");
	for (unsigned int file = 0; file < reading->inputs.n; file++)
		if (timed_facts_of(causes->timed, file).unmeasured)
			str_addf(&out, TIMED_UNMEASURED_TEXT "\n", reading->inputs.at[file].path);
	cause_needs(causes, view->verdicts, say_below, &out);
	err = err ? err : reading_write(reading, &out);
	str_fini(&out);
	return err;
}

/* Says that no call of that name was found, or that none took so long. */
static int say_missing(const struct view *view, struct reading *reading)
{
	const struct causes *causes = view->causes;
	const char *path = reading->inputs.at[0].path;
	uint64_t calls = 0, cut = 0, timeless = 0;
	strv_t called = { 0 };
	int err;

	vec_each (&causes->roots, root) {
		calls += root->calls;
		cut += root->cut;
		timeless += root->timeless;
	}
	if (calls == 1)
		return note("the only call took no longer than --over says"), 0;
	if (calls)
		return note("none of the %llu calls took longer than --over says", (unsigned long long)calls), 0;
	if (timeless)
		return fail(ENOENT, "%s: how long the calls of '%s' took is not known: %s", path, view->o->globs.at[0], units_why_timeless(&reading->inputs));
	if (cut == 1)
		return fail(ENOENT, "%s: the only call of '%s' is not complete: it began before the recording, ended after it or never, or events were lost",
			    path, view->o->globs.at[0]);
	if (cut)
		return fail(ENOENT,
			    "%s: none of the %llu calls of '%s' is complete: they began before the recording, ended after it or never, or events were lost",
			    path, (unsigned long long)cut, view->o->globs.at[0]);
	if (lacking_some(reading))
		return fail(ENOENT, "%s: there is no '%s' of a task whose switches are all recorded", path, view->o->globs.at[0]);
	err = callgraph_called(causes->graph, &called);
	err = err ? err : missing_call(reading, view->o->globs.at[0], &called, NULL);
	strv_fini(&called);
	return err;
}

static int show(struct handler *h, struct reading *reading, void *options)
{
	struct view *view = container_of(h, struct view, handler);
	struct causes *causes = view->causes;
	struct slow_view *o = options;

	causes_sort(causes);
	if (!causes->kept.n && !missing_all(reading))
		return say_missing(view, reading);
	if (o->call > causes->kept.n)
		return fail(ENOENT, "--call %llu: there %s only %zu such call%s; 1 is the slowest", (unsigned long long)o->call,
			    causes->kept.n == 1 ? "is" : "are", causes->kept.n, causes->kept.n == 1 ? "" : "s");
	free(take(view->verdicts));
	if (verdicts_new(causes, &view->verdicts))
		return -ENOMEM;
	return o->as_table ? show_table(view, reading) : show_text(view, reading);
}

static void view_free(struct handler *h)
{
	struct view *view = container_of(h, struct view, handler);

	causes_free(view->causes);
	table_free(view->table);
	free(view->verdicts);
	free(view);
}

static int make(struct handler **out, struct reading *reading, void *options)
{
	struct view *view = calloc(1, sizeof(*view));
	struct slow_view *o = options;
	struct calls *calls = reading_calls(reading);
	const struct causes_options opt = { .globs = &o->globs,
					    .select = &reading->select,
					    .over = o->over,
					    .vcpus = &o->vcpus,
					    .most = MAX(o->top	  ? o->top
							: o->over ? (uint64_t)MOST
								  : (uint64_t)USUALLY,
							o->call) };
	int err = view && calls ? 0 : -ENOMEM;

	if (!err) {
		view->handler.free = view_free;
		view->o = o;
		err = table_new(&view->table, &spec, &o->table);
	}
	err = err ? err : causes_new(&view->causes, calls, &reading->inputs, &opt);
	if (!err)
		*out = &view->handler;
	else if (view)
		view_free(&view->handler);
	return err;
}

const struct analysis slow_analysis = {
	.name = "slow",
	.needs = ANALYSIS_ALL_TASKS | ANALYSIS_TIMES,
	.folds = calls_fold,
	.make = make,
	.show = show,
};

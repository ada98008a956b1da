/* SPDX-License-Identifier: GPL-2.0 */
/* Prints each stay of a task on a CPU when it ends. Of the stays, nothing is kept. */
#include "lib/analysis/lacking.h"
#include "lib/analysis/lost-text.h"
#include "lib/base/err.h"
#include "lib/event/text.h"
#include "lib/output/sched-view.h"

#include <stdio.h>

enum { TS, CPU, COMM, PID, OFF, QUEUED, RUN, STATE, FILE_OF };

static const struct table_column columns[] = {
	[TS] = { "ts", TABLE_TS },
	[CPU] = { "cpu", TABLE_ID },
	[COMM] = { "comm", TABLE_TEXT },
	[PID] = { "pid", TABLE_ID },
	[OFF] = { "off", TABLE_NS },
	[QUEUED] = { "queued", TABLE_NS },
	[RUN] = { "run", TABLE_NS },
	[STATE] = { "state", TABLE_TEXT },
	[FILE_OF] = { "file", TABLE_TEXT, .more = true },
	{ NULL },
};

const struct table_spec sched_timeline_spec = { .columns = columns };

enum { PIECE = 1 << 16, ROWS = 2048 };

/* Are the task's times known? The times of a task that lacks switches are not. */
static bool is_known(const struct sched_view *view, const struct sched_task *task)
{
	return !lacking_has(view->reading->lacking, task->file, task->pid, task->cpu);
}

static void add_row(const struct sched_view *view, const struct sched_stay *stay, const char *name)
{
	const struct sched_task *task = stay->task;
	const bool known = is_known(view, task);
	struct table *table = view->table;

	table_row(table, TABLE_ROOT);
	table_text(table, FILE_OF, view->reading->inputs.at[task->file].path);
	table_count(table, TS, stay->ts);
	table_id(table, CPU, stay->cpu);
	table_copy(table, COMM, name);
	table_id(table, PID, task->pid);
	if (known && task->has_wait)
		table_count(table, OFF, task->took.off);
	if (known && task->has_delay)
		table_count(table, QUEUED, task->took.queued);
	if (known && stay->has_run)
		table_count(table, RUN, stay->run);
	table_copy(table, STATE, stay->state->text);
}

static void add_head(bool ns, struct str *out)
{
	str_addf(out, "%12s %-6s  %-24s %12s %12s %12s  %s\n", "time", "cpu", "task name [pid]", "wait time", "sch delay", "run time", "state");
	str_addf(out, "%12s %-6s  %-24s %12s %12s %12s\n", "", "", "", ns ? "(ms)" : "(ticks)", ns ? "(ms)" : "(ticks)", ns ? "(ms)" : "(ticks)");
}

static void add_time(bool known, uint64_t time, bool ns, struct str *out)
{
	if (!known)
		str_addf(out, " %12s", "-");
	else if (!ns)
		str_addf(out, " %12llu", (unsigned long long)time);
	else
		str_addf(out, " %8llu.%03u", (unsigned long long)(time / NSEC_PER_MSEC), (unsigned int)(time % NSEC_PER_MSEC / NSEC_PER_USEC));
}

static void add_line(const struct sched_view *view, const struct sched_stay *stay, const char *name, struct str *out)
{
	const struct sched_task *task = stay->task;
	const bool ns = input_in_ns(&view->reading->inputs.at[task->file], 0), known = is_known(view, task);
	char who[64];

	if (!view->lines)
		add_head(ns, out);
	text_time(stay->ts, ns, view->reading->exact, out);
	snprintf(who, sizeof(who), "%s[%d]", name, task->pid);
	str_addf(out, " [%04u]  %-24s", stay->cpu, who);
	add_time(known && task->has_wait, task->took.off, ns, out);
	add_time(known && task->has_delay, task->took.queued, ns, out);
	add_time(known && stay->has_run, stay->run, ns, out);
	str_addf(out, "  %s", stay->state->text);
	if (view->reading->inputs.n > 1)
		str_addf(out, "  of %s", view->reading->inputs.at[task->file].path);
	str_addc(out, '\n');
}

int sched_timeline_flush(struct sched_view *view)
{
	int err;

	if (view->opt->table.form != TABLE_FOR_PEOPLE)
		return table_part(view->table, view->reading->out);
	err = view->text.len ? reading_write(view->reading, &view->text) : 0;
	str_clear(&view->text);
	return err;
}

int sched_timeline_stay(void *ctx, const struct sched_stay *stay)
{
	struct sched_view *view = ctx;
	char buf[SCHED_NAME];
	const char *name = sched_name(view->sched, stay->task, buf);

	if (view->opt->table.top && view->lines >= view->opt->table.top)
		return 0;
	if (view->opt->table.form == TABLE_FOR_PEOPLE)
		add_line(view, stay, name, &view->text);
	else
		add_row(view, stay, name);
	view->lines++;
	return view->text.len > PIECE || table_rows(view->table) >= ROWS ? sched_timeline_flush(view) : 0;
}

int sched_timeline_end(struct sched_view *view, const struct table_meta *meta)
{
	struct str lost = { 0 };

	if (view->opt->table.form != TABLE_FOR_PEOPLE)
		return table_part_end(view->table, meta, view->reading->out);
	/* The lines have no place below them. */
	lost_text(meta->lost, meta->lost_more, &lost);
	if (lost.len)
		note("%s", str_text(&lost));
	str_fini(&lost);
	return 0;
}

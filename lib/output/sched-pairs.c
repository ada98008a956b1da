/* SPDX-License-Identifier: GPL-2.0 */
/* Prints who preempts whom, and who wakes whom. */
#include "lib/output/sched-view.h"

enum { COMM, PID, BY_COMM, BY_PID, FROM, COUNT, TIME, SPREAD_FIRST, FILE_OF = SPREAD_FIRST + SPREAD_COLUMNS };

#define PAIR_COLUMNS(time, ...) \
	[COMM] = { "comm", TABLE_TEXT }, [PID] = { "pid", TABLE_ID }, [BY_COMM] = { "by_comm", TABLE_TEXT }, [BY_PID] = { "by_pid", TABLE_ID }, \
	[FROM] = { "from", TABLE_TEXT, __VA_ARGS__ }, [COUNT] = { "count", TABLE_COUNT }, [TIME] = { time, TABLE_NS }, \
	SPREAD(SPREAD_FIRST), [FILE_OF] = { "file", TABLE_TEXT, .more = true }, \
	{ \
		NULL \
	}

static const struct table_column preempts[] = { PAIR_COLUMNS("preempted", .more = true, .people = true) };
static const struct table_column wakes[] = { PAIR_COLUMNS("queued") };

const struct table_spec sched_preempts_spec = { .columns = preempts, .sort = "-preempted,-count,comm,pid,by_comm,by_pid,file" };
const struct table_spec sched_wakes_spec = { .columns = wakes, .sort = "-count,comm,pid,by_comm,by_pid,from,file" };

static const char *const froms[] = {
	[SCHED_BY_TASK] = "task",
	[SCHED_BY_SOFTIRQ] = "softirq",
	[SCHED_BY_HARDIRQ] = "irq",
	[SCHED_BY_NMI] = "nmi",
};

int sched_pairs_fill(struct sched_view *view)
{
	struct sched *sched = view->sched;
	struct sched_pairs *pairs = view->opt->tell == SCHED_TELL_WAKES ? &sched->wakes : &sched->preempts;
	struct table *table = view->table;
	char buf[SCHED_NAME];

	vec_each (&pairs->all, pair) {
		struct sched_task *task = &sched->tasks.at[pair->task], *by = &sched->tasks.at[pair->by];
		const bool is_task = pair->from == SCHED_BY_TASK;

		if (!sched_is_wanted(sched, task) && !(is_task && sched_is_wanted(sched, by)))
			continue;
		table_row(table, TABLE_ROOT);
		table_text(table, FILE_OF, view->reading->inputs.at[task->file].path);
		table_copy(table, COMM, sched_name(sched, task, buf));
		table_id(table, PID, task->pid);
		if (is_task) {
			table_copy(table, BY_COMM, sched_name(sched, by, buf));
			table_id(table, BY_PID, by->pid);
		}
		table_text(table, FROM, froms[pair->from]);
		table_count(table, COUNT, pair->count);
		if (!task->whole)
			continue;
		if (pair->times.n)
			table_count(table, TIME, pair->times.sum);
		sched_spread(table, SPREAD_FIRST, &pair->times, pair->worst_ts);
	}
	return 0;
}

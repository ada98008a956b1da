/* SPDX-License-Identifier: GPL-2.0 */
/* A table of what tasks did with the CPUs, slice by slice, by the rules of `ringside sched`. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/lacking.h"
#include "lib/analysis/sched.h"
#include "lib/query/fill.h"

struct sched_fill {
	struct fill fill; /* first */
	struct sched *sched;
};

enum { SLICE_TS, SLICE_DUR, SLICE_CPU, SLICE_PID, SLICE_COMM, SLICE_BUFFER, SLICE_PRIO, SLICE_END_STATE, SLICE_STATE, SLICE_END_NAME };

static const char *const sched_columns[] = {
	"ts", "dur", "cpu", "pid", "comm TEXT", "buffer TEXT", "prio", "end_state", "state TEXT", "end_state_name TEXT", NULL,
};

static uint32_t add_slice(struct sched_fill *fill, const struct sched_task *task, uint64_t from, uint64_t dur, const char *state)
{
	const uint32_t row = store_row(fill->fill.store);

	if (row == UINT32_MAX)
		return row;
	store_number(fill->fill.store, row, SLICE_TS, from);
	store_number(fill->fill.store, row, SLICE_DUR, dur);
	store_number(fill->fill.store, row, SLICE_CPU, fill->fill.rec->cpu);
	fill_pid(&fill->fill, row, SLICE_PID, task->pid);
	fill_comm(&fill->fill, row, SLICE_COMM, task->pid);
	fill_buffer(&fill->fill, row, SLICE_BUFFER);
	fill_text(&fill->fill, row, SLICE_STATE, state);
	relation_put_file(fill->fill.table, fill->fill.store, row, task->file);
	return row;
}

static bool lacks(const struct sched_fill *fill, const struct sched_task *task)
{
	return lacking_has(fill->fill.reading->lacking, task->file, task->pid, task->cpu);
}

static int stay(void *ctx, const struct sched_stay *stay)
{
	struct sched_fill *fill = ctx;
	uint32_t row;
	uint64_t v;

	if (!stay->has_run || !stay->task->pid || lacks(fill, stay->task))
		return 0;
	row = add_slice(fill, stay->task, stay->ts - stay->run, stay->run, "run");
	if (row == UINT32_MAX)
		return fill->fill.store->err;
	if (fill_field(&fill->fill, "prev_prio", &v))
		store_number(fill->fill.store, row, SLICE_PRIO, v);
	store_number(fill->fill.store, row, SLICE_END_STATE, stay->state->value);
	fill_text(&fill->fill, row, SLICE_END_NAME, stay->state->text);
	return fill->fill.store->err;
}

/* A task has come to a CPU: adds slices of what it did before, as far as that is known. */
static int come(void *ctx, uint32_t index, const struct sched_took *took)
{
	struct sched_fill *fill = ctx;
	const struct sched_task *task = &fill->sched->tasks.at[index];
	const uint64_t now = input_time(&fill->fill.reading->inputs.at[fill->fill.rec->file], fill->fill.rec);

	if (lacks(fill, task))
		return 0;
	if (took->blocked)
		add_slice(fill, task, now - took->off, took->blocked, "blocked");
	if (took->preempted)
		add_slice(fill, task, now - took->off, took->preempted, "preempted");
	if (task->has_delay)
		add_slice(fill, task, now - took->queued, took->queued, "queued");
	/* The task slept, and no wakeup was recorded, so how long it was queued is not known. */
	if (task->has_wait && took->off && !took->blocked && !took->preempted && !took->queued)
		add_slice(fill, task, now - took->off, took->off, "off");
	return fill->fill.store->err;
}

/* Looks at one record at a time, because the callbacks refer to the current record. */
static int sched_records(struct handler *h, const struct batch *batch)
{
	struct sched_fill *fill = (struct sched_fill *)h;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct batch one = { .records = &batch->records[i], .n = 1 };

		fill->fill.rec = &batch->records[i];
		err = fill->sched->handler.records(&fill->sched->handler, &one);
	}
	return err;
}

static void sched_done(struct handler *h)
{
	struct sched_fill *fill = (struct sched_fill *)h;

	if (fill->sched)
		fill->sched->handler.free(&fill->sched->handler);
	fill->sched = NULL;
}

static int make_sched(struct handler **out, struct reading *reading, void *options)
{
	struct sched_fill *fill = options;
	const struct sched_options opt = {
		.select = &reading->select,
		.cpus = reading_cpus(reading),
		.stay = stay,
		.come = come,
		.ctx = fill,
	};
	int err;

	fill->fill.reading = reading;
	fill->fill.handler = (struct handler){ .records = sched_records, .free = sched_done };
	*out = &fill->fill.handler;
	err = lacking_leave_out(reading);
	return err ? err : sched_new(&fill->sched, &reading->inputs, &opt);
}

static const struct analysis sched_table_analysis = { .name = "sched",
						      .needs = ANALYSIS_ALL_TASKS | ANALYSIS_ALL_CPUS | ANALYSIS_STAYS,
						      .folds = calls_fold,
						      .make = make_sched };

static int fill_sched(struct relation *table, struct store *store)
{
	struct sched_fill fill = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &sched_table_analysis, &fill);

	str_fini(&fill.fill.room);
	return err;
}

const struct relation_kind kind_sched = { .name = "sched", .columns = sched_columns, .fill = fill_sched };
#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A table of how long each task waited for a CPU after it was woken, by the rules of `ringside sched`, and who woke it. */
#ifdef RINGSIDE_SQLITE
#include "lib/analysis/keys.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/sched.h"
#include "lib/analysis/stage.h"
#include "lib/query/fill.h"

struct woken {
	int by;
	uint16_t cpu;
	bool waking;
	bool irq; /* an interrupt did it, and .by is the task that it interrupted */
	bool known;
};

/* Marks the switches that end a wait, before records are left out: with RECORD_WOKEN, and with the length of the wait as .took. */
struct marks {
	struct stage stage;
	struct sched *sched;
	struct record *rec; /* the record that is being taken in */
};

struct wakeups_fill {
	struct fill fill;    /* first */
	struct marks *marks; /* owned by the pass, which frees it */
	struct keys keys;    /* the tasks that were woken, by file and process id */
	VEC(struct woken) woken;
	VEC(struct sched_events) events; /* by file */
};

enum { WAKE_TS, WAKE_PID, WAKE_COMM, WAKE_CPU, WAKE_QUEUED, WAKE_BY_PID, WAKE_BY_COMM, WAKE_BY_CPU, WAKE_PRIO, WAKE_BUFFER };

static const char *const wakeups_columns[] = {
	"ts", "pid", "comm TEXT", "cpu", "queued", "by_pid", "by_comm TEXT", "by_cpu", "prio", "buffer TEXT", NULL,
};

static struct woken *woken_of(struct wakeups_fill *fill, unsigned int file, int pid)
{
	int64_t i = keys_element(&fill->keys, &fill->woken, ((struct key){ file, (uint64_t)(int64_t)pid, 0 }), (struct woken){ 0 });

	return i < 0 ? NULL : &fill->woken.at[i];
}

/* Are the records of this kind taken from the current record's buffer? */
static bool is_used(const struct wakeups_fill *fill, enum sched_kind kind)
{
	return fill->marks->sched->inputs.at[fill->fill.rec->file].buffer[kind] == fill->fill.rec->buffer;
}

/* Notes who woke the task. sched_waking tells who did it. sched_wakeup may come from another CPU. */
static int take_wakeup(struct wakeups_fill *fill, enum sched_kind kind, const struct sched_fact *fact)
{
	const struct input *in = &fill->fill.reading->inputs.at[fill->fill.rec->file];
	struct woken *woken = woken_of(fill, fill->fill.rec->file, fact->pid);

	if (!woken)
		return -ENOMEM;
	if (kind == SCHED_WAKING || !woken->waking) {
		woken->by = record_pid(in->trace, fill->fill.rec);
		woken->irq = record_common(in->trace, fill->fill.rec).flags & (FLAG_NMI | FLAG_HARDIRQ | FLAG_SOFTIRQ);
		woken->cpu = fill->fill.rec->cpu;
		woken->known = true;
	}
	woken->waking = kind == SCHED_WAKING;
	return 0;
}

/* Adds a row when a task whose wakeup is known comes to its CPU. */
static int add_wait(struct wakeups_fill *fill, const struct sched_fact *fact, const struct woken *woken)
{
	const struct record *rec = fill->fill.rec;
	const struct input *in = &fill->fill.reading->inputs.at[rec->file];
	uint32_t row;
	uint64_t prio;

	if (lacking_has(fill->fill.reading->lacking, rec->file, fact->next, rec->cpu))
		return 0;
	row = store_row(fill->fill.store);
	if (row == UINT32_MAX)
		return fill->fill.store->err;
	store_number(fill->fill.store, row, WAKE_TS, input_time(in, rec) - rec->took);
	fill_pid(&fill->fill, row, WAKE_PID, fact->next);
	fill_comm(&fill->fill, row, WAKE_COMM, fact->next);
	store_number(fill->fill.store, row, WAKE_CPU, rec->cpu);
	store_number(fill->fill.store, row, WAKE_QUEUED, rec->took);
	if (woken->known && !woken->irq) {
		fill_pid(&fill->fill, row, WAKE_BY_PID, woken->by);
		fill_comm(&fill->fill, row, WAKE_BY_COMM, woken->by);
	}
	if (woken->known)
		store_number(fill->fill.store, row, WAKE_BY_CPU, woken->cpu);
	if (fill_field(&fill->fill, "next_prio", &prio))
		store_number(fill->fill.store, row, WAKE_PRIO, prio);
	fill_buffer(&fill->fill, row, WAKE_BUFFER);
	relation_put_file(fill->fill.table, fill->fill.store, row, rec->file);
	return 0;
}

static int take_switch(struct wakeups_fill *fill, const struct sched_fact *fact)
{
	const struct record *rec = fill->fill.rec;
	struct woken *woken = woken_of(fill, rec->file, fact->next);
	int err;

	if (!woken)
		return -ENOMEM;
	err = rec->flags & RECORD_WOKEN && fill_chosen(&fill->fill) ? add_wait(fill, fact, woken) : 0;
	*woken = (struct woken){ 0 };
	return err ? err : fill->fill.store->err;
}

static int wakeups_records(struct handler *h, const struct batch *batch)
{
	struct wakeups_fill *fill = (struct wakeups_fill *)h;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		const struct record *rec = fill->fill.rec = &batch->records[i];
		const struct event *event = fill_event(&fill->fill);
		struct sched_events *events = &fill->events.at[rec->file];
		enum sched_kind kind;
		struct sched_fact fact;

		if (rec->flags & RECORD_LOST)
			vec_each (&fill->woken, woken)
				*woken = (struct woken){ 0 };
		kind = event ? sched_kind(events, event) : SCHED_NONE;
		if (kind == SCHED_NONE || kind == SCHED_MIGRATE || !is_used(fill, kind) || !sched_read(events, kind, rec, &fact))
			continue;
		err = kind == SCHED_SWITCH ? take_switch(fill, &fact) : take_wakeup(fill, kind, &fact);
	}
	return err;
}

static int mark(void *ctx, uint32_t task, const struct sched_took *took)
{
	const struct marks *marks = ctx;

	if (marks->sched->tasks.at[task].has_delay) {
		marks->rec->flags |= RECORD_WOKEN;
		marks->rec->took = took->queued;
	}
	return 0;
}

static int mark_batch(struct stage *stage, struct batch *batch)
{
	struct marks *marks = container_of(stage, struct marks, stage);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++) {
		marks->rec = &batch->records[i];
		err = sched_take(marks->sched, marks->rec);
	}
	return err;
}

static void marks_free(struct stage *stage)
{
	struct marks *marks = container_of(stage, struct marks, stage);

	marks->sched->handler.free(&marks->sched->handler);
	free(marks);
}

static int make_marks(struct stage **out, struct reading *reading, void *options)
{
	struct wakeups_fill *fill = options;
	struct marks *marks = calloc(1, sizeof(*marks));
	const struct sched_options opt = { .staged = true, .come = mark, .ctx = marks };
	int err = marks ? sched_new(&marks->sched, &reading->inputs, &opt) : -ENOMEM;

	*out = NULL;
	if (err) {
		free(marks);
		return err;
	}
	marks->stage = (struct stage){ .batch = mark_batch, .free = marks_free };
	fill->marks = marks;
	*out = &marks->stage;
	return 0;
}

static int make_wakeups(struct handler **out, struct reading *reading, void *options)
{
	struct wakeups_fill *fill = options;
	int err = lacking_leave_out(reading);

	fill->fill.reading = reading;
	fill->fill.handler = (struct handler){ .records = wakeups_records };
	vec_each (&reading->inputs, input) {
		err = err ? err : vec_push(&fill->events, (struct sched_events){ 0 });
		if (!err)
			sched_events_find(&fill->events.at[fill->events.n - 1], input);
	}
	*out = &fill->fill.handler;
	return err;
}

static const struct analysis wakeups_table_analysis = { .name = "wakeups",
							.needs = ANALYSIS_ALL_CPUS,
							.folds = calls_fold,
							.stage = make_marks,
							.make = make_wakeups };

static int fill_wakeups(struct relation *table, struct store *store)
{
	struct wakeups_fill fill = { .fill = { .table = table, .store = store } };
	int err = relation_pass(table, &wakeups_table_analysis, &fill);

	keys_fini(&fill.keys);
	vec_fini(&fill.woken);
	vec_fini(&fill.events);
	str_fini(&fill.fill.room);
	return err;
}

const struct relation_kind kind_wakeups = { .name = "wakeups", .columns = wakeups_columns, .fill = fill_wakeups };
#endif

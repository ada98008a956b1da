/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/timeline.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/scheduling.h"
#include "lib/event/text.h"

enum { MOST_SLICES = 1400000, MOST_RUNS = 400000, MOST_MARKS = 150000, NOT_COMPLETE = 16, TIMELESS = 32, STATE_SLEEPS = 0xff };

/* This tells how an event is handled. */
enum what { MARK, SWITCH, WAKING, IRQ_ENTRY, IRQ_EXIT, SOFTIRQ_ENTRY, SOFTIRQ_EXIT, NOTHING };

static const struct {
	const char *system, *name, *field[3];
	enum what what;
} known[] = {
	{ "sched", "sched_switch", { "prev_pid", "prev_state", "next_pid" }, SWITCH },
	{ "sched", "sched_waking", { "pid" }, WAKING },
	{ "sched", "sched_wakeup", { "pid" }, WAKING },
	{ "irq", "irq_handler_entry", { NULL }, IRQ_ENTRY },
	{ "irq", "irq_handler_exit", { NULL }, IRQ_EXIT },
	{ "irq", "softirq_entry", { NULL }, SOFTIRQ_ENTRY },
	{ "irq", "softirq_exit", { NULL }, SOFTIRQ_EXIT },
};

struct timeline_event {
	uint32_t name;
	uint8_t what; /* enum what */
	bool known;   /* the other members are filled in */
	struct field field[3];
};

/* This is the payload of each task. It has the number of the task's track + 1, or 0. */
struct timeline_task {
	uint32_t track;
};

/* --- tracks, CPUs, events ------------------------------------------------------------------------------------------------ */

/* Returns the number of the task's track, or -ENOMEM. Makes the track if needed. */
static int64_t track_of(struct timeline *timeline, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&timeline->user, task);

	if (!mine->track) {
		const bool lacks = lacking_has(timeline->inputs->at[task->file].lacking, task->file, task->pid, task->idle_cpu);

		if (vec_push(&timeline->tracks,
			     (struct timeline_track){ task->pid, task->idle_cpu, task->buffer, task->file, .aside = task->aside, .lacks = lacks }))
			return -ENOMEM;
		mine->track = (uint32_t)timeline->tracks.n;
	}
	timeline->tracks.at[mine->track - 1].async |= timed_is_async(task);
	return mine->track - 1;
}

static struct timeline_cpu *cpu_of(struct timeline *timeline, unsigned int file, uint16_t cpu)
{
	int64_t i = keys_index(&timeline->cpu_keys, (struct key){ file, cpu, 0 });

	if (i < 0 || (i == (int64_t)timeline->cpus.n && vec_push(&timeline->cpus, (struct timeline_cpu){ .cpu = cpu, .file = (uint8_t)file })))
		return NULL;
	return &timeline->cpus.at[i];
}

static void learn_event(struct timeline_event *to, struct event *event)
{
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		bool all = strcmp(event->name, known[i].name) == 0 && strcmp(event->system, known[i].system) == 0;

		for (size_t f = 0; all && f < ARRAY_LEN(to->field) && known[i].field[f]; f++)
			all = format_field(event->format, known[i].field[f], &to->field[f]);
		if (all)
			to->what = (uint8_t)known[i].what;
	}
	if (event->kind == EVENT_STACK)
		to->what = NOTHING;
}

/* Returns how this event is handled, or NULL when memory runs out. */
static struct timeline_event *event_of(struct timeline *timeline, struct event *event, unsigned int file)
{
	struct timeline_event *found = &timeline->events[file][event->id];

	if (likely(found->known))
		return found;
	event_prepare(event);
	learn_event(found, event);
	found->known = true;
	if (found->what == MARK) {
		int64_t name = callgraph_name(timeline->paths->graph, event->name, SIZE_MAX);

		if (name < 0)
			return NULL;
		found->name = (uint32_t)name;
	}
	return found;
}

static bool get(const struct timeline *timeline, const struct timeline_event *event, unsigned int field, const struct record *rec, uint64_t *out)
{
	return field_get(&event->field[field], rec->data, rec->size, timeline->inputs->at[rec->file].trace->swap, out);
}

/* --- who runs ------------------------------------------------------------------------------------------------------------- */

static int add_run(struct timeline *timeline, struct timeline_cpu *cpu, uint64_t end)
{
	struct timeline_run run = { .start = cpu->since, .length = end - cpu->since, .track = cpu->track };

	/* The idle task does not count as running. */
	if (!cpu->running || timeline->tracks.at[cpu->track].lacks || !timeline->tracks.at[cpu->track].pid || end <= cpu->since)
		return 0;
	if (vec_push(&cpu->runs, run))
		return -ENOMEM;
	if (++timeline->nruns > timeline->opt.most_runs)
		timeline_fold_runs(timeline);
	return 0;
}

/* From @now on, the task of @track runs on the CPU. Up to @end, the earlier task ran there. Returns 0 or -ENOMEM. */
static int run_on(struct timeline *timeline, struct timeline_cpu *cpu, uint32_t track, uint64_t end, uint64_t now)
{
	int err = add_run(timeline, cpu, end);

	cpu->running = true;
	cpu->track = track;
	cpu->since = now;
	return err;
}

/* --- when tasks wait ------------------------------------------------------------------------------------------------------ */

static int add_wait(struct timeline_track *track, enum timeline_state state, uint64_t start, uint64_t end)
{
	if (end <= start)
		return 0;
	return vec_push(&track->waits, (struct timeline_wait){ .start = start, .length = end - start, .state = (uint8_t)state });
}

static int add_queued(struct timeline_track *track, uint64_t now)
{
	const size_t before = track->waits.n;
	int err = add_wait(track, TIMELINE_QUEUED, track->woken, now);

	if (!err && track->waits.n > before) {
		track->waits.at[before].by = track->woken_by;
		track->waits.at[before].from = track->woken_from;
	}
	return err;
}

/*
 * Adds the time until @now that a task was off its CPU, unless a CPU has lost events since, on which it may have run. @mark is the mark of the record at
 * @now.
 */
static int come_back(struct timeline_track *track, uint64_t now, const struct losses_mark *mark)
{
	bool woken = track->is_woken && track->woken >= track->since && track->off == TIMELINE_BLOCKED;
	int err = 0;

	track->is_off = track->is_off && !track->lacks && !losses_between(&track->losses, mark);
	if (track->is_off && woken)
		err = add_wait(track, TIMELINE_BLOCKED, track->since, track->woken) ?: add_queued(track, now);
	else if (track->is_off)
		err = add_wait(track, track->off, track->since, now);
	track->is_off = false;
	return err;
}

static int on_switch(struct timeline *timeline, const struct timeline_event *event, const struct record *rec, uint64_t now)
{
	uint64_t prev, state, next;
	struct call_task *from, *to;
	struct timeline_track *track;
	int64_t prev_track, next_track;
	int err = 0;

	if (!get(timeline, event, 0, rec, &prev) || !get(timeline, event, 1, rec, &state) || !get(timeline, event, 2, rec, &next))
		return 0;
	from = calls_find(timeline->calls, rec, (int)prev);
	to = calls_find(timeline->calls, rec, (int)next);
	prev_track = from ? track_of(timeline, from) : -ENOMEM;
	next_track = to ? track_of(timeline, to) : -ENOMEM;
	if (prev_track < 0 || next_track < 0)
		return -ENOMEM;
	track = &timeline->tracks.at[prev_track];
	track->is_off = track->pid && paths_wants(timeline->paths, from);
	track->off = state & STATE_SLEEPS ? TIMELINE_BLOCKED : TIMELINE_PREEMPTED;
	track->since = now;
	track->losses = timeline->mark;
	track->is_woken = false;
	if (timeline->tracks.at[next_track].is_off)
		err = come_back(&timeline->tracks.at[next_track], now, &timeline->mark);
	return err ? err : run_on(timeline, cpu_of(timeline, rec->file, rec->cpu), (uint32_t)next_track, now, now);
}

/* The waker is taken from sched_waking only, because sched_wakeup may come from the CPU on which the woken task is to run. */
static void set_waker(struct timeline_track *track, const struct event *event, uint32_t waker, unsigned int flags)
{
	track->woken_by = strcmp(event->name, "sched_waking") == 0 ? waker + 1 : 0;
	track->woken_from = flags & FLAG_HARDIRQ ? TIMELINE_HARDIRQ : flags & FLAG_SOFTIRQ ? TIMELINE_SOFTIRQ : TIMELINE_TASK;
}

/* Handles an event that a task is woken. Only the first one counts. Returns 0 or -ENOMEM. */
static int on_waking(struct timeline *timeline, const struct timeline_event *event, const struct record *rec, uint64_t now, uint32_t waker)
{
	const struct common common = record_common(timeline->inputs->at[rec->file].trace, rec);
	struct timeline_track *track;
	struct call_task *task;
	uint64_t pid;
	int64_t i;

	if (!get(timeline, event, 0, rec, &pid))
		return 0;
	task = calls_find(timeline->calls, rec, (int)pid);
	i = task ? track_of(timeline, task) : -ENOMEM;
	if (i < 0)
		return -ENOMEM;
	track = &timeline->tracks.at[i];
	if (!track->is_woken) {
		track->is_woken = true;
		track->woken = now;
		set_waker(track, trace_event(timeline->inputs->at[rec->file].trace, common.id), waker, common.flags);
	}
	return 0;
}

/* --- interrupts, losses, marks --------------------------------------------------------------------------------------------- */

static int event_says(struct timeline *timeline, const struct event *event, const struct record *rec, uint64_t now, struct str *out)
{
	const struct text_call call = { .event = event, .rec = rec, .ts = now, .ns = input_in_seconds(&timeline->inputs->at[rec->file], rec->buffer) };

	event_text(&call, out);
	return str_ok(out);
}

static int on_irq(struct timeline *timeline, const struct timeline_event *what, const struct event *event, const struct record *rec, uint64_t now)
{
	struct timeline_cpu *cpu = cpu_of(timeline, rec->file, rec->cpu);
	bool soft = what->what == SOFTIRQ_ENTRY || what->what == SOFTIRQ_EXIT;
	struct str text = { 0 };
	int64_t name;

	cpu->tells_irqs = true;
	if (what->what == IRQ_EXIT || what->what == SOFTIRQ_EXIT) {
		struct timeline_irq *irq = cpu->nopen ? &cpu->open[cpu->nopen - 1] : NULL;

		if (!irq || irq->soft != soft)
			return 0;
		cpu->nopen--;
		irq->length = now - irq->start;
		return vec_push(&cpu->irqs, *irq);
	}
	if (cpu->nopen == TIMELINE_IRQS)
		return 0;
	name = event_says(timeline, event, rec, now, &text);
	name = name ? name : callgraph_name(timeline->paths->graph, str_text(&text), text.len);
	str_fini(&text);
	if (name < 0)
		return -ENOMEM;
	cpu->open[cpu->nopen] = (struct timeline_irq){ .start = now, .name = (uint32_t)name, .depth = (uint8_t)cpu->nopen, .soft = soft };
	cpu->nopen++;
	return 0;
}

static int on_mark(struct timeline *timeline, const struct timeline_event *what, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct timeline_mark mark = { .at = input_time(&timeline->inputs->at[rec->file], rec), .event = what->name, .cpu = rec->cpu };
	int64_t track = track_of(timeline, task);
	struct str text = { 0 };
	int err = track < 0 ? -ENOMEM : event_says(timeline, event, rec, mark.at, &text);

	if (err) {
		str_fini(&text);
		return err;
	}
	mark.track = (uint32_t)track;
	mark.text = text.len ? str_take(&text) : strdup("");
	str_fini(&text);
	if (!mark.text || vec_push(&timeline->marks, mark)) {
		free(mark.text);
		return -ENOMEM;
	}
	if (timeline->marks.n > timeline->opt.most_marks)
		timeline_fold_marks(timeline);
	return 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct timeline *timeline = ctx;
	const struct timeline_event *what = event_of(timeline, (struct event *)event, rec->file);

	if (!what)
		return -ENOMEM;
	return what->what == MARK && paths_wants(timeline->paths, task) ? on_mark(timeline, what, task, event, rec) : 0;
}

/* Events were lost between the CPU's last record and this one. Who ran on the CPU in this time is not known. Returns 0 or -ENOMEM. */
static int on_loss(struct timeline *timeline, struct timeline_cpu *cpu, const struct record *rec, uint64_t now)
{
	const uint64_t start = cpu->last ? cpu->last : now;
	int err = add_run(timeline, cpu, cpu->last);

	cpu->running = false;
	cpu->nopen = 0;
	return err ? err : vec_push(&cpu->losses, (struct timeline_loss){ start, MAX(now, start) - start, rec->lost });
}

static int on_event(struct timeline *timeline, struct timeline_cpu *cpu, const struct record *rec, uint64_t now)
{
	struct trace *trace = timeline->inputs->at[rec->file].trace;
	const struct common common = record_common(trace, rec);
	struct event *event = trace_event(trace, common.id);
	struct call_task *task = calls_find(timeline->calls, rec, common.pid);
	int64_t track = task ? track_of(timeline, task) : -ENOMEM;
	const struct timeline_event *what = track >= 0 && event ? event_of(timeline, event, rec->file) : NULL;
	int err = 0;

	if (track < 0 || (event && !what))
		return -ENOMEM;
	/* A stack need not be of the running task: the stack of a sched_switch is of the task that has left. */
	if (event && event->kind == EVENT_STACK)
		return 0;
	/* If there is no sched_switch, the records tell which task runs. */
	if (!cpu->running || cpu->track != track)
		err = run_on(timeline, cpu, (uint32_t)track, MAX(cpu->last, cpu->since), now);
	if (err || !what)
		return err;
	switch (what->what) {
	case SWITCH:
		return sched_is_hidden(&timeline->inputs->at[rec->file], event) ? 0 : on_switch(timeline, what, rec, now);
	case WAKING:
		return on_waking(timeline, what, rec, now, (uint32_t)track);
	case IRQ_ENTRY:
	case IRQ_EXIT:
	case SOFTIRQ_ENTRY:
	case SOFTIRQ_EXIT:
		return on_irq(timeline, what, event, rec, now);
	default:
		return 0;
	}
}

int timeline_record(struct timeline *timeline, const struct record *rec)
{
	struct timeline_cpu *cpu = cpu_of(timeline, rec->file, rec->cpu);
	const uint64_t now = input_time(&timeline->inputs->at[rec->file], rec);
	int err = 0;

	if (!cpu || losses_take_both(&timeline->losses, rec, &timeline->mark))
		return -ENOMEM;
	if (!timeline->begun && !(rec->flags & RECORD_NODATA))
		timeline->first = now;
	timeline->begun |= !(rec->flags & RECORD_NODATA);
	if (rec->flags & RECORD_LOST)
		err = on_loss(timeline, cpu, rec, now);
	if (!err && !(rec->flags & RECORD_NODATA)) {
		err = on_event(timeline, cpu, rec, now);
		/* The array of CPUs may have grown and moved. */
		cpu = cpu_of(timeline, rec->file, rec->cpu);
		cpu->last = MAX(cpu->last, now);
		timeline->last = MAX(timeline->last, now);
	}
	return err;
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

/* Adds a call of an interrupt to what its CPU did. Returns 0 or -ENOMEM. */
static int add_irq_call(struct timeline *timeline, const struct call_task *task, const struct call_frame *frame, const struct timeline_slice *slice)
{
	struct timeline_cpu *cpu = cpu_of(timeline, task->file, frame->cpu);

	if (!cpu)
		return -ENOMEM;
	if (cpu->tells_irqs)
		return 0;
	return vec_push(&cpu->irqs,
			(struct timeline_irq){ .start = slice->start, .length = slice->length, .name = slice->name, .soft = frame->irq == CALL_IN_SOFTIRQ });
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct timeline *timeline = ctx;
	const struct timed_call *call = timed_call_of(timeline->paths->timed, frame);
	int64_t track = track_of(timeline, task), name = paths_name(timeline->paths, task, frame);
	struct timeline_slice slice = {
		.start = frame->ns,
		.length = end->ns > frame->ns ? end->ns - frame->ns : 0,
		.callees = call->times.callees,
		.irq = call->times.irq,
		.off = call->times.off,
		.name = (uint32_t)name,
		.depth = (uint16_t)MIN(task->depth - 1, (size_t)UINT16_MAX),
		.cpu = frame->cpu,
		.cut = (uint8_t)((frame->cut | end->cut) & 15) | (call->timeless ? TIMELESS
								  : call->cut	 ? NOT_COMPLETE
										 : 0),
	};
	int err;

	if (track < 0 || name < 0)
		return -ENOMEM;
	/* The duration of a complete call is what the kernel has measured. */
	if (!call->cut)
		slice.length = call->times.total;
	err = call->irq ? add_irq_call(timeline, task, frame, &slice) : 0;
	if (err || !paths_wants(timeline->paths, task))
		return err;
	if (vec_push(&timeline->tracks.at[track].slices, slice))
		return -ENOMEM;
	timeline->last = MAX(timeline->last, slice.start + slice.length);
	if (++timeline->nslices > timeline->opt.most_slices)
		timeline_fold_slices(timeline);
	return 0;
}

int timeline_end(struct timeline *timeline)
{
	int err = 0;

	vec_each (&timeline->cpus, cpu) {
		err = err ? err : add_run(timeline, cpu, cpu->last);
		cpu->running = false;
	}
	vec_each (&timeline->tracks, track) {
		const struct record there = { .file = track->file, .buffer = track->losses.buffer };
		const struct losses_mark mark = { .buffer = there.buffer, .of_buffer = losses_last(&timeline->losses.buffers, &there) };

		err = err ? err : come_back(track, timeline->last, &mark);
	}
	return err;
}

/* --- its life ----------------------------------------------------------------------------------------------------------------- */

static const struct calls_ops ops = { .leave = on_leave, .other = on_other };

int timeline_new(struct timeline **out, const inputs_t *inputs, struct calls *calls, struct paths *paths, const struct timeline_options *opt)
{
	struct timeline *timeline = calloc(1, sizeof(*timeline));
	int err = timeline ? 0 : -ENOMEM;

	if (err)
		return err;
	*timeline = (struct timeline){
		.opt = {
			.most_slices = opt->most_slices ? opt->most_slices : MOST_SLICES,
			.most_runs = opt->most_runs ? opt->most_runs : MOST_RUNS,
			.most_marks = opt->most_marks ? opt->most_marks : MOST_MARKS,
		},
		.inputs = inputs,
		.calls = calls,
		.paths = paths,
		.user = { .ops = &ops, .ctx = timeline, .task_size = sizeof(struct timeline_task) },
		.events = calloc(inputs->n, sizeof(*timeline->events)),
	};
	for (size_t i = 0; timeline->events && i < inputs->n && !err; i++) {
		timeline->events[i] = calloc(MAX(inputs->at[i].trace->nids, (size_t)1), sizeof(**timeline->events));
		err = timeline->events[i] ? 0 : -ENOMEM;
	}
	losses_init_both(&timeline->losses);
	err = timeline->events ? err : -ENOMEM;
	err = err ? err : calls_add(calls, &timeline->user);
	if (err)
		timeline_free(timeline);
	else
		*out = timeline;
	return err;
}

void timeline_free(struct timeline *timeline)
{
	if (!timeline)
		return;
	vec_each (&timeline->tracks, track) {
		vec_fini(&track->slices);
		vec_fini(&track->waits);
	}
	vec_each (&timeline->cpus, cpu) {
		vec_fini(&cpu->runs);
		vec_fini(&cpu->irqs);
		vec_fini(&cpu->losses);
	}
	vec_each (&timeline->marks, mark)
		free(mark->text);
	for (size_t i = 0; timeline->events && i < timeline->inputs->n; i++)
		free(timeline->events[i]);
	free(timeline->events);
	vec_fini(&timeline->tracks);
	vec_fini(&timeline->cpus);
	vec_fini(&timeline->marks);
	keys_fini(&timeline->cpu_keys);
	losses_fini_both(&timeline->losses);
	free(timeline);
}

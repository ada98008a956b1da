/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/calls.h"
#include "lib/analysis/calls-inside.h"

static const struct call_source *const call_sources[] = {
	[CALL_SOURCE_GRAPH] = &call_source_graph, &call_source_latency, &call_source_syscalls, &call_source_markers, &call_source_pairs,
};

unsigned int call_source_index(const struct call_source *source)
{
	unsigned int i = 0;

	while (call_sources[i] != source)
		i++;
	return i;
}

static const struct call_event *event_of(const struct calls *calls, const struct record *rec, uint16_t id)
{
	const call_events_t *events = &calls->events.at[rec->file];

	return id < events->n && events->at[id].source ? &events->at[id] : NULL;
}

/* --- records -------------------------------------------------------------------------------------------- */

int calls_new_task(struct calls *calls, struct call_task *task, const struct record *rec, int pid)
{
	task->input = &calls->inputs->at[rec->file];
	task->trace = task->input->trace;
	task->pid = pid;
	task->idle_cpu = rec->cpu;
	task->buffer = rec->buffer;
	task->file = rec->file;
	task->in_ns = input_in_ns(task->input, rec->buffer);
	task->apart = !calls->one_buffer && task->input->file && task->input->file->buffers.n > 1;
	task->alone = task->input->file && task->input->file->buffers.n < 2;
	task->lowest = UINT32_MAX;
	task->stride = calls->frame_size;
	return calls_tell(calls, task, task);
}

static int find_task(struct calls *calls, const struct record *rec, int pid, struct call_task **out)
{
	size_t before = calls->tasks.all.n;
	struct call_task *task = *out = task_of(&calls->tasks, rec, pid);

	if (!task)
		return -ENOMEM;
	if (calls->tasks.all.n == before)
		return 0;
	return calls_new_task(calls, task, rec, pid);
}

struct call_task *calls_find(struct calls *calls, const struct record *rec, int pid)
{
	struct call_task *task;

	return find_task(calls, rec, pid, &task) ? NULL : task;
}

/*
 * The CPU of @rec loses events from here on. If a task was last seen on this CPU, its calls that wait to be entered are not complete. This marks them with
 * CALL_LOSS.
 */
static void cut_waiting(struct calls *calls, const struct record *rec)
{
	for (size_t i = 0; i < calls_ntasks(calls); i++) {
		const struct call_task *task = calls_task(calls, i);

		for (size_t w = 0; w < task->nwaiting; w++)
			if (task->file == rec->file && task->buffer == rec->buffer && task->cpu == rec->cpu)
				task->waiting[w].cut |= CALL_LOSS;
	}
}

/*
 * Notes where the stream of @rec loses events. If @over is false, the loss begins after the record at @ts. If @over is true, the loss ends at the record
 * at @ts. Returns 0 or -errno.
 */
static int on_gap(struct calls *calls, struct call_stream *stream, const struct record *rec, uint64_t ts, bool over)
{
	const struct record there = { .file = rec->file, .buffer = rec->buffer, .cpu = rec->cpu, .ts = ts, .lost = over ? rec->lost : 0 };
	const uint64_t ns = input_time(&calls->inputs->at[rec->file], &there);
	struct call_losses *losses = calls_losses(calls, rec);

	if (!losses)
		return -ENOMEM;
	losses->n++;
	losses->open += over ? -1U : 1;
	losses->until = over ? MAX(losses->until, ns) : losses->until;
	calls->open_gaps += over ? -1U : 1;
	stream->gap = !over;
	calls->any_gaps = true;
	if (!over) {
		stream->gaps[stream->ngaps++ % CALL_GAPS] = ts;
		cut_waiting(calls, rec);
	}
	return calls_tell(calls, gap, &there, stream->last, ns, over);
}

static int on_loss(struct calls *calls, struct call_stream *stream, struct call_task *task, const struct record *rec)
{
	struct call_task *last = stream->last;
	int err = stream->gap ? 0 : on_gap(calls, stream, rec, stream->ts, false);

	err = err ? err : on_gap(calls, stream, rec, rec->ts, true);
	if (err)
		return err;
	calls->lost.places++;
	if (rec->lost == LOST_UNKNOWN)
		calls->lost.more = true;
	else
		calls->lost.events += (uint64_t)rec->lost;
	if (last && last != task)
		err = calls_tell(calls, lost, last, rec->cpu, rec->lost);
	if (!err && task)
		err = calls_tell(calls, lost, task, rec->cpu, rec->lost);
	return err;
}

/* Finds the task of a record. In most cases it is the task that ran last on the record's CPU, and then no search is needed. Returns 0 or -errno. */
static int task_at(struct calls *calls, const struct call_stream *stream, const struct record *rec, int pid, struct call_task **out)
{
	struct call_task *last = stream->last;

	if (unlikely(!last || last->pid != pid))
		return find_task(calls, rec, pid, out);
	*out = last;
	return 0;
}

/*
 * Takes in a record whose data were removed. If the record still tells its task, it counts as a record of that task. It counts as a record of no task if
 * it does not tell its task, or if that task has not been seen before.
 */
static int no_data(struct calls *calls, struct call_stream *stream, const struct record *rec)
{
	const bool tells = rec->flags & RECORD_WHO;
	struct call_task *task = tells ? task_known(&calls->tasks, rec, rec->pid) : NULL;
	int err = rec->flags & RECORD_LOST ? on_loss(calls, stream, task, rec) : 0;

	if (err || !tells)
		return err;
	stream->last = task;
	stream->ts = rec->ts;
	stream->told = NULL;
	if (task && calls->any_gaps && calls_tell(calls, seen, task, rec->cpu))
		return -ENOMEM;
	if (task)
		task->cpu = rec->cpu;
	return 0;
}

static int one_record(struct calls *calls, const struct record *rec)
{
	struct call_stream *stream = stream_of(&calls->streams, rec);
	struct call_at at = { .calls = calls, .stream = stream, .rec = rec };
	const struct input *input = &calls->inputs->at[rec->file];
	struct common common;
	bool told;
	int err;

	if (!stream)
		return -ENOMEM;
	if (rec->flags & RECORD_NODATA)
		return no_data(calls, stream, rec);
	told = rec->flags & RECORD_FOLDED && stream->told == rec->data;
	common = record_common(input->trace, rec);
	err = told ? 0 : task_at(calls, stream, rec, common.pid, &at.task);
	if (!err && rec->flags & RECORD_LOST)
		err = on_loss(calls, stream, at.task, rec);
	stream->ts = rec->ts;
	stream->told = !err && !told && record_is_leaf(rec) && !at.task->apart ? rec->exit : NULL;
	if (err || told)
		return err;
	stream->last = at.task;
	if (calls_end_lives(calls, rec, &common))
		return -ENOMEM;
	if (unlikely(calls->any_gaps) && calls_tell(calls, seen, at.task, rec->cpu))
		return -ENOMEM;
	at.task->cpu = rec->cpu;
	at.event = trace_event(input->trace, common.id);
	if (!at.event)
		return 0;
	/* This learns task names from the record. It does not replace a name that the file has saved. */
	if (at.event->kind >= EVENT_SCHED_SWITCH)
		trace_learn(input->trace, at.event, rec);
	at.what = event_of(calls, rec, common.id);
	if (!at.what && likely(!calls->pairs.n))
		return calls_tell_of(calls, rec->cpu, other, at.task, at.event, rec);
	at.ns = input_time(input, rec);
	at.flags = common_context(&common);
	/* If the file has other buffers, one of them may be losing what happens on this CPU. Then a leaf call cannot be entered and left at once. */
	at.leaves = !calls->no_leaves && (likely(at.task->alone) || !calls->open_gaps);
	if (unlikely(calls->any_gaps) && !(at.what && at.what->source == &call_source_graph)) {
		struct call_losses *losses = calls_losses(calls, rec);

		if (!losses)
			return -ENOMEM;
		losses->n += losses->open != 0;
		at.losses = losses->n;
	}
	err = at.what ? at.what->source->record(&at) : 1;
	if (err > 0)
		err = calls_tell_of(calls, rec->cpu, other, at.task, at.event, rec);
	/* The time up to this record belongs to a call that the record ends, and not to a call that it begins. So record() and other() were called first. */
	return err || likely(!calls->pairs.n) ? err : calls_pairs_record(&at, &common);
}

/* Takes in a record that calls_quick() has not taken in. */
static int slow_record(struct calls *calls, const struct record *rec)
{
	int err = one_record(calls, rec);
	struct call_stream *stream;

	if (err || likely(!(rec->flags & RECORD_GAP)))
		return err;
	stream = stream_of(&calls->streams, rec);
	return stream ? on_gap(calls, stream, rec, rec->ts, false) : -ENOMEM;
}

int calls_record(struct calls *calls, const struct record *rec)
{
	int err;

	if (calls_quick(calls, rec, 1, &err) || err)
		return err;
	return slow_record(calls, rec);
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct calls *calls = container_of(h, struct calls, handler);
	const struct record *const records = batch->records;
	int err = 0;

	for (size_t i = 0; !err && i < batch->n;) {
		i += calls_quick(calls, records + i, batch->n - i, &err);
		if (err || i == batch->n)
			break;
		if (likely(i + CALLS_AHEAD < batch->n))
			__builtin_prefetch(records[i + CALLS_AHEAD].data);
		err = slow_record(calls, &records[i++]);
	}
	return err;
}

static void on_free(struct handler *h)
{
	calls_free(container_of(h, struct calls, handler));
}

static int take_end(struct handler *h)
{
	return calls_end(container_of(h, struct calls, handler));
}

struct handler *calls_handler(struct calls *calls)
{
	return &calls->handler;
}

bool calls_fold(__unused const struct trace *trace)
{
	return true;
}

/* --- its life ------------------------------------------------------------------------------------------- */

/* Finds out for each event of the input to which source of calls it belongs. */
static int find_events(struct calls *calls, const struct trace *trace)
{
	call_events_t events = { 0 };

	if (vec_push(&calls->events, events))
		return -ENOMEM;
	events.at = calloc(MAX(trace->nids, (size_t)1), sizeof(*events.at));
	if (!events.at)
		return -ENOMEM;
	events.n = trace->nids;
	calls->events.at[calls->events.n - 1] = events;
	vec_each (&trace->events, at) {
		const struct event *event = *at;

		for (size_t i = 0; i < ARRAY_LEN(call_sources); i++) {
			struct call_event found = { .source = call_sources[i] };

			if (call_sources[i]->find(trace, event, &found))
				events.at[event->id] = found;
		}
	}
	return 0;
}

int calls_new(struct calls **out, const inputs_t *inputs)
{
	struct calls *calls = calloc(1, sizeof(*calls));
	int err = 0;

	if (!calls)
		return -ENOMEM;
	*calls = (struct calls){ .handler = { .records = take_records, .end = take_end, .free = on_free },
				 .inputs = inputs,
				 .tasks.size = sizeof(struct call_task),
				 .frame_size = sizeof(struct call_frame),
				 .streams.size = sizeof(struct call_stream),
				 .losses.size = sizeof(struct call_losses) };
	err = vec_push(&calls->often, (struct calls_often){ 0 }) ?: reuse_init(&calls->reuse, inputs);
	vec_each (inputs, input) {
		err = err ? err : find_events(calls, input->trace);
		err = err ? err : vec_push(&calls->quick, calls_quick_of(input->trace));
	}
	if (err)
		calls_free(calls);
	else
		*out = calls;
	return err;
}

void calls_without_callers(struct calls *calls)
{
	calls->no_callers = true;
}

void calls_functions_only(struct calls *calls, bool meanwhile)
{
	calls->one_buffer = !meanwhile;
	vec_each (&calls->events, events)
		vec_each (events, event)
			if (event->source && !event->source->functions)
				*event = (struct call_event){ 0 };
}

void calls_choose(struct calls *calls, const struct cpuset *cpus)
{
	calls->cpus = cpus;
}

bool calls_chosen(const struct calls *calls, unsigned int cpu)
{
	return cpuset_wants(calls->cpus, cpu);
}

static size_t whole(size_t size)
{
	return (size + 15) & ~(size_t)15;
}

int calls_add(struct calls *calls, struct calls_user *user)
{
	user->frame_at = calls->frame_size = whole(calls->frame_size);
	user->task_at = calls->tasks.size = whole(calls->tasks.size);
	calls->frame_size += whole(user->frame_size);
	calls->tasks.size += whole(user->task_size);
	calls->no_leaves |= user->ops->enter && !user->ops->leaf;
	calls->no_briefs |= (user->ops->leaf || user->ops->leave) && !user->ops->brief;
	if (vec_push(&calls->users, user) || vec_push(&calls->often, (struct calls_often){ 0 }))
		return -ENOMEM;
	calls->often.at[calls->users.n - 1] = calls_often_of(user);
	return 0;
}

void calls_free(struct calls *calls)
{
	if (!calls)
		return;
	for (size_t i = 0; i < calls_ntasks(calls); i++) {
		struct call_task *task = calls_task(calls, i);

		vec_each (&calls->users, user)
			if ((*user)->ops->gone)
				(*user)->ops->gone((*user)->ctx, task);
		free(task->frames);
		free(task->waiting);
	}
	vec_each (&calls->events, events)
		vec_fini(events);
	vec_fini(&calls->events);
	vec_fini(&calls->quick);
	vec_fini(&calls->users);
	vec_fini(&calls->often);
	calls_free_aside(calls);
	calls_free_pairs(calls);
	reuse_fini(&calls->reuse);
	tasks_fini(&calls->tasks, NULL);
	streams_fini(&calls->streams, NULL);
	streams_fini(&calls->losses, NULL);
	free(calls);
}

size_t calls_ntasks(const struct calls *calls)
{
	return calls->tasks.all.n;
}

struct call_task *calls_task(const struct calls *calls, size_t i)
{
	return calls->tasks.all.at[i];
}

const struct calls_lost *calls_lost(const struct calls *calls)
{
	return &calls->lost;
}

uint64_t calls_deep(const struct calls *calls)
{
	return MAX(calls->deep_entries, calls->deep_exits);
}

bool calls_names(const struct calls *calls, size_t file, void (*each)(void *ctx, const char *name), void *ctx)
{
	const call_events_t *events = &calls->events.at[file];
	bool more = false;
	char buf[CALL_NAME];

	vec_each (&calls->pairs, pair)
		each(ctx, pair->pair->name);
	vec_each (events, event) {
		if (!event->source || event->source->addresses || event->leave)
			continue;
		if (event->func)
			each(ctx, event->source->name_of(calls->inputs->at[file].trace, event->func, buf, NULL));
		else
			more = true;
	}
	return more;
}

unsigned int call_sources_count(void)
{
	return ARRAY_LEN(call_sources);
}

const char *call_source_calls(unsigned int source)
{
	return call_sources[source]->calls;
}

bool call_has_address(unsigned int source)
{
	return call_sources[source]->addresses;
}

const char *call_name(const struct trace *trace, unsigned int source, uint64_t func, char buf[CALL_NAME], const char **module)
{
	if (module)
		*module = NULL;
	return call_sources[source]->name_of(trace, func, buf, module);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/calls.h"
#include "lib/analysis/streams.h"
#include "lib/analysis/tasks.h"
#include "lib/event/graph.h"

/* No kernel nests so deep (its own limit is some hundreds): more is damage. */
#define MAX_DEPTH 4096

/* One CPU of one buffer. */
struct stream {
	struct call_task *last;		/* who ran there last */
	const void *told;		/* the exit that came with its leaf's entry */
	uint64_t ts;			/* of the record before this one */
	uint64_t gap;			/* of the record before the last gap */
	bool has_gap;
};

struct calls {
	const struct calls_ops *ops;
	void *ctx;
	struct trace *const *traces;
	struct tasks tasks;		/* of struct call_task */
	struct streams streams;		/* of struct stream */
};

static int find_task(struct calls *calls, const struct record *rec, int pid, struct call_task **out)
{
	size_t before = calls->tasks.all.n;
	struct call_task *task = *out = task_of(&calls->tasks, rec, pid);

	if (!task)
		return -ENOMEM;
	if (calls->tasks.all.n == before)
		return 0;
	task->trace = calls->traces[rec->file];
	task->pid = pid;
	task->idle_cpu = rec->cpu;
	task->buffer = rec->buffer;
	task->lowest = UINT32_MAX;
	return calls->ops->task ? calls->ops->task(calls->ctx, task) : 0;
}

static struct call_frame *top(struct call_task *task)
{
	return &task->stack.at[task->stack.n - 1];
}

static int enter(struct calls *calls, struct call_task *task, const struct call_frame *frame, const struct record *rec)
{
	if (vec_push(&task->stack, *frame))
		return -ENOMEM;
	return calls->ops->enter ? calls->ops->enter(calls->ctx, task, top(task), rec) : 0;
}

static int leave(struct calls *calls, struct call_task *task, const struct call_end *end)
{
	int err = calls->ops->leave ? calls->ops->leave(calls->ctx, task, top(task), end) : 0;

	task->stack.n--;
	return err;
}

/* Was anything lost on this CPU since @ts? */
static bool lost_since(const struct stream *stream, uint64_t ts)
{
	return stream->has_gap && stream->gap >= ts;
}

/* Leaves the calls deeper than @depth whose exits never came. */
static int cut_to(struct calls *calls, struct call_task *task, const struct stream *stream, size_t depth,
		  const struct record *rec)
{
	while (task->stack.n > depth) {
		const struct call_frame *frame = top(task);
		struct call_end end = {
			.ts = rec->ts,
			.duration = CALL_UNKNOWN,
			.cpu = rec->cpu,
			.cut = (frame->cut & CALL_NO_ENTRY) | CALL_NO_EXIT |
			       (lost_since(stream, frame->ts) ? CALL_LOSS : 0),
		};
		int err = leave(calls, task, &end);

		if (err)
			return err;
	}
	return 0;
}

/*
 * Enters calls that must be there, up to @depth of them, although the recording does not hold their entries: they
 * began before it when nothing was seen of the task at their depth.
 */
static int fill_to(struct calls *calls, struct call_task *task, const struct stream *stream, size_t depth,
		   const struct record *rec)
{
	while (task->stack.n < depth) {
		struct call_frame frame = {
			.ts = rec->ts,
			.cpu = rec->cpu,
			.cut = CALL_NO_ENTRY | (stream->has_gap ? CALL_LOSS :
						task->stack.n < task->lowest ? CALL_EDGE : 0),
		};
		int err = enter(calls, task, &frame, NULL);

		if (err)
			return err;
	}
	return 0;
}

/*
 * Is the call that the exit ends the one on the stack? After a gap a later call of the same function may stand
 * there instead: its beginning, counted back from the exit, is then behind the gap.
 */
static bool same_call(const struct call_frame *frame, const struct graph_exit *ret, const struct stream *stream,
		      const struct record *rec)
{
	uint64_t began = rec->ts - (ret->rettime - ret->calltime);

	if (frame->func && frame->func != ret->func)
		return false;
	return !lost_since(stream, frame->ts) || began <= stream->gap || frame->cut & CALL_NO_ENTRY;
}

static int on_exit_data(struct calls *calls, struct call_task *task, const struct stream *stream,
			const struct record *rec, const struct graph_exit *ret, bool leaf)
{
	struct call_end end = {
		.ts = rec->ts,
		.duration = ret->rettime - ret->calltime,
		.retval = ret->retval,
		.has_retval = ret->has_retval,
		.leaf = leaf,
		.cpu = rec->cpu,
	};
	int err;

	if (ret->depth >= MAX_DEPTH)
		return 0;
	err = cut_to(calls, task, stream, (size_t)ret->depth + 1, rec);
	if (!err && task->stack.n == (size_t)ret->depth + 1 && !same_call(top(task), ret, stream, rec))
		err = cut_to(calls, task, stream, ret->depth, rec);
	if (!err)
		err = fill_to(calls, task, stream, (size_t)ret->depth + 1, rec);
	if (err)
		return err;
	task->lowest = MIN(task->lowest, ret->depth);
	top(task)->func = ret->func;
	end.cut = top(task)->cut;
	return leave(calls, task, &end);
}

static int on_entry(struct calls *calls, struct call_task *task, const struct stream *stream, const struct event *event,
		    const struct record *rec)
{
	const struct trace *trace = task->trace;
	struct call_frame frame = { .ts = rec->ts, .cpu = rec->cpu };
	struct graph_exit ret;
	uint64_t depth;
	int err;

	if (!field_get(&event->field[GRAPH_FUNC], rec->data, rec->size, trace->swap, &frame.func) ||
	    !field_get(&event->field[GRAPH_DEPTH], rec->data, rec->size, trace->swap, &depth) ||
	    depth >= MAX_DEPTH)
		return 0;
	if (event->field[GRAPH_RETADDR].found)
		field_get(&event->field[GRAPH_RETADDR], rec->data, rec->size, trace->swap, &frame.retaddr);
	err = cut_to(calls, task, stream, depth, rec);
	if (!err)
		err = fill_to(calls, task, stream, depth, rec);
	task->lowest = MIN(task->lowest, (uint32_t)depth);
	if (!err)
		err = enter(calls, task, &frame, rec);
	if (err || !(rec->flags & RECORD_LEAF))
		return err;
	event = trace_event(trace, trace->graph.exit.id);
	if (!event || !graph_exit_get(event, rec->exit, rec->exit_size, &ret))
		return 0;
	return on_exit_data(calls, task, stream, rec, &ret, true);
}

static int on_loss(struct calls *calls, struct stream *stream, struct call_task *task, const struct record *rec)
{
	struct call_task *last = stream->last;
	int err = 0;

	stream->has_gap = true;
	stream->gap = stream->ts;
	if (!calls->ops->lost)
		return 0;
	if (last && last != task)
		err = calls->ops->lost(calls->ctx, last, rec->cpu, rec->lost);
	if (!err && task)
		err = calls->ops->lost(calls->ctx, task, rec->cpu, rec->lost);
	return err;
}

int calls_record(struct calls *calls, const struct record *rec)
{
	struct trace *trace = calls->traces[rec->file];
	struct stream *stream = stream_of(&calls->streams, rec);
	struct call_task *task = NULL;
	const struct event *event;
	struct graph_exit ret;
	bool told;
	int err;

	if (!stream)
		return -ENOMEM;
	if (rec->flags & RECORD_NODATA)
		return rec->flags & RECORD_LOST ? on_loss(calls, stream, NULL, rec) : 0;
	told = rec->flags & RECORD_FOLDED && stream->told == rec->data;
	stream->told = rec->flags & RECORD_LEAF ? rec->exit : NULL;
	err = told ? 0 : find_task(calls, rec, record_pid(trace, rec), &task);
	if (!err && rec->flags & RECORD_LOST)
		err = on_loss(calls, stream, task, rec);
	stream->ts = rec->ts;
	if (err || told)
		return err;
	stream->last = task;
	task->cpu = rec->cpu;
	event = trace_event(trace, record_id(trace, rec));
	if (event && event->kind == EVENT_GRAPH_ENTRY)
		return on_entry(calls, task, stream, event, rec);
	if (event && event->kind == EVENT_GRAPH_EXIT)
		return graph_exit_get(event, rec->data, rec->size, &ret)
			       ? on_exit_data(calls, task, stream, rec, &ret, false) : 0;
	return event && calls->ops->other ? calls->ops->other(calls->ctx, task, event, rec) : 0;
}

int calls_end(struct calls *calls)
{
	for (size_t i = 0; i < calls_ntasks(calls); i++) {
		struct call_task *task = calls_task(calls, i);

		while (task->stack.n) {
			struct call_end end = { .ts = top(task)->ts, .duration = CALL_UNKNOWN, .cpu = task->cpu,
						.cut = top(task)->cut | CALL_NO_EXIT | CALL_EDGE };
			int err = leave(calls, task, &end);

			if (err)
				return err;
		}
	}
	return 0;
}

int calls_new(struct calls **out, struct trace *const *traces, const struct calls_ops *ops, void *ctx)
{
	struct calls *calls = calloc(1, sizeof(*calls));

	if (!calls)
		return -ENOMEM;
	*calls = (struct calls){ .ops = ops, .ctx = ctx, .traces = traces, .tasks.size = sizeof(struct call_task),
				 .streams.size = sizeof(struct stream) };
	*out = calls;
	return 0;
}

void calls_free(struct calls *calls)
{
	if (!calls)
		return;
	for (size_t i = 0; i < calls_ntasks(calls); i++) {
		struct call_task *task = calls_task(calls, i);

		if (calls->ops->gone)
			calls->ops->gone(calls->ctx, task);
		vec_fini(&task->stack);
	}
	tasks_fini(&calls->tasks, NULL);
	streams_fini(&calls->streams, NULL);
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

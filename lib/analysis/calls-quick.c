/* SPDX-License-Identifier: GPL-2.0 */
/* Takes in nearly all records of function_graph, in a faster way. calls.c and calls-graph.c do the same in a way that works for all records. */
#include "lib/analysis/calls-inside.h"
#include "lib/event/graph.h"

struct call_quick calls_quick_of(const struct trace *trace)
{
	const struct event *entry = trace_event(trace, trace->graph.entry.id), *exit = trace_event(trace, trace->graph.exit.id);
	struct call_quick quick = { 0 };

	if (!trace->plain_common || !entry || !exit || !entry->plain_size || !exit->plain_size || entry->field[GRAPH_RETADDR].found)
		return quick;
	if (entry->kind != EVENT_GRAPH_ENTRY || exit->kind != EVENT_GRAPH_EXIT)
		return quick;
	quick = (struct call_quick){
		.usable = true,
		.entry = entry->id,
		.exit = exit->id,
		.entry_size = MAX(entry->plain_size, (uint16_t)sizeof(struct common)),
		.exit_size = MAX(exit->plain_size, (uint16_t)sizeof(struct common)),
		.func = entry->field[GRAPH_FUNC].offset,
		.depth = entry->field[GRAPH_DEPTH].offset,
		.exit_func = exit->field[GRAPH_FUNC].offset,
		.exit_depth = exit->field[GRAPH_DEPTH].offset,
		.calltime = exit->field[GRAPH_CALLTIME].offset,
		.rettime = exit->field[GRAPH_RETTIME].offset,
	};
	if (exit->field[GRAPH_RETVAL].found) {
		quick.usable = exit->field[GRAPH_RETVAL].size == 8;
		quick.retval = exit->field[GRAPH_RETVAL].offset;
		quick.exit_size = MAX(quick.exit_size, (uint16_t)(quick.retval + 8));
	}
	return quick;
}

static int enter_nothing(__unused void *ctx, __unused struct call_task *task, __unused struct call_frame *frame, __unused const struct record *rec)
{
	return 0;
}

static int brief_nothing(__unused void *ctx, __unused struct call_task *task, __unused struct call_frame *caller, __unused const struct call_brief *call)
{
	return 0;
}

static int leave_nothing(__unused void *ctx, __unused struct call_task *task, __unused struct call_frame *frame, __unused const struct call_end *end)
{
	return 0;
}

struct calls_often calls_often_of(const struct calls_user *user)
{
	const struct calls_ops *ops = user->ops;

	return (struct calls_often){ user->ctx, ops->enter ?: enter_nothing, ops->brief ?: brief_nothing, ops->leave ?: leave_nothing };
}

static inline uint64_t get_8(const void *data, uint16_t offset)
{
	return load((const char *)data + offset, 8, false);
}

static inline uint32_t get_4(const void *data, uint16_t offset)
{
	return (uint32_t)load((const char *)data + offset, 4, false);
}

/* Reads the exit at @exit. The caller has made sure that it has enough bytes. */
static inline struct graph_exit exit_of(const struct call_quick *quick, const void *exit)
{
	return (struct graph_exit){
		.func = get_8(exit, quick->exit_func),
		.depth = get_4(exit, quick->exit_depth),
		.calltime = get_8(exit, quick->calltime),
		.rettime = get_8(exit, quick->rettime),
		.retval = quick->retval ? get_8(exit, quick->retval) : 0,
		.has_retval = quick->retval != 0,
	};
}

/* This is what a run of records of the same buffer and CPU has in common. */
struct place {
	const struct call_quick *quick;
	struct call_stream *stream;
};

/* Notes a record that turned out to be usual (see calls_quick()). */
static inline void seen(struct call_stream *stream, struct call_task *task, const struct record *rec, const void *told)
{
	stream->ts = rec->ts;
	stream->told = told;
	task->cpu = rec->cpu;
}

/* Does what calls_tell() does, for a callback of struct calls_often. */
#define tell_often(calls, op, ...) \
	({ \
		int err_ = 0; \
		for (const struct calls_often *user_ = (calls)->often.at; user_->op && likely(!err_); user_++) \
			err_ = user_->op(user_->ctx, __VA_ARGS__); \
		err_; \
	})

static inline int on_call(struct calls *calls, const struct place *at, struct call_task *task, const struct record *rec, enum call_irq irq)
{
	const struct call_quick *quick = at->quick;
	const uint64_t func = get_8(rec->data, quick->func), ns = input_time(task->input, rec);
	const uint32_t depth = get_4(rec->data, quick->depth);
	struct call_stream *stream = at->stream;
	struct call_frame *frame;
	struct graph_exit ret;
	struct call_end end;
	uint64_t took;

	if (unlikely(!call_is_in_step(task, depth) || depth >= CALL_MOST_DEPTH || task->depth == task->room))
		return 1;
	if (!(rec->flags & RECORD_LEAF)) {
		seen(stream, task, rec, NULL);
		task->lowest = MIN(task->lowest, depth);
		frame = calls_put_function(task, rec, ns, irq, CALL_SOURCE_GRAPH, func, 0, depth);
		return tell_often(calls, enter, task, frame, rec);
	}
	if (unlikely(calls->no_leaves || task->apart || !func || rec->exit_size < quick->exit_size || call_lost_after(stream, rec->ts)))
		return 1;
	ret = exit_of(quick, rec->exit);
	took = call_took(&ret);
	if (unlikely(ret.func != func || ret.depth != depth || took == CALL_UNKNOWN))
		return 1;
	seen(stream, task, rec, rec->exit);
	task->lowest = MIN(task->lowest, depth);
	if (likely(!calls->no_briefs && task->depth && call_top(task)->irq == irq)) {
		const struct call_brief brief = { .func = func, .duration = took, .cpu = rec->cpu };
		/* This is 1 if a consumer needs a frame. */
		const int err = tell_often(calls, brief, task, call_top(task), &brief);

		if (likely(err <= 0))
			return err;
	}
	call_end_of_function(&end, task, rec, ns, &ret, true);
	frame = calls_put_function(task, rec, ns, irq, CALL_SOURCE_GRAPH, func, 0, depth);
	return calls_tell_leaf(calls, task, frame, rec, &end);
}

static inline int on_return(struct calls *calls, const struct place *at, struct call_task *task, const struct record *rec)
{
	struct call_stream *stream = at->stream;
	const struct graph_exit ret = exit_of(at->quick, rec->data);
	struct call_end end;
	int err;

	if (unlikely(!call_is_of_top(task, stream, &ret) || call_top(task)->cut))
		return 1;
	call_end_of_function(&end, task, rec, input_time(task->input, rec), &ret, false);
	seen(stream, task, rec, NULL);
	err = tell_often(calls, leave, task, call_top(task), &end);
	task->depth--;
	return err;
}

/*
 * Is called for each record as soon as some events have been lost. It tells the consumers with seen() that the task is on this CPU. It does so once per
 * round, because nothing is lost within a round (see struct calls). Returns 0, -errno, or 1 if the record must be taken in by calls.c.
 */
static inline int after_gaps(struct calls *calls, struct call_stream *stream, struct call_task *task, const struct record *rec, enum call_irq irq)
{
	if (calls->open_gaps && !task->alone)
		return 1;
	if (stream->round != calls->round || stream->round_task != task) {
		if (calls_tell(calls, seen, task, rec->cpu))
			return -ENOMEM;
		stream->round = calls->round;
		stream->round_task = task;
	}
	if (task->gaps)
		task->least_irq = (uint8_t)MIN(task->least_irq, irq);
	return 0;
}

/* Takes in a record. Returns 0, -errno, or 1 if the record must be taken in by calls.c. */
static inline int quick_record(struct calls *calls, const struct place *at, const struct record *rec)
{
	struct call_task *task = at->stream->last;
	struct common common;
	enum call_irq irq;
	int err;

	if (unlikely(rec->flags & ~(RECORD_LEAF | RECORD_PAGE) || rec->size < sizeof(common)))
		return 1;
	memcpy(&common, rec->data, sizeof(common));
	if (unlikely(!task || task->pid != common.pid || task->over || task->nwaiting))
		return 1;
	if (common.id != at->quick->entry && common.id != at->quick->exit)
		return 1;
	irq = call_context_of(common_context(&common));
	err = unlikely(calls->any_gaps) ? after_gaps(calls, at->stream, task, rec, irq) : 0;
	if (err)
		return err;
	if (common.id == at->quick->entry)
		return rec->size < at->quick->entry_size ? 1 : on_call(calls, at, task, rec, irq);
	return rec->size < at->quick->exit_size ? 1 : on_return(calls, at, task, rec);
}

static inline bool is_same_place(const struct record *a, const struct record *b)
{
	return !((a->cpu ^ b->cpu) | (a->buffer ^ b->buffer) | (a->file ^ b->file));
}

size_t calls_quick(struct calls *calls, const struct record *records, size_t n, int *err)
{
	const struct record *rec = records, *const end = records + n;

	*err = 0;
	calls->round++;
	if (unlikely(calls->pairs.n || calls->cpus))
		return 0;
	while (rec < end) {
		const struct place at = { &calls->quick.at[rec->file], stream_of(&calls->streams, rec) };
		const struct record *const first = rec;

		if (unlikely(!at.quick->usable || !at.stream))
			break;
		do {
			if (likely(rec + CALLS_AHEAD < end)) {
				/* The exit of a leaf call comes right behind the entry, and may be in the next cache line. */
				__builtin_prefetch(rec[CALLS_AHEAD].data);
				__builtin_prefetch((const char *)rec[CALLS_AHEAD].data + 64);
				/* The records, too, may be in the cache of another core. A prefetch behind the end of the records does no harm. */
				__builtin_prefetch(&rec[3 * CALLS_AHEAD]);
			}
			*err = quick_record(calls, &at, rec);
		} while (likely(!*err) && ++rec < end && is_same_place(rec, first));
		if (unlikely(*err))
			break;
	}
	*err = MIN(*err, 0);
	return (size_t)(rec - records);
}

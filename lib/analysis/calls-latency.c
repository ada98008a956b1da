/* SPDX-License-Identifier: GPL-2.0 */
/* Calls of the functions that `record --latency` probes: a probe at the entry and one at the return (lib/analysis/latency.h). */
#include "lib/analysis/call-source.h"
#include "lib/analysis/latency.h"

/* Of a frame, .func is the call's event's id + 1, .key its stack pointer, and .depth how often events had been lost in its buffer. */

static bool find(const struct trace *trace, const struct event *event, struct call_event *out)
{
	struct latency_side side;

	if (!latency_side_of(&side, trace, event))
		return false;
	out->leave = side.leave;
	out->func = (uint64_t)side.call->id + 1;
	out->key = side.sp;
	out->more = side.popped;
	return true;
}

/* Is it an address of the kernel? It has the upper half of 64 bits; the highest quarter of 32, where no program has 64. */
static bool is_kernel(const struct trace *trace, uint64_t sp)
{
	return trace->long_size == 8 ? (int64_t)sp < 0 : sp >= 0xc0000000;
}

static bool is_open(const struct call_frame *frame)
{
	return frame->source == call_source_index(&call_source_latency) && !frame->over;
}

static int end_call(const struct call_at *at, size_t i, unsigned int cut, const struct record *rec)
{
	const struct call_frame *frame = call_or_waiting(at->task, i);
	struct call_end end = {
		.ts = at->rec->ts,
		.ns = at->ns,
		.duration = cut ? CALL_UNKNOWN : call_duration(at, frame),
		.cpu = at->rec->cpu,
		.cut = (uint8_t)cut,
		.rec = rec,
	};

	return call_leave_or_waiting(at, i, &end);
}

/* How a call is incomplete that has ended somewhere before this record. */
static unsigned int cut_of(const struct call_at *at, const struct call_frame *frame)
{
	return CALL_NO_EXIT | (frame->depth != (uint32_t)at->losses ? CALL_LOSS : 0);
}

/* Ends the calls that the stack pointer has passed; and one of @again, 0: of none, that began with @sp itself. */
static int cut_passed(const struct call_at *at, uint64_t sp, uint64_t again)
{
	struct call_task *task = at->task;
	int err = 0;

	for (size_t i = task->depth + task->nwaiting; !err && i-- > 0;) {
		const struct call_frame *frame = i < task->depth + task->nwaiting ? call_or_waiting(task, i) : NULL;

		if (frame && is_open(frame) && (latency_passed(frame->key, sp) || (frame->key == sp && frame->func == again)))
			err = end_call(at, i, cut_of(at, frame), NULL);
	}
	return err;
}

static struct call_frame frame_of(const struct call_at *at, uint64_t sp)
{
	struct call_frame frame = call_begin(at);

	frame.func = at->what->func;
	frame.key = sp;
	frame.depth = (uint32_t)at->losses;
	frame.stacked = is_kernel(at->task->trace, sp);
	return frame;
}

static int enter(const struct call_at *at, const struct call_frame *frame, const struct record *rec)
{
	return call_enter(at, frame->stacked ? CALL_LEVEL_KERNEL : CALL_LEVEL_USER, frame, rec);
}

static int on_call(const struct call_at *at, uint64_t sp)
{
	const struct call_frame frame = frame_of(at, sp);
	int err = cut_passed(at, sp, frame.func);

	return err ? err : enter(at, &frame, at->rec);
}

/* A return whose call is not recorded; it is entered at once, whatever is open, and left again. */
static int on_rest(const struct call_at *at, uint64_t sp)
{
	struct call_frame frame = frame_of(at, sp);
	int err = cut_passed(at, sp, 0);

	frame.cut = CALL_NO_ENTRY | (at->losses ? CALL_LOSS : 0);
	err = err ? err : call_enter(at, CALL_LEVEL_KERNEL, &frame, NULL);
	return err ? err : end_call(at, at->task->depth - 1, frame.cut, at->rec);
}

/* The index, see call_or_waiting(), of the last call to which the return belongs; -1: none. */
static int64_t find_call(const struct call_at *at, uint64_t sp)
{
	const struct call_task *task = at->task;

	for (size_t i = task->depth + task->nwaiting; i-- > 0;) {
		const struct call_frame *frame = call_or_waiting(task, i);

		if (is_open(frame) && frame->func == at->what->func && latency_same_sp(at->what->more, frame->key, sp))
			return (int64_t)i;
	}
	return -1;
}

static int on_return(const struct call_at *at, uint64_t sp)
{
	int64_t i = find_call(at, sp);
	int err = i < 0 ? on_rest(at, sp) : cut_passed(at, call_or_waiting(at->task, (size_t)i)->key, 0);

	/* What was above it has gone, so it may stand elsewhere. */
	if (err || i < 0 || (i = find_call(at, sp)) < 0)
		return err;
	/* Where events were lost its own return may be among them, and another's call: this one may be that one's. */
	return end_call(at, (size_t)i, call_or_waiting(at->task, (size_t)i)->depth == (uint32_t)at->losses ? 0 : CALL_NO_EXIT | CALL_LOSS, at->rec);
}

static int on_record(const struct call_at *at)
{
	uint64_t sp;

	if (!field_get(&at->what->key, at->rec->data, at->rec->size, at->task->trace->swap, &sp))
		return 0;
	return at->what->leave ? on_return(at, sp) : on_call(at, sp);
}

static const char *name_of(const struct trace *trace, uint64_t func, __unused char buf[CALL_NAME], __unused const char **module)
{
	const struct event *event = trace_event(trace, (uint16_t)(func - 1));

	return event ? event->name : "?";
}

const struct call_source call_source_latency = {
	.name = "latency",
	.functions = true,
	.find = find,
	.record = on_record,
	.name_of = name_of,
};

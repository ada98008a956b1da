/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Puts together the calls of the functions that `record --latency` probes. There is a probe at the function's entry and another one at its return
 * (lib/analysis/latency.h).
 */
#include "lib/analysis/call-source.h"
#include "lib/analysis/latency.h"

/*
 * In a frame of this source,
 * - .func is the id of the event at the entry, plus 1;
 * - .key is the stack pointer;
 * - .depth is call_losses.n of the buffer at the entry. It tells later whether events were lost since;
 * - .end.retval, while the call is open, is at most the stack pointer of each open call that began earlier. For a call on the stack, these are all open
 *   calls further out. So a search for a lower one need not look at these. Calls that wait began earlier than calls of the kernel that are entered meanwhile.
 */

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

/* Is @sp an address of the kernel? A 64-bit kernel has the upper half of the addresses. A 32-bit kernel has the highest quarter. */
static bool is_kernel(const struct trace *trace, uint64_t sp)
{
	return trace->long_size == 8 ? (int64_t)sp < 0 : sp >= 0xc0000000;
}

static enum call_level level_of(const struct call_task *task, uint64_t sp)
{
	return is_kernel(task->trace, sp) ? CALL_LEVEL_KERNEL : CALL_LEVEL_USER;
}

static bool is_open(const struct call_frame *frame)
{
	return frame->source == call_source_index(&call_source_latency) && !frame->over;
}

/* Are all calls of this level above the @i-th call of call_or_waiting()? So none of them is found from here on. */
static bool is_below(const struct call_task *task, size_t i, enum call_level level)
{
	return i < task->depth && call_at(task, i)->level < level;
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

/* Returns the bits of enum call_cut for a call whose return was not recorded and that ended at some time before this record. */
static unsigned int cut_of(const struct call_at *at, const struct call_frame *frame)
{
	return CALL_NO_EXIT | (frame->depth != (uint32_t)at->losses ? CALL_LOSS : 0);
}

/*
 * Ends the calls that must be over because the stack pointer is @sp now. It also ends a call with .func @again that began with the same stack pointer.
 * @again is 0 if there is no such function. Returns 0 or -errno.
 */
static int cut_passed(const struct call_at *at, uint64_t sp, uint64_t again)
{
	struct call_task *task = at->task;
	const enum call_level level = level_of(task, sp);
	uint64_t outer = 0;
	int err = 0;

	for (size_t i = task->depth + task->nwaiting; !err && outer <= sp && i-- > 0;) {
		const struct call_frame *frame = i < task->depth + task->nwaiting ? call_or_waiting(task, i) : NULL;

		if (frame && is_below(task, i, level))
			break;
		if (!frame || !is_open(frame))
			continue;
		/* A call on the kernel's stack knows only of calls on that stack. */
		if (i < task->depth && frame->level == level)
			outer = frame->end.retval;
		if (latency_passed(frame->key, sp) || (frame->key == sp && frame->func == again))
			err = end_call(at, i, cut_of(at, frame), NULL);
	}
	return err;
}

/* The lowest stack pointer of the open calls of this level, or less. */
static uint64_t lowest_sp(const struct call_task *task, enum call_level level)
{
	for (size_t i = task->depth + task->nwaiting; i-- > 0 && !is_below(task, i, level);) {
		const struct call_frame *frame = call_or_waiting(task, i);

		if (is_open(frame) && frame->level == level)
			return MIN(frame->key, frame->end.retval);
	}
	return UINT64_MAX;
}

static struct call_frame frame_of(const struct call_at *at, uint64_t sp)
{
	struct call_frame frame = call_begin(at);

	frame.func = at->what->func;
	frame.key = sp;
	frame.depth = (uint32_t)at->losses;
	frame.stacked = level_of(at->task, sp) == CALL_LEVEL_KERNEL;
	return frame;
}

static int enter(const struct call_at *at, const struct call_frame *frame, const struct record *rec)
{
	return call_enter(at, frame->stacked ? CALL_LEVEL_KERNEL : CALL_LEVEL_USER, frame, rec);
}

static int on_call(const struct call_at *at, uint64_t sp)
{
	struct call_frame frame = frame_of(at, sp);
	int err = cut_passed(at, sp, frame.func);

	frame.end.retval = lowest_sp(at->task, level_of(at->task, sp));
	return err ? err : enter(at, &frame, at->rec);
}

/* Handles a return whose call is not recorded. The call is entered now, even while other calls would make it wait, and is left at once. Returns 0 or -errno. */
static int on_rest(const struct call_at *at, uint64_t sp)
{
	struct call_frame frame = frame_of(at, sp);
	int err = cut_passed(at, sp, 0);

	frame.cut = CALL_NO_ENTRY | (at->losses ? CALL_LOSS : 0);
	err = err ? err : call_enter(at, CALL_LEVEL_KERNEL, &frame, NULL);
	return err ? err : end_call(at, at->task->depth - 1, frame.cut, at->rec);
}

/* Returns the index of the last call to which the return belongs, or -1 if there is none. call_or_waiting() explains the index. */
static int64_t find_call(const struct call_at *at, uint64_t sp)
{
	const struct call_task *task = at->task;
	const enum call_level level = level_of(task, sp);

	for (size_t i = task->depth + task->nwaiting; i-- > 0 && !is_below(task, i, level);) {
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

	/* The calls above this call have been left, so its index may have changed. */
	if (err || i < 0 || (i = find_call(at, sp)) < 0)
		return err;
	/* If events were lost, the return of this call may be lost, and the call of this return, too. Then the two may not belong together. */
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
	.calls = "calls of record --latency",
	.functions = true,
	.find = find,
	.record = on_record,
	.name_of = name_of,
};

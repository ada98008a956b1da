/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds out for lib/analysis/timed.h whether the durations of function_graph include the time off the CPU. With the kernel's option nosleep-time they do not: at
 * each switch to a task, the kernel moves the beginning of all open calls of the task by the time that the task was off the CPU. No record tells that the option
 * was set, but the times of the records show it.
 */
#include "lib/analysis/call-source.h"
#include "lib/analysis/timed-inside.h"

/* Shorter times, in ns, show nothing: records are written a little before or after the duration is measured, and interrupts come in between. */
enum { LEAST = 4000 };

/* Returns how much longer the time between the records of the call's entry and exit is than the call's duration, or 0 if this is not known. */
static uint64_t excess(const struct call_task *task, const struct call_frame *frame, const struct call_end *end)
{
	const uint64_t apart = task->in_ns ? end->ns - MIN(end->ns, frame->ns) : 0;

	return apart - MIN(apart, end->duration);
}

uint64_t timed_unmeasured(struct timed_input *in, const struct call_task *task, const struct call_frame *frame, const struct timed_call *call,
			  const struct call_end *end, bool guess)
{
	const bool measured = frame->source == CALL_SOURCE_GRAPH;
	const uint64_t below = call->times.total, more = measured ? excess(task, frame, end) : 0;
	uint64_t own = call->times.off, looked_at = own, off;

	if (call->cut)
		return below;
	if (guess) {
		own = more > below + LEAST ? more - below : 0;
		looked_at = more + end->duration;
	}
	/* A duration that includes the time off the CPU is nearly as long as the time between the records. */
	off = guess ? looked_at : below + own;
	if (measured && task->in_ns && looked_at >= LEAST) {
		in->looked_at += looked_at;
		in->unmeasured += more >= off / 2 ? looked_at : 0;
	}
	return timed_has_unmeasured(in) && (!measured || more >= (below + own) / 2) ? below + own : 0;
}

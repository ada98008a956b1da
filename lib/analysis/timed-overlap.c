/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides the time of calls that overlap. A program marks its sections by a system call, whose record is made while the system call is open. So a section
 * begins before the system call ends, although it is entered only then, and it ends before the system call that ends it.
 */
#include "lib/analysis/timed-inside.h"

void timed_entered_late(struct timed *timed, struct call_task *task, struct call_frame *caller, const struct call_frame *frame)
{
	struct timed_task *mine = call_task_of(&timed->user, task);
	struct call_times *outer = &timed_call_of(timed, caller)->times;

	if (mine->left > frame->ns)
		outer->callees -= MIN(outer->callees, mine->left - frame->ns);
	mine->left = 0;
}

uint64_t timed_past_caller(struct timed *timed, struct call_task *task, struct call_frame *caller, uint64_t past, const struct timed_call *call)
{
	struct call_frame *above = call_caller(task, caller);
	const uint64_t took = MIN(call->times.total, past);

	if (above && !above->over && !call->irq)
		timed_call_of(timed, above)->times.callees += took;
	return took;
}

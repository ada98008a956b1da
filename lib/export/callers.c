/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/callers.h"

int callers_leave(struct callers *callers, const struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint64_t id,
		  uint64_t caller, uint64_t call)
{
	const struct call_frame *outer = caller ? call_caller(task, frame) : NULL;

	if (unlikely(end->cut & CALL_NO_EXIT && frame->gap) && !map_add(&callers->lost, id))
		return -ENOMEM;
	/* The loss began after the record at the time .gap. */
	if (likely(!outer || !outer->gap || frame->ns <= outer->gap))
		return 0;
	return vec_push(&callers->doubts, (struct callers_doubt){ call, caller });
}

void callers_each(const struct callers *callers, void (*each)(void *ctx, uint64_t call), void *ctx)
{
	vec_each (&callers->doubts, doubt)
		if (map_find(&callers->lost, doubt->caller))
			each(ctx, doubt->call);
}

void callers_fini(struct callers *callers)
{
	vec_fini(&callers->doubts);
	map_fini(&callers->lost);
}

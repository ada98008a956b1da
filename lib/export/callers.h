/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which calls have a caller that is not known for certain. The caller of a call is not certain if both of these are true:
 *  - Events of the task may have been lost between the beginning of the caller and the beginning of the call.
 *  - The exit of the caller was not recorded.
 * In this case, the exit may be among the lost events, and another function may have made the call. Formats that write the id of the caller
 * (timeline_caller_id()) leave this id out for such calls. When a call ends, it is not known yet whether the exit of its caller was recorded.
 * callers_leave() learns this later, when it is called for the caller.
 */
#ifndef RINGSIDE_EXPORT_CALLERS_H
#define RINGSIDE_EXPORT_CALLERS_H

#include "lib/base/map.h"
#include "lib/export/timeline.h"

/*
 * This is a call with its caller. Events may have been lost after the caller began and before the call began. .call and .caller are the arguments @call and
 * @caller of callers_leave().
 */
struct callers_doubt {
	uint64_t call, caller;
};

struct callers {
	VEC(struct callers_doubt) doubts;
	MAP(uint64_t, char) lost; /* the ids of calls in which events may have been lost, and whose exits were not recorded */
};

/*
 * Takes in a call that has ended. @id is the id of the call (timeline_frame.id), and @caller is what timeline_caller_id() returns for the call. @call is any
 * number by which the user of these functions finds the call again. callers_each() passes this number to @each. Returns 0 or -ENOMEM.
 */
int callers_leave(struct callers *callers, const struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint64_t id,
		  uint64_t caller, uint64_t call);

/* Calls @each for every call whose caller is not known for certain. All calls must have been taken in before. */
void callers_each(const struct callers *callers, void (*each)(void *ctx, uint64_t call), void *ctx);

void callers_fini(struct callers *callers);

#endif

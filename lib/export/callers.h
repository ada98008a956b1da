/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tells which calls have a caller that is not known for certain. Events of this caller may have been lost before the call began, and the exit of the
 * caller was never recorded. So the caller may have returned among the lost events, and another function may have made the call. Formats that write
 * the id of the caller (timeline_caller_id()) leave it out for such calls. Whether the exit of a caller is recorded is known only when callers_leave()
 * takes in the caller itself.
 */
#ifndef RINGSIDE_EXPORT_CALLERS_H
#define RINGSIDE_EXPORT_CALLERS_H

#include "lib/base/map.h"
#include "lib/export/timeline.h"

/* This is a call and its caller. Events of the caller may have been lost before the call began. The numbers are those that were given to callers_leave(). */
struct callers_doubt {
	uint64_t call, caller;
};

struct callers {
	VEC(struct callers_doubt) doubts;
	MAP(uint64_t, char) lost; /* the ids of calls in which events may have been lost, and whose exits were not recorded */
};

/*
 * Takes in a call that is left. @id is its id (timeline_frame.id), and @caller is its timeline_caller_id(). @call is a number that callers_each() passes
 * on. Returns 0 or -ENOMEM.
 */
int callers_leave(struct callers *callers, const struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint64_t id,
		  uint64_t caller, uint64_t call);

/* Must be called after the last call. Calls @each for every call whose caller is not known for certain. */
void callers_each(const struct callers *callers, void (*each)(void *ctx, uint64_t call), void *ctx);

void callers_fini(struct callers *callers);

#endif

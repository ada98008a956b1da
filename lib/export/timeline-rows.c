/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chooses the row in which a call is drawn (struct timeline_row). Calls are left in the order of their stack. So a call fits into a row if all of these are
 * true:
 * - The calls that were put into the row before the call was entered have ended by its beginning.
 * - The calls that were put into the row since then have ended by its end. They were above the call on the stack, so they also began after it.
 * - None of the latter began at the same time as the call. Programs that read the output see only from the order of the output which of two calls with the
 *   same beginning is inside of the other, and calls are written when they end.
 */
#include "lib/export/timeline.h"

/*
 * Bits of timeline_frame.unfit stand for this many rows, from row 0 on. Whether a call fits into a later row is found out from the last end in the row alone: all
 * calls in the row must have ended by the call's beginning. So a call inside of another one is never in the same later row.
 */
enum { BIT_ROWS = 64 };

/*
 * A call that began at @ns is put into @row. @frame and calls below it on the stack may have begun at the same time. If one of them is known to be unfit, then all
 * below it that have begun at this time are known, too.
 */
static void begins_in(struct timeline *t, const struct call_task *task, struct call_frame *frame, uint64_t ns, size_t row)
{
	for (; frame && frame->ns == ns && !(timeline_frame_of(t, frame)->unfit >> row & 1); frame = call_caller(task, frame))
		timeline_frame_of(t, frame)->unfit |= 1ULL << row;
}

static uint64_t *last_of(struct timeline_task *rows, size_t row)
{
	return row ? &rows->rows.at[row - 1].last : &rows->last;
}

/* A function below the call on the stack has ended at @ns. */
static bool limit(struct timeline_frame *mine, uint64_t ns)
{
	if (mine->limit && mine->limit <= ns)
		return false;
	mine->limit = ns;
	return true;
}

int timeline_rows_over(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct timeline *t = ctx;

	if (timeline_has_row(task, frame) || task->aside)
		return 0;
	/* Calls further up have the same functions below them, and more. So their limits are not later. */
	while (frame != call_top(task)) {
		frame = (struct call_frame *)((char *)frame + task->stride);
		if (!limit(timeline_frame_of(t, frame), end->ns))
			break;
	}
	return 0;
}

void timeline_rows_enter(struct timeline *t, struct call_task *task, struct call_frame *frame)
{
	struct timeline_task *rows = call_task_of(&t->user, task);
	struct call_frame *below = call_caller(task, frame);

	if (below && timeline_frame_of(t, below)->limit)
		limit(timeline_frame_of(t, frame), timeline_frame_of(t, below)->limit);
	if (below && below->over && !timeline_has_row(task, below))
		limit(timeline_frame_of(t, frame), below->end.ns);
	if (!timeline_has_row(task, frame)) {
		begins_in(t, task, below, frame->ns, 0);
		return;
	}
	rows->mixed = true;
	for (size_t i = 0; i <= MIN(rows->rows.n, (size_t)BIT_ROWS - 1); i++)
		if (*last_of(rows, i) > frame->ns)
			begins_in(t, task, frame, frame->ns, i);
}

static bool fits(struct timeline_task *rows, const struct timeline_frame *mine, const struct call_frame *frame, uint64_t ns, size_t row)
{
	if (row >= BIT_ROWS)
		return *last_of(rows, row) <= frame->ns;
	return !(mine->unfit >> row & 1) && *last_of(rows, row) <= ns;
}

int timeline_rows_leave(struct timeline *t, struct call_task *task, struct call_frame *frame, uint64_t ns)
{
	struct timeline_frame *mine = timeline_frame_of(t, frame);
	struct timeline_task *rows = call_task_of(&t->user, task);
	size_t row = 0;

	/* A function below this call on the stack is in row 0. */
	if (unlikely(mine->limit) && mine->limit < ns)
		mine->unfit |= 1;
	while (row <= rows->rows.n && !fits(rows, mine, frame, ns, row))
		row++;
	mine->row = (uint32_t)row;
	if (row == TIMELINE_NO_ROW)
		return 0;
	if (row > rows->rows.n && vec_push(&rows->rows, (struct timeline_row){ 0 }))
		return -ENOMEM;
	*last_of(rows, row) = ns;
	if (row < BIT_ROWS)
		begins_in(t, task, call_caller(task, frame), frame->ns, row);
	return 0;
}

uint64_t timeline_rows_until(const struct timeline *t, struct call_task *task, const struct call_end *end)
{
	struct timeline_task *rows = call_task_of(&t->user, task);
	uint64_t ns = end->open ? t->lasts.at[task->file] : end->ns;

	for (size_t i = 0; i <= rows->rows.n; i++)
		ns = MAX(ns, *last_of(rows, i));
	return ns;
}

static struct timeline_entry *copy_of(const struct plan *plan, const struct record *rec)
{
	struct timeline_entry *entry = malloc(sizeof(*entry) + rec->size);

	if (!entry)
		return NULL;
	entry->plan = plan;
	entry->rec = *rec;
	entry->rec.data = entry->data;
	memcpy(entry->data, rec->data, rec->size);
	return entry;
}

int timeline_rows_keep(struct timeline *t, struct call_task *task, struct call_frame *frame, const struct plan *plan, const struct record *rec, bool waits)
{
	struct timeline_task *mine = call_task_of(&t->user, task);
	struct timeline_entry *entry = NULL;

	mine->mixed = true;
	if (frame->waited && !waits) {
		if (!mine->waiting.n)
			return 0;
		entry = mine->waiting.at[0];
		memmove(mine->waiting.at, mine->waiting.at + 1, --mine->waiting.n * sizeof(entry));
		timeline_frame_of(t, frame)->entry = entry;
		return 0;
	}
	if (plan && !(entry = copy_of(plan, rec)))
		return -ENOMEM;
	if (!waits) {
		timeline_frame_of(t, frame)->entry = entry;
	} else if (vec_push(&mine->waiting, entry)) {
		free(entry);
		return -ENOMEM;
	}
	return 0;
}

void timeline_rows_gone(void *ctx, struct call_task *task)
{
	struct timeline *t = ctx;
	struct timeline_task *mine = call_task_of(&t->user, task);

	for (size_t i = 0; i < task->depth; i++)
		free(timeline_frame_of(t, call_at(task, i))->entry);
	vec_each (&mine->waiting, entry)
		free(*entry);
	vec_fini(&mine->waiting);
	vec_fini(&mine->rows);
}

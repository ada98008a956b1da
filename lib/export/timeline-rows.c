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

/* The last bit of timeline_frame.unfit stands for all further rows. */
enum { LAST_BIT = 63 };

static uint64_t bit_of(size_t row)
{
	return 1ULL << MIN(row, (size_t)LAST_BIT);
}

/* A call that began at @ns is put into @row. Calls below it on the stack, of which @frame is the innermost, may have begun at the same time. */
static void begins_in(struct timeline *t, const struct call_task *task, struct call_frame *frame, uint64_t ns, size_t row)
{
	for (; frame && frame->ns == ns; frame = call_caller(task, frame))
		timeline_frame_of(t, frame)->unfit |= bit_of(row);
}

void timeline_rows_enter(struct timeline *t, struct call_task *task, struct call_frame *frame)
{
	const struct timeline_task *rows = call_task_of(&t->user, task);

	if (!timeline_has_row(task, frame)) {
		begins_in(t, task, call_caller(task, frame), frame->ns, 0);
		return;
	}
	for (size_t i = 0; i < rows->rows.n; i++)
		if (rows->rows.at[i].last > frame->ns)
			timeline_frame_of(t, frame)->unfit |= bit_of(i);
}

/* Is there a function below @frame on the stack that ended before @ns? It is in row 0. */
static bool outlives_function(const struct call_task *task, const struct call_frame *frame, uint64_t ns)
{
	struct call_frame *below = task->over ? call_caller(task, frame) : NULL;

	for (; below; below = call_caller(task, below))
		if (below->over && !timeline_has_row(task, below) && below->end.ns < ns)
			return true;
	return false;
}

int timeline_rows_leave(struct timeline *t, struct call_task *task, struct call_frame *frame, uint64_t ns)
{
	struct timeline_frame *mine = timeline_frame_of(t, frame);
	struct timeline_task *rows = call_task_of(&t->user, task);
	size_t row = 0;

	if (unlikely(outlives_function(task, frame, ns)))
		mine->unfit |= bit_of(0);
	while (row < rows->rows.n && (mine->unfit & bit_of(row) || rows->rows.at[row].last > ns))
		row++;
	if (row == rows->rows.n && vec_push(&rows->rows, (struct timeline_row){ 0 }))
		return -ENOMEM;
	rows->rows.at[row].last = ns;
	mine->row = (uint32_t)row;
	begins_in(t, task, call_caller(task, frame), frame->ns, row);
	return 0;
}

void timeline_rows_end(struct timeline *t, struct call_task *task, uint64_t ns)
{
	struct timeline_row *row = ((struct timeline_task *)call_task_of(&t->user, task))->rows.at;

	row->last = MAX(row->last, ns);
}

uint64_t timeline_rows_last(const struct timeline *t, struct call_task *task)
{
	const struct timeline_task *mine = call_task_of(&t->user, task);
	uint64_t ns = mine->held ? MAX(mine->end.ns, t->lasts.at[task->file]) : t->lasts.at[task->file];

	vec_each (&mine->rows, row)
		ns = MAX(ns, row->last);
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

void timeline_rows_gone(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);

	for (size_t i = 0; i < task->depth; i++)
		free(timeline_frame_of(t, call_at(task, i))->entry);
	vec_each (&mine->waiting, entry)
		free(*entry);
	vec_fini(&mine->waiting);
	vec_fini(&mine->rows);
}

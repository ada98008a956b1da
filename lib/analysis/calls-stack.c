/* SPDX-License-Identifier: GPL-2.0 */
/* Implements the stacks of calls of lib/analysis/calls.h, and the functions by which a source enters and leaves calls. */
#include "lib/analysis/calls-inside.h"

/* --- the stack of a task -------------------------------------------------------------------------------- */

static int grow(struct call_task *task)
{
	size_t room = task->room ? task->room * 2 : 2;
	char *frames = realloc(task->frames, room * task->stride);

	if (!frames)
		return -ENOMEM;
	task->frames = frames;
	task->room = room;
	return 0;
}

/* Tells the consumers that a call was entered that belongs to the CPU on which it ends. @late: tells those which have to know that CPU, and not the others. */
static int tell_entered(struct calls *calls, struct call_task *task, struct call_frame *frame, const struct record *rec, bool late)
{
	const bool wanted = !late || calls_chosen(calls, frame->cpu);
	int err = 0;

	vec_each (&calls->users, at_user) {
		const struct calls_user *user = *at_user;

		if (!err && user->ops->enter && wanted && late == (!user->all_cpus && (user->late || calls->cpus)))
			err = user->ops->enter(user->ctx, task, frame, rec);
	}
	return err;
}

static int leave_top(struct calls *calls, struct call_task *task, const struct call_end *end)
{
	struct call_frame *top = call_top(task);
	int err = 0;

	if (unlikely(task->at_end)) {
		top->cpu = end->cut & CALL_NO_EXIT ? top->cpu : end->cpu;
		err = tell_entered(calls, task, top, NULL, true);
	}
	err = err ? err : calls_tell_of(calls, top->cpu, leave, task, top, end);
	task->depth--;
	return err;
}

static int push(struct calls *calls, struct call_task *task, const struct call_frame *frame, const struct record *rec)
{
	struct call_frame *to;

	if (task->depth == task->room && grow(task))
		return -ENOMEM;
	to = call_at(task, task->depth++);
	*to = *frame;
	calls_clear_payloads(task, to);
	return unlikely(task->at_end) ? tell_entered(calls, task, to, rec, false) : calls_tell_of(calls, to->cpu, enter, task, to, rec);
}

/* Can a call of this level be entered now, or must it wait until the innermost call has ended? */
static bool is_free(const struct call_task *task, enum call_level level)
{
	return !task->depth || call_top(task)->level <= level;
}

static int wait_for(struct calls *calls, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	if (!task->waiting)
		task->waiting = malloc(CALL_MOST_WAITING * sizeof(*task->waiting));
	if (!task->waiting)
		return -ENOMEM;
	if (task->nwaiting == CALL_MOST_WAITING)
		return 0;
	frame->waited = true;
	task->waiting[task->nwaiting++] = *frame;
	return calls_tell_of(calls, frame->cpu, wait, task, frame, rec);
}

/* Leaves the calls that have ended, from the top of the stack down to the first call that has not ended. Returns 0 or -errno. */
static int leave_over(struct calls *calls, struct call_task *task)
{
	int err = 0;

	while (!err && task->over && call_top(task)->over) {
		struct call_end end = call_top(task)->end;

		task->over--;
		err = leave_top(calls, task, &end);
	}
	return err;
}

/* Enters the waiting calls that can be entered now. Returns 0 or -errno. */
static int enter_waiting(struct calls *calls, struct call_task *task)
{
	int err = 0;

	while (!err && task->nwaiting && is_free(task, task->waiting[0].level)) {
		const struct call_frame frame = task->waiting[0];

		memmove(task->waiting, task->waiting + 1, --task->nwaiting * sizeof(*task->waiting));
		task->over += frame.over;
		err = push(calls, task, &frame, NULL);
		err = err ? err : leave_over(calls, task);
	}
	return err;
}

int calls_leave_top(struct calls *calls, struct call_task *task, const struct call_end *end)
{
	int err = leave_top(calls, task, end);

	if (!err && unlikely(task->over))
		err = leave_over(calls, task);
	return err || likely(!task->nwaiting) ? err : enter_waiting(calls, task);
}

/* --- what sources do ------------------------------------------------------------------------------------ */

struct call_frame call_begin(const struct call_at *at)
{
	return (struct call_frame){ .ts = at->rec->ts,
				    .ns = at->ns,
				    .cpu = at->rec->cpu,
				    .irq = (uint8_t)call_context(at),
				    .source = (uint8_t)call_source_index(at->what->source) };
}

uint64_t call_duration(const struct call_at *at, const struct call_frame *frame)
{
	/* frame->ns must not be used here, because --align-ts may have changed the clock since the call began. */
	const uint64_t began = clock_time(&at->task->input->clock, frame->cpu, frame->ts);

	return at->task->in_ns && at->ns >= began && at->ns - began <= INT64_MAX ? at->ns - began : CALL_UNKNOWN;
}

/*
 * Ends the calls on the kernel's stack that stand above a call that has ended. Their exits were not recorded. This is done only when the next call is
 * entered, because the exits of two calls that began at the same place can come in either order. Returns 0 or -errno.
 */
static int cut_gone(const struct call_at *at)
{
	struct call_task *task = at->task;
	size_t first = task->depth;
	int err = 0;

	for (size_t i = task->depth; i-- > 0 && call_at(task, i)->level == CALL_LEVEL_KERNEL;)
		if (call_at(task, i)->over && call_at(task, i)->stacked)
			first = i;
	for (size_t i = task->depth; !err && i-- > first;)
		if (i < task->depth && call_at(task, i)->stacked && !call_at(task, i)->over)
			err = call_cut(at, i);
	return err;
}

int call_enter(const struct call_at *at, enum call_level level, const struct call_frame *frame, const struct record *rec)
{
	struct call_frame leveled = *frame;
	int err = unlikely(at->task->over) && frame->stacked ? cut_gone(at) : 0;

	if (err)
		return err;
	leveled.level = (uint8_t)level;
	if (unlikely(!is_free(at->task, level) || (at->task->nwaiting && level < CALL_LEVEL_KERNEL)))
		return wait_for(at->calls, at->task, &leveled, rec);
	return push(at->calls, at->task, &leveled, rec);
}

/* Puts a frame on the stack for a function that begins with the record at hand. Returns the frame, or NULL when memory runs out. */
static inline struct call_frame *put_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth)
{
	struct call_task *task = at->task;

	if (unlikely(task->depth == task->room) && grow(task))
		return NULL;
	return calls_put_function(task, at->rec, at->ns, call_context(at), source, func, retaddr, depth);
}

int call_enter_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth)
{
	struct call_frame *to = put_at_once(at, source, func, retaddr, depth);

	return to ? calls_tell_of(at->calls, to->cpu, enter, at->task, to, at->rec) : -ENOMEM;
}

int call_leaf_at_once(const struct call_at *at, uint8_t source, uint64_t func, uint64_t retaddr, uint32_t depth, const struct call_end *end)
{
	struct call_frame *to = put_at_once(at, source, func, retaddr, depth);

	return to ? calls_tell_leaf(at->calls, at->task, to, at->rec, end) : -ENOMEM;
}

int call_leave(const struct call_at *at, size_t i, const struct call_end *end)
{
	struct call_task *task = at->task;
	struct call_frame *frame = call_at(task, i);

	if (i + 1 < task->depth) {
		frame->over = true;
		frame->end = *end;
		frame->end.rec = NULL;
		task->over++;
		return calls_tell_of(at->calls, frame->cpu, over, task, frame, end);
	}
	return calls_leave_top(at->calls, task, end);
}

void call_gap(struct call_task *task, uint64_t ns)
{
	task->gaps++;
	task->least_irq = UINT8_MAX;
	/* All open calls were entered before the gap. */
	ns = task->depth ? MAX(ns, call_top(task)->ns) : ns;
	for (size_t i = 0; i < task->depth; i++)
		if (!call_at(task, i)->gap)
			call_at(task, i)->gap = ns;
}

bool call_lost_since(const struct call_at *at, const struct call_frame *frame, uint64_t *gap)
{
	const struct call_stream *stream = at->stream;
	bool lost = false;

	for (size_t i = stream->ngaps, left = MIN(i, (size_t)CALL_GAPS); left && stream->gaps[(i - 1) % CALL_GAPS] >= frame->ts; i--, left--) {
		lost = true;
		if (gap)
			*gap = stream->gaps[(i - 1) % CALL_GAPS];
	}
	return lost;
}

static struct call_end cut_end(const struct call_at *at, const struct call_frame *frame)
{
	return (struct call_end){ .ts = at->rec->ts,
				  .ns = at->ns,
				  .duration = CALL_UNKNOWN,
				  .cpu = at->rec->cpu,
				  .cut = (frame->cut & CALL_NO_ENTRY) | CALL_NO_EXIT | (frame->gap || call_lost_since(at, frame, NULL) ? CALL_LOSS : 0) };
}

/*
 * Has a CPU lost events of the buffer since the call began? The call's task may have been on that CPU, even if all records of this are lost. So this may be
 * why a record of the task is missing.
 */
static bool lost_somewhere(const struct call_at *at, const struct call_frame *frame)
{
	const struct call_losses *losses = at->calls->any_gaps ? calls_losses(at->calls, at->rec) : NULL;

	return losses && (losses->open || losses->until > frame->ns);
}

int call_cut(const struct call_at *at, size_t i)
{
	struct call_end end = cut_end(at, call_at(at->task, i));

	end.cut |= lost_somewhere(at, call_at(at->task, i)) ? CALL_LOSS : 0;
	return call_leave(at, i, &end);
}

/* --- calls whose two ends know nothing of each other ---------------------------------------------------------- */

struct call_frame *call_innermost(const struct call_at *at, enum call_level level)
{
	const unsigned int source = call_source_index(at->what->source);
	struct call_task *task = at->task;

	for (size_t i = task->nwaiting; i-- > 0;)
		if (task->waiting[i].source == source && !task->waiting[i].over)
			return &task->waiting[i];
	for (size_t i = task->depth; i-- > 0 && call_at(task, i)->level >= level;)
		if (call_at(task, i)->source == source && !call_at(task, i)->over)
			return call_at(task, i);
	return NULL;
}

/* Leaves the call of @frame. The call may still wait to be entered. In this case it is only marked, and is left as soon as it has been entered. */
static int leave(const struct call_at *at, struct call_frame *frame, const struct call_end *end)
{
	struct call_task *task = at->task;

	if (!task->nwaiting || frame < task->waiting || frame >= task->waiting + task->nwaiting)
		return call_leave(at, (size_t)((char *)frame - task->frames) / task->stride, end);
	frame->over = true;
	frame->end = *end;
	frame->end.rec = NULL;
	return 0;
}

int call_leave_or_waiting(const struct call_at *at, size_t i, const struct call_end *end)
{
	return leave(at, call_or_waiting(at->task, i), end);
}

/*
 * Returns the end of a call that ends with the record at hand. Its duration is CALL_UNKNOWN if the entry is not recorded, if the clock's ticks have an
 * unknown length, or if the clock went back.
 */
static struct call_end end_of(const struct call_at *at, const struct call_frame *frame)
{
	return (struct call_end){ .ts = at->rec->ts,
				  .ns = at->ns,
				  .duration = frame->cut & CALL_NO_ENTRY ? CALL_UNKNOWN : call_duration(at, frame),
				  .cpu = at->rec->cpu,
				  .cut = frame->cut,
				  .rec = at->rec };
}

int call_finish(const struct call_at *at, struct call_frame *frame)
{
	const struct call_end end = end_of(at, frame);

	return leave(at, frame, &end);
}

int call_abandon(const struct call_at *at, struct call_frame *frame)
{
	const struct call_end end = cut_end(at, frame);

	return leave(at, frame, &end);
}

int call_unseen(const struct call_at *at, enum call_level level, struct call_frame frame)
{
	struct call_frame *open;
	int err;

	frame.cut = CALL_NO_ENTRY | (at->stream->ngaps ? CALL_LOSS : CALL_EDGE);
	err = call_enter(at, level, &frame, NULL);
	open = err ? NULL : call_innermost(at, level);
	return open ? call_finish(at, open) : err;
}

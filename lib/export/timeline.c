/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/export/timeline.h"
#include "lib/analysis/call-source.h"
#include "lib/analysis/lacking.h"

enum { RECENT = 4096, PIECE = 1 << 18 };

/* --- names ------------------------------------------------------------------------------------------------------ */

static int add_name(struct timeline *t, const char *text, const char *module)
{
	struct timeline_name name = { 0 };
	struct str out = { 0 };

	t->format->name(t, (uint32_t)t->names.n, text, module, &out);
	name.len = out.len;
	name.text = plan_pad(str_take(&out));
	if (!name.text || vec_push(&t->names, name)) {
		free(name.text);
		return -ENOMEM;
	}
	return 0;
}

/* Returns the index of the name of what @frame calls, 0 if it is not known, or -ENOMEM. */
static int64_t find_name(struct timeline *t, const struct call_task *task, const struct call_frame *frame)
{
	const char *name, *module;
	char buf[CALL_NAME];
	int64_t i;

	i = keys_index(&t->keys, (struct key){ frame->func, task->file, frame->source });
	/* Name 0 belongs to no key, so names are one ahead of keys. */
	if (i < 0 || i + 1 < (int64_t)t->names.n)
		return i < 0 ? i : i + 1;
	name = call_name(task->trace, frame->source, frame->func, buf, &module);
	return add_name(t, name, module) ? -ENOMEM : i + 1;
}

static inline int64_t name_of(struct timeline *t, const struct call_task *task, const struct call_frame *frame)
{
	const uint32_t where = (uint32_t)(task->file << 8 | frame->source) + 1;
	struct timeline_recent *recent = &t->recent[(frame->func >> 4 ^ frame->func >> 16) % RECENT];
	int64_t name;

	if (unlikely(!frame->func))
		return 0;
	if (likely(recent->func == frame->func && recent->where == where))
		return recent->name;
	name = find_name(t, task, frame);
	if (name >= 0)
		*recent = (struct timeline_recent){ .func = frame->func, .where = where, .name = (uint32_t)name };
	return name;
}

const char *timeline_comm(const struct call_task *task)
{
	return comms_known(task->trace->comms, task->pid);
}

const char *timeline_buffer(const struct timeline *t, unsigned int file, unsigned int buffer)
{
	const struct input *in = &t->reading->inputs.at[file];
	const char *name = buffer < in->file->buffers.n ? in->file->buffers.at[buffer].name : "";

	return name[0] ? name : in->name;
}

const char *timeline_cut(unsigned int cut)
{
	static const char *const words[4][3] = {
		{ "", "lost", "" },
		{ "no entry", "no entry, lost", "no entry, began before" },
		{ "no exit", "no exit, lost", "no exit, recording ended" },
		{ "no entry, no exit", "no entry, no exit, lost", "no entry, no exit, longer than the recording" },
	};

	return words[cut & 3][cut & CALL_LOSS ? 1 : cut & CALL_EDGE ? 2 : 0];
}

/* --- output ----------------------------------------------------------------------------------------------------- */

static void write_piece(struct job *job)
{
	struct timeline_writing *writing = container_of(job, struct timeline_writing, job);

	writing->err = reading_write(writing->reading, &writing->text);
}

/* Waits until the part that is being written is written. */
static int written(struct timeline *t)
{
	if (!t->writing.begun)
		return 0;
	pool_wait(t->reading->pool, &t->writing.job);
	t->writing.begun = false;
	return t->writing.err;
}

int timeline_flush(struct timeline *t, size_t least)
{
	int err = str_ok(&t->out);

	if (err || t->out.len <= least)
		return err;
	err = written(t);
	if (err)
		return err;
	swap(t->out, t->writing.text);
	str_clear(&t->out);
	t->writing.begun = true;
	pool_submit(t->reading->pool, &t->writing.job);
	return 0;
}

static inline int flush_pieces(struct timeline *t)
{
	if (likely(t->out.len <= PIECE && !t->out.oom) || t->format->batch)
		return 0;
	return timeline_flush(t, PIECE);
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static struct plan *plan_of(struct timeline *t, unsigned int file, const struct event *event)
{
	struct plan **plan = &t->plans.at[file][event->id];

	if (unlikely(!*plan) && plan_new(plan, trace_event(event->trace, event->id), t->format->style))
		return NULL;
	return *plan;
}

static int tell_task(struct timeline *t, struct call_task *task)
{
	struct timeline_task *mine = call_task_of(&t->user, task);

	if (likely(mine->told))
		return 0;
	mine->told = true;
	if (t->format->task)
		t->format->task(t, task);
	return 0;
}

/* Writes the leaf that waits for the next event of its task, which is at @ns. */
static inline int tell_held(struct timeline *t, struct call_task *task, uint64_t ns)
{
	struct timeline_task *mine = call_task_of(&t->user, task);

	if (!mine->held)
		return 0;
	mine->held = false;
	mine->end.ns = MIN(mine->end.ns, ns);
	timeline_rows_end(mine, timeline_end_ns(&mine->frame, &mine->end));
	if (mine->whole)
		return t->format->leaf(t, task, &mine->frame, &mine->end, mine->name);
	return t->format->leave(t, task, &mine->frame, &mine->mine, &mine->end, mine->name);
}

static inline void hold(struct timeline *t, struct call_task *task, const struct call_frame *frame, const struct call_end *end, uint32_t name, bool whole)
{
	struct timeline_task *mine = call_task_of(&t->user, task);

	mine->held = true;
	mine->whole = whole;
	/* The leaf has ended, so the frame's own .end is left out; @end tells more. */
	memcpy(&mine->frame, frame, offsetof(struct call_frame, end));
	mine->end = *end;
	if (!whole)
		mine->mine = *timeline_frame_of(t, (struct call_frame *)frame);
	mine->name = name;
}

/* Returns the plan of the event of @rec, or NULL when memory runs out. */
static const struct plan *plan_at(struct timeline *t, const struct call_task *task, const struct record *rec)
{
	return plan_of(t, rec->file, trace_event(task->trace, record_id(task->trace, rec)));
}

/* Must timeline_rows_enter() be called for this call? */
static inline bool needs_rows(const struct timeline *t, struct call_task *task, const struct call_frame *frame)
{
	const struct timeline_task *mine = call_task_of(&t->user, task);

	return t->format->rows && !task->aside && (mine->mixed || task->over || timeline_has_row(task, frame));
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec)
{
	struct timeline *t = ctx;
	struct timeline_frame *mine = timeline_frame_of(t, frame);
	int64_t name = name_of(t, task, frame);
	const struct plan *plan = NULL;
	int err = 0;

	/* A system call's arguments are the fields of its event. A function's entry record adds nothing to the frame. */
	if (rec && frame->level != CALL_LEVEL_KERNEL && !(plan = plan_at(t, task, rec)))
		return -ENOMEM;
	if (name < 0)
		return (int)name;
	if (rec)
		learn_until(t->reading->learn, rec);
	mine->name = (uint32_t)name;
	if (unlikely(task->aside))
		mine->aside = ++t->aside;
	else
		err = tell_held(t, task, frame->ns);
	err = err ? err : tell_task(t, task->aside ? task->beside : task);
	if (!err && needs_rows(t, task, frame))
		timeline_rows_enter(t, task, frame);
	if (!err && t->format->rows && timeline_has_row(task, frame))
		return timeline_rows_keep(t, task, frame, plan, rec, false);
	err = err ? err : t->format->enter(t, task, frame, mine->name, plan, rec);
	return err ? err : flush_pieces(t);
}

static int on_wait(void *ctx, struct call_task *task, const struct call_frame *frame, const struct record *rec)
{
	struct timeline *t = ctx;
	const struct plan *plan = NULL;
	int err;

	if (!t->format->wait && !t->format->rows)
		return 0;
	if (rec && frame->level != CALL_LEVEL_KERNEL && !(plan = plan_at(t, task, rec)))
		return -ENOMEM;
	if (rec)
		learn_until(t->reading->learn, rec);
	err = tell_task(t, task->aside ? task->beside : task);
	if (err || t->format->rows)
		return err ? err : timeline_rows_keep(t, task, (struct call_frame *)frame, plan, rec, true);
	err = plan ? t->format->wait(t, task, plan, rec, frame->ns) : 0;
	return err ? err : flush_pieces(t);
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct timeline *t = ctx;
	const struct timed_call *timed = timed_call_of(t->timed, frame);
	/* If a function's entry is not recorded, its name is found only now. */
	int64_t name = timeline_frame_of(t, frame)->name ?: name_of(t, task, frame);
	struct call_end changed;
	int err = 0;

	if (name < 0)
		return (int)name;
	if (!task->aside)
		err = tell_held(t, task, end->ns);
	if (err)
		return err;
	/* An end that is recorded stays as it is, and so does that of a call which was to be left before calls above it on the stack ended. */
	if (unlikely(end->cut & CALL_NO_EXIT) && !frame->over && t->format->rows) {
		changed = *end;
		changed.ns = timeline_rows_until(t, task, end);
		end = &changed;
	}
	/* With a loss in between, the entry and the exit may belong to different calls. */
	if (unlikely(timed->cut) && !timed->timeless && !end->cut) {
		changed = *end;
		changed.cut = CALL_LOSS;
		end = &changed;
	}
	/* The exit does not tell the time off the CPU: see timed_facts.unmeasured. */
	if (unlikely(!timed->cut && timed->times.total != end->duration)) {
		changed = *end;
		changed.duration = timed->times.total;
		end = &changed;
	}
	if (end->leaf && !end->cut && !t->format->table) {
		hold(t, task, frame, end, (uint32_t)name, false);
		return flush_pieces(t);
	}
	if (t->format->rows && timeline_has_row(task, frame))
		err = timeline_rows_leave(t, task, frame, timeline_end_ns(frame, end));
	else if (!task->aside)
		timeline_rows_end(call_task_of(&t->user, task), timeline_end_ns(frame, end));
	err = err ? err : t->format->leave(t, task, frame, timeline_frame_of(t, frame), end, (uint32_t)name);
	if (unlikely(timeline_frame_of(t, frame)->entry)) {
		free(timeline_frame_of(t, frame)->entry);
		timeline_frame_of(t, frame)->entry = NULL;
	}
	return err ? err : flush_pieces(t);
}

/* A leaf is a complete call of a function, so it is never asynchronous. */
static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, const struct record *rec, const struct call_end *end)
{
	struct timeline *t = ctx;
	struct timeline_frame *mine = timeline_frame_of(t, frame);
	const bool whole = t->format->leaf;
	int64_t name = name_of(t, task, frame);
	int err;

	if (name < 0)
		return (int)name;
	learn_until(t->reading->learn, rec);
	mine->name = (uint32_t)name;
	err = tell_held(t, task, frame->ns);
	err = err ? err : tell_task(t, task);
	if (unlikely(needs_rows(t, task, frame)) && !err)
		timeline_rows_enter(t, task, frame);
	if (!err && !whole)
		err = t->format->enter(t, task, frame, mine->name, NULL, rec);
	if (!t->format->table)
		hold(t, task, frame, end, mine->name, whole);
	else if (!err)
		err = t->format->leave(t, task, frame, mine, end, mine->name);
	return err ? err : flush_pieces(t);
}

static int on_ended(void *ctx, struct call_task *task, uint64_t ns)
{
	return tell_held(ctx, task, ns);
}

/* --- losses, other events --------------------------------------------------------------------------------------- */

static int on_gap(void *ctx, const struct record *there, __unused struct call_task *last, uint64_t ns, bool over)
{
	struct timeline *t = ctx;

	return over && t->format->lost ? t->format->lost(t, there, ns) : 0;
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct timeline *t = ctx;
	const struct plan *plan = plan_of(t, rec->file, event);
	int err;

	if (!plan)
		return -ENOMEM;
	learn_until(t->reading->learn, rec);
	err = tell_held(t, task, input_time(task->input, rec));
	err = err ? err : tell_task(t, task);
	err = err ? err : t->format->event(t, task, plan, rec, input_time(task->input, rec));
	return err ? err : flush_pieces(t);
}

static int on_records(struct handler *h, const struct batch *batch)
{
	struct timeline *t = (struct timeline *)h;

	if (batch->n && !t->any)
		t->first = batch->records[0];
	if (batch->n)
		t->last = batch->records[batch->n - 1];
	for (size_t i = t->lasts.n > 1 || !batch->n ? 0 : batch->n - 1; i < batch->n; i++)
		t->lasts.at[batch->records[i].file] = input_time(&t->reading->inputs.at[batch->records[i].file], &batch->records[i]);
	t->any |= batch->n;
	return t->format->batch ? t->format->batch(t, batch) : timeline_flush(t, PIECE);
}

/* --- its life --------------------------------------------------------------------------------------------------- */

static int on_begin(struct handler *h)
{
	struct timeline *t = (struct timeline *)h;

	int err = t->format->begin ? t->format->begin(t) : 0;

	return err ? err : timeline_flush(t, 0);
}

static int on_end(struct handler *h)
{
	struct timeline *t = (struct timeline *)h;
	int err = t->format->end ? t->format->end(t) : 0, last;

	err = err ? err : timeline_flush(t, 0);
	/* Waits in any case, because the caller will close the file. */
	last = written(t);
	return err ? err : last;
}

static void timeline_free(struct handler *h)
{
	struct timeline *t = (struct timeline *)h;

	written(t);
	if (t->format->fini)
		t->format->fini(t);
	for (size_t i = 0; i < t->plans.n; i++) {
		for (size_t id = 0; t->plans.at[i] && id < t->reading->inputs.at[i].trace->nids; id++)
			plan_free(t->plans.at[i][id]);
		free(t->plans.at[i]);
	}
	vec_fini(&t->plans);
	vec_fini(&t->lasts);
	timed_free(t->timed);
	vec_each (&t->names, name)
		free(name->text);
	vec_fini(&t->names);
	keys_fini(&t->keys);
	streams_fini(&t->streams, NULL);
	str_fini(&t->out);
	str_fini(&t->writing.text);
	str_fini(&t->scratch);
	free(t->recent);
	free(t->mine);
	free(t);
}

/* clang-format off */
static const struct calls_ops calls_ops = {
	.enter = on_enter, .wait = on_wait, .leaf = on_leaf, .leave = on_leave, .gap = on_gap, .again = on_other, .other = on_other,
	.over = timeline_rows_over, .ended = on_ended, .gone = timeline_rows_gone,
};
/* clang-format on */

static int fill(struct timeline *t)
{
	int err = t->recent && t->mine && t->calls ? 0 : -ENOMEM;

	vec_each (&t->reading->inputs, input)
		err = err ? err : vec_push(&t->lasts, 0) ?: vec_push(&t->plans, calloc(input->trace->nids + 1, sizeof(struct plan *)));
	vec_each (&t->plans, plans)
		err = err || !*plans ? -ENOMEM : 0;
	err = err ? err : add_name(t, "[unknown]", NULL);
	if (!err)
		err = timed_new(&t->timed, t->calls, &t->reading->inputs);
	return err ? err : calls_add(t->calls, &t->user);
}

int timeline_make(struct handler **out, struct reading *reading, const struct timeline_format *format)
{
	struct timeline *t = calloc(1, sizeof(*t));
	int err;

	if (!t)
		return -ENOMEM;
	*t = (struct timeline){
		.handler = { .begin = on_begin, .records = on_records, .end = on_end, .free = timeline_free },
		.format = format,
		.reading = reading,
		.user = { .ops = &calls_ops, .ctx = t, .frame_size = sizeof(struct timeline_frame), .task_size = sizeof(struct timeline_task) },
		.calls = reading_calls(reading),
		.recent = calloc(RECENT, sizeof(struct timeline_recent)),
		.streams.size = MAX(format->stream, (size_t)1),
		.mine = calloc(1, MAX(format->mine, (size_t)1)),
		.writing = { .job.run = write_piece, .reading = reading },
	};
	err = fill(t);
	if (!err && format->runs)
		err = lacking_leave_out(reading);
	if (err)
		timeline_free(&t->handler);
	else
		*out = &t->handler;
	return err;
}

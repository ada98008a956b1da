/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/offcpu.h"
#include "lib/analysis/lacking.h"
#include "lib/analysis/stack-owner.h"
#include "lib/base/str.h"

const char *const offcpu_names[OFFCPU_STATES] = {
	[OFFCPU_BLOCKED] = "blocked",
	[OFFCPU_PREEMPTED] = "preempted",
	[OFFCPU_QUEUED] = "queued",
	[OFFCPU_ASLEEP] = "waking not seen",
};

/* This is kept for the last record of a context of a CPU. If it is a switch, its stacks may follow. */
struct offcpu_last {
	uint32_t task;		     /* 1 + the index of the task that left; 0: no task, or a task that was not asked for */
	chain_frames_t kernel, user; /* innermost first */
};

/* This is kept for each CPU of a buffer. */
struct offcpu_stream {
	struct stack_owners owners;
	struct offcpu_last last[STACK_LEVELS];
};

/* --- nodes -------------------------------------------------------------------------------------------------- */

static int64_t root_of(struct offcpu *off, const struct sched_task *task)
{
	return chains_root(&off->chains, task->pid, task->file);
}

static int add(struct offcpu *off, int64_t node, enum offcpu_state state, uint64_t ns)
{
	while (node >= 0 && off->sums.n <= (size_t)node)
		if (vec_push(&off->sums, (struct offcpu_sums){ 0 }))
			return -ENOMEM;
	if (node >= 0)
		off->sums.at[node].ns[state] += ns;
	return node < 0 ? -ENOMEM : 0;
}

/* Notes the node that tells where the task left its CPU. Returns 0, or -ENOMEM also if @node is negative. */
static int set_left(struct offcpu *off, uint32_t task, int64_t node)
{
	while (off->left.n <= task)
		if (vec_push(&off->left, 0U))
			return -ENOMEM;
	off->left.at[task] = (uint32_t)(node + 1);
	return node < 0 ? -ENOMEM : 0;
}

/* --- what the scheduler says --------------------------------------------------------------------------------- */

static bool lacks(const struct offcpu *off, const struct sched_task *task)
{
	return lacking_has(off->inputs->at[task->file].lacking, task->file, task->pid, task->cpu);
}

/* Notes that a task leaves its CPU. Returns 0 or -ENOMEM. */
static int on_stay(void *ctx, const struct sched_stay *stay)
{
	struct offcpu *off = ctx;

	if (!stay->task->pid || lacks(off, stay->task))
		return 0;
	off->last->task = stay->index + 1;
	off->switches++;
	return set_left(off, stay->index, root_of(off, stay->task));
}

/* The task is on a CPU again. Adds its time off the CPU to the node where it left. Returns 0 or -ENOMEM. */
static int on_come(void *ctx, uint32_t task, const struct sched_took *took)
{
	struct offcpu *off = ctx;
	const uint64_t known = took->blocked + took->preempted + took->queued;
	int64_t node = task < off->left.n && off->left.at[task] ? (int64_t)off->left.at[task] - 1 : root_of(off, &off->sched->tasks.at[task]);
	int err;

	if (lacks(off, &off->sched->tasks.at[task]))
		return 0;
	err = add(off, node, OFFCPU_BLOCKED, took->blocked);
	err = err ? err : add(off, node, OFFCPU_PREEMPTED, took->preempted);
	err = err ? err : add(off, node, OFFCPU_QUEUED, took->queued);
	err = err ? err : add(off, node, OFFCPU_ASLEEP, took->off - MIN(known, took->off));
	return err ? err : set_left(off, task, root_of(off, &off->sched->tasks.at[task]));
}

/* --- stacks -------------------------------------------------------------------------------------------------- */

/* Returns how many of the innermost frames belong to the tracer. */
static size_t frames_inside(const struct offcpu *off, const chain_frames_t *frames)
{
	size_t n = 0;

	while (n < frames->n && (str_starts(off->chains.frames.at[frames->at[n]].name, "trace_event_raw_event_") ||
				 str_starts(off->chains.frames.at[frames->at[n]].name, "__traceiter_")))
		n++;
	return n;
}

static int on_stack(struct offcpu *off, struct offcpu_last *last, const struct event *event, const struct record *rec)
{
	chain_frames_t *frames = stack_is_user(event) ? &last->user : &last->kernel;
	const uint32_t task = last->task - 1;
	int64_t node;

	if (frames->n)
		return 0;
	off->stacks += !last->kernel.n && !last->user.n;
	if (chains_stack(&off->chains, event, rec, frames))
		return -ENOMEM;
	node = chains_outer(&off->chains, root_of(off, &off->sched->tasks.at[task]), &last->user, 0);
	return set_left(off, task, chains_outer(&off->chains, node, &last->kernel, frames_inside(off, &last->kernel)));
}

static int one(struct offcpu *off, const struct record *rec)
{
	struct offcpu_stream *stream = stream_of(&off->streams, rec);
	const struct trace *trace = off->inputs->at[rec->file].trace;
	const struct event *event = NULL;
	int at = 0;

	if (!stream)
		return -ENOMEM;
	if (rec->flags & RECORD_NODATA) {
		stack_owner_lost(&stream->owners);
	} else {
		event = trace_event(trace, record_id(trace, rec));
		at = stack_owner(&stream->owners, trace, event, rec);
	}
	if (event && event->kind == EVENT_STACK && !(rec->flags & RECORD_LOST))
		return at >= 0 && stream->last[at].task ? on_stack(off, &stream->last[at], event, rec) : 0;
	off->last = &stream->last[MAX(at, 0)];
	off->last->task = 0;
	off->last->kernel.n = off->last->user.n = 0;
	return sched_take(off->sched, rec);
}

static int take_records(struct handler *h, const struct batch *batch)
{
	struct offcpu *off = container_of(h, struct offcpu, handler);
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = one(off, &batch->records[i]);
	return err;
}

/* --- its life ------------------------------------------------------------------------------------------------ */

static void fini_stream(void *state)
{
	struct offcpu_stream *stream = state;

	for (size_t i = 0; i < STACK_LEVELS; i++) {
		vec_fini(&stream->last[i].kernel);
		vec_fini(&stream->last[i].user);
	}
}

static void offcpu_free(struct handler *h)
{
	struct offcpu *off = container_of(h, struct offcpu, handler);

	if (off->sched)
		off->sched->handler.free(&off->sched->handler);
	streams_fini(&off->streams, fini_stream);
	chains_fini(&off->chains);
	vec_fini(&off->sums);
	vec_fini(&off->left);
	free(off);
}

int offcpu_new(struct offcpu **out, const inputs_t *inputs, const struct sched_options *opt)
{
	struct offcpu *off = calloc(1, sizeof(*off));
	struct sched_options mine = *opt;
	int err;

	if (!off)
		return -ENOMEM;
	off->handler = (struct handler){ .records = take_records, .free = offcpu_free };
	off->inputs = inputs;
	off->streams.size = sizeof(struct offcpu_stream);
	chains_init(&off->chains, 0);
	mine.stay = on_stay;
	mine.come = on_come;
	mine.ctx = off;
	err = sched_new(&off->sched, inputs, &mine);
	if (err)
		offcpu_free(&off->handler);
	else
		*out = off;
	return err;
}

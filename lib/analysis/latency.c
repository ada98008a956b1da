/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/latency.h"
#include "lib/analysis/losses.h"
#include "lib/analysis/tasks.h"
#include "lib/base/latency-events.h"

/*
 * - SAME_STACK: frames of one stack are not further apart than this, in bytes. Frames that are further apart are on different stacks, such as those of an
 *   interrupt, a signal or a coroutine.
 * - MOST_OPEN: this many calls without a return are listed one by one.
 */
enum { SAME_STACK = 16384, MOST_OPEN = 1000 };

/* This tells which events of a file are a call or a return. Element i of .at is for the event with the id i. */
struct sides {
	struct trace *trace;
	struct latency_side *at; /* if .call is NULL, the event is not one of --latency */
	size_t n;
};

struct frame {
	const struct event *call;
	uint64_t ts, sp;
	uint64_t outer;	 /* at most the .sp of each frame before it on the stack */
	uint64_t losses; /* the number that losses_take() gave to its record */
	uint16_t cpu;
};

struct task {
	int pid;
	uint16_t buffer;
	uint8_t file;
	VEC(struct frame) stack; /* the last call is the last element */
};

struct latency {
	struct stage stage;
	const inputs_t *inputs;
	VEC(struct sides) files;
	struct tasks tasks; /* has a struct task for each task */
	struct losses losses;
	VEC(struct latency_open) open; /* calls whose return will not come any more, or is not recorded */
	uint64_t all;		       /* how many such calls there are, including those that are not in .open */
};

/* --- which events ------------------------------------------------------------------------------------------- */

/* The event of the call whose return @leave is. Looks for the name without a copy of it, so that it cannot fail for want of memory. */
static const struct event *call_of(const struct trace *trace, const struct event *leave)
{
	const size_t len = strlen(leave->name) - strlen(LATENCY_RETURN);

	vec_each (&trace->events, event)
		if (strcmp((*event)->system, LATENCY_GROUP) == 0 && strncmp((*event)->name, leave->name, len) == 0 && !(*event)->name[len])
			return *event;
	return NULL;
}

bool latency_side_of(struct latency_side *out, const struct trace *trace, const struct event *event)
{
	struct field ip;

	*out = (struct latency_side){ 0 };
	if (strcmp(event->system, LATENCY_GROUP) != 0)
		return false;
	if (format_field(event->format, "__probe_ip", &ip)) {
		out->call = event;
	} else if (str_ends(event->name, LATENCY_RETURN) && format_field(event->format, "__probe_ret_ip", &ip)) {
		out->call = call_of(trace, event);
		out->leave = true;
		out->popped = format_field(event->format, LATENCY_SP_POPPED, &out->sp);
	}
	return out->call && (out->popped || format_field(event->format, LATENCY_SP, &out->sp));
}

/* Returns 1 if the file has events of --latency, 0 if not, or -ENOMEM. */
static int sides_init(struct sides *sides, const struct trace *trace)
{
	int any = 0;

	vec_each (&trace->events, at) {
		const struct event *event = *at;
		struct latency_side side;

		if (!latency_side_of(&side, trace, event))
			continue;
		if (!sides->at) {
			sides->at = calloc(trace->nids, sizeof(*sides->at));
			sides->n = trace->nids;
		}
		if (!sides->at)
			return -ENOMEM;
		sides->at[event->id] = side;
		any = 1;
	}
	return any;
}

static const struct latency_side *side_of(const struct latency *latency, const struct record *rec, uint16_t id)
{
	const struct sides *sides = &latency->files.at[rec->file];

	return id < sides->n && sides->at[id].call ? &sides->at[id] : NULL;
}

/* --- calls and returns -------------------------------------------------------------------------------------- */

/* Notes a call whose return will not come any more or was not recorded. Returns 0 or -ENOMEM. */
static int give_up(struct latency *latency, const struct task *task, const struct frame *frame)
{
	const struct record there = { .file = task->file, .buffer = task->buffer };

	latency->all++;
	if (latency->open.n >= MOST_OPEN)
		return 0;
	return vec_push(&latency->open, (struct latency_open){
						.event = frame->call,
						.ts = frame->ts,
						.pid = task->pid,
						.cpu = frame->cpu,
						.buffer = task->buffer,
						.file = task->file,
						.lost = losses_last(&latency->losses, &there) != frame->losses,
					});
}

/*
 * Gives up the frames that the stack pointer @sp has passed, which are deeper on the same stack. A frame that began with @sp itself is given up only if its
 * function, @again, is called there again. Returns 0 or -ENOMEM.
 */
static int drop_passed(struct latency *latency, struct task *task, uint64_t sp, const struct event *again)
{
	size_t first = task->stack.n, kept;
	int err = 0;

	/* Mostly, all but the last few began higher than @sp. */
	while (first > 0 && (first == task->stack.n || task->stack.at[first].outer <= sp))
		first--;
	kept = first;
	for (size_t i = first; i < task->stack.n; i++) {
		const struct frame *frame = &task->stack.at[i];

		if (latency_passed(frame->sp, sp) || (frame->sp == sp && frame->call == again))
			err = err ? err : give_up(latency, task, frame);
		else
			task->stack.at[kept++] = *frame;
	}
	task->stack.n = kept;
	return err;
}

static int on_call(struct latency *latency, struct task *task, const struct record *rec, const struct event *event, struct frame frame)
{
	int err = drop_passed(latency, task, frame.sp, event);

	frame.call = event;
	frame.ts = rec->ts;
	frame.cpu = rec->cpu;
	frame.outer = task->stack.n ? MIN(task->stack.at[task->stack.n - 1].sp, task->stack.at[task->stack.n - 1].outer) : UINT64_MAX;
	return err ? err : vec_push(&task->stack, frame);
}

/* A 32-bit program pops 4 bytes even if the kernel has 64 bits. */
bool latency_same_sp(bool popped, uint64_t call, uint64_t ret)
{
	return popped ? ret - call == 8 || ret - call == 4 : ret == call;
}

bool latency_passed(uint64_t call, uint64_t now)
{
	return call < now && now - call < SAME_STACK;
}

static int on_return(struct latency *latency, struct task *task, struct record *rec, const struct latency_side *side, struct frame now)
{
	const struct input *input = &latency->inputs->at[rec->file];

	for (size_t i = task->stack.n; i-- > 0;) {
		const struct frame frame = task->stack.at[i];

		if (frame.call != side->call || !latency_same_sp(side->popped, frame.sp, now.sp))
			continue;
		/* If events were lost, the return of this call may be lost, and the call of this return, too. Then the two may not belong together. */
		if (frame.losses == now.losses) {
			rec->flags |= RECORD_TIMED;
			rec->took = input_time(input, rec) - clock_time(&input->clock, frame.cpu, frame.ts);
		}
		memmove(&task->stack.at[i], &task->stack.at[i + 1], (task->stack.n - i - 1) * sizeof(frame));
		task->stack.n--;
		now.sp = frame.sp;
		break;
	}
	return drop_passed(latency, task, now.sp, NULL);
}

static int one(struct latency *latency, struct record *rec)
{
	const struct trace *trace = latency->files.at[rec->file].trace;
	const struct latency_side *side = NULL;
	struct task *task;
	struct frame now;

	if (losses_take(&latency->losses, rec, &now.losses))
		return -ENOMEM;
	if (!(rec->flags & RECORD_NODATA))
		side = side_of(latency, rec, record_id(trace, rec));
	if (!side || !field_get(&side->sp, rec->data, rec->size, trace->swap, &now.sp))
		return 0;
	task = task_of(&latency->tasks, rec, record_pid(trace, rec));
	if (!task)
		return -ENOMEM;
	task->pid = record_pid(trace, rec);
	task->file = rec->file;
	task->buffer = rec->buffer;
	if (side->leave)
		return on_return(latency, task, rec, side, now);
	return on_call(latency, task, rec, trace_event(trace, record_id(trace, rec)), now);
}

int latency_batch(struct latency *latency, struct batch *batch)
{
	int err = 0;

	for (size_t i = 0; !err && i < batch->n; i++)
		err = one(latency, &batch->records[i]);
	return err;
}

static int on_batch(struct stage *stage, struct batch *batch)
{
	return latency_batch(container_of(stage, struct latency, stage), batch);
}

static void on_free(struct stage *stage)
{
	latency_free(container_of(stage, struct latency, stage));
}

struct stage *latency_stage(struct latency *latency)
{
	latency->stage = (struct stage){ .batch = on_batch, .free = on_free };
	return &latency->stage;
}

static int by_time(const void *a, const void *b)
{
	const struct latency_open *x = a, *y = b;

	return ORDER(x->time, y->time);
}

int latency_end(struct latency *latency, const struct latency_open **first, size_t *n, uint64_t *all)
{
	int err = 0;

	vec_each (&latency->tasks.all, at) {
		struct task *task = *at;

		vec_each (&task->stack, frame)
			err = err ? err : give_up(latency, task, frame);
		task->stack.n = 0;
	}
	/* This is done only now, because --align-ts may have moved the clocks until now. */
	vec_each (&latency->open, open)
		open->time = clock_time(&latency->inputs->at[open->file].clock, open->cpu, open->ts);
	if (latency->open.n)
		qsort(latency->open.at, latency->open.n, sizeof(latency->open.at[0]), by_time);
	*first = latency->open.at;
	*n = latency->open.n;
	*all = latency->all;
	return err;
}

/* --- its life ----------------------------------------------------------------------------------------------- */

int latency_new(struct latency **out, const inputs_t *inputs)
{
	struct latency *latency = calloc(1, sizeof(*latency));
	int any = 0, err = latency ? 0 : -ENOMEM;

	*out = NULL;
	if (latency)
		latency->inputs = inputs;
	for (size_t i = 0; !err && i < inputs->n; i++) {
		struct sides sides = { .trace = inputs->at[i].trace };
		int ret = sides_init(&sides, sides.trace);

		any |= ret > 0;
		err = ret < 0 ? ret : vec_push(&latency->files, sides);
		if (err)
			free(sides.at);
	}
	if (!err && any) {
		latency->tasks.size = sizeof(struct task);
		losses_init(&latency->losses, false);
		*out = latency;
		return 0;
	}
	latency_free(latency);
	return err;
}

static void fini_task(void *state)
{
	vec_fini(&((struct task *)state)->stack);
}

void latency_free(struct latency *latency)
{
	if (!latency)
		return;
	vec_each (&latency->files, sides)
		free(sides->at);
	vec_fini(&latency->files);
	tasks_fini(&latency->tasks, fini_task);
	losses_fini(&latency->losses);
	vec_fini(&latency->open);
	free(latency);
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/timed-inside.h"

/* These functions leave the CPU themselves and come back later. __cond_resched() does so only sometimes, and then it has called something. */
static const char *const leaving[] = { "schedule", "schedule_idle", "schedule_rtlock", "preempt_schedule", "preempt_schedule_notrace", "preempt_schedule_irq",
				       "preempt_schedule_common", "__schedule", "__cond_resched",
				       /*
				        * The next functions do not leave the CPU themselves. But a task that waits in one of them does nothing else until it
				        * returns.
				        */
				       "io_schedule", "io_schedule_timeout", "schedule_timeout" };
enum { SOMETIMES = ARRAY_LEN(leaving) - 4 };
/*
 * function_graph records the address at which a function calls the tracer. This call is behind the function's first instructions: behind endbr64 with
 * CONFIG_X86_KERNEL_IBT, behind bti and a nop on arm64, behind the global entry on ppc64. So it is less than this many bytes behind the symbol's address.
 */
enum { CALL_SITE = 32 };
_Static_assert(ARRAY_LEN(leaving) == TIMED_LEAVING, "one for each");

static inline struct timed_call *call_of(const struct timed *timed, struct call_frame *frame)
{
	return call_frame_of(&timed->user, frame);
}

struct timed_call *timed_call_of(const struct timed *timed, struct call_frame *frame)
{
	return call_of(timed, frame);
}

const struct calls_user *timed_user(const struct timed *timed)
{
	return &timed->user;
}

/* --- tasks of all buffers --------------------------------------------------------------------------------------------- */

static int64_t person_index(struct timed *timed, unsigned int file, int pid, unsigned int cpu)
{
	int64_t i = keys_index(&timed->keys, (struct key){ file, (uint64_t)pid, pid ? 0 : cpu + 1 });

	if (i == (int64_t)timed->persons.n && vec_push(&timed->persons, (struct timed_person){ .pid = pid, .file = (uint8_t)file }))
		return -ENOMEM;
	return i;
}

static int on_task(void *ctx, struct call_task *task)
{
	struct timed *timed = ctx;
	struct timed_task *mine = call_task_of(&timed->user, task);
	int64_t i = person_index(timed, task->file, task->pid, task->idle_cpu);

	if (i < 0)
		return (int)i;
	mine->person = (uint32_t)i;
	mine->losses = timed->losses;
	return task->aside ? vec_push(&timed->persons.at[i].asides, task) : vec_push(&timed->persons.at[i].tasks, task);
}

/* --- interrupts -------------------------------------------------------------------------------------------------------- */

/*
 * Is @frame, which may be NULL, a call of a hard interrupt, or was it made by one, directly or by other calls? The kernel runs soft interrupts when a hard
 * interrupt ends, and then the flags of the functions in between say neither hardirq nor softirq.
 */
static bool in_hard_irq(const struct timed *timed, const struct call_task *task, struct call_frame *frame)
{
	/* If events were lost, nobody knows whether the hard interrupt still goes on. */
	for (; frame && !frame->gap && !call_of(timed, frame)->cut; frame = call_caller(task, frame))
		if (frame->irq >= CALL_IN_HARDIRQ || call_of(timed, frame)->irq)
			return frame->irq >= CALL_IN_HARDIRQ;
	return false;
}

/* Does a call or a handler in the context @irq interrupt @below, which may be NULL? A soft interrupt never interrupts a hard one, but can be called by it. */
static inline bool interrupts(const struct timed *timed, const struct call_task *task, struct call_frame *below, enum call_irq irq)
{
	return unlikely(irq > (below ? below->irq : 0)) && (irq != CALL_IN_SOFTIRQ || !in_hard_irq(timed, task, below));
}

/*
 * An interrupt handler begins or ends on top of the task. Its time counts as interrupt time of the innermost call. It does not if the innermost call is one
 * of the interrupt itself, because then the interrupt's functions are recorded and their times count. Returns 0 or -errno.
 */
static int on_handler(struct timed *timed, struct call_task *task, struct handler_run *run)
{
	const enum call_irq level = run->soft ? CALL_IN_SOFTIRQ : CALL_IN_HARDIRQ;
	struct timed_person *person = &timed->persons.at[((struct timed_task *)call_task_of(&timed->user, task))->person];

	int err = 0;

	vec_each (&person->tasks, at) {
		struct call_task *exec = timed_exec_of(*at);
		bool on_top = timed_handler_on(timed, *at, run, (*at)->depth && (*at)->in_ns && interrupts(timed, *at, call_top(*at), level));

		on_top |= exec && timed_handler_on(timed, exec, run, interrupts(timed, exec, call_top(exec), level));
		run->counted |= *at == task && on_top;
	}
	if (timed->watch && timed->watch->handler)
		err = timed->watch->handler(timed->watch->ctx, task, run);
	return err ? err : timed_handler_beside(timed, person, run);
}

static int on_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct timed *timed = ctx;
	struct timed_input *in = &timed->inputs.at[rec->file];
	struct handler_run run;
	int err = handlers_record(timed->handlers, event, rec, &run);
	struct sched_fact fact;
	enum sched_kind kind;

	if (err < 0)
		return err;
	if (err) {
		in->handling |= timed_buffer_bit(rec->buffer);
		return on_handler(timed, task, &run);
	}
	kind = sched_kind_told(&in->events, event);
	if (kind >= SCHED_MIGRATE || !sched_read(&in->events, kind, rec, &fact))
		return 0;
	in->telling |= timed_buffer_bit(rec->buffer);
	return kind == SCHED_SWITCH ? timed_on_switch(timed, in, &fact, rec) : timed_on_wakeup(timed, in, kind, &fact, rec);
}

/* --- calls --------------------------------------------------------------------------------------------------------------- */

/* Notes whether the call is the outermost one of an interrupt, and whether the file tells of interrupts. */
static inline void note_irq(struct timed *timed, struct call_task *task, struct call_frame *caller, struct call_frame *frame)
{
	struct timed_call *call = call_of(timed, frame);

	call->irq = interrupts(timed, task, caller, frame->irq);
	call->told = call->irq && timed_handled(timed, task, caller);
	timed->inputs.at[task->file].irq |= frame->source == CALL_SOURCE_GRAPH || call->irq;
}

static int on_enter(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec)
{
	struct timed *timed = ctx;
	struct timed_call *call = call_of(timed, frame);
	struct call_frame *caller = call_caller(task, frame);
	struct timed_task *mine = call_task_of(&timed->user, task);

	if (unlikely(task->aside))
		memset(mine->handlers, 0, sizeof(mine->handlers));
	note_irq(timed, task, caller, frame);
	call->cut = frame->cut != 0;
	if (unlikely(timed->open) && timed_begins_in_gap(timed, task, frame->cpu)) {
		call->cut = true;
		frame->gap = frame->ns;
	}
	return 0;
}

/* May this be the address of one of the functions that leave the CPU? The kernel keeps nearly all of them in one place, so the range is small. */
static inline bool may_leave(const struct timed_input *in, uint64_t func)
{
	return func >= in->leaving_first && func < in->leaving_last + CALL_SITE;
}

size_t timed_leaving(const struct timed_input *in, const struct call_frame *frame)
{
	size_t i = 0;

	if (likely(!may_leave(in, frame->func) || !frame->func || !call_has_address(frame->source)))
		return TIMED_LEAVING;
	while (i < TIMED_LEAVING && (!in->leaving[i] || frame->func - in->leaving[i] >= CALL_SITE))
		i++;
	return i;
}

static bool leaves_cpu(const struct timed_input *in, const struct call_frame *frame, const struct call_times *times)
{
	const size_t i = timed_leaving(in, frame);

	return unlikely(i < SOMETIMES) || unlikely(i == SOMETIMES && times->callees);
}

bool timed_schedules(const struct timed *timed, const struct call_task *task, const struct call_frame *frame)
{
	return leaves_cpu(&timed->inputs.at[task->file], frame, &(struct call_times){ 0 });
}

bool timed_rescheduled(const struct timed *timed, const struct call_task *task, struct call_frame *frame)
{
	return unlikely(timed_leaving(&timed->inputs.at[task->file], frame) == SOMETIMES) && call_of(timed, frame)->times.callees;
}

/* If there is no sched_switch, the self time of a function that leaves the CPU is taken for time off the CPU. */
static inline void guess_off(struct timed *timed, const struct call_task *task, const struct call_frame *frame, struct call_times *times)
{
	struct timed_input *in = &timed->inputs.at[task->file];

	if (likely(in->has_switch || !leaves_cpu(in, frame, times)))
		return;
	times->off = times->guessed = times->self;
	times->self = 0;
	in->guessed = true;
}

/* This is time that was spent on top of a call and belongs to the total of the call's caller, but not to the call's own total. */
struct beside {
	uint64_t callees, irq;
};

/*
 * Completes the times of a call. What was spent neither in callees, nor in interrupts, nor off the CPU, is the call's own time. It is at least 0, even if
 * clocks differ a little. An interrupt may come when the kernel has recorded the entry of the call but does not measure its time yet, or no longer does.
 * Then the call's records are further apart than its total. This time is in the total of the caller only, and is returned.
 */
static struct beside complete(struct timed *timed, const struct call_task *task, const struct call_frame *frame, const struct call_end *end,
			      struct call_times *times)
{
	const uint64_t apart = task->in_ns ? end->ns - MIN(end->ns, frame->ns) : 0, room = apart - MIN(apart, times->total);
	uint64_t left = times->total - MIN(times->total, times->callees);
	struct beside beside = { .callees = MIN(times->callees + left - times->total, room) };

	if (unlikely(times->irq > left))
		beside.irq = MIN(times->irq, room - beside.callees);
	times->callees = times->total - left;
	times->irq = MIN(times->irq - beside.irq, left);
	left -= times->irq;
	if (unlikely(times->off > left)) {
		times->preempted = MIN(times->preempted, left);
		times->queued = MIN(times->queued, left - times->preempted);
		times->blocked = MIN(times->blocked, left - times->preempted - times->queued);
		times->off = left;
	}
	times->self = left - times->off;
	guess_off(timed, task, frame, times);
	return beside;
}

static void cut_callers(struct timed *timed, struct call_task *task, const struct call_frame *frame)
{
	struct call_frame *caller;

	((struct timed_task *)call_task_of(&timed->user, task))->doubts++;
	for (; (caller = call_caller(task, frame)); frame = caller)
		timed_call_of(timed, caller)->cut = true;
}

static uint64_t spent_below(const struct call_times *times)
{
	return times->callees + times->irq + times->off;
}

/*
 * Returns how long an incomplete call took at least: from its entry to where it is given up, or as long as the known time below it if that is longer. After
 * events may have been lost, it is not known whether the call was still open.
 */
static uint64_t at_least(const struct call_task *task, const struct call_frame *frame, const struct timed_call *call, const struct call_end *end)
{
	const uint64_t until = frame->gap ? MIN(frame->gap, end->ns) : end->ns, seen = task->in_ns && until > frame->ns ? until - frame->ns : 0;

	return MAX(end->duration != CALL_UNKNOWN ? end->duration : seen, call->at_least + spent_below(&call->times));
}

/* Returns where it is noted what came before the entry of the next call of @caller. @caller is NULL for the outermost call of the task. */
static struct timed_early *early_of(const struct timed *timed, struct call_task *task, struct call_frame *caller)
{
	return caller ? &call_of(timed, caller)->early : &((struct timed_task *)call_task_of(&timed->user, task))->early;
}

/*
 * The function @frame of an interrupt has ended, and on_leave() adds its times to those of its caller. Notes this if they may belong to the next call of the
 * caller. @beside is what complete() has returned for @frame.
 */
static void note_early(const struct timed *timed, struct call_task *task, struct call_frame *frame, const struct beside *beside)
{
	const struct timed_call *call = call_of(timed, frame);
	struct call_frame *caller = call_caller(task, frame);
	struct timed_early *early = early_of(timed, task, caller);
	const uint64_t callees = call->times.total + beside->callees;

	if (call->cut || call->told || (caller && (caller->over || caller->gap)))
		return;
	if (!(early->callees | early->irq))
		early->since = frame->ns;
	early->callees += call->irq ? 0 : callees;
	early->irq += beside->irq + (call->irq ? callees : 0);
}

/*
 * The call @frame has ended and took @total, CALL_UNKNOWN if it is cut. An interrupt that came before the record of its entry is inside of its measured time if
 * this time is longer than the time between its records, by the time of the interrupt at least. Then this moves the times of the interrupt from the caller to
 * the call.
 */
static void take_early(const struct timed *timed, struct call_task *task, struct call_frame *frame, const struct call_end *end, uint64_t total)
{
	struct call_frame *caller = call_caller(task, frame);
	struct timed_early *early = early_of(timed, task, caller);
	/* The record of a leaf's exit is not at hand. */
	const uint64_t apart = end->leaf ? 0 : end->ns - MIN(end->ns, frame->ns), sum = early->callees + early->irq;
	/* The call cannot have begun before this. */
	const uint64_t earliest = frame->ns - MIN(frame->ns, total);

	if (total != CALL_UNKNOWN && task->in_ns && earliest <= early->since && total >= apart && total - apart >= sum) {
		call_of(timed, frame)->times.callees += early->callees;
		call_of(timed, frame)->times.irq += early->irq;
		if (caller) {
			call_of(timed, caller)->times.callees -= early->callees;
			call_of(timed, caller)->times.irq -= early->irq;
		}
	}
	*early = (struct timed_early){ 0 };
}

/* Did functions of an interrupt come before the entry of a call of @caller, which may be NULL? */
static inline bool has_early(const struct timed *timed, struct call_task *task, struct call_frame *caller)
{
	const struct timed_early *early = early_of(timed, task, caller);

	return unlikely(early->callees | early->irq);
}

/* Returns the part of the time off the CPU in the call @frame and below it that the durations of the calls do not include. The call is being left. */
static inline uint64_t unmeasured_of(struct timed *timed, const struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct timed_input *in = &timed->inputs.at[task->file];
	const struct timed_call *call = call_of(timed, frame);
	const bool guess = !in->has_switch && leaves_cpu(in, frame, &call->times);

	return likely(!(call->times.off | call->times.total) && !guess) ? 0 : timed_unmeasured(in, task, frame, call, end, guess);
}

static int on_leave(void *ctx, struct call_task *task, struct call_frame *frame, const struct call_end *end)
{
	struct timed *timed = ctx;
	struct timed_call *call = call_of(timed, frame), *outer;
	struct call_frame *caller = call_caller(task, frame);
	struct beside beside = { 0 };
	uint64_t unmeasured, took;

	call->cut |= end->cut;
	call->timeless = !call->cut && end->duration == CALL_UNKNOWN;
	call->cut |= call->timeless;
	/* The exit of this call was lost, and exits of other calls of the task may be lost, too. */
	if (unlikely(end->cut & CALL_LOSS && end->cut & CALL_NO_EXIT))
		cut_callers(timed, task, frame);
	if (call->cut)
		call->at_least = at_least(task, frame, call, end);
	unmeasured = unmeasured_of(timed, task, frame, end);
	call->times.total = call->cut ? 0 : end->duration + (frame->source == CALL_SOURCE_GRAPH ? unmeasured : 0);
	if (!frame->early && has_early(timed, task, caller))
		take_early(timed, task, frame, end, call->cut ? CALL_UNKNOWN : call->times.total);
	if (!call->cut)
		beside = complete(timed, task, frame, end, &call->times);
	if (unlikely(frame->early))
		note_early(timed, task, frame, &beside);
	if (!caller)
		return 0;
	outer = call_of(timed, caller);
	/* Since the gap, the caller may be another call. If its exit does not show that it is the same one, its own times do not count. */
	if (outer->cut && caller->gap)
		return 0;
	/* The time off the CPU in an interrupt has been added already: see timed_call.away. */
	outer->times.total += unmeasured - MIN(unmeasured, call->away);
	took = call->times.total;
	/* The caller may have ended while this call was open. The time after that is not the caller's. */
	if (unlikely(caller->over && end->ns > caller->end.ns))
		took -= MIN(took, end->ns - caller->end.ns);
	if (call->cut) {
		outer->at_least += caller->over ? 0 : call->at_least - spent_below(&call->times);
		timed_add_cut(&outer->times, call);
	} else if (call->irq) {
		outer->times.irq += call->told ? 0 : took - MIN(took, call->away) + beside.callees + beside.irq;
	} else {
		outer->times.callees += took + beside.callees;
		outer->times.irq += beside.irq;
	}
	return 0;
}

/* A leaf call has no callees and is complete: see leaf() of struct calls_ops. */
static int on_leaf(void *ctx, struct call_task *task, struct call_frame *frame, __unused const struct record *rec, const struct call_end *end)
{
	struct timed *timed = ctx;
	struct timed_call *call = call_of(timed, frame);
	struct call_frame *caller = call_caller(task, frame);
	struct call_times *outer;

	note_irq(timed, task, caller, frame);
	call->times.total = call->times.self = end->duration;
	if (has_early(timed, task, caller)) {
		take_early(timed, task, frame, end, end->duration);
		call->times.self -= call->times.callees + call->times.irq;
	}
	guess_off(timed, task, frame, &call->times);
	if (!caller)
		return 0;
	outer = &call_of(timed, caller)->times;
	if (unlikely(call->irq))
		outer->irq += call->told ? 0 : end->duration;
	else
		outer->callees += end->duration;
	return 0;
}

/* Takes in a leaf call that has no frame. Returns 1 if it needs a frame, because the function may leave the CPU, or because an interrupt came before. */
static int on_brief(void *ctx, struct call_task *task, struct call_frame *caller, const struct call_brief *brief)
{
	struct timed *timed = ctx;
	struct timed_input *in = &timed->inputs.at[task->file];

	in->irq = true;
	if (unlikely(may_leave(in, brief->func)) || has_early(timed, task, caller))
		return 1;
	call_of(timed, caller)->times.callees += brief->duration;
	return 0;
}

static const struct calls_ops ops = { .task = on_task,
				      .enter = on_enter,
				      .leaf = on_leaf,
				      .brief = on_brief,
				      .leave = on_leave,
				      .gap = timed_gap,
				      .execs = timed_execs,
				      .seen = timed_seen,
				      .other = on_other };

/* --- its life ------------------------------------------------------------------------------------------------------------ */

static void find_leaving(struct timed_input *in)
{
	symbols_addresses(in->input->trace->symbols, leaving, ARRAY_LEN(leaving), in->leaving);
	for (size_t i = 0; i < ARRAY_LEN(leaving); i++) {
		if (!in->leaving[i])
			continue;
		in->leaving_first = in->leaving_first ? MIN(in->leaving_first, in->leaving[i]) : in->leaving[i];
		in->leaving_last = MAX(in->leaving_last, in->leaving[i]);
	}
}

int timed_new(struct timed **out, struct calls *calls, const inputs_t *inputs)
{
	struct timed *timed = calloc(1, sizeof(*timed));
	int err = timed ? 0 : -ENOMEM;

	if (err)
		return err;
	*timed = (struct timed){
		.user = { .ops = &ops, .ctx = timed, .frame_size = sizeof(struct timed_call), .task_size = sizeof(struct timed_task), .all_cpus = true },
		.calls = calls,
		.streams.size = sizeof(struct timed_stream),
		.buffers.size = sizeof(struct timed_buffer),
		.cpus.size = sizeof(struct timed_cpu),
	};
	vec_each (inputs, input) {
		struct timed_input in = { .input = input };

		sched_events_find(&in.events, input);
		find_leaving(&in);
		err = err ? err : vec_push(&timed->inputs, in);
	}
	err = err ? err : handlers_new(&timed->handlers, inputs);
	err = err ? err : calls_add(calls, &timed->user);
	if (err)
		timed_free(timed);
	else
		*out = timed;
	return err;
}

void timed_free(struct timed *timed)
{
	if (!timed)
		return;
	vec_each (&timed->persons, person) {
		vec_fini(&person->tasks);
		vec_fini(&person->asides);
	}
	vec_fini(&timed->persons);
	keys_fini(&timed->keys);
	whole_fini(&timed->whole);
	handlers_free(timed->handlers);
	vec_fini(&timed->inputs);
	streams_fini(&timed->streams, NULL);
	streams_fini(&timed->buffers, NULL);
	streams_fini(&timed->cpus, NULL);
	free(timed);
}

uint32_t timed_person_at(struct timed *timed, const struct record *rec, int pid)
{
	int64_t i = person_index(timed, rec->file, pid, rec->cpu);

	return i < 0 ? UINT32_MAX : (uint32_t)i;
}

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the times of calls that stand beside the stack of a task (lib/analysis/timed.h). The task executes such a call or waits for it. Each loss cuts these
 * calls. It also finds the times of a call of execve whose task has got another pid.
 */
#include "lib/analysis/call-source.h"
#include "lib/analysis/timed-inside.h"

bool timed_shares(struct call_task *place)
{
	return place->part >= CALL_OF_TASK && place->depth && place->in_ns;
}

static void add_off(const struct timed *timed, struct call_frame *frame, const struct sched_took *took)
{
	struct call_times *times = &timed_call_of(timed, frame)->times;

	times->off += took->off;
	times->preempted += took->preempted;
	times->blocked += took->blocked;
	times->queued += took->queued;
}

void timed_add_off(struct timed *timed, struct call_task *task, const struct sched_took *took)
{
	add_off(timed, call_top(task), took);
}

/* A task that runs a soft interrupt, as it can with PREEMPT_RT, was off the CPU. So the interrupted call was off the CPU, too. */
static void charge_interrupted(struct timed *timed, struct call_task *task, const struct sched_took *took)
{
	struct call_frame *frame = call_top(task), *below;

	while (frame && !timed_call_of(timed, frame)->irq)
		frame = call_caller(task, frame);
	below = frame ? call_caller(task, frame) : NULL;
	if (frame)
		timed_call_of(timed, frame)->away += took->off;
	if (below)
		add_off(timed, below, took);
}

void timed_add_cut(struct call_times *outer, const struct timed_call *call)
{
	const struct call_times *times = &call->times;
	const uint64_t told = call->away - MIN(call->away, times->off);

	outer->callees += times->callees - MIN(times->callees, told);
	outer->irq += times->irq;
	if (call->away)
		return;
	outer->off += times->off;
	outer->blocked += times->blocked;
	outer->preempted += times->preempted;
	outer->queued += times->queued;
}

void timed_charge(struct timed *timed, const struct timed_person *person, const struct sched_took *took)
{
	vec_each (&person->tasks, task) {
		struct call_task *exec = timed_exec_of(*task);

		if ((*task)->depth && (*task)->in_ns) {
			timed_add_off(timed, *task, took);
			if (unlikely(call_top(*task)->irq))
				charge_interrupted(timed, *task, took);
		}
		if (exec)
			timed_add_off(timed, exec, took);
	}
}

/* Adds the part of the time off the CPU that lies between @from and @now to the innermost call of @place. */
static void add_since(struct timed *timed, struct call_task *place, struct sched_off off, uint64_t from, uint64_t now)
{
	const uint64_t woken = sched_off_woken(&off);
	struct sched_took took;

	off.since = MIN(MAX(off.since, from), now);
	off.is_woken = woken != 0;
	off.woken = MAX(woken, off.since);
	if (sched_off_end(&off, now, &took))
		timed_add_off(timed, place, &took);
}

/*
 * If others began the call for the task (CALL_FOR_TASK), the records need not show how the task left its CPU. It was off the CPU in any case. Until it was
 * woken it was asleep, and since then it waited for a CPU.
 */
void timed_charge_beside(struct timed *timed, const struct timed_person *person, const struct sched_off *was, uint64_t now)
{
	vec_each (&person->asides, place) {
		struct sched_off off = *was;
		const uint64_t from = timed_shares(*place) ? call_top(*place)->ns : 0;

		if (!timed_shares(*place) || from > now)
			continue;
		if (off.why == SCHED_NOT_OFF)
			off = (struct sched_off){ .why = SCHED_ASLEEP, .since = from, .is_woken = person->woken, .woken = person->woken };
		if (was->why == SCHED_NOT_OFF && (*place)->part != CALL_FOR_TASK)
			timed_cut(timed, *place, from);
		else
			add_since(timed, *place, off, from, now);
	}
}

struct call_task *timed_exec_of(const struct call_task *task)
{
	struct call_task *exec = task->exec;

	if (likely(!exec) || !exec->in_ns)
		return NULL;
	for (size_t i = 0; i < exec->depth; i++)
		if (call_at(exec, i)->level == CALL_LEVEL_SYSCALL && !call_at(exec, i)->over)
			return exec;
	return NULL;
}

/* The calls that stand beside the stack of @task now (call_move_aside()) go on under its pid. @from and @to are the persons. Returns 0 or -ENOMEM. */
static int move_asides(struct timed *timed, const struct call_task *task, uint32_t from, uint32_t to)
{
	struct timed_person *old = &timed->persons.at[from];

	for (size_t i = 0; i < old->asides.n;) {
		struct call_task *place = old->asides.at[i];

		if (place->beside != task) {
			i++;
			continue;
		}
		if (vec_push(&timed->persons.at[to].asides, place))
			return -ENOMEM;
		((struct timed_task *)call_task_of(&timed->user, place))->person = to;
		old->asides.at[i] = old->asides.at[--old->asides.n];
	}
	return 0;
}

/* The thread is where it was under its earlier pid, and what was lost of it was lost under that one. */
int timed_execs(void *ctx, struct call_task *task, struct call_task *old, uint16_t cpu)
{
	struct timed *timed = ctx;
	struct timed_task *mine = call_task_of(&timed->user, task), *theirs = call_task_of(&timed->user, old);
	int err = timed_seen(timed, old, cpu);

	mine->losses = theirs->losses;
	mine->doubts = theirs->doubts;
	timed->persons.at[mine->person].off = timed->persons.at[theirs->person].off;
	return err ? err : move_asides(timed, task, theirs->person, mine->person);
}

bool timed_handler_on(struct timed *timed, struct call_task *task, const struct handler_run *run, bool outside)
{
	struct timed_task *mine = call_task_of(&timed->user, task);
	uint8_t *on = outside ? &mine->handlers[MIN(call_top(task)->irq, (uint8_t)CALL_IN_SOFTIRQ)] : NULL;
	const bool on_top = outside || mine->handlers[CALL_IN_TASK] || mine->handlers[CALL_IN_SOFTIRQ];

	if (run->ends && on && *on == run->depth + 1)
		timed_call_of(timed, call_top(task))->times.irq += run->took;
	/*
	 * A handler that interrupts another handler takes no time from the call below. But the other handler may itself have open calls, and this handler
	 * may have interrupted one of them.
	 */
	for (size_t i = 0; i < ARRAY_LEN(mine->handlers); i++)
		if (!run->depth || mine->handlers[i] == run->depth + 1)
			mine->handlers[i] = 0;
	if (!run->ends && on && !*on)
		*on = run->depth + 1;
	return on_top;
}

int timed_handler_beside(struct timed *timed, const struct timed_person *person, const struct handler_run *run)
{
	int err = 0;

	vec_each (&person->asides, place) {
		struct handler_run beside = *run;

		beside.counted = timed_handler_on(timed, *place, run, timed_shares(*place));
		if (!err && timed_shares(*place) && timed->watch && timed->watch->handler)
			err = timed->watch->handler(timed->watch->ctx, *place, &beside);
	}
	return err;
}

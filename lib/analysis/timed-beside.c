/* SPDX-License-Identifier: GPL-2.0 */
/* The times of calls that stand beside the stack of their task, but are what it does or waits for (lib/analysis/timed.h). Each loss cuts them. */
#include "lib/analysis/call-source.h"
#include "lib/analysis/timed-inside.h"

bool timed_shares(struct call_task *place)
{
	return place->part != CALL_BESIDE && place->depth && place->in_ns;
}

void timed_add_off(struct timed *timed, struct call_task *task, const struct sched_took *took)
{
	struct call_times *times = &timed_call_of(timed, call_top(task))->times;

	times->off += took->off;
	times->preempted += took->preempted;
	times->blocked += took->blocked;
	times->queued += took->queued;
}

/* Adds that part of the time off, up to @now, which is not before @from. */
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
 * The same of the calls beside it. Of one that others began, nobody need have seen how the task left its CPU: it was off it in any case, asleep or
 * waiting, and since its waking it waited.
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

/* The same of a call of this task. Is the handler's time that call's irq? */
bool timed_handler_on(struct timed *timed, struct call_task *task, const struct handler_run *run, bool outside)
{
	struct timed_task *mine = call_task_of(&timed->user, task);
	uint8_t *on = outside ? &mine->handlers[MIN(call_top(task)->irq, (uint8_t)CALL_IN_SOFTIRQ)] : NULL;
	const bool on_top = outside || mine->handlers[CALL_IN_TASK] || mine->handlers[CALL_IN_SOFTIRQ];

	if (run->ends && on && *on == run->depth + 1)
		timed_call_of(timed, call_top(task))->times.irq += run->took;
	/* Whoever interrupts another handler takes none of the time of the call below, but may have interrupted a call of that handler. */
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

/* SPDX-License-Identifier: GPL-2.0 */
/* Takes in the scheduler's events for lib/analysis/timed.h: when tasks are off the CPU, and why. */
#include "lib/analysis/timed-inside.h"

/*
 * May the person, since it left its CPU, have been on a CPU whose events of that time are lost? An idle task stays on one CPU. Returns true when memory runs
 * out, too.
 */
static bool is_unseen(struct timed *timed, const struct timed_person *person, const struct record *rec)
{
	const struct timed_stream *stream = stream_of(&timed->streams, rec);
	const struct timed_buffer *buffer = timed_buffer_of(timed, rec);

	if (!person->pid)
		return !stream || stream->until > person->off.since;
	return !buffer || buffer->open || buffer->until > person->off.since;
}

/*
 * Is the person's innermost call in all buffers a function that does nothing but wait? Then its calls need not be cut after a loss. Its exit will show
 * whether it is still the same call, and if it is not, its callers are cut with it.
 */
static bool only_waits(const struct timed *timed, const struct timed_person *person)
{
	const struct timed_input *in = &timed->inputs.at[person->file];
	bool waits = false;

	vec_each (&person->tasks, task) {
		const struct call_frame *top = (*task)->depth ? call_top(*task) : NULL;
		const bool found = top && timed_leaving(in, top) < TIMED_LEAVING;

		if (top && !found)
			return false;
		waits |= found;
	}
	return waits;
}

/* The person may have been where events were lost since @ns, or may be there now. This cuts its calls, or marks them as open before a gap if it only waits. */
static void doubt(struct timed *timed, struct timed_person *person, uint64_t ns)
{
	const bool waits = only_waits(timed, person);

	vec_each (&person->tasks, task) {
		if (waits)
			call_gap(*task, ns);
		else
			timed_cut(timed, *task, ns);
	}
	if (!waits)
		person->off = (struct sched_off){ 0 };
}

/* The person @nr gets the CPU of @rec. Its time off the CPU ends. */
static void comes(struct timed *timed, uint32_t nr, const struct record *rec, uint64_t now)
{
	struct timed_person *person = &timed->persons.at[nr];
	const struct sched_off was = person->off;
	struct sched_took took;

	if (was.why != SCHED_NOT_OFF && timed->losses && is_unseen(timed, person, rec))
		doubt(timed, person, was.since);
	timed_charge_beside(timed, person, &was, now);
	person->woken = 0;
	if (sched_off_end(&person->off, now, &took))
		timed_charge(timed, person, &took);
	/* The record of its switch-out was lost, so nobody knows how long it was off the CPU. */
	else if (was.why == SCHED_NOT_OFF)
		vec_each (&person->tasks, task)
			timed_cut(timed, *task, was.since);
	vec_each (&person->tasks, task) {
		const struct record there = { .file = rec->file, .buffer = (*task)->buffer, .cpu = rec->cpu };
		const struct timed_stream *stream = timed->open ? stream_of(&timed->streams, &there) : NULL;

		/* The task is on this CPU now, although its next record is yet to come. If events are lost here until then, its calls are cut. */
		(*task)->cpu = rec->cpu;
		((struct timed_task *)call_task_of(&timed->user, *task))->losses = timed->losses;
		if (stream && stream->open)
			timed_cut(timed, *task, now);
	}
}

/* Notes which tasks the switch is from and to, to find out which tasks lack switches. @last is the last switch of the CPU. Returns 0 or -ENOMEM. */
static int note_whole(struct timed *timed, const struct timed_switch *what, const struct timed_cpu *last)
{
	const int prev_pid = timed->persons.at[what->prev].pid, next_pid = timed->persons.at[what->next].pid;
	const uint32_t on = last->tellers ? last->next + 1 : 0;

	return whole_take(&timed->whole, &(struct whole_switch){ what->rec, on, what->prev, what->next, prev_pid, next_pid });
}

/*
 * Is this a switch that another buffer of the file has told already? Then nothing happens a second time. A buffer that tells the same switch once more tells
 * another switch, because events between the two were lost. Returns -ENOMEM when memory runs out.
 */
static int is_told_again(struct timed *timed, const struct timed_switch *what)
{
	struct timed_cpu *cpu = stream_of(&timed->cpus, &(struct record){ .file = what->rec->file, .cpu = what->rec->cpu });
	const uint64_t bit = timed_buffer_bit(what->rec->buffer);
	bool again;

	if (!cpu)
		return -ENOMEM;
	again = cpu->tellers && cpu->prev == what->prev && cpu->next == what->next && !(cpu->tellers & bit);
	if (!again && note_whole(timed, what, cpu))
		return -ENOMEM;
	*cpu = (struct timed_cpu){ .prev = what->prev, .next = what->next, .tellers = (again ? cpu->tellers : 0) | bit };
	return again;
}

int timed_on_switch(struct timed *timed, struct timed_input *in, const struct sched_fact *fact, const struct record *rec)
{
	struct timed_switch what = { .rec = rec,
				     .ns = input_time(in->input, rec),
				     .prev = timed_person_at(timed, rec, fact->pid),
				     .next = timed_person_at(timed, rec, fact->next),
				     .why = fact->state.runnable ? SCHED_RUNNABLE : SCHED_ASLEEP,
				     .dead = fact->state.dead };
	int err = what.prev == UINT32_MAX || what.next == UINT32_MAX ? -ENOMEM : is_told_again(timed, &what);
	struct timed_person *prev;

	if (err < 0)
		return err;
	what.again = err;
	err = timed->watch && timed->watch->switched ? timed->watch->switched(timed->watch->ctx, &what) : 0;
	err = err || what.again ? err : handlers_switched(timed->handlers, rec, what.ns, fact->pid, fact->next);
	if (err || what.again)
		return err;
	if (input_in_ns(in->input, rec->buffer))
		in->has_switch = true;
	else
		in->ticks = true;
	comes(timed, what.next, rec, what.ns);
	prev = &timed->persons.at[what.prev];
	sched_off_begin(&prev->off, &fact->state, what.ns);
	/* The task is off the CPU now, and may come to a CPU whose events are being lost. */
	if (unlikely(timed->open) && fact->pid && is_unseen(timed, prev, rec) && !only_waits(timed, prev))
		vec_each (&prev->tasks, task)
			timed_cut(timed, *task, what.ns);
	return 0;
}

int timed_on_wakeup(struct timed *timed, struct timed_input *in, enum sched_kind kind, const struct sched_fact *fact, const struct record *rec)
{
	struct timed_wakeup what = { .rec = rec,
				     .ns = input_time(in->input, rec),
				     .who = timed_person_at(timed, rec, fact->pid),
				     .waking = kind == SCHED_WAKING,
				     .is_new = kind == SCHED_WAKEUP_NEW };
	struct timed_person *person = what.who == UINT32_MAX ? NULL : &timed->persons.at[what.who];

	if (!person)
		return -ENOMEM;
	in->has_wakeup = true;
	in->waking |= timed_buffer_bit(rec->buffer);
	/* Two buffers may tell the same wakeup. */
	if (sched_off_ran_unseen(&person->off, kind) && in->waking == timed_buffer_bit(rec->buffer))
		doubt(timed, person, person->off.since);
	if (!person->woken)
		person->woken = what.ns;
	what.first = sched_off_wake(&person->off, kind, what.ns);
	return timed->watch && timed->watch->woken ? timed->watch->woken(timed->watch->ctx, &what) : 0;
}

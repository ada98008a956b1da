/* SPDX-License-Identifier: GPL-2.0 */
/* Tells consumers of lib/analysis/timed.h what is known about the times: which events the records have shown so far. Also has small accessors. */
#include "lib/analysis/timed-inside.h"

struct timed_facts timed_facts_of(const struct timed *timed, unsigned int file)
{
	const struct timed_input *in = &timed->inputs.at[file];

	return (struct timed_facts){
		.switches = in->has_switch,
		.wakeups = in->has_wakeup,
		/* What was guessed before the first switch is little, and is in call_times.guessed. */
		.guessed = in->guessed && !in->has_switch,
		.some = in->input->some_switches,
		.ticks = in->ticks,
		.handlers = in->handling != 0,
		.irq = (in->irq || in->handling) && !in->input->no_interrupts,
		.hidden = in->input->no_interrupts,
		.unmeasured = timed_has_unmeasured(in),
	};
}

struct timed_facts timed_facts(const struct timed *timed)
{
	struct timed_facts facts = { 0 };

	for (unsigned int file = 0; file < timed->inputs.n; file++) {
		const struct timed_facts its = timed_facts_of(timed, file);

		facts.switches |= its.switches;
		facts.some |= its.some;
		facts.ticks |= its.ticks;
		facts.wakeups |= its.wakeups;
		facts.guessed |= its.guessed;
		facts.handlers |= its.handlers;
		facts.irq |= its.irq;
		facts.unmeasured |= its.unmeasured;
		facts.hidden |= its.hidden;
	}
	return facts;
}

struct timed_facts timed_facts_both(const struct timed_facts *a, const struct timed_facts *b)
{
	const bool waits = timed_waits_known(a) && timed_waits_known(b);

	return (struct timed_facts){
		.switches = a->switches && b->switches,
		.wakeups = waits,
		.guessed = timed_off_known(a) && timed_off_known(b) && (a->guessed || b->guessed),
		.some = a->some || b->some,
		.ticks = a->ticks || b->ticks,
		.handlers = a->handlers && b->handlers,
		.irq = a->irq && b->irq,
		.unmeasured = a->unmeasured || b->unmeasured,
		.hidden = a->hidden || b->hidden,
	};
}

struct timed_facts timed_facts_least(const struct timed *timed)
{
	struct timed_facts facts = timed_facts_of(timed, 0);

	for (unsigned int file = 1; file < timed->inputs.n; file++) {
		const struct timed_facts its = timed_facts_of(timed, file);

		facts = timed_facts_both(&facts, &its);
	}
	return facts;
}

uint32_t timed_persons(const struct timed *timed)
{
	return (uint32_t)timed->persons.n;
}

const struct timed_person *timed_person(const struct timed *timed, uint32_t i)
{
	return &timed->persons.at[i];
}

uint32_t timed_person_of(const struct timed *timed, struct call_task *task)
{
	return ((struct timed_task *)call_task_of(&timed->user, task))->person;
}

void timed_watch(struct timed *timed, const struct timed_watch *watch)
{
	timed->watch = watch;
}

struct handlers *timed_handlers(const struct timed *timed)
{
	return timed->handlers;
}

bool timed_lacks(const struct timed *timed, uint32_t i)
{
	const struct timed_person *person = &timed->persons.at[i];

	return timed->inputs.at[person->file].has_switch && !whole_is(&timed->whole, person->file, i, person->pid);
}

/* Has the task or place had calls that are off the CPU when the task is? */
static bool has_calls(const struct call_task *task)
{
	return task->room && timed_depends(task);
}

uint64_t timed_find_lacking(struct timed *timed, unsigned int file, bool (*wanted)(void *ctx, struct call_task *task), void *ctx)
{
	uint64_t n = 0;

	whole_find(&timed->whole, (uint8_t)file);
	for (uint32_t i = 0; i < timed->persons.n; i++) {
		const struct timed_person *person = &timed->persons.at[i];
		bool found = false;

		if (person->file != file || !timed_lacks(timed, i))
			continue;
		vec_each (&person->tasks, task)
			found = found || (has_calls(*task) && (!wanted || wanted(ctx, *task)));
		vec_each (&person->asides, place)
			found = found || (has_calls(*place) && (!wanted || wanted(ctx, *place)));
		n += found;
	}
	return n;
}

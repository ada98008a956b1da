/* SPDX-License-Identifier: GPL-2.0 */
/* Lets tasks call functions, be interrupted, sleep, be woken and migrate, and writes what is recorded of this into pages. */
#include "tests/tools/machine/machine.h"
#include "lib/base/err.h"
#include "lib/base/io.h"

static uint64_t draw(struct plan *plan)
{
	uint64_t z = (plan->random += 0x9e3779b97f4a7c15ULL);

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ z >> 27) * 0x94d049bb133111ebULL;
	return z ^ z >> 31;
}

static bool chance(struct plan *plan, unsigned int of)
{
	return draw(plan) % of == 0;
}

/* --- time: ticks are kept, differences of ns are told -------------------------------------------------------- */

static uint64_t ns(const struct plan *plan, uint64_t ticks)
{
	return plan->tsc ? (uint64_t)((unsigned __int128)ticks * TSC_MULT >> TSC_SHIFT) : ticks;
}

static void pass_time(struct plan *plan)
{
	plan->now += (20 + draw(plan) % 100) << draw(plan) % 8;
}

/* The time since task->mark belongs to the innermost call: it ran, or its task was off the CPU. */
static void account(struct plan *plan, struct task *task)
{
	const uint64_t took = ns(plan, plan->now) - ns(plan, task->mark);
	struct call *top = task->depth ? &task->calls[task->depth - 1] : NULL;

	task->mark = plan->now;
	if (!top)
		return;
	if (task->on) {
		top->self += took;
		return;
	}
	top->off += took;
	if (task->preempted)
		top->preempted += took;
	else if (task->woken && task->waking_told) {
		top->queued += ns(plan, plan->now) - ns(plan, task->woken_at);
		top->blocked += took - (ns(plan, plan->now) - ns(plan, task->woken_at));
	}
}

/* --- records -------------------------------------------------------------------------------------------------- */

static void cut_all(struct task *task)
{
	for (unsigned int i = 0; i < task->depth; i++)
		task->calls[i].cut = true;
}

/* Does the buffer have switches? Then a lost event could have been a switch. */
static bool is_sched(const struct plan *plan, unsigned int buffer)
{
	return plan->switches && buffer == plan->two;
}

/* From now on events of the CPU are lost. This cuts the calls of the task that runs there, and of all tasks that could begin to run there unseen. */
static void begin_gap(struct plan *plan, unsigned int nr, unsigned int buffer)
{
	struct cpu *cpu = &plan->cpus[nr];

	cpu->gap[buffer].begins = false;
	cpu->gap[buffer].open = true;
	cut_all(cpu->current);
	if (!is_sched(plan, buffer))
		return;
	for (unsigned int i = 0; i < plan->ntasks; i++)
		if (!plan->tasks[i].on)
			cut_all(&plan->tasks[i]);
	cut_all(&cpu->idle);
}

static void begin_gaps(struct plan *plan)
{
	for (unsigned int i = 0; i < 2 * plan->ncpus; i++)
		if (plan->cpus[i / 2].gap[i % 2].begins)
			begin_gap(plan, i / 2, i % 2);
}

/* One task leaves the CPU and another one begins to run there. If events are being lost, this cuts their calls. */
static void switch_in_gaps(struct plan *plan, unsigned int nr, struct task *prev, struct task *next)
{
	bool open = false;

	for (unsigned int i = 0; i < plan->ncpus; i++)
		open |= plan->cpus[i].gap[plan->two].open;
	if (open && (prev->pid || plan->cpus[nr].gap[plan->two].open))
		cut_all(prev);
	if (plan->cpus[nr].gap[0].open || plan->cpus[nr].gap[1].open)
		cut_all(next);
}

void machine_write_page(struct cpu *cpu, unsigned int buffer)
{
	page_writer_end(&cpu->page[buffer]);
	if (io_write(cpu->fd[buffer], cpu->page[buffer].page, PAGE))
		exit(fail(ENOSPC, "cannot write the pages") != 0);
	cpu->size[buffer] += PAGE;
}

/* Writes the event with these values of its fields if it is recorded. Returns whether it is. */
static bool emit(struct plan *plan, enum event what, struct task *task, unsigned int nr, unsigned int level, const uint64_t values[4])
{
	const struct form *form = &plan->forms[what];
	struct cpu *cpu = &plan->cpus[nr];
	const unsigned int buffer = plan->two && (what == SWITCH || what == WAKING);
	struct gap *gap = &cpu->gap[buffer];
	uint8_t data[128] __attribute__((aligned(8))) = { 0 };
	struct record rec = { .ts = plan->now, .data = data, .size = form->size, .cpu = (uint16_t)nr };

	if (!plan->recording)
		return false;
	begin_gaps(plan);
	if (gap->losing) {
		gap->losing--;
		gap->lost++;
		return false;
	}
	memcpy(data, &form->id, 2);
	data[2] = level == IN_HARD ? 0x08 : level == IN_SOFT ? 0x10 : 0;
	memcpy(data + 4, &task->pid, 4);
	for (unsigned int i = 0; i < 4; i++)
		if (form->field[i].found)
			memcpy(data + form->field[i].offset, &values[i], form->field[i].size);
	if (what == HARD_IN) {
		const uint32_t where = form->size | 6U << 16;

		memcpy(data + form->field[1].offset, &where, 4);
		memcpy(data + form->size, "timer", 6);
		rec.size += 8;
	}
	if (gap->lost) {
		if (cpu->page[buffer].begun)
			machine_write_page(cpu, buffer);
		rec.flags = RECORD_LOST;
		rec.lost = gap->lost;
		*gap = (struct gap){ 0 };
	}
	while (!page_writer_add(&cpu->page[buffer], &rec))
		machine_write_page(cpu, buffer);
	if (plan->lose[buffer] && !plan->ending && chance(plan, (unsigned int)plan->lose[buffer])) {
		gap->begins = true;
		gap->losing = 1 + (unsigned int)(draw(plan) % 60);
	}
	return true;
}

/* --- calls ------------------------------------------------------------------------------------------------------ */

static struct figures *path_of(struct plan *plan, uint32_t parent, uint32_t func, uint32_t *out)
{
	map_entry(&plan->paths) entry = map_add(&plan->paths, (uint64_t)parent << 32 | func);

	if (!entry)
		exit(1);
	*out = (uint32_t)map_index(&plan->paths, entry) + 1;
	return &entry->value;
}

static void push(struct plan *plan, struct task *task, uint32_t func, unsigned int level, bool event)
{
	const struct call *caller = task->depth ? &task->calls[task->depth - 1] : NULL;
	const bool root = !caller || level > caller->level || caller->event;
	struct call call = { .func = func, .level = (uint8_t)level, .event = event, .begun = plan->now };

	account(plan, task);
	path_of(plan, root ? 0 : caller->path, func, &call.path);
	task->calls[task->depth] = call;
}

/* Adds a call to the open calls. Its record was written before, so that a gap which that record opens does not cut the call. */
static void pushed(struct plan *plan, struct task *task, bool told)
{
	struct call *call = &task->calls[task->depth];

	call->told = told;
	/* While the other buffer loses events, what happens to the call is not known. */
	call->cut = !told || plan->cpus[task->cpu].gap[1].open;
	task->depth++;
	task->graph += !call->event;
	plan->done += told;
}

/* Complete calls of this function took so long inside of the one that is over: it is a part of the next one further out, in the same tree. */
static void add_total(struct plan *plan, struct task *task, const struct call *call, uint64_t took)
{
	for (unsigned int i = task->depth; i-- > 0 && task->calls[i].level >= call->level;) {
		if (task->calls[i].func == call->func && !task->calls[i].cut) {
			task->calls[i].nested += took;
			return;
		}
	}
	plan->funcs[call->func].total += took;
}

static void add(struct figures *stat, const struct call *call, uint64_t took)
{
	stat->calls++;
	stat->self += call->self;
	stat->off += call->off;
	stat->blocked += call->blocked;
	stat->queued += call->queued;
	stat->preempted += call->preempted;
	stat->irq += call->irq;
	if (vec_push(&stat->took, took))
		exit(1);
}

/* The innermost call is over, which its exit tells, if that is recorded; or the recording has ended. */
static void pop(struct plan *plan, struct task *task, bool told)
{
	struct call *call = &task->calls[--task->depth], *caller = task->depth ? call - 1 : NULL;
	const uint64_t took = ns(plan, plan->now) - ns(plan, call->begun);

	task->graph -= !call->event;
	if (took != call->self + call->callees + call->irq + call->off)
		exit(fail(EINVAL, "the plan is wrong: the parts of a call are not its whole") != 0);
	if (caller && call->level > caller->level)
		caller->irq += took;
	else if (caller)
		caller->callees += took;
	/* A call that is cut has no total. */
	add_total(plan, task, call, call->cut || !told ? call->nested : took);
	if (call->cut || !told) {
		/* Only the entry event of a hard interrupt has the interrupt's name. */
		plan->funcs[call->func].cut += call->told || (told && !(call->event && call->level == IN_HARD));
		return;
	}
	add(&plan->funcs[call->func], call, took);
	add(&map_at(&plan->paths, call->path - 1)->value, call, took);
	map_at(&plan->paths, call->path - 1)->value.total += took;
}

static void enter(struct plan *plan, struct task *task, uint32_t func, unsigned int level)
{
	push(plan, task, func, level, false);
	pushed(plan, task, emit(plan, ENTRY, task, task->cpu, level, (uint64_t[4]){ machine_address(func), task->graph }));
}

static void leave(struct plan *plan, struct task *task)
{
	const struct call *call = &task->calls[task->depth - 1];
	const uint64_t values[4] = { machine_address(call->func), task->graph - 1, ns(plan, call->begun), ns(plan, plan->now) };

	account(plan, task);
	pop(plan, task, emit(plan, EXIT, task, task->cpu, call->level, values));
}

static uint32_t any_function(struct plan *plan, const struct task *task)
{
	const uint32_t caller = task->depth ? task->calls[task->depth - 1].func : 0;

	if (task->depth && chance(plan, 12))
		return caller;
	return (uint32_t)((caller * 7ULL + task->depth + draw(plan) % 4 * 13) % plan->nfuncs);
}

/* --- interrupts ----------------------------------------------------------------------------------------------- */

static void handler(struct plan *plan, struct task *task, unsigned int level, bool events);

static void inside(struct plan *plan, struct task *task, unsigned int level)
{
	const uint32_t func = (uint32_t)(plan->nfuncs + draw(plan) % IRQ_FUNCTIONS);

	if (plan->irqs & IRQ_GRAPH && chance(plan, 2)) {
		pass_time(plan);
		enter(plan, task, func, level);
		pass_time(plan);
		leave(plan, task);
	}
	if (level == IN_SOFT && chance(plan, 3)) {
		pass_time(plan);
		handler(plan, task, IN_HARD, plan->irqs & IRQ_EVENTS);
	}
	pass_time(plan);
}

static void handler(struct plan *plan, struct task *task, unsigned int level, bool events)
{
	const uint32_t name = (uint32_t)(plan->nfuncs + IRQ_FUNCTIONS + (level == IN_HARD ? HARD_NAME : SOFT_NAME));
	const uint64_t values[4] = { level == IN_HARD ? 28 : 3 };

	if (!events) {
		enter(plan, task, (uint32_t)(plan->nfuncs + draw(plan) % IRQ_FUNCTIONS), level);
		inside(plan, task, level);
		leave(plan, task);
		return;
	}
	push(plan, task, name, level, true);
	pushed(plan, task, emit(plan, level == IN_HARD ? HARD_IN : SOFT_IN, task, task->cpu, level, values));
	inside(plan, task, level);
	account(plan, task);
	pop(plan, task, emit(plan, level == IN_HARD ? HARD_OUT : SOFT_OUT, task, task->cpu, level, values));
}

static void interrupt(struct plan *plan, struct task *task)
{
	const bool events = plan->irqs == IRQ_EVENTS || (plan->irqs & IRQ_EVENTS && chance(plan, 2));

	handler(plan, task, IN_HARD, events);
	if (chance(plan, 2)) {
		pass_time(plan);
		handler(plan, task, IN_SOFT, events);
	}
}

/* --- the scheduler ---------------------------------------------------------------------------------------------- */

static void wake(struct plan *plan, struct task *by)
{
	struct task *task = &plan->tasks[draw(plan) % plan->ntasks];

	if (task->on || !task->asleep || task->woken)
		return;
	task->woken = true;
	task->woken_at = plan->now;
	task->waking_told = emit(plan, WAKING, by, by->cpu, IN_TASK, (uint64_t[4]){ (uint64_t)task->pid });
}

static struct task *runnable(struct plan *plan, unsigned int nr)
{
	for (unsigned int tries = 0; tries < 8; tries++) {
		struct task *task = &plan->tasks[draw(plan) % plan->ntasks];

		if (!task->on && (!task->asleep || task->woken) && (plan->migrate || task->cpu == nr))
			return task;
	}
	return &plan->cpus[nr].idle;
}

static void reschedule(struct plan *plan, unsigned int nr)
{
	struct task *prev = plan->cpus[nr].current, *next = runnable(plan, nr);
	const bool sleeps = prev->pid && draw(plan) % 3;
	bool told;

	if (next == prev)
		return;
	account(plan, prev);
	told = emit(plan, SWITCH, prev, nr, IN_TASK, (uint64_t[4]){ (uint64_t)prev->pid, sleeps ? 1 + draw(plan) % 2 : 0, (uint64_t)next->pid });
	switch_in_gaps(plan, nr, prev, next);
	/* If the switch away from the CPU was not recorded, the time off the CPU is not known. */
	if (!next->off_told)
		cut_all(next);
	prev->off_told = told;
	account(plan, next);
	prev->on = prev->woken = false;
	prev->asleep = sleeps;
	prev->preempted = !sleeps;
	next->on = true;
	next->cpu = nr;
	plan->cpus[nr].current = next;
}

static void step(struct plan *plan)
{
	const unsigned int nr = (unsigned int)(draw(plan) % plan->ncpus);
	struct task *task = plan->cpus[nr].current;

	pass_time(plan);
	if (plan->irqs && chance(plan, 20))
		interrupt(plan, task);
	else if (plan->switches && chance(plan, 12))
		reschedule(plan, nr);
	else if (plan->switches && chance(plan, 12))
		wake(plan, task);
	else if (!task->depth || (task->depth < MOST_DEPTH && draw(plan) % 100 < 62 - 4 * MIN(task->depth, 10u)))
		enter(plan, task, any_function(plan, task), IN_TASK);
	else
		leave(plan, task);
}

/* A reader learns of a gap from the record after it. So each open gap loses an event, and an event is recorded after the gap. */
static void end_gaps(struct plan *plan)
{
	plan->ending = true;
	begin_gaps(plan);
	for (unsigned int i = 0; i < 2 * plan->ncpus; i++) {
		struct cpu *cpu = &plan->cpus[i / 2];
		struct gap *gap = &cpu->gap[i % 2];

		gap->losing = gap->open && !gap->lost;
		while (gap->open) {
			pass_time(plan);
			if (i % 2)
				emit(plan, WAKING, cpu->current, i / 2, IN_TASK, (uint64_t[4]){ (uint64_t)cpu->idle.pid });
			else
				enter(plan, cpu->current, 0, IN_TASK);
		}
	}
}

void machine_play(struct plan *plan)
{
	plan->now = 1000 * NSEC_PER_SEC;
	for (unsigned int i = 0; i < plan->ncpus; i++) {
		plan->cpus[i].idle = (struct task){ .on = true, .cpu = i, .mark = plan->now };
		plan->cpus[i].current = &plan->cpus[i].idle;
	}
	for (unsigned int i = 0; i < plan->ntasks; i++)
		plan->tasks[i] = (struct task){ .pid = 100 + (int)i, .cpu = (unsigned int)(i % plan->ncpus), .mark = plan->now };
	if (!plan->switches)
		for (unsigned int i = 0; i < MIN(plan->ncpus, plan->ntasks); i++) {
			plan->cpus[i].current = &plan->tasks[i];
			plan->tasks[i].on = true;
		}
	/* Calls that are open when the recording begins are cut. */
	for (unsigned int i = 0; i < 2000; i++)
		step(plan);
	plan->recording = true;
	while (plan->done < plan->ncalls)
		step(plan);
	end_gaps(plan);
	for (unsigned int i = 0; i < plan->ntasks + plan->ncpus; i++) {
		struct task *task = i < plan->ntasks ? &plan->tasks[i] : &plan->cpus[i - plan->ntasks].idle;

		account(plan, task);
		while (task->depth)
			pop(plan, task, false);
	}
}

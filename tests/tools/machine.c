/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace of planned calls, and beside it what `funcs` and `graph` have to say of it: computed from the plan, never from the file.
 * A small machine is played: CPUs on which tasks call functions, are interrupted, sleep, are woken and move.
 *
 * machine [options] META.dat OUT.dat >ANSWERS
 *	--calls N --functions N --cpus N --tasks N --seed N	(20000, 40, 2, 6, 1)
 *	--irqs events|graph|both	interrupts, told by irq:* events or by functions in their context
 *	--switches			tasks leave their CPUs: asleep, woken, preempted
 *	--migrate			and come back on others
 *	--lose N			behind about one event in N is a gap on its CPU
 *	--lose-sched N			the same in the scheduler's own buffer
 *	--tsc				the clock counts ticks
 *	--two				the scheduler's events are in a buffer of their own
 * An answer: "F NAME" or "P PATH", then calls cut total self off blocked queued preempted irq min max p50 p90 p99; -: nothing can be said.
 * META.dat is only asked for formats. All calls that are open at either edge of the recording are cut.
 */
#include "lib/base/err.h"
#include "lib/base/io.h"
#include "lib/base/map.h"
#include "lib/base/parse.h"
#include "lib/data/page-write.h"
#include "lib/data/reader.h"
#include "lib/data/writer.h"
#include "lib/event/field.h"

#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <unistd.h>

enum { PAGE = 4096, MOST_DEPTH = 24, MOST_CPUS = 64, MOST_TASKS = 256, IRQ_FUNCTIONS = 6, HARD_NAME = 1, SOFT_NAME, EVENT_NAMES };
enum { IRQ_EVENTS = 1, IRQ_GRAPH = 2 };
enum { IN_TASK, IN_SOFT, IN_HARD };
enum event { ENTRY, EXIT, SWITCH, WAKING, HARD_IN, HARD_OUT, SOFT_IN, SOFT_OUT, EVENTS };
static const char *const event_names[EVENTS] = { "funcgraph_entry", "funcgraph_exit", "sched_switch", "sched_waking", "irq_handler_entry",
						 "irq_handler_exit", "softirq_entry", "softirq_exit" };
static const char *const event_fields[EVENTS][4] = {
	{ "func", "depth" }, { "func", "depth", "calltime", "rettime" }, { "prev_pid", "prev_state", "next_pid" }, { "pid" },
	{ "irq", "name" }, { "irq" }, { "vec" }, { "vec" },
};

struct form {
	uint16_t id;
	uint32_t size;
	struct field field[4];
};

struct call {
	uint32_t func, path;
	uint64_t begun, self, callees, irq, off, blocked, queued, preempted;
	bool told, event, cut, recursive;	/* told: its entry is recorded; event: it is an interrupt's event */
	uint8_t level;
};

struct task {
	int pid;
	struct call calls[MOST_DEPTH + 8];
	unsigned int depth, graph;	/* graph: how many of them are functions */
	bool on, asleep, preempted, woken, waking_told, off_told;
	uint64_t mark, woken_at;	/* mark: up to then its time is accounted for */
	unsigned int cpu;		/* where it runs, or ran */
};

struct cpu {
	struct task *current, idle;
	struct page_writer page[2];
	int fd[2];
	uint64_t size[2];
	struct gap {
		bool begins;		/* behind the last record */
		bool open;
		unsigned int losing;	/* so many more events are lost */
		int64_t lost;
	} gap[2];
};

/* What is known of a function or a path. */
struct figures {
	uint64_t calls, cut, total, self, off, blocked, queued, preempted, irq;
	VEC(uint64_t) took;
};

struct plan {
	uint64_t ncalls, nfuncs, ncpus, ntasks, seed, lose[2];
	unsigned int irqs;
	bool switches, migrate, tsc, two, recording, ending;
	uint64_t random, now, done;
	struct form forms[EVENTS];
	struct cpu cpus[MOST_CPUS];
	struct task tasks[MOST_TASKS];
	struct figures *funcs;
	MAP(uint64_t, struct figures) paths;	/* by parent << 32 | function; the index + 1 is the path's number */
	struct datfile *meta;
};

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

enum { TSC_MULT = 1398101, TSC_SHIFT = 22 };	/* 3 ticks a ns */

static uint64_t ns(const struct plan *plan, uint64_t ticks)
{
	return plan->tsc ? (uint64_t)((unsigned __int128)ticks * TSC_MULT >> TSC_SHIFT) : ticks;
}

static void pass_time(struct plan *plan)
{
	plan->now += (20 + draw(plan) % 100) << draw(plan) % 8;
}

/* The time since the last look belongs to the innermost call: it ran, or was off its CPU. */
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

/* Does the buffer tell of switches? What it loses could have been one. */
static bool is_sched(const struct plan *plan, unsigned int buffer)
{
	return plan->switches && buffer == plan->two;
}

/* From now on events of the CPU are lost: of who runs there, and of all who are off and could come there without a word. */
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

/* Somebody leaves the CPU, and somebody comes, perhaps where events are lost. */
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

static void write_page(struct cpu *cpu, unsigned int buffer)
{
	page_writer_end(&cpu->page[buffer]);
	if (io_write(cpu->fd[buffer], cpu->page[buffer].page, PAGE))
		exit(fail(ENOSPC, "cannot write the pages") != 0);
	cpu->size[buffer] += PAGE;
}

/* Is the event recorded? Then it is written, with these values of its fields. */
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
			write_page(cpu, buffer);
		rec.flags = RECORD_LOST;
		rec.lost = gap->lost;
		*gap = (struct gap){ 0 };
	}
	while (!page_writer_add(&cpu->page[buffer], &rec))
		write_page(cpu, buffer);
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

/* After its record: what that cut was open before it. */
static void pushed(struct plan *plan, struct task *task, bool told)
{
	struct call *call = &task->calls[task->depth];

	call->told = told;
	/* Of what another buffer loses meanwhile nobody knows. */
	call->cut = !told || plan->cpus[task->cpu].gap[1].open;
	/* Of a function that is open already, in the same tree, as far as that is known. */
	for (unsigned int i = task->depth; i-- > 0 && task->calls[i].level >= call->level;)
		call->recursive |= task->calls[i].func == call->func && !task->calls[i].cut;
	task->depth++;
	task->graph += !call->event;
	plan->done += told;
}

static void add(struct figures *stat, const struct call *call, uint64_t took, bool in_total)
{
	stat->calls++;
	stat->total += in_total ? took : 0;
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
	if (call->cut || !told) {
		/* Only the entry of a hard interrupt's event has its name. */
		plan->funcs[call->func].cut += call->told || (told && !(call->event && call->level == IN_HARD));
		return;
	}
	add(&plan->funcs[call->func], call, took, !call->recursive);
	add(&map_at(&plan->paths, call->path - 1)->value, call, took, true);
}

static uint64_t address(uint32_t func)
{
	return 0xffffffff81000000ULL + (uint64_t)func * 64;
}

static void enter(struct plan *plan, struct task *task, uint32_t func, unsigned int level)
{
	push(plan, task, func, level, false);
	pushed(plan, task, emit(plan, ENTRY, task, task->cpu, level, (uint64_t[4]){ address(func), task->graph }));
}

static void leave(struct plan *plan, struct task *task)
{
	const struct call *call = &task->calls[task->depth - 1];
	const uint64_t values[4] = { address(call->func), task->graph - 1, ns(plan, call->begun), ns(plan, plan->now) };

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
	/* For how long it was off is not known where it left its CPU unseen. */
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

/* A gap that is never over would not be told: so something is lost in it, and something is recorded behind it. */
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

static void play(struct plan *plan)
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
	/* What goes on when the recording begins is cut. */
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

/* --- answers ------------------------------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return ORDER(x, y);
}

static void name_of(const struct plan *plan, uint32_t func, char buf[32])
{
	const uint64_t beyond = func - plan->nfuncs - IRQ_FUNCTIONS;

	if (func < plan->nfuncs + IRQ_FUNCTIONS)
		snprintf(buf, 32, "%s_%u", func < plan->nfuncs ? "fn" : "irqfn", func);
	else
		snprintf(buf, 32, "%s", beyond == HARD_NAME ? "irq:timer" : "softirq:NET_RX");
}

static void answer(const struct plan *plan, struct figures *stat)
{
	const uint64_t known[] = { stat->calls, stat->cut, stat->total, stat->self, stat->off, stat->blocked, stat->queued, stat->preempted, stat->irq };
	static const unsigned int mille[] = { 500, 900, 990 };

	for (unsigned int i = 0; i < ARRAY_LEN(known); i++)
		if (stat->calls || i < 2)
			printf(" %llu", (unsigned long long)(plan->switches || i < 4 || i > 7 ? known[i] : 0));
	if (!stat->calls) {
		printf(" - - - - - - - - - - - -\n");
		return;
	}
	qsort(stat->took.at, stat->took.n, sizeof(stat->took.at[0]), by_size);
	printf(" %llu %llu", (unsigned long long)stat->took.at[0], (unsigned long long)stat->took.at[stat->took.n - 1]);
	for (unsigned int i = 0; i < ARRAY_LEN(mille); i++) {
		if ((1000 - mille[i]) * stat->calls < 1000)
			printf(" -");
		else
			printf(" %llu", (unsigned long long)stat->took.at[(stat->calls * mille[i] + 999) / 1000 - 1]);
	}
	printf("\n");
}

static void print_path(struct plan *plan, uint32_t path)
{
	const uint64_t key = map_at(&plan->paths, path - 1)->key;
	char name[32];

	if (key >> 32) {
		print_path(plan, (uint32_t)(key >> 32));
		printf(";");
	}
	name_of(plan, (uint32_t)key, name);
	printf("%s", name);
}

static void answers(struct plan *plan)
{
	char name[32];

	/* Handlers that their events tell are no functions. */
	for (uint32_t i = 0; i < plan->nfuncs + IRQ_FUNCTIONS; i++) {
		if (!plan->funcs[i].calls && !plan->funcs[i].cut)
			continue;
		name_of(plan, i, name);
		printf("F %s", name);
		answer(plan, &plan->funcs[i]);
	}
	for (uint32_t i = 0; i < map_count(&plan->paths); i++) {
		if (!map_at(&plan->paths, i)->value.calls || (uint32_t)map_at(&plan->paths, i)->key >= plan->nfuncs + IRQ_FUNCTIONS)
			continue;
		printf("P ");
		print_path(plan, i + 1);
		answer(plan, &map_at(&plan->paths, i)->value);
	}
}

/* --- the file ------------------------------------------------------------------------------------------------------ */

/* Where the fields are in this kernel's format, and how large a record is. */
static int find_form(const struct metadata *meta, enum event what, struct form *form)
{
	vec_each (&meta->formats, event) {
		struct text rest = event->format, line;
		char *name = NULL;
		bool mine = format_head(&event->format, &name, &form->id) == 0 && strcmp(name, event_names[what]) == 0;

		free(name);
		if (!mine)
			continue;
		while (text_line(&rest, &line)) {
			char copy[200];
			const char *at;
			unsigned int offset, size;

			snprintf(copy, sizeof(copy), "%.*s", prec(line.size), line.at);
			at = strstr(copy, "offset:");
			if (at && sscanf(at, "offset:%u;\tsize:%u;", &offset, &size) == 2)
				form->size = MAX(form->size, (offset + size + 3) & ~3U);
		}
		for (unsigned int i = 0; i < 4 && event_fields[what][i]; i++)
			if (!format_field(&event->format, event_fields[what][i], &form->field[i]))
				return fail(EINVAL, "%s has no field %s", event_names[what], event_fields[what][i]);
		return 0;
	}
	return fail(ENOENT, "there is no format of %s", event_names[what]);
}

static void replace(struct text *text, struct str *with)
{
	free(text->at);
	text->size = with->len;
	text->at = str_take(with);
}

static int prepare(struct plan *plan)
{
	struct metadata *meta = &plan->meta->meta;
	struct str names = { 0 }, tasks = { 0 };
	struct page_format format;
	char name[32];
	int err = page_format_parse(&format, &meta->header_page, meta->big_endian, meta->user_long_size);

	for (unsigned int i = 0; i < EVENTS && !err; i++)
		err = find_form(meta, i, &plan->forms[i]);
	for (uint32_t i = 0; i < plan->nfuncs + IRQ_FUNCTIONS; i++) {
		name_of(plan, i, name);
		str_addf(&names, "%llx t %s\n", (unsigned long long)address(i), name);
	}
	for (unsigned int i = 0; i < plan->ntasks; i++)
		str_addf(&tasks, "%d task-%u\n", plan->tasks[i].pid, i);
	replace(&meta->kallsyms, &names);
	replace(&meta->cmdlines, &tasks);
	meta->ncpus = (uint32_t)plan->ncpus;
	if (plan->tsc) {
		str_add(&names, "local global [x86-tsc]");
		replace(&meta->trace_clock, &names);
		meta->tsc2nsec = (struct tsc2nsec){ .present = true, .mult = TSC_MULT, .shift = TSC_SHIFT };
	}
	for (unsigned int i = 0; i < 2 * plan->ncpus && !err; i++) {
		char spool[] = "/var/tmp/ringside-machine-XXXXXX";
		int *fd = &plan->cpus[i / 2].fd[i % 2];

		err = page_writer_init(&plan->cpus[i / 2].page[i % 2], &format);
		*fd = mkstemp(spool);
		if (*fd < 0)
			return fail(errno, "%s: %m", spool);
		unlink(spool);
	}
	plan->funcs = calloc(plan->nfuncs + IRQ_FUNCTIONS + EVENT_NAMES, sizeof(*plan->funcs));
	return err || plan->funcs ? err : -ENOMEM;
}

static int write_file(struct plan *plan, const char *path)
{
	const char *clock = plan->tsc ? "x86-tsc" : "local";
	struct write_buffer buffers[2] = { { .name = "", .clock = clock, .page_size = PAGE }, { .name = "sched", .clock = clock, .page_size = PAGE } };
	struct write_options how = { .version = 7, .codec = codec_find("none") };
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0644), err = 0;

	if (fd < 0)
		return fail(errno, "%s: %m", path);
	for (unsigned int i = 0; i < 2 * plan->ncpus && !err; i++) {
		struct cpu *cpu = &plan->cpus[i / 2];

		if (cpu->page[i % 2].begun)
			write_page(cpu, i % 2);
		err = vec_push(&buffers[i % 2].cpus, (struct write_cpu){ .cpu = i / 2, .fd = cpu->fd[i % 2], .size = cpu->size[i % 2] });
	}
	err = err ? err : datfile_write(fd, path, &plan->meta->meta, buffers, plan->two ? 2 : 1, &how);
	vec_fini(&buffers[0].cpus);
	vec_fini(&buffers[1].cpus);
	close(fd);
	return err;
}

static int parse(struct plan *plan, int argc, char **argv)
{
	static const struct option rows[] = {
		{ "calls", 1, NULL, 'n' }, { "functions", 1, NULL, 'f' }, { "cpus", 1, NULL, 'c' }, { "tasks", 1, NULL, 't' }, { "seed", 1, NULL, 'r' },
		{ "irqs", 1, NULL, 'i' }, { "switches", 0, NULL, 's' }, { "migrate", 0, NULL, 'm' }, { "lose", 1, NULL, 'l' }, { "lose-sched", 1, NULL, 'L' },
		{ "tsc", 0, NULL, 'k' }, { "two", 0, NULL, '2' }, { 0 },
	};
	int opt, err = 0;

	while ((opt = getopt_long(argc, argv, "", rows, NULL)) != -1 && !err) {
		switch (opt) {
		case 'n': err = parse_u64(optarg, &plan->ncalls); break;
		case 'f': err = parse_u64(optarg, &plan->nfuncs); break;
		case 'c': err = parse_u64(optarg, &plan->ncpus); break;
		case 't': err = parse_u64(optarg, &plan->ntasks); break;
		case 'r': err = parse_u64(optarg, &plan->seed); break;
		case 'l': err = parse_u64(optarg, &plan->lose[0]); break;
		case 'L': err = parse_u64(optarg, &plan->lose[1]); break;
		case 'i': plan->irqs = optarg[0] == 'e' ? IRQ_EVENTS : optarg[0] == 'g' ? IRQ_GRAPH : IRQ_EVENTS | IRQ_GRAPH; break;
		case 's': plan->switches = true; break;
		case 'm': plan->migrate = true; break;
		case 'k': plan->tsc = true; break;
		case '2': plan->two = true; break;
		default: err = -EINVAL; break;
		}
	}
	if (err || argc - optind != 2 || !plan->ncpus || plan->ncpus > MOST_CPUS || !plan->ntasks || plan->ntasks > MOST_TASKS || !plan->nfuncs)
		return fail(EINVAL, "usage: machine [OPTION...] META.dat OUT.dat; the options stand at the top of tests/tools/machine.c");
	return 0;
}

int main(int argc, char **argv)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	int err;

	if (!plan)
		return 1;
	*plan = (struct plan){ .ncalls = 20000, .nfuncs = 40, .ncpus = 2, .ntasks = 6, .seed = 1 };
	if (parse(plan, argc, argv) || datfile_open(&plan->meta, argv[optind]) || datfile_ready(plan->meta))
		return 1;
	plan->random = plan->seed * 1000003;
	for (unsigned int i = 0; i < plan->ntasks; i++)
		plan->tasks[i].pid = 100 + (int)i;
	err = prepare(plan);
	if (!err) {
		play(plan);
		err = write_file(plan, argv[optind + 1]);
	}
	if (!err)
		answers(plan);
	return err != 0;
}

/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/causes-inside.h"
#include "lib/analysis/call-source.h"
#include "lib/analysis/cause-facts.h"
#include "lib/analysis/cause-held.h"
#include "lib/analysis/vcpus.h"

void causes_find_events(struct cause_events *events, const struct trace *trace)
{
	*events = (struct cause_events){
		.fault_user = trace_find(trace, "exceptions", "page_fault_user"),
		.fault_kernel = trace_find(trace, "exceptions", "page_fault_kernel"),
		.lock_begin = trace_find(trace, "lock", "contention_begin"),
		.lock_end = trace_find(trace, "lock", "contention_end"),
	};
	if (!events->lock_begin)
		return;
	if (!format_field(events->lock_begin->format, "lock_addr", &events->lock_addr))
		events->lock_begin = NULL;
	else if (!format_field(events->lock_begin->format, "flags", &events->lock_flags))
		events->lock_flags.found = false;
}

static int add_off(struct causes *causes, const struct timed_person *who, const struct episode *last)
{
	int err = 0;

	vec_each (&who->tasks, task) {
		struct causes_task *mine = call_task_of(&causes->user, *task);

		if (!err && mine->open && (*task)->in_ns)
			err = cause_fact_off(causes, mine->open, last);
	}
	return err;
}

/*
 * A task comes to a CPU. This adds the time that it was off the CPU to the open calls beside its stack. If another task began such a call, the records need
 * not show how the task left its CPU. Then the task is taken to have been asleep since the call began. Returns 0 or -errno.
 */
static int on_switched_beside(struct causes *causes, const struct timed_switch *what, const struct timed_person *who, const struct episode *last)
{
	int err = 0;

	vec_each (&who->asides, place) {
		struct causes_task *mine = call_task_of(&causes->user, *place);
		struct episode only = { .back = what->ns, .off = SCHED_ASLEEP, .waited = what->rec->cpu, .prio = -1, .waker.person = MEANWHILE_NOBODY };

		if (err || !mine->open || !timed_shares(*place))
			continue;
		mine->open->came = true;
		if (!last && (who->off.why || !who->woken || (*place)->part != CALL_FOR_TASK))
			continue;
		only.since = mine->open->ns;
		only.woken = MAX(who->woken, only.since);
		err = cause_fact_off(causes, mine->open, last ? last : &only);
	}
	return err;
}

/*
 * A task leaves its CPU. Another task may have begun calls for it while it ran. Such a call starts to wait only now. This adds a fact about the time before.
 * Returns 0 or -errno.
 */
static int on_left_beside(struct causes *causes, const struct timed_switch *what)
{
	int err = 0;

	vec_each (&timed_person(causes->timed, what->prev)->asides, place) {
		struct causes_task *mine = call_task_of(&causes->user, *place);

		if (!err && mine->open && !mine->open->came && (*place)->part == CALL_FOR_TASK && timed_shares(*place) && what->ns > mine->open->ns)
			err = cause_fact_still(mine->open, what->rec->cpu, what->ns - mine->open->ns);
	}
	return err;
}

/* A task leaves its CPU. If this is a CPU of a guest, it may have been held up while the task ran. This adds facts about that. Returns 0 or -errno. */
static int on_left(struct causes *causes, const struct timed_switch *what)
{
	int err = 0;

	vec_each (&timed_person(causes->timed, what->prev)->tasks, task) {
		struct causes_task *mine = call_task_of(&causes->user, *task);

		if (!err && mine->open)
			err = cause_held_running(causes, mine->open, what->rec->cpu, what->ns);
	}
	return err;
}

int causes_switched(void *ctx, const struct timed_switch *what)
{
	struct causes *causes = ctx;
	const struct timed_person *who = timed_person(causes->timed, what->next);
	const struct episode *last;
	uint64_t missing;
	int err = 0;

	for (struct causes *each = causes; !err && each; each = each->next)
		err = on_left(each, what);
	err = err ? err : meanwhile_switched(causes->meanwhile, what, &missing);
	if (!err && missing != UINT64_MAX)
		err = vcpus_missing(causes->vcpus, what->rec->file, missing, what->ns);
	last = who->off.why && what->ns >= who->off.since ? meanwhile_last(causes->meanwhile, what->next) : NULL;
	if (last && (last->back != what->ns || last->since != who->off.since))
		last = NULL;
	for (; !err && causes; causes = causes->next) {
		err = on_left_beside(causes, what);
		err = err ? err : on_switched_beside(causes, what, who, last);
		err = err || !last ? err : add_off(causes, who, last);
	}
	return err;
}

int causes_woken(void *ctx, const struct timed_wakeup *what)
{
	return meanwhile_woken(((struct causes *)ctx)->meanwhile, what);
}

int causes_lost(void *ctx, const struct record *there, uint64_t ns, bool over)
{
	struct causes *causes = ctx;

	devices_lost(causes->devices, there->file);
	vcpus_lost(causes->vcpus, there->file, ns, over);
	return meanwhile_lost(causes->meanwhile, there);
}

static int add_handler(struct causes *causes, struct call_task *task, const struct handler_run *run)
{
	struct causes_task *mine = call_task_of(&causes->user, task);
	bool inside;

	if (!mine->open || !run->ends || !task->depth)
		return 0;
	inside = !task->aside && !causes_frame_of(causes, call_top(task))->node;
	if (!inside && !run->counted)
		return 0;
	mine->handlers += inside ? run->own : 0;
	return cause_fact_irq(causes, mine->open, run->name, run->own);
}

int causes_handler(void *ctx, struct call_task *task, const struct handler_run *run)
{
	int err = 0;

	for (struct causes *causes = ctx; !err && causes; causes = causes->next)
		err = add_handler(causes, task, run);
	return err;
}

static int on_lock(struct causes *causes, struct causes_task *mine, const struct cause_events *events, const struct record *rec, bool begins)
{
	const struct trace *trace = causes->inputs->at[rec->file].trace;
	uint64_t now = input_time(&causes->inputs->at[rec->file], rec), addr, flags;
	int64_t text;

	causes->locks = true;
	if (!begins) {
		uint64_t since = mine->lock_since;

		mine->lock_since = 0;
		return since && now >= since ? cause_fact_lock(mine->open, mine->lock, now - since) : 0;
	}
	if (!field_get(&events->lock_addr, rec->data, rec->size, trace->swap, &addr))
		return 0;
	if (!events->lock_flags.found || !field_get(&events->lock_flags, rec->data, rec->size, trace->swap, &flags))
		flags = 0;
	text = cause_lock_text(causes, addr, flags);
	mine->lock_since = now;
	mine->lock = (uint32_t)MAX(text, (int64_t)0);
	return text < 0 ? (int)text : 0;
}

/* Adds a page fault or a wait for a lock as a fact to the open call of @task. @task may be a place beside a stack. Returns 0 or -errno. */
static int add_fact(struct causes *causes, struct call_task *task, const struct cause_events *events, const struct event *event, const struct record *rec)
{
	struct causes_task *mine = call_task_of(&causes->user, task);

	if (!mine->open)
		return 0;
	if (event == events->fault_user || event == events->fault_kernel)
		return cause_fact_fault(causes, mine->open, event == events->fault_user);
	return on_lock(causes, mine, events, rec, event == events->lock_begin);
}

int causes_other(void *ctx, struct call_task *task, const struct event *event, const struct record *rec)
{
	struct causes *causes = ctx;
	const struct timed_person *who;
	const struct cause_events *events = &causes->events.at[rec->file];
	const bool fault = event == events->fault_user || event == events->fault_kernel, lock = event == events->lock_begin || event == events->lock_end;
	int err = 0;

	/* If several of these analyses are beside each other, only the first one does this. It gets each record first. */
	if (!causes->opt.beside) {
		err = meanwhile_other(causes->meanwhile, event, rec);
		err = err ? err : devices_record(causes->devices, event, rec);
		err = err ? err : vcpus_record(causes->vcpus, event, rec);
	}
	causes->faults |= fault;
	causes->locks |= lock;
	if (err || !(fault || lock))
		return err;
	err = add_fact(causes, task, events, event, rec);
	who = timed_person(causes->timed, timed_person_of(causes->timed, task));
	vec_each (&who->asides, place)
		if (!err && timed_shares(*place))
			err = add_fact(causes, *place, events, event, rec);
	return err;
}

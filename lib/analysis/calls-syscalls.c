/* SPDX-License-Identifier: GPL-2.0 */
/* Makes calls of system calls. lib/analysis/syscall-match.h says which records belong together. */
#include "lib/analysis/calls-inside.h"
#include "lib/analysis/syscall-match.h"
#include "lib/event/syscalls.h"

#include <stdio.h>

/*
 * This is how .func identifies a system call. If its number is in no table, .func has BY_EVENT and the id of the event that begins it. Otherwise .func has
 * its number + 1. FUNC_SHIFT shifts the id or the number.
 */
#define BY_EVENT (1ULL << 62)
enum { FUNC_SHIFT = 4 };

#define ENTER "sys_enter_"

/* A frame's .key has the number of the call in its low 32 bits, and the tellers (struct syscall_told) above. */
enum { TOLD_SHIFT = 32 };

static uint64_t key_of(struct syscall_told told)
{
	return told.number | (uint64_t)told.tellers << TOLD_SHIFT;
}

static struct syscall_told told_of(const struct call_frame *open)
{
	return open ? (struct syscall_told){ (uint32_t)open->key, (uint32_t)(open->key >> TOLD_SHIFT) } : (struct syscall_told){ 0 };
}

static bool begins(const struct event *event, const char *call)
{
	return event && strcmp(event->system, "syscalls") == 0 && str_starts(event->name, ENTER) && strcmp(event->name + strlen(ENTER), call) == 0;
}

/*
 * Returns the .func of the system call with the name @call, made from the event that begins it. Returns 0 if there is no such event. @event begins or ends
 * the call. The kernel gives the two events of a call ids that follow each other, so the neighbours of @event are tried first.
 */
static uint64_t event_func(const struct trace *trace, const struct event *event, const char *call)
{
	const struct event *near[] = { event, trace_event(trace, (uint16_t)(event->id + 1)), trace_event(trace, (uint16_t)(event->id - 1)) };
	const struct event *begin = NULL;

	for (size_t i = 0; !begin && i < ARRAY_LEN(near); i++)
		begin = begins(near[i], call) ? near[i] : NULL;
	if (!begin) {
		__cleanup(free_ptr) char *name = str_printf(ENTER "%s", call);

		begin = name ? trace_find(trace, "syscalls", name) : NULL;
	}
	return begin ? BY_EVENT | (uint64_t)begin->id << FUNC_SHIFT : 0;
}

static bool find(const struct trace *trace, const struct event *event, struct call_event *out)
{
	struct syscall_event found;

	if (!syscall_event_find(event, &found))
		return false;
	out->leave = found.leave;
	out->more = found.teller == SYSCALL_BY_NAME;
	out->func = found.call ? event_func(trace, event, found.call) : 0;
	out->key = found.number;
	return true;
}

static uint64_t func_of(const struct call_at *at, uint32_t number)
{
	if (at->what->func && !syscall_find(&at->task->trace->calls, number))
		return at->what->func;
	return ((uint64_t)number + 1) << FUNC_SHIFT;
}

static int on_begin(const struct call_at *at, uint32_t number, enum syscall_teller teller)
{
	struct call_frame *open = call_innermost(at, CALL_LEVEL_SYSCALL), frame = call_begin(at);
	struct syscall_told told = told_of(open);
	int err;

	at->task->exec = NULL;
	if (syscall_enters(&told, &at->task->syscall, number, teller) == SYSCALL_AGAIN) {
		open->key = key_of(told);
		return calls_tell_of(at->calls, at->rec->cpu, again, at->task, at->event, at->rec);
	}
	err = open ? call_abandon(at, open) : 0;
	frame.func = func_of(at, number);
	frame.key = key_of(told);
	return err ? err : call_enter(at, CALL_LEVEL_SYSCALL, &frame, at->rec);
}

/* Is the exit with this number, whose entry is not recorded, the first exit of a new task? */
static bool is_birth(const struct call_at *at, uint32_t number)
{
	struct field ret;
	uint64_t result;

	if (!format_field(at->event->format, "ret", &ret) || !field_get(&ret, at->rec->data, at->rec->size, at->task->trace->swap, &result))
		return false;
	return syscall_is_birth(syscall_find(&at->task->trace->calls, number), (int64_t)result);
}

static int end_in(const struct call_at *at, uint32_t number, enum syscall_teller teller)
{
	struct call_frame *open = call_innermost(at, CALL_LEVEL_SYSCALL), frame = call_begin(at);
	struct syscall_told told = told_of(open);
	enum syscall_step step = syscall_leaves(&told, &at->task->syscall, number, teller);
	int err;

	if (step == SYSCALL_ENDS)
		return call_finish(at, open);
	if (step == SYSCALL_AGAIN || (int32_t)number < 0)
		return 0;
	err = open ? call_abandon(at, open) : 0;
	if (err || is_birth(at, number))
		return err ? err : 1;
	frame.func = func_of(at, number);
	frame.key = key_of(at->task->syscall);
	return call_unseen(at, CALL_LEVEL_SYSCALL, frame);
}

/* Is the exit with this number the end of an execve() by which a thread has got the pid of this task? @at->task is that thread. */
static bool ends_exec(const struct call_at *at, uint32_t number)
{
	const struct call_frame *open = call_innermost(at, CALL_LEVEL_SYSCALL);

	return open ? told_of(open).number == number : at->task->syscall.tellers && at->task->syscall.number == number;
}

static int on_end(const struct call_at *at, uint32_t number, enum syscall_teller teller)
{
	struct call_at there = *at;
	struct call_frame *open;

	there.task = at->task->exec;
	if (likely(!there.task) || !ends_exec(&there, number)) {
		at->task->exec = NULL;
		return end_in(at, number, teller);
	}
	open = call_innermost(&there, CALL_LEVEL_SYSCALL);
	if (!open || at->losses == at->task->exec_losses)
		return end_in(&there, number, teller);
	/* Events were lost since then, so this may be the exit of another call. */
	call_gap(there.task, at->ns);
	there.task->syscall = (struct syscall_told){ number, teller };
	return call_abandon(&there, open);
}

static int on_record(const struct call_at *at)
{
	const enum syscall_teller teller = at->what->more ? SYSCALL_BY_NAME : SYSCALL_BY_NUMBER;
	uint64_t number;

	if (!field_get(&at->what->key, at->rec->data, at->rec->size, at->task->trace->swap, &number))
		return 1;
	if (at->what->leave)
		return on_end(at, (uint32_t)number, teller);
	return (int32_t)number < 0 ? 1 : on_begin(at, (uint32_t)number, teller);
}

static const char *name_of(const struct trace *trace, uint64_t func, char buf[CALL_NAME], __unused const char **module)
{
	const struct event *event = func & BY_EVENT ? trace_event(trace, (uint16_t)(func >> FUNC_SHIFT)) : NULL;
	const struct syscall *call;

	if (event)
		return event->name + strlen(ENTER);
	call = syscall_find(&trace->calls, (func >> FUNC_SHIFT) - 1);
	if (call)
		return call->name;
	snprintf(buf, CALL_NAME, "syscall_%llu", (unsigned long long)(func >> FUNC_SHIFT) - 1);
	return buf;
}

const struct call_source call_source_syscalls = {
	.name = "system calls",
	.calls = "system calls",
	.find = find,
	.record = on_record,
	.name_of = name_of,
};

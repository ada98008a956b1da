/* SPDX-License-Identifier: GPL-2.0 */
/*
 * System calls: from raw_syscalls:sys_enter and sys_exit, which tell their number, and from an event for each of them
 * (syscalls:sys_enter_openat …). Where both are recorded each call is told twice, and is one all the same.
 */
#include "lib/analysis/call-source.h"
#include "lib/event/syscalls.h"

#include <stdio.h>

/* Who tells of a call, with its number in frame.key and task.syscall. */
enum { BY_NUMBER = 1, BY_NAME = 2, TOLD_SHIFT = 32 };

/* In .func, of a call whose number is in no table: the id of the event of its name. Else the number + 1. */
#define BY_EVENT (1ULL << 62)
enum { FUNC_SHIFT = 4 };

#define ENTER "sys_enter_"
#define EXIT "sys_exit_"

/* The event that begins the call of that name. */
static uint64_t event_func(const struct trace *trace, const char *call)
{
	__cleanup(free_ptr) char *name = str_printf(ENTER "%s", call);
	const struct event *event = name ? trace_find(trace, "syscalls", name) : NULL;

	return event ? BY_EVENT | (uint64_t)event->id << FUNC_SHIFT : 0;
}

static bool find(const struct trace *trace, const struct event *event, struct call_event *out)
{
	if (strcmp(event->system, "raw_syscalls") == 0) {
		out->leave = strcmp(event->name, "sys_exit") == 0;
		return (out->leave || strcmp(event->name, "sys_enter") == 0) && format_field(event->format, "id", &out->key);
	}
	if (strcmp(event->system, "syscalls") != 0)
		return false;
	out->leave = str_starts(event->name, EXIT);
	if (!out->leave && !str_starts(event->name, ENTER))
		return false;
	out->more = true;
	out->func = event_func(trace, event->name + strlen(out->leave ? EXIT : ENTER));
	return format_field(event->format, "__syscall_nr", &out->key) || format_field(event->format, "nr", &out->key);
}

static uint64_t func_of(const struct call_at *at, uint32_t number)
{
	const struct syscalls all = syscalls_of(at->task->trace->meta);

	if (at->what->func && !syscall_find(&all, number))
		return at->what->func;
	return ((uint64_t)number + 1) << FUNC_SHIFT;
}

static int on_begin(const struct call_at *at, uint32_t number, uint64_t teller)
{
	struct call_frame *open = call_innermost(at), frame = call_begin(at);
	int err = 0;

	at->task->syscall = 0;
	if (open && (uint32_t)open->key == number && !(open->key >> TOLD_SHIFT & teller)) {
		open->key |= teller << TOLD_SHIFT;
		return 0;
	}
	/* A task is in one at a time. */
	if (open)
		err = call_abandon(at, open);
	frame.func = func_of(at, number);
	frame.key = number | teller << TOLD_SHIFT;
	return err ? err : call_enter(at, CALL_LEVEL_SYSCALL, &frame, at->rec);
}

static int on_end(const struct call_at *at, uint32_t number, uint64_t teller)
{
	struct call_task *task = at->task;
	struct call_frame *open = call_innermost(at), frame = call_begin(at);
	int err = 0;

	/* After a signal's handler the number is not told. */
	if (open && ((uint32_t)open->key == number || (int32_t)number < 0)) {
		task->syscall = (uint32_t)open->key | teller << TOLD_SHIFT;
		return call_finish(at, open);
	}
	if (!open && task->syscall && task->syscall >> TOLD_SHIFT != teller && ((uint32_t)task->syscall == number || (int32_t)number < 0)) {
		task->syscall = 0;
		return 0;
	}
	if ((int32_t)number < 0)
		return 0;
	if (open)
		err = call_abandon(at, open);
	task->syscall = number | teller << TOLD_SHIFT;
	frame.func = func_of(at, number);
	frame.key = task->syscall;
	return err ? err : call_unseen(at, CALL_LEVEL_SYSCALL, frame);
}

static int on_record(const struct call_at *at)
{
	const uint64_t teller = at->what->more ? BY_NAME : BY_NUMBER;
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
	const struct syscalls all = syscalls_of(trace->meta);
	const struct syscall *call;

	if (event)
		return event->name + strlen(ENTER);
	call = syscall_find(&all, (func >> FUNC_SHIFT) - 1);
	if (call)
		return call->name;
	snprintf(buf, CALL_NAME, "syscall_%llu", (unsigned long long)(func >> FUNC_SHIFT) - 1);
	return buf;
}

const struct call_source call_source_syscalls = {
	.name = "system calls",
	.find = find,
	.record = on_record,
	.name_of = name_of,
};

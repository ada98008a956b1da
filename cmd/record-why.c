/* SPDX-License-Identifier: GPL-2.0 */
/* record --why: records what `ringside slow` needs to explain why calls of these functions are slow. */
#include "cmd/record.h"

#include "lib/base/err.h"
#include "lib/base/str.h"

#include <stdio.h>

/* These events are recorded for all tasks, because a call may wait for any task. */
static const struct {
	const char *event;
	bool stack;
} why_events[] = {
	{ "sched:sched_switch", true },
	{ "sched:sched_waking", true },
	{ "sched:sched_wakeup", false },
	{ "sched:sched_wakeup_new", false },
	{ "sched:sched_migrate_task", false },
	{ "irq:irq_handler_entry", false },
	{ "irq:irq_handler_exit", false },
	{ "irq:softirq_entry", false },
	{ "irq:softirq_exit", false },
	{ "exceptions:page_fault_user", false },
	{ "exceptions:page_fault_kernel", false },
	{ "lock:contention_begin", false },
	{ "lock:contention_end", false },
};

static const char *const syscall_events[] = { "raw_syscalls:sys_enter", "raw_syscalls:sys_exit" };

/* The names that the kernel's function of a system call may have. */
static const char *const syscall_functions[] = { "__x64_sys_%s", "__arm64_sys_%s", "__s390x_sys_%s", "__riscv_sys_%s", "__do_sys_%s", "sys_%s" };

const struct opt why_options[] = {
	{ OPT_STRV(struct record_opts, why), .name = "why", .arg = "FUNCTION", .complete = "functions",
	  .help = "record what `ringside slow` needs to explain slow calls of these functions: the calls that these functions make (traced by function_graph), and the switches, wakeups, interrupts, page faults and waits for locks of all tasks" },
	OPT_END,
};

struct why {
	struct record_opts *o;
	struct buffer_spec *b;
	struct tracedir top;
	strv_t functions; /* all functions that can be traced */
	strv_t lacks;
	bool graph;
};

static bool has_event(const struct why *why, const char *event)
{
	char file[128];

	snprintf(file, sizeof(file), "events/%s", event);
	if (strchr(file, ':'))
		*strchr(file, ':') = '/';
	return tracedir_has(&why->top, file);
}

static int add_event(struct why *why, const char *pattern, bool stack)
{
	struct event_spec event = { .pattern = pattern };
	int err;

	if (!has_event(why, pattern))
		return strv_add(&why->lacks, pattern);
	err = stack ? strv_add(&event.triggers, "stacktrace") : 0;
	err = err ? err : vec_push(&why->b->events, event);
	if (err)
		strv_fini(&event.triggers);
	return err;
}

static bool can_trace(const struct why *why, const char *function)
{
	size_t len = strlen(function);

	vec_each (&why->functions, name)
		if (strncmp(*name, function, len) == 0 && ((*name)[len] == '\0' || (*name)[len] == ' '))
			return true;
	return false;
}

/* Adds a function, or for a system call the function that implements it. */
static int add_function(struct why *why, const char *name, bool *syscalls)
{
	char event[96], function[96];

	snprintf(event, sizeof(event), "syscalls:sys_enter_%s", name);
	if (!why->graph || (!can_trace(why, name) && has_event(why, event)))
		*syscalls = true;
	if (!why->graph)
		return 0;
	for (size_t i = 0; *syscalls && i < ARRAY_LEN(syscall_functions); i++) {
		snprintf(function, sizeof(function), syscall_functions[i], name);
		if (can_trace(why, function))
			return strv_add(&why->b->graph, function);
	}
	/* A name that does not exist is refused later, with the names most like it. */
	return *syscalls ? 0 : strv_add(&why->b->graph, name);
}

static int find_graph(struct why *why)
{
	strv_t tracers = { 0 };
	int err = tracedir_list(&why->top, TRACEDIR_TRACERS, &tracers);

	why->graph = !err && strv_has(&tracers, "function_graph");
	strv_fini(&tracers);
	err = 0;
	if (why->graph)
		err = tracedir_list(&why->top, TRACEDIR_FUNCTIONS, &why->functions);
	else
		err = strv_add(&why->lacks, "function_graph");
	return err;
}

static int say_lacks(const struct why *why)
{
	__cleanup(free_ptr) char *list = join_names(&why->lacks, "", "");

	if (why->lacks.n && list)
		note("--why: this kernel has no %s, so `ringside slow` will not know what %s would tell%s", list, why->lacks.n > 1 ? "they" : "that",
		     why->graph ? "" : "; system calls are the only calls that it can explain here");
	return 0;
}

static int add_all(struct why *why)
{
	strv_t names = { 0 };
	bool syscalls = false;
	int err = find_graph(why);

	vec_each (&why->o->why, word)
		err = err ? err : strv_split(&names, *word, ",");
	vec_each (&names, name) {
		bool syscall = false;

		err = err ? err : add_function(why, *name, &syscall);
		syscalls |= syscall;
	}
	strv_fini(&names);
	if (why->b->graph.n)
		why->b->tracer = "function_graph";
	for (size_t i = 0; !err && i < ARRAY_LEN(why_events); i++)
		err = add_event(why, why_events[i].event, why_events[i].stack);
	for (size_t i = 0; !err && syscalls && i < ARRAY_LEN(syscall_events); i++)
		err = add_event(why, syscall_events[i], false);
	return err == -ENOMEM ? fail(ENOMEM, "out of memory") : err ? err : say_lacks(why);
}

int record_why(struct record_opts *o)
{
	struct why why = { .o = o, .b = &o->spec.buffers.at[o->spec.buffers.n - 1], .top = TRACEDIR_NONE };
	int err;

	if (!o->why.n)
		return 0;
	if (why.b->tracer && strcmp(why.b->tracer, "function_graph") != 0)
		return fail(EINVAL, "--why sets function_graph below its functions; -p %s does not go with that", why.b->tracer);
	err = tracedir_open(&why.top, NULL);
	err = err ? err : add_all(&why);
	o->spec.events_of_all = true;
	tracedir_fini(&why.top);
	strv_fini(&why.functions);
	strv_fini(&why.lacks);
	return err;
}

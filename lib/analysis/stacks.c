/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/stacks.h"
#include "lib/base/str.h"

#include <stdio.h>

enum { MOST_TOLD = 3 };

/*
 * These functions are on the stack of each task that leaves the CPU or wakes another one, whatever the task does. They are whole names, or beginnings with a
 * '*'.
 */
static const char *const common[] = {
	"schedule",	   "__schedule*", "schedule_idle",   "schedule_rtlock*", "preempt_schedule*",	  "__cond_resched*",	      "schedule_debug*",
	"try_to_wake_up*", "ttwu_*",	  "wake_up_process", "wake_up_state",	 "default_wake_function", "autoremove_wake_function", "woken_wake_function",
	"wake_up_q",	   "__wake_up*",  "pollwake",	     "wake_up_var",
};

/*
 * These functions stand between an event and the function in which it happened. The number is FTRACE_TRAMPOLINE_MARKER (kernel/trace/trace.h), which the
 * kernel writes instead of an address in memory that it has made for tracing.
 */
/* clang-format off */
static const char *const tracing[] = {
	"trace_event_*", "__traceiter_*", "perf_trace_*", "__bpf_trace_*", "event_triggers_*", "event_hist_trigger*", "stack_trace_*", "arch_stack_walk",
	"__trace_stack", "trace_buffer_unlock_commit*", "__trace_trigger_*", "ftrace_trampoline*", "ftrace_call", "ftrace_caller*",
	"ftrace_regs_call", "ftrace_regs_caller*", "function_stack_trace_call",
	"ftrace_syscall_enter", "ftrace_syscall_exit", "0x7fffffff",
};
/* clang-format on */

bool stack_full(const struct stack_text *text)
{
	return text->n == MOST_TOLD;
}

static bool is_one_of(const char *const *names, size_t n, const char *function)
{
	for (size_t i = 0; i < n; i++) {
		const char *star = strchr(names[i], '*');

		if (star ? strncmp(function, names[i], (size_t)(star - names[i])) == 0 : strcmp(function, names[i]) == 0)
			return true;
	}
	return false;
}

bool stack_is_tracing(const char *function)
{
	return is_one_of(tracing, ARRAY_LEN(tracing), function);
}

static bool is_common(const char *function)
{
	return is_one_of(common, ARRAY_LEN(common), function) || stack_is_tracing(function);
}

void stack_add(struct stack_text *text, const char *function)
{
	size_t len = strlen(text->at), name = strlen(function);

	if (stack_full(text) || (!text->n && is_common(function)) || len + name + 4 > sizeof(text->at))
		return;
	snprintf(text->at + len, sizeof(text->at) - len, "%s%s", text->n ? " < " : "", function);
	text->n++;
}

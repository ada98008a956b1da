/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/stacks.h"
#include "lib/base/str.h"

#include <stdio.h>

enum { MOST_TOLD = 3 };

/* Whole names, or beginnings with a '*': how every task leaves the CPU, or wakes another, whatever it wants. */
static const char *const common[] = {
	"schedule", "__schedule*", "schedule_idle", "schedule_rtlock*", "preempt_schedule*", "__cond_resched*", "schedule_debug*",
	"try_to_wake_up*", "ttwu_*", "wake_up_process", "wake_up_state", "default_wake_function", "autoremove_wake_function", "woken_wake_function",
	"wake_up_q", "__wake_up*", "pollwake", "wake_up_var", "trace_event_*", "__traceiter_*", "perf_trace_*", "__bpf_trace_*", "event_triggers_*",
	"stack_trace_*", "arch_stack_walk", "__trace_stack", "trace_buffer_unlock_commit*",
};

bool stack_full(const struct stack_text *text)
{
	return text->n == MOST_TOLD;
}

static bool is_common(const char *function)
{
	for (size_t i = 0; i < ARRAY_LEN(common); i++) {
		const char *star = strchr(common[i], '*');

		if (star ? strncmp(function, common[i], (size_t)(star - common[i])) == 0 : strcmp(function, common[i]) == 0)
			return true;
	}
	return false;
}

void stack_add(struct stack_text *text, const char *function)
{
	size_t len = strlen(text->at), name = strlen(function);

	if (stack_full(text) || (!text->n && is_common(function)) || len + name + 4 > sizeof(text->at))
		return;
	snprintf(text->at + len, sizeof(text->at) - len, "%s%s", text->n ? " < " : "", function);
	text->n++;
}

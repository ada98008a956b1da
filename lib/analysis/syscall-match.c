/* SPDX-License-Identifier: GPL-2.0 */
#include "lib/analysis/syscall-match.h"
#include "lib/base/str.h"

#define ENTER "sys_enter_"
#define EXIT "sys_exit_"

bool syscall_event_find(const struct event *event, struct syscall_event *out)
{
	*out = (struct syscall_event){ .teller = SYSCALL_BY_NUMBER };
	if (strcmp(event->system, "raw_syscalls") == 0) {
		out->leave = strcmp(event->name, "sys_exit") == 0;
		return (out->leave || strcmp(event->name, "sys_enter") == 0) && format_field(event->format, "id", &out->number);
	}
	out->teller = SYSCALL_BY_NAME;
	out->leave = str_starts(event->name, EXIT);
	if (strcmp(event->system, "syscalls") != 0 || (!out->leave && !str_starts(event->name, ENTER)))
		return false;
	out->call = event->name + strlen(out->leave ? EXIT : ENTER);
	return format_field(event->format, "__syscall_nr", &out->number) || format_field(event->format, "nr", &out->number);
}

enum syscall_step syscall_enters(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller)
{
	*last = (struct syscall_told){ 0 };
	if (open->tellers && open->number == number && !(open->tellers & teller)) {
		open->tellers |= teller;
		return SYSCALL_AGAIN;
	}
	*open = (struct syscall_told){ number, teller };
	return SYSCALL_BEGINS;
}

enum syscall_step syscall_leaves(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller)
{
	const bool unnamed = (int32_t)number < 0;

	if (open->tellers && (unnamed || open->number == number)) {
		*last = (struct syscall_told){ open->number, teller };
		*open = (struct syscall_told){ 0 };
		return SYSCALL_ENDS;
	}
	if (!open->tellers && last->tellers && !(last->tellers & teller) && (unnamed || last->number == number)) {
		*last = (struct syscall_told){ 0 };
		return SYSCALL_AGAIN;
	}
	*open = (struct syscall_told){ 0 };
	*last = (struct syscall_told){ number, teller };
	return SYSCALL_ENDS_UNSEEN;
}

bool syscall_is_birth(const struct syscall *call, int64_t result)
{
	return call && !result && (strcmp(call->name, "fork") == 0 || strcmp(call->name, "vfork") == 0 || str_starts(call->name, "clone"));
}

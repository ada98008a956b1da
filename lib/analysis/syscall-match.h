/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Knows the events of system calls, and which of their records belong together. The events raw_syscalls:sys_enter and sys_exit have the number of the
 * call. Other events are for single calls (syscalls:sys_enter_openat …). When both are recorded, each entry and each exit has two records, in any
 * order, which count as one. Nothing in here prints.
 */
#ifndef RINGSIDE_SYSCALL_MATCH_H
#define RINGSIDE_SYSCALL_MATCH_H

#include "lib/event/trace.h"

/* This tells which kind of event has shown the entry or the exit of a call. The values are bits. */
enum syscall_teller { SYSCALL_BY_NUMBER = 1, SYSCALL_BY_NAME = 2 };

/* This is an event at the entry or the exit of system calls. */
struct syscall_event {
	enum syscall_teller teller;
	bool leave;
	const char *call; /* of SYSCALL_BY_NAME: the call's name, a part of the event's name, borrowed; otherwise NULL */
	struct field number;
};

/* Fills in *@out and returns true when @event is one of them. */
bool syscall_event_find(const struct event *event, struct syscall_event *out);

/* a call of a task. .tellers says which events have shown its entry, or its exit when it has ended. When all is zero there is no call. */
struct syscall_told {
	uint32_t number;
	uint32_t tellers;
};

/* This tells what a record means. A task is in one call at a time. */
enum syscall_step {
	SYSCALL_AGAIN,	     /* nothing new: the other kind of event has shown this already */
	SYSCALL_BEGINS,	     /* a call begins; if another is open, its exit was not recorded */
	SYSCALL_ENDS,	     /* the open call ends */
	SYSCALL_ENDS_UNSEEN, /* a call ends whose entry was not recorded; if another is open, its exit was not recorded */
};

/*
 * syscall_enters() notes that the task enters the call with this number, and syscall_leaves() that it leaves the call. Both return what the record means.
 * The caller keeps @open, the call in which the task is, and @last, the call that it left last; these functions update both. At an exit the number may be
 * negative as an int32_t, as after a signal's handler: then the kernel does not tell which call ends.
 */
enum syscall_step syscall_enters(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);
enum syscall_step syscall_leaves(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);

#endif

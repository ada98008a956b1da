/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the events of system calls, and tells which of their records belong together. There are two kinds of such events:
 * - raw_syscalls:sys_enter and raw_syscalls:sys_exit are for all system calls, and have the number of the call.
 * - Each event of the other kind is for only one system call (syscalls:sys_enter_openat …).
 * If both kinds are recorded, each entry and each exit has two records, in any order. These two records count as one. Nothing in here prints.
 */
#ifndef RINGSIDE_SYSCALL_MATCH_H
#define RINGSIDE_SYSCALL_MATCH_H

#include "lib/event/trace.h"

/*
 * This tells which kind of event has shown the entry or the exit of a call. SYSCALL_BY_NUMBER stands for the events that are for all system calls, and
 * SYSCALL_BY_NAME for the events of one system call. The values are bits.
 */
enum syscall_teller { SYSCALL_BY_NUMBER = 1, SYSCALL_BY_NAME = 2 };

/* This is an event at the entry or the exit of system calls. */
struct syscall_event {
	enum syscall_teller teller;
	bool leave; /* true: the event is at the exit; false: it is at the entry */
	/* For SYSCALL_BY_NAME, the name of the system call. It is a part of the event's name, and is borrowed. For SYSCALL_BY_NUMBER it is NULL. */
	const char *call;
	struct field number; /* the field with the number of the call */
};

/* Fills in *@out and returns true if @event is an event of system calls. */
bool syscall_event_find(const struct event *event, struct syscall_event *out);

/* This is a call of a task. If all members are 0, there is no call. */
struct syscall_told {
	uint32_t number; /* the number of the system call */
	/*
	 * Bits of enum syscall_teller. While the call is open, they are the kinds of events that have shown its entry. Afterwards, they are the kinds
	 * that have shown its exit.
	 */
	uint32_t tellers;
};

/* This tells what a record means. A task is in one call at a time. */
enum syscall_step {
	SYSCALL_AGAIN,	     /* nothing new; the other kind of event has shown this entry or exit already */
	SYSCALL_BEGINS,	     /* a call begins; if another call was open, the exit of that open call was not recorded */
	SYSCALL_ENDS,	     /* the open call ends */
	SYSCALL_ENDS_UNSEEN, /* A call ends, and its entry was not recorded. If another call was open, the exit of that open call was not recorded. */
};

/*
 * syscall_enters() notes that the task enters the call with this number. syscall_leaves() notes that the task leaves the call. Both functions return what
 * the record means. The caller keeps @open and @last for each task. @open is the call in which the task is, and @last is the call that the task left last.
 * Both functions update @open and @last. At an exit, the number may be negative as an int32_t. This happens, for example, after the handler of a signal.
 * Such a number does not tell which call ends.
 */
enum syscall_step syscall_enters(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);
enum syscall_step syscall_leaves(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);

#endif

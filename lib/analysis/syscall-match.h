/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finds the events of system calls, and tells which of their records belong together. There are two kinds of events of system calls:
 * - The events raw_syscalls:sys_enter and raw_syscalls:sys_exit are for all system calls.
 * - Each event of the system "syscalls" is for only one system call, such as syscalls:sys_enter_openat.
 * If both kinds are recorded, each entry and each exit has two records, in any order. These two records are taken for one. Nothing in here prints.
 */
#ifndef RINGSIDE_SYSCALL_MATCH_H
#define RINGSIDE_SYSCALL_MATCH_H

#include "lib/event/syscalls.h"
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
	/* For SYSCALL_BY_NAME: the name of the system call, a pointer into the name of the event. For SYSCALL_BY_NUMBER: NULL. */
	const char *call;
	struct field number; /* the field with the number of the call */
};

/* Fills in *@out and returns true if @event is an event of system calls. */
bool syscall_event_find(const struct event *event, struct syscall_event *out);

/* This is a call of a task. If all members are 0, there is no call. */
struct syscall_told {
	uint32_t number; /* the number of the system call */
	/*
	 * Bits of enum syscall_teller. While the task is in the call, they are the kinds of events that have shown the entry. After the call has ended,
	 * they are the kinds of events that have shown the exit.
	 */
	uint32_t tellers;
};

/* This tells what a record means. A task is in one call at a time. */
enum syscall_step {
	SYSCALL_AGAIN,	     /* the other kind of event has shown this entry or exit already */
	SYSCALL_BEGINS,	     /* a call begins; if another call was open, the exit of that open call was not recorded */
	SYSCALL_ENDS,	     /* the open call ends */
	SYSCALL_ENDS_UNSEEN, /* A call ends, and its entry was not recorded. If another call was open, the exit of that open call was not recorded. */
};

/*
 * syscall_enters() takes in an entry, and syscall_leaves() takes in an exit. Both functions return what the record means. @number is the number of the system
 * call in the record. The caller keeps @open and @last for each task. @open is the call in which the task is, and @last is the call that ended last in the
 * task. Both functions update @open and @last. At an exit, @number may be negative as an int32_t, for example after the handler of a signal. A negative number
 * does not tell which call ends.
 */
enum syscall_step syscall_enters(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);
enum syscall_step syscall_leaves(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);

/*
 * Returns true if an exit with the meaning SYSCALL_ENDS_UNSEEN is the first exit of a new task: the exit of the call by which the task's parent has made the
 * task. Such an exit is no call of the new task. @call is the system call of the exit, or NULL if it is not known. @result is what the exit returns.
 */
bool syscall_is_birth(const struct syscall *call, int64_t result);

#endif

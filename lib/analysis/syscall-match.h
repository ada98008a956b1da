/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events tell of system calls, and which of their records belong together: raw_syscalls:sys_enter and sys_exit, which tell the
 * number of each call, and an event for each of them (syscalls:sys_enter_openat …). Where both are recorded each entry and each exit
 * is told twice, in any order, and is one all the same. No printing.
 */
#ifndef RINGSIDE_SYSCALL_MATCH_H
#define RINGSIDE_SYSCALL_MATCH_H

#include "lib/event/trace.h"

/* Who tells of a call: bits. */
enum syscall_teller { SYSCALL_BY_NUMBER = 1, SYSCALL_BY_NAME = 2 };

/* An event that tells of the beginning or the end of calls. */
struct syscall_event {
	enum syscall_teller teller;
	bool leave;
	const char *call;		/* of SYSCALL_BY_NAME: the call's name in that event's, borrowed; otherwise NULL */
	struct field number;
};

/* Is @event one of them? Then it fills in *@out. */
bool syscall_event_find(const struct event *event, struct syscall_event *out);

/* A call of a task, and who has told of its entry, or, when it is over, of its exit. All zero: there is none. */
struct syscall_told {
	uint32_t number;
	uint32_t tellers;
};

/* What a record is. */
enum syscall_step {
	SYSCALL_AGAIN,		/* nothing new: the other kind of event has told it already */
	SYSCALL_BEGINS,		/* a call; one that is open has ended without a record of that, as a task is in one at a time */
	SYSCALL_ENDS,		/* the call that is open ends */
	SYSCALL_ENDS_UNSEEN,	/* a call ends whose entry is not recorded; one that is open has ended, as above */
};

/*
 * The task enters the call with that number, or leaves it. @open is the call in which it is, as the caller keeps it, and @last the
 * one that it left last. Both are brought up to date. A number that is negative as an int32_t can only be an exit's, as after a signal's
 * handler: the kernel does not tell then which call ends.
 */
enum syscall_step syscall_enters(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);
enum syscall_step syscall_leaves(struct syscall_told *open, struct syscall_told *last, uint32_t number, enum syscall_teller teller);

#endif

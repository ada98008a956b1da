/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the values of the option -e of `ringside syscalls`. The values are written as for strace's -e. Four kinds of values are understood: trace=, signal=,
 * status= and quiet=. The word trace= may be left out. strace's other names for these four kinds, such as t= and silent=, are understood, too. The values
 * choose which calls and signals are printed, and which lines are left out.
 */
#ifndef RINGSIDE_SYSCALL_QUALS_H
#define RINGSIDE_SYSCALL_QUALS_H

#include "lib/base/vec.h"

/* These bits tell how a call ended. */
enum {
	STATUS_SUCCESSFUL = 1,
	STATUS_FAILED = 2,
	STATUS_UNFINISHED = 4, /* the call did not return, because it was exit, or because the task ended during the call */
	STATUS_ALL = 7,
};

/* These bits tell which lines are not printed. */
enum {
	QUIET_EXIT = 1,	      /* lines that tell how a task ended */
	QUIET_SUPERSEDED = 2, /* lines that tell that a task ended because another thread of its process called execve */
	QUIET_ALL = 3,
};

struct syscall_quals {
	strv_t trace;	       /* the sets of calls in all options -e, for syscall_set_init() (lib/event/syscall-set.h) */
	uint64_t signals;      /* bit N - 1: signal N is printed */
	unsigned int statuses; /* STATUS_...: calls that ended in one of these ways are printed */
	unsigned int silences; /* QUIET_...: these kinds of lines are left out */
};

/*
 * Reads the values of all options -e: "[trace=]SET", "signal=SET", "status=SET" or "quiet=SET". The sets of all "[trace=]SET" are united. When "signal=",
 * "status=" or "quiet=" is given several times, only its last set is used. Returns 0, -EINVAL after a message, or -ENOMEM.
 */
int syscall_quals_init(struct syscall_quals *quals, const strv_t *texts);
void syscall_quals_fini(struct syscall_quals *quals);

#endif

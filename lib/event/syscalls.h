/* SPDX-License-Identifier: GPL-2.0 */
/* System calls by their numbers, for analyses and for the plug-in that prints them: names, and what their arguments are. */
#ifndef RINGSIDE_SYSCALLS_H
#define RINGSIDE_SYSCALLS_H

#include "lib/event/syscalls-args.h"

struct syscall_arg {
	const char *name;	/* NULL: there are no more */
	uint8_t kind;		/* enum arg_kind */
};

struct syscall {
	const char *name;	/* "openat"; NULL: the number is of no call */
	bool known;		/* the arguments are all there are; else nothing is known of them */
	struct syscall_arg args[6];
};

struct metadata;

/* The system calls of a recorded machine. */
struct syscalls {
	const struct syscall *all;	/* by number */
	size_t n;
};

/* Those of the machine that the metadata's uname names; of one whose calls nobody has written down there are none. */
struct syscalls syscalls_of(const struct metadata *meta);

/* The call of that number; NULL: there is none, or nobody knows. */
const struct syscall *syscall_find(const struct syscalls *calls, uint64_t number);

/* The number of the call of that name; -1: there is none. */
int64_t syscall_number(const struct syscalls *calls, const char *name);

/* What the syscalls:sys_enter_* and sys_exit_* events call it: some have the name of the kernel's function. */
const char *syscall_event_name(const struct syscall *call);

/* The name of the error that a call returned (-4095 to -1): "ENOENT"; NULL: it is no error, or has no name. */
const char *syscall_error(int64_t result);

#endif

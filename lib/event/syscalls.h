/* SPDX-License-Identifier: GPL-2.0 */
/* Given the number of a system call, tells the name of the call, and the names and kinds of its arguments. */
#ifndef RINGSIDE_SYSCALLS_H
#define RINGSIDE_SYSCALLS_H

#include "lib/event/syscalls-args.h"

struct syscall_arg {
	const char *name; /* NULL: the call has no more arguments */
	uint8_t kind;	  /* enum arg_kind */
};

struct syscall {
	const char *name; /* "openat"; NULL: there is no call of this number */
	bool known;	  /* true: .args has all arguments; false: the arguments are not known */
	struct syscall_arg args[6];
};

struct metadata;

/* These are the system calls of a recorded machine. */
struct syscalls {
	const struct syscall *all; /* element i is the call with the number i */
	size_t n;		   /* the number of elements */
};

/*
 * Returns the calls of the machine that the metadata's uname names. If there is no uname, returns the calls of x86-64. The list is empty when ringside
 * does not know the calls of the machine.
 */
struct syscalls syscalls_of(const struct metadata *meta);

/* Returns the call of this number, or NULL when the list has no call of this number. */
const struct syscall *syscall_find(const struct syscalls *calls, uint64_t number);

/* Returns the number of the call of this name, or -1 when there is none. */
int64_t syscall_number(const struct syscalls *calls, const char *name);

/*
 * Returns the text "; did you mean A or B?". A and B are the calls whose names are nearest to @name (did_you_mean() in lib/base/parse.h). Returns "" if no name
 * is near, and NULL when memory runs out. The caller frees the text.
 */
char *syscall_nearest(const struct syscalls *calls, const char *name);

/*
 * Returns the name that the call has in syscalls:sys_enter_* and sys_exit_* events. For a few calls this name differs from the name of the call
 * (lib/event/syscalls-events.h).
 */
const char *syscall_event_name(const struct syscall *call);

/*
 * Returns the name of the error that a call returned, such as "ENOENT". @result is an error if it is from -4095 to -1. Returns NULL when @result is not an
 * error, or when the error has no name.
 */
const char *syscall_error(int64_t result);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* A set of system calls, written as for strace's -e trace=. */
#ifndef RINGSIDE_SYSCALL_SET_H
#define RINGSIDE_SYSCALL_SET_H

#include "lib/base/vec.h"
#include "lib/event/syscalls.h"

struct syscall_set {
	bool all;	  /* all calls, also those that have no name */
	VEC(bool) wanted; /* by number, when not all */
};

/*
 * Makes the union of what each of @texts names: "[trace=][!]WORD,…" (what else -e takes: syscall-quals.h), where a word is the name of a call, a glob, "/REGEX" or a class of
 * strace's ("%file"), "all" or "none", and '!' means all others; a '?' in front of a word passes over one that is none. No texts: all.
 * 0; -EINVAL after a message; -ENOMEM.
 */
int syscall_set_init(struct syscall_set *set, const struct syscalls *calls, const strv_t *texts);
void syscall_set_fini(struct syscall_set *set);

static inline bool syscall_set_has(const struct syscall_set *set, uint64_t number)
{
	return set->all || (number < set->wanted.n && set->wanted.at[number]);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Reads a set of system calls, which is written as for strace's -e trace=. */
#ifndef RINGSIDE_SYSCALL_SET_H
#define RINGSIDE_SYSCALL_SET_H

#include "lib/base/vec.h"
#include "lib/event/syscalls.h"

struct syscall_set {
	bool all;	  /* the set has all calls, even calls that have no name */
	VEC(bool) wanted; /* element i tells whether the set has the call with the number i; not used when .all is true */
};

/*
 * Makes the union of the sets that @texts name. Without texts the set has all calls. A text is
 * "[trace=][!]WORD,…". With '!', the text names all calls except the calls that its words name. A
 * word is one of these:
 * - the name or the number of a call;
 * - a glob;
 * - "/REGEX";
 * - a class of strace's, such as "%file";
 * - "all" or "none".
 * An unknown word with '?' in front is ignored. Any other unknown word is an error. "@64" after a
 * word changes nothing. lib/event/syscall-quals.h reads the other kinds of -e. Returns 0, -EINVAL
 * after a message, or -ENOMEM.
 */
int syscall_set_init(struct syscall_set *set, const struct syscalls *calls, const strv_t *texts);
void syscall_set_fini(struct syscall_set *set);

static inline bool syscall_set_has(const struct syscall_set *set, uint64_t number)
{
	return set->all || (number < set->wanted.n && set->wanted.at[number]);
}

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Makes the text of arguments of system calls, as strace shows them. These functions handle only some system calls, in which the number, order or meaning of
 * arguments depends on other arguments.
 */
#ifndef RINGSIDE_SYSCALL_SHAPE_H
#define RINGSIDE_SYSCALL_SHAPE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Returns true if the call ignores its argument @i because of the values of its other arguments. */
bool syscall_shape_unused(const struct syscall_open *call, unsigned int i);

/*
 * If the list of system calls (lib/event/syscalls.h) cannot describe argument @i, appends the text of this argument and returns true. Otherwise returns
 * false and appends nothing.
 */
bool syscall_shape_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/*
 * If the call is clone(), appends the text of all its arguments in strace's order, and returns true. For any other call, returns false and appends nothing.
 */
bool syscall_shape_all(const struct syscall_open *call, struct str *out);

/* If strace shows the result with words, appends the text of the result and returns true. For any other result, returns false and appends nothing. */
bool syscall_shape_result(const struct syscall_open *call, int64_t result, struct str *out);

#endif

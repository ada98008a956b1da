/* SPDX-License-Identifier: GPL-2.0 */
/* Prints arguments as strace shows them. This is for calls in which the number, order or meaning of arguments depends on other arguments of the call. */
#ifndef RINGSIDE_SYSCALL_SHAPE_H
#define RINGSIDE_SYSCALL_SHAPE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Does the call ignore its argument @i, because of the values of its other arguments? */
bool syscall_shape_unused(const struct syscall_open *call, unsigned int i);

/*
 * Appends the text of argument @i and returns true, if the list of calls (lib/event/syscalls.h) cannot describe this argument. Otherwise returns false
 * and appends nothing.
 */
bool syscall_shape_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/* Appends the text of all arguments of clone(), which are not shown in the order in which they are passed. Returns false for other calls. */
bool syscall_shape_all(const struct syscall_open *call, struct str *out);

/* Appends a result that is more than a number. Returns false when it is only a number. */
bool syscall_shape_result(const struct syscall_open *call, int64_t result, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments whose number, order or meaning strace takes from other arguments of the same call. */
#ifndef RINGSIDE_SYSCALL_SHAPE_H
#define RINGSIDE_SYSCALL_SHAPE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Does the call not look at its argument @i, given the others? */
bool syscall_shape_unused(const struct syscall_open *call, unsigned int i);

/* Appends the argument's text; false: the table of calls knows it. */
bool syscall_shape_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/* Appends all arguments of a call that has another order of them; false: it has not. */
bool syscall_shape_all(const struct syscall_open *call, struct str *out);

/* Appends a result that is more than a number; false: it is not. */
bool syscall_shape_result(const struct syscall_open *call, int64_t result, struct str *out);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Arguments whose number, order or meaning depends on other arguments of the same call, as strace shows them. */
#ifndef RINGSIDE_SYSCALL_SHAPE_H
#define RINGSIDE_SYSCALL_SHAPE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Given the other arguments, does the call ignore its argument @i? */
bool syscall_shape_unused(const struct syscall_open *call, unsigned int i);

/* Appends the argument's text. Returns false when the table of calls describes the argument. */
bool syscall_shape_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/* Appends all arguments of a call that shows them in another order. Returns false for all other calls. */
bool syscall_shape_all(const struct syscall_open *call, struct str *out);

/* Appends a result that is more than a number. Returns false when it is only a number. */
bool syscall_shape_result(const struct syscall_open *call, int64_t result, struct str *out);

#endif

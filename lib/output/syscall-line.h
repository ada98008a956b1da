/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a system call in strace's words: "openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3". */
#ifndef RINGSIDE_SYSCALL_LINE_H
#define RINGSIDE_SYSCALL_LINE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Appends the name of the call: "openat", or "syscall_0x1f4" when it has none. */
void syscall_name_text(const struct syscall_open *call, struct str *out);

/* Tells whether the call has a file name as an argument, but the text of this name was not recorded. Only the address of the text is then known. */
bool syscall_lacks_name(const struct syscall_open *call);

/*
 * Appends the arguments with commas between them. For a call that was refused (call->refused), appends "...". If a refused call is known to take no
 * arguments, appends nothing.
 */
void syscall_args_text(const struct syscall_open *call, struct str *out);

/* Appends the result: "3", "-1 ENOENT (No such file or directory)", "0x7f12". */
void syscall_result_text(const struct syscall_open *call, int64_t result, struct str *out);

/* Is it a call that never returns, such as exit_group? */
bool syscall_is_last(const struct syscall_open *call);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints a system call as strace prints it: "openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3". */
#ifndef RINGSIDE_SYSCALL_LINE_H
#define RINGSIDE_SYSCALL_LINE_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Appends the name of the call, such as "openat". Appends "syscall_0x1f4" when the call has the number 0x1f4 and no known name. */
void syscall_name_text(const struct syscall_open *call, struct str *out);

/* Returns true when an argument of the call is a file name whose text was not recorded. Of such a name, only the address of the text was recorded. */
bool syscall_lacks_name(const struct syscall_open *call);

/*
 * Appends the arguments with commas between them. The arguments of a call that was refused (call->refused), for example by a seccomp filter, are not
 * recorded. For a refused call, appends "...", or nothing if the call is known to take no arguments.
 */
void syscall_args_text(const struct syscall_open *call, struct str *out);

/*
 * Appends the result: "3", "-1 ENOENT (No such file or directory)", "0x7f12". If the kernel restarts the call after a signal, the result is "? ERESTARTSYS (To
 * be restarted if SA_RESTART is set)" or similar. A new descriptor has the name of its file behind it if the name is known (-y): "3</etc/passwd>".
 */
void syscall_result_text(const struct syscall_open *call, int64_t result, struct str *out);

/* Returns true if the call never returns, such as exit_group. */
bool syscall_is_last(const struct syscall_open *call);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Prints arguments as strace does, such as "IPC_CREAT|0600", for many calls: those of System V's IPC, mknod, ioctl, prctl, bpf, fsmount and others. */
#ifndef RINGSIDE_SYSCALL_NAMED_H
#define RINGSIDE_SYSCALL_NAMED_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Appends the text of argument @i and returns true. If no text is known for the argument, returns false and appends nothing. */
bool syscall_named_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/* Returns true if the kernel ignores argument @i of this call and strace leaves it out. */
bool syscall_named_unused(const struct syscall_open *call, unsigned int i);

#endif

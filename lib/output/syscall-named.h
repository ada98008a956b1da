/* SPDX-License-Identifier: GPL-2.0 */
/* Puts arguments into strace's words, such as "IPC_CREAT|0600", for calls of System V's IPC, mknod, mlockall, fallocate, membarrier, prctl and ioctl. */
#ifndef RINGSIDE_SYSCALL_NAMED_H
#define RINGSIDE_SYSCALL_NAMED_H

#include "lib/analysis/syscalls.h"
#include "lib/base/str.h"

/* Appends the words of argument @i. When there are none, returns false and appends nothing. */
bool syscall_named_arg(const struct syscall_open *call, unsigned int i, struct str *out);

/* Is this an argument that the kernel does not look at, and that strace does not show? */
bool syscall_named_unused(const struct syscall_open *call, unsigned int i);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Gives the name that a system call has in the events syscalls:sys_enter_* and sys_exit_*. This is the name of the kernel's function for the call. For a few
 * calls, this name differs from the name of the call.
 */
#ifndef RINGSIDE_SYSCALLS_EVENTS_H
#define RINGSIDE_SYSCALLS_EVENTS_H

#include "lib/base/base.h"

/* Returns the name that the call @call has in the events syscalls:sys_enter_* and sys_exit_*. */
__unused static const char *syscall_event(const char *call)
{
	/* Each row has the name of a call, and its other name in the events. */
	static const char *const others[][2] = {
		{ "stat", "newstat" },	 { "fstat", "newfstat" }, { "lstat", "newlstat" },
		{ "uname", "newuname" }, { "umount2", "umount" }, { "sendfile", "sendfile64" },
	};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (!strcmp(call, others[i][0]))
			return others[i][1];
	return call;
}

#endif

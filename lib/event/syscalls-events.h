/* SPDX-License-Identifier: GPL-2.0 */
/* Where the kernel's function, and so the event, is not called as the system call is. Constants of whoever includes this, as meanings.h. */
#ifndef RINGSIDE_SYSCALLS_EVENTS_H
#define RINGSIDE_SYSCALLS_EVENTS_H

#include "lib/base/base.h"

__unused static const char *syscall_event(const char *call)
{
	static const char *const others[][2] = {
		{ "stat", "newstat" }, { "fstat", "newfstat" }, { "lstat", "newlstat" }, { "uname", "newuname" },
		{ "umount2", "umount" }, { "sendfile", "sendfile64" },
	};

	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		if (!strcmp(call, others[i][0]))
			return others[i][1];
	return call;
}

#endif

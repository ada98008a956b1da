/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists the names that system calls have in events. They are those of the kernel's functions, which differ from the call's name for a few
 * calls. Each file that includes this has the table as a constant of its own, as with meanings.h.
 */
#ifndef RINGSIDE_SYSCALLS_EVENTS_H
#define RINGSIDE_SYSCALLS_EVENTS_H

#include "lib/base/base.h"

/* Returns the name of @call in events. */
__unused static const char *syscall_event(const char *call)
{
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

/* SPDX-License-Identifier: GPL-2.0 */
/* Tells apart processes that had the same number at different times. */
#ifndef RINGSIDE_PROCESS_H
#define RINGSIDE_PROCESS_H

#include "lib/base/str.h"
#include <sys/types.h>

/*
 * Returns "PID START-TIME" in new memory, which the caller frees. A later process of the same number has another start time. Returns
 * NULL when no such process runs (a zombie does not), or when memory runs out.
 */
char *process_id(pid_t pid);

/* Does the process with this process_id() run? */
bool process_runs(const char *id);

/* Returns the id of this boot of the kernel in new memory, which the caller frees: "?" when it cannot be read, NULL without memory. */
char *boot_id(void);

/* Returns our own command line in new memory, which the caller frees, with blanks between its words: "?" when it cannot be read, NULL without memory. */
char *command_line(void);

#endif

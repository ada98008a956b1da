/* SPDX-License-Identifier: GPL-2.0 */
/* Tells apart processes that had the same pid at different times. */
#ifndef RINGSIDE_PROCESS_H
#define RINGSIDE_PROCESS_H

#include "lib/base/str.h"
#include <sys/types.h>

/*
 * Returns "PID START-TIME" in new memory, which the caller frees. A later process with the same pid has another start time. Returns
 * NULL when no such process runs (a zombie does not), or when memory runs out.
 */
char *process_id(pid_t pid);

/* Does the process with this process_id() run? */
bool process_runs(const char *id);

/* Returns the id of this boot of the kernel, or "?" when it cannot be read. The caller frees the text. Returns NULL when memory runs out. */
char *boot_id(void);

/*
 * Returns the command line of our own process with blanks between its words, or "?" when it cannot be read. The caller frees the text. Returns NULL
 * when memory runs out.
 */
char *command_line(void);

#endif

/* SPDX-License-Identifier: GPL-2.0 */
/* Which process is meant, beyond its number. */
#ifndef RINGSIDE_PROCESS_H
#define RINGSIDE_PROCESS_H

#include "lib/base/str.h"
#include <sys/types.h>

/* "PID START-TIME", in new memory: tells a process from a later one of the same number; NULL: it does not run. */
char *process_id(pid_t pid);

/* Does the process with this process_id() run? */
bool process_runs(const char *id);

/* The id of this boot of the kernel, in new memory. */
char *boot_id(void);

/* Our command line, words separated by spaces, in new memory. */
char *command_line(void);

#endif
